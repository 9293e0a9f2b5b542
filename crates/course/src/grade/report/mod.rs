//! The formats of a grading's report.

mod evidence;
mod html;
mod json;
mod text;

pub(crate) use html::{page, shade};

use super::result::Grade;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people
    Text,
    /// A web page
    Html,
    /// JSON for programs
    Json,
    /// Gradescope's results.json
    Gradescope,
}

impl ReportFormat {
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            ReportFormat::Text => "txt",
            ReportFormat::Html => "html",
            ReportFormat::Json | ReportFormat::Gradescope => "json",
        }
    }
}

pub(crate) fn write(grade: &Grade, format: ReportFormat) -> String {
    match format {
        ReportFormat::Text => text::text(grade),
        ReportFormat::Html => page(grade, None),
        ReportFormat::Json => json::pretty(&json::json(grade)),
        ReportFormat::Gradescope => json::pretty(&json::gradescope(grade)),
    }
}
