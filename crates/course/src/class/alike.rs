//! The part of a class's page about pairs that `judge likeness` has told.

use super::students::Student;
use anyhow::{Context, Result};
use arena::plain::{counted, shown};
use maud::{Markup, html};
use pages::markup::{address, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use terminal::output::write_file;

/// In the directory of the class.
const FILE: &str = "likeness.json";
const TITLE: &str = "Programs that are alike";

/// The pairs of a class that are alike.
#[derive(Serialize, Deserialize)]
pub(crate) struct Alike {
    /// The page with the pairs side by side, by its whole path.
    pub page: Option<PathBuf>,
    /// The names of two programs, and how these are alike.
    pub pairs: Vec<([String; 2], String)>,
    /// The digests of the submissions that were compared, by name.
    pub digests: BTreeMap<String, String>,
}

impl Alike {
    pub(crate) fn write(&self, class: &Path) -> Result<()> {
        write_file(&class.join(FILE), &serde_json::to_string(self)?)
    }
}

/// The part of the page about programs that are alike.
pub(super) fn section(class: &Path, students: &[Student]) -> Result<Markup> {
    let path = class.join(FILE);
    let Ok(text) = fs::read_to_string(&path) else {
        return Ok(html! {
            h2 { (TITLE) }
            p.soft {
                "Nothing has been compared yet. " code { "judge likeness" }
                " does it; then grade-all with --resume writes the pairs here. No report has them."
            }
        });
    };
    let alike: Alike = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let is_new = |student: &&Student| alike.digests.get(&student.name) != Some(&student.digest);
    let new = students.iter().filter(is_new).count();
    let rows = html! {
        @for (programs, how) in &alike.pairs {
            tr {
                @for name in programs { td.name { (shown(name)) } }
                td.why { (how) }
            }
        }
    };
    let headings = [("submission", ""), ("submission", ""), ("alike", "")];
    Ok(html! {
        h2 { (TITLE) }
        p.soft {
            "No report has them. Why they are alike is not known: "
            "look at both before you say more. "
            @if let Some(page) = &alike.page {
                "Side by side: " a href=(link(page)) { (page.display()) }
            }
        }
        @if new > 0 {
            p.missing {
                (counted(new, "submission is", "submissions are"))
                " newer than the comparison: compare again."
            }
        }
        @if alike.pairs.is_empty() { p { "No two programs are alike beyond the class." } }
        @else { (table(TITLE, &headings, &rows)) }
    })
}

/// The address of a file with a whole path.
fn link(file: &Path) -> String {
    let parts = file.iter().skip(1).map(|part| part.to_str().unwrap_or_default());
    format!("/{}", address(&parts.collect::<Vec<_>>()))
}
