//! What `judge likeness` has told of a class, for the class's page.

use super::students::Student;
use anyhow::{Context, Result};
use arena::plain::{counted, shown};
use maud::{Markup, html};
use pages::markup::{address, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use terminal::output::write_file;

/// In the directory of the class.
const FILE: &str = "likeness.json";
const TITLE: &str = "Programs that are alike";

/// The pairs of a class that are alike.
#[derive(Serialize, Deserialize)]
pub(crate) struct Alike {
    /// The page with the pairs side by side, if there is one.
    pub page: Option<PathBuf>,
    pub pairs: Vec<AlikePair>,
    /// The digests of the submissions that were compared, by name.
    pub digests: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct AlikePair {
    pub programs: [String; 2],
    /// How the two are alike, as sentences.
    pub how: Vec<String>,
}

impl Alike {
    pub(crate) fn write(&self, class: &Path) -> Result<()> {
        write_file(&class.join(FILE), &format!("{:#}\n", serde_json::to_value(self)?))
    }
}

/// The part of the page about programs that are alike; `page` is the file of the class's page.
pub(super) fn section(class: &Path, students: &[Student], page: &Path) -> Result<Markup> {
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
    let is_old = |name: &String| {
        let student = students.iter().find(|student| student.name == *name);
        student.is_some_and(|student| alike.digests.get(name) != Some(&student.digest))
    };
    let new = students.iter().filter(|student| is_old(&student.name)).count();
    let rows = html! {
        @for AlikePair { programs, how } in &alike.pairs {
            tr {
                @for name in programs {
                    td.name { (shown(name)) @if is_old(name) { " (newer now)" } }
                }
                td.why { (how.join("; ")) }
            }
        }
    };
    let headings = [("submission", ""), ("submission", ""), ("alike", "")];
    Ok(html! {
        h2 { (TITLE) }
        p.soft {
            "For teachers alone; no report has them. Why they are alike is not known: look at both before you say more. "
            @if let Some(pairs) = &alike.page { a href=(link(pairs, page)?) { "The pairs side by side" } }
        }
        @if new > 0 {
            p.missing { (counted(new, "submission is", "submissions are")) " newer than the comparison." }
        }
        @if alike.pairs.is_empty() { p { "No two programs are alike beyond the class." } }
        @else { (table(TITLE, &headings, &rows)) }
    })
}

/// The address of a file, relative to a page in the same folder or one above.
fn link(file: &Path, page: &Path) -> Result<String> {
    let (file, page) = (absolute(file)?, absolute(page)?);
    let beside = file.strip_prefix(page.parent().unwrap_or(&page));
    let parts = |path: &Path| -> Vec<String> {
        path.iter().map(|part| part.to_string_lossy().into_owned()).collect()
    };
    let encoded = |parts: &[String]| address(&parts.iter().map(String::as_str).collect::<Vec<_>>());
    Ok(match beside {
        Ok(beside) => encoded(&parts(beside)),
        Err(_) => format!("/{}", encoded(&parts(&file)[1..])),
    })
}
