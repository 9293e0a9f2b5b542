//! The cases of a homework whose output files are compared with expected ones. A case is a folder
//! with the input file and the expected files.

use anyhow::{Context, Result, bail};
use arena::plain;
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::player::spec::PlayerKind;
use engine::protocol::{quote, without_mark};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folders of a homework's cases, in the order of their names.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// The name of the input file in each of them.
    input: &'static str,
}

/// The result of a case.
pub struct CaseResult {
    /// The name of the case.
    pub name: String,
    /// CPU seconds used.
    pub cpu: f64,
    /// The difference from the expected files, if there is one.
    pub wrong: Option<String>,
    /// Whether the program crashed, came too late, or left an expected file out, so that there is
    /// no answer to compare.
    pub unanswered: bool,
    /// Whether the program used up its time.
    pub used_up: bool,
    /// How the program failed; `None` if it exited normally.
    pub fault: Option<String>,
    /// The program's standard output, then its standard error.
    pub said: String,
}

/// Returns the program of a player; none for a reference player.
pub fn program_of(kind: &PlayerKind) -> Option<Program<'_>> {
    match kind {
        PlayerKind::Files { command, directory, own_command } => {
            Some(Program { command, home: directory.as_deref(), own_command: *own_command })
        }
        _ => None,
    }
}

impl Cases {
    /// Lists the folders of cases in a folder; `input` is the name of the input file.
    pub fn list(folder: &Path, input: &'static str) -> Result<Cases> {
        let within = || format!("{}: cannot be read", folder.display());
        let mut folders = Vec::new();
        for entry in fs::read_dir(folder).with_context(within)? {
            let path = entry.with_context(within)?.path();
            if path.join(input).is_file() {
                folders.push(path);
            }
        }
        folders.sort();
        if folders.is_empty() {
            bail!("{}: no folder with a file {input}", folder.display());
        }
        Ok(Cases { folders, input })
    }

    /// Returns the names of the expected files of all cases.
    pub fn expected_names(&self) -> Result<BTreeSet<OsString>> {
        let mut names = BTreeSet::new();
        for folder in &self.folders {
            names.extend(
                self.expected(folder)?
                    .into_iter()
                    .filter_map(|path| path.file_name().map(OsString::from)),
            );
        }
        Ok(names)
    }

    /// Returns a text with the names and the contents of all files of all cases, for digests.
    pub fn contents(&self) -> Result<String> {
        let mut all = String::new();
        for folder in &self.folders {
            for path in self.expected(folder)?.into_iter().chain([folder.join(self.input)]) {
                all += &format!("{}\0{}\0", path.display(), read(&path)?);
            }
        }
        Ok(all)
    }

    /// Runs a program on a case, and compares the files.
    pub fn run(&self, folder: &Path, player: &CasePlayer, clock: Duration) -> Result<CaseResult> {
        let name = plain::name(folder.file_name().unwrap_or_default());
        let mut expected = Vec::new();
        for path in self.expected(folder)? {
            expected.push((path.file_name().unwrap_or_default().to_owned(), read(&path)?));
        }
        let CaseRun { cpu, lost, timed_out, fault, said } =
            player.run(&read(&folder.join(self.input))?, clock)?;
        let late = (cpu > clock.as_secs_f64())
            .then(|| format!("{cpu:.2} s of CPU, more than {:.2} s", clock.as_secs_f64()));
        let used_up = late.is_some() || timed_out;
        let mut unanswered = late.is_some() || lost;
        let mut difference_of = |(file, text): &(OsString, String)| {
            // A file that is longer than this differs in any case.
            let found = player.read(file.as_ref(), 2 * text.len() as u64 + 1024);
            let file = plain::name(file);
            match found {
                Ok(found) => difference(&file, text, &found),
                Err(why) => {
                    unanswered = true;
                    Some(format!("{file} {why}"))
                }
            }
        };
        let wrong = late.or_else(|| {
            let wrong = expected.iter().find_map(&mut difference_of);
            match (wrong, &fault) {
                (None, Some(fault)) if lost => Some(fault.clone()),
                (Some(wrong), Some(fault)) => Some(format!("{wrong} ({fault})")),
                (wrong, _) => wrong,
            }
        });
        Ok(CaseResult { name, cpu, wrong, unanswered, used_up, fault, said })
    }

    /// Returns the expected files of a case, in the order of their names.
    fn expected(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut expected = Vec::new();
        for entry in
            fs::read_dir(folder).with_context(|| format!("{}: cannot be read", folder.display()))?
        {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name != self.input) && path.is_file() {
                expected.push(path);
            }
        }
        if expected.is_empty() {
            bail!("{}: no expected file beside {}", folder.display(), self.input);
        }
        expected.sort();
        Ok(expected)
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// Returns the first difference between two texts. The kind of line ends, blank lines at the end
/// and a byte-order mark do not count.
fn difference(file: &str, expected: &str, found: &str) -> Option<String> {
    let lines = |text: &str| -> Vec<String> {
        without_mark(text).trim_end().lines().map(str::to_string).collect()
    };
    let (expected, found) = (lines(expected), lines(found));
    for (number, (right, line)) in expected.iter().zip(&found).enumerate() {
        if right != line {
            return Some(format!(
                "{file}:{}: expected {}, found {}",
                number + 1,
                quote(right),
                quote(line)
            ));
        }
    }
    let (right, have) = (expected.len(), found.len());
    (right != have).then(|| format!("{file}: expected {right} lines, found {have}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_the_final_newline_do_not_count_but_all_else_does() {
        assert_eq!(difference("f", "a\r\nb", "a\nb\n\n"), None);
        assert_eq!(difference("f", "a\r\nb", "\u{feff}a\nb\n"), None);
        assert_eq!(difference("f", "\u{feff}a\nb", "a\nb\n"), None);
        assert_eq!(difference("f", "a\nb\n", "a\nc\n").unwrap(), "f:2: expected 'b', found 'c'");
        assert_eq!(difference("f", "a\nb\n", "a\n").unwrap(), "f: expected 2 lines, found 1");
        assert!(difference("f", "a\n", " a\n").is_some());
        assert!(difference("f", "a\n\nb\n", "a\nb\n").is_some());
    }
}
