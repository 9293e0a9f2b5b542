//! A case of a homework, and the result of a program on it.

use anyhow::{Context, Result};
use engine::protocol::without_mark;
use std::fs;
use std::path::{Path, PathBuf};

/// A case of a homework.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The name.
    pub name: String,
    /// The files that the program finds: their names there, and where they lie. The first is the
    /// input.
    pub finds: Vec<(String, PathBuf)>,
    /// The files that the program shall leave, each with the expected files that are accepted.
    pub expected: Vec<(String, Vec<PathBuf>)>,
    /// The files that the checker alone reads.
    pub beside: Vec<(String, PathBuf)>,
    /// The points.
    pub points: f64,
    /// The index of its group, if it is in one.
    pub group: Option<usize>,
    /// Whether students never see it.
    pub is_secret: bool,
    /// What students are told about it.
    pub hint: Option<String>,
    /// CPU seconds; `None` for those that the command line names.
    pub time: Option<f64>,
}

/// Files by their names.
pub type Files = Vec<(String, Vec<u8>)>;

/// The result of a case.
#[derive(Clone, Debug, Default)]
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// CPU seconds used.
    pub cpu: f64,
    /// The part of the points, from 0 to 1.
    pub score: f64,
    /// What is wrong, if something is.
    pub wrong: Option<String>,
    /// What the checker said of an answer that is right; empty if nothing.
    pub remark: String,
    /// The line that differs, and the first letter that does, from 0.
    pub marked: Option<(String, usize)>,
    /// Whether the program crashed, came too late, or left an expected file out, so that there is
    /// no answer to compare.
    pub unanswered: bool,
    /// Whether the program used up its time.
    pub used_up: bool,
    /// How the program failed; `None` if it exited normally.
    pub fault: Option<String>,
    /// The program's standard output, then its standard error.
    pub said: String,
    /// Why the checker has not judged the answer, which is nobody's loss.
    pub unjudged: Option<String>,
}

impl Case {
    /// Returns the text of the input.
    pub fn input(&self) -> Result<String> {
        self.finds.first().map_or(Ok(String::new()), |(_, path)| text_of(path))
    }
}

/// Reads a file of a case as text.
fn text_of(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(without_mark(&String::from_utf8_lossy(&bytes)).to_string())
}
