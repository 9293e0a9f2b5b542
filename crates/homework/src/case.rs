//! A case of a homework, its files, and the result of a program on it.

use anyhow::{Context, Result};
use engine::protocol::without_mark;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of a case: on disk, or unpacked from an archive.
#[derive(Clone, Debug)]
pub struct CaseFile {
    /// In an archive, through its name without the ending.
    pub path: PathBuf,
    unpacked: Option<Arc<[u8]>>,
}

impl CaseFile {
    pub(crate) fn at(path: PathBuf) -> CaseFile {
        CaseFile { path, unpacked: None }
    }

    pub(crate) fn unpacked(path: PathBuf, bytes: Vec<u8>) -> CaseFile {
        CaseFile { path, unpacked: Some(bytes.into()) }
    }

    /// Reads the file.
    pub fn read(&self) -> Result<Vec<u8>> {
        match &self.unpacked {
            Some(bytes) => Ok(bytes.to_vec()),
            None => read(&self.path),
        }
    }

    /// The number of bytes; 0 of a file that is not there.
    pub(crate) fn size(&self) -> u64 {
        let on_disk = || fs::metadata(&self.path).map_or(0, |data| data.len());
        self.unpacked.as_ref().map_or_else(on_disk, |bytes| bytes.len() as u64)
    }
}

/// Whether a file or folder is hidden, or added by Python or macOS.
pub(crate) fn is_litter(name: &str) -> bool {
    name.starts_with('.') || name == "__pycache__" || name == "__MACOSX"
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// A case of a homework.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The name.
    pub name: String,
    /// The files that the program finds: their names there, and where they lie. The first is the
    /// input.
    pub finds: Vec<(String, CaseFile)>,
    /// The files that the program shall leave, each with the expected files that are accepted.
    pub expected: Vec<(String, Vec<CaseFile>)>,
    /// The checker alone reads them.
    pub(crate) beside: Vec<(String, CaseFile)>,
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
    /// Arguments of the program.
    pub(crate) arguments: Vec<String>,
    /// Arguments of the checker.
    pub(crate) of_checker: Vec<String>,
    /// The index of the way in which it is compared, if not as the homework says.
    pub(crate) compared: Option<usize>,
    pub(crate) scores: Scores,
}

/// What the scores are that a checker leaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) enum Scores {
    /// The part of the points, from 0 to 1, of wrong answers, too.
    #[default]
    Part,
    /// The verdict alone counts.
    Ignored,
    /// `score.txt` has points up to `most`, of which `whole` are all points of the case, and
    /// `score_multiplier.txt` a part of them; a wrong answer has none.
    Of { whole: f64, most: f64 },
}

/// Files by their names.
pub type Files = Vec<(String, Vec<u8>)>;

/// The result of a program on a case.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// CPU seconds used.
    pub cpu: f64,
    /// Wall seconds used.
    pub wall: f64,
    /// The peak memory of the program's largest process, in bytes; 0 where it is not measured.
    pub memory: u64,
    /// The part of the points, from 0 to 1.
    pub score: f64,
    /// What is wrong, if something is.
    pub wrong: Option<String>,
    /// What the checker said of an answer that is right; empty if nothing.
    pub remark: String,
    /// The checker's words for the teacher alone; empty if there are none.
    pub for_teacher: String,
    /// The line that differs, and the first letter that does, from 0.
    pub marked: Option<(String, usize)>,
    /// Whether the program crashed, came too late, or left an expected file out, so that there is
    /// no answer to compare.
    pub unanswered: bool,
    /// Whether a file that the program left is longer than the output limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_long: bool,
    /// Whether what the program left is empty but for white space. No record has it.
    #[serde(skip)]
    pub is_blank: bool,
    /// Whether the program used up its time.
    pub used_up: bool,
    /// How the program failed; `None` if it exited normally.
    pub fault: Option<String>,
    /// What the program and the checker said to each other, a line for each line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub conversation: String,
    /// The program's standard output, then its standard error. No record has them.
    #[serde(skip)]
    pub said: String,
    /// Why the checker has not judged the answer, which is nobody's loss.
    pub unjudged: Option<String>,
}

impl Case {
    /// Returns the text of the input.
    pub fn input(&self) -> Result<String> {
        let Some((_, file)) = self.finds.first() else { return Ok(String::new()) };
        Ok(without_mark(&String::from_utf8_lossy(&file.read()?)).to_string())
    }
}
