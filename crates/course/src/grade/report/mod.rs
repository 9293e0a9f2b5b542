//! The formats of a grading's report.

mod evidence;
mod html;
mod json;
mod text;

pub(crate) use html::{page, shade};

use super::result::Grade;
use anyhow::{Result, bail};

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
    /// Returns whether the report of a homework is JSON, and not text.
    pub(crate) fn of_cases(self) -> Result<bool> {
        match self {
            ReportFormat::Text => Ok(false),
            ReportFormat::Json => Ok(true),
            ReportFormat::Html | ReportFormat::Gradescope => {
                bail!("--report: expected text or json with a homework")
            }
        }
    }

    /// Returns the suffix of files in this format.
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
