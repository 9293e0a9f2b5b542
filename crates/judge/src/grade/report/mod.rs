//! The forms of a grading's report.

mod evidence;
mod html;
mod junit;
mod machine;
mod markdown;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use html::shade;

use super::result::Grade;
use anyhow::Result;

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Text for people
    Text,
    /// Markdown for people
    Markdown,
    /// A page for a browser
    Html,
    /// JSON for programs
    Json,
    /// Gradescope's results.json
    Gradescope,
    /// JUnit XML
    Junit,
}

impl Form {
    /// The ending of the names of files of this form.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Markdown => "md",
            Form::Html => "html",
            Form::Json | Form::Gradescope => "json",
            Form::Junit => "xml",
        }
    }
}

/// Writes a report.
pub(crate) fn write(grade: &Grade, form: Form) -> Result<String> {
    Ok(match form {
        Form::Text => text::text(grade),
        Form::Markdown => markdown::markdown(grade),
        Form::Html => html::page(grade, None),
        Form::Json => machine::pretty(&machine::json(grade)),
        Form::Gradescope => machine::pretty(&machine::gradescope(grade)),
        Form::Junit => junit::junit(grade).to_string()?,
    })
}

/// A report for a browser, with links into the page of its lost games: the address of that page.
pub(crate) fn page(grade: &Grade, games: Option<&str>) -> String {
    html::page(grade, games)
}
