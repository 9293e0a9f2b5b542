//! The formats of a grading's report.

mod evidence;
mod html;
mod json;
mod junit;
mod markdown;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use html::shade;

use super::result::Grade;
use anyhow::Result;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people
    Text,
    /// Markdown for people
    Markdown,
    /// A web page
    Html,
    /// JSON for programs
    Json,
    /// Gradescope's results.json
    Gradescope,
    /// JUnit XML
    Junit,
}

impl ReportFormat {
    /// Returns the suffix of files in this format.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            ReportFormat::Text => "txt",
            ReportFormat::Markdown => "md",
            ReportFormat::Html => "html",
            ReportFormat::Json | ReportFormat::Gradescope => "json",
            ReportFormat::Junit => "xml",
        }
    }
}

/// Returns a report in a format.
pub(crate) fn write(grade: &Grade, format: ReportFormat) -> Result<String> {
    Ok(match format {
        ReportFormat::Text => text::text(grade),
        ReportFormat::Markdown => markdown::markdown(grade),
        ReportFormat::Html => html::page(grade, None),
        ReportFormat::Json => json::pretty(&json::json(grade)),
        ReportFormat::Gradescope => json::pretty(&json::gradescope(grade)),
        ReportFormat::Junit => junit::junit(grade).to_string()?,
    })
}

/// Returns a report as a web page, with links into the page of lost games at the address `games`.
pub(crate) fn page(grade: &Grade, games: Option<&str>) -> String {
    html::page(grade, games)
}
