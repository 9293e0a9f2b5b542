//! The files that an intake writes: `intake.toml` beside the students' folders, and in each folder
//! `submission.toml`, `build.log` and `program`.

use anyhow::{Context, Result, bail, ensure};
use arena::player::untrusted_file::{Unreadable, read_untrusted};
use arena::terms::Bounds;
use arena::toml_text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use terminal::output::write_file;

/// The version of `intake.toml` and `submission.toml`.
const VERSION: u32 = 1;
const LIMIT: u64 = 4 << 20;
/// The file that marks a directory as an intake's.
pub const MARK: &str = "intake.toml";
/// The file about a submission.
pub const SUBMISSION: &str = "submission.toml";
/// The folder with a program, which is copied for each game.
pub const PROGRAM: &str = "program";
/// The file with the output of the compiler.
pub const BUILD_LOG: &str = "build.log";

/// The copy of Brightspace's list of the submissions.
pub const INDEX: &str = ".index.html";

/// How a remark begins that says what the student can do.
pub const TO_FIX: &str = "to fix it: ";

/// Returns the first 16 bytes of a digest in hexadecimal.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The state of a submission, the best one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The program plays as it is.
    Ready,
    /// The program plays after a correction.
    Mended,
    /// The first move is missing, illegal or too late.
    DoesNotPlay,
    /// No program was found, or it does not build.
    #[default]
    NeedsYou,
}

impl fmt::Display for State {
    /// Writes the word of tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Ready => "ready",
            State::Mended => "mended",
            State::DoesNotPlay => "does not play",
            State::NeedsYou => "needs you",
        })
    }
}

/// What runs a program, as it was found where the program was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Runtime {
    /// The interpreter by its name in the command or in the first line of a script; the command's
    /// own path for a compiled program, whose libraries count.
    pub program: String,
    /// The path of an interpreter where the program was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// The argument by which an interpreter prints its version; empty if it does not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub option: String,
    /// The version of an interpreter, such as `3.11.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Python's modules that the sources import and that are not Python's own, each with its
    /// version, such as `numpy 1.26.4`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
}

/// One student's submission after its intake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Submission {
    /// The name as the download spells it; plain text.
    pub student: String,
    /// The course system's number of the student.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The members of a team, as `Ann Berg (7060)`; empty for one student.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Where feedback goes in a zip for the course system, for each member of a team: a path, or
    /// the beginning of one, which ends in `/` or `_`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<String>,
    /// The numbers of the uploads or the time of the attempt, separated by blanks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upload: String,
    /// Whether the course system marks it as late.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// Whether the program can play.
    pub state: State,
    /// The language, by its name in the table of languages.
    pub language: Option<String>,
    /// The command that starts the program in a copy of its folder `program`; none if the state is
    /// `NeedsYou`.
    pub command: Option<String>,
    /// The protocol that the program speaks instead of files
    /// (`arena::player::protocol::PlayerProtocol`).
    pub protocol: Option<String>,
    /// The corrections, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mended: Vec<String>,
    /// Why it needs the teacher and what to do about it, or why it does not play.
    pub needs: Option<String>,
    /// Remarks that change nothing, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The last lines of a failed compiler, or of the standard error of a failed first move.
    pub last_words: Option<String>,
    /// The digest of the files and of the intake's settings.
    pub digest: String,
    /// The digest of the student's files by their names and bytes alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upload_digest: String,
    /// The digests of files that these have replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_uploads: Vec<String>,
    /// Whether the files were mended by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The digest of the path of the directory that they came from; empty for a zip.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    /// The digest of this file without this line, and of `program`, by which an edit is noticed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub written: String,
    /// The student's own files, relative to `program`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// What ran the program in its trial; none in submissions of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Runtime>,
}

impl Submission {
    /// Reads `submission.toml`.
    pub fn read(folder: &Path) -> Result<Submission> {
        let read: Option<Submission> = read_toml(folder, SUBMISSION)?;
        let name = folder.join(SUBMISSION);
        let name = name.display();
        let submission = read.with_context(|| {
            format!("{name}: is missing; run `judge intake` again to finish the intake")
        })?;
        ensure!(
            submission.state == State::NeedsYou || submission.command.is_some(),
            "{name}: no `command`, and the state is not `needs-you`"
        );
        Ok(submission)
    }

    /// Whether the program did not run because this machine lacks a module.
    pub(crate) fn lacks_module(&self) -> bool {
        let mut words = [&self.needs, &self.last_words].into_iter().flatten();
        matches!(self.state, State::DoesNotPlay | State::NeedsYou)
            && words.any(|words| {
                words.contains("No module named") || words.contains("Cannot find module")
            })
    }

    /// Writes `submission.toml`.
    pub fn write(&self, folder: &Path) -> Result<()> {
        write_toml(self, folder, SUBMISSION)
    }
}

/// The contents of `intake.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct IntakeMark {
    /// The version of the format.
    pub version: u32,
    /// The game of the submissions.
    pub game: String,
    /// The name of the download or directory.
    pub source: String,
    /// The digest of all submissions.
    pub digest: String,
    /// The programs' environment variables, as `--env` gives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The paths that programs could read, as `--read-only` gives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_only: Vec<PathBuf>,
    /// Whether all students are done.
    #[serde(default)]
    pub complete: bool,
}

impl IntakeMark {
    /// The mark of an intake that has begun.
    pub fn new(game: &str, source: &str) -> IntakeMark {
        IntakeMark {
            version: VERSION,
            game: game.to_string(),
            source: source.to_string(),
            digest: String::new(),
            env: Vec::new(),
            read_only: Vec::new(),
            complete: false,
        }
    }

    /// Writes `intake.toml`.
    pub fn write(&self, directory: &Path) -> Result<()> {
        write_toml(self, directory, MARK)
    }
}

/// Reads the mark of an intake's directory; `None` for any other directory.
pub fn read_mark(directory: &Path) -> Result<Option<IntakeMark>> {
    let mark: Option<IntakeMark> = read_toml(directory, MARK)?;
    let found = mark.as_ref().map_or(VERSION, |mark| mark.version);
    ensure!(
        found == VERSION,
        "{}: version {found}, and this judge knows version {VERSION}: run the intake again",
        directory.join(MARK).display()
    );
    Ok(mark)
}

/// Gives programs the environment variables and the readable paths that they had in an intake. A
/// variable that the bounds have counts.
pub fn add_intake_settings(directory: &Path, bounds: &mut Bounds) -> Result<()> {
    if let Some(mark) = read_mark(directory)? {
        bounds.env.splice(0..0, mark.env);
        bounds.read_only.extend(mark.read_only);
    }
    Ok(())
}

/// Returns the folders of an intake's students in the order of their names.
pub fn student_folders(directory: &Path) -> Result<Vec<PathBuf>> {
    let listed = std::fs::read_dir(directory)
        .and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>())
        .with_context(|| format!("{}: cannot be listed", directory.display()))?;
    let is_student = |entry: &std::fs::DirEntry| {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_hidden
    };
    let mut folders: Vec<PathBuf> =
        listed.iter().filter(|entry| is_student(entry)).map(std::fs::DirEntry::path).collect();
    folders.sort();
    Ok(folders)
}

fn read_toml<T: DeserializeOwned>(directory: &Path, name: &str) -> Result<Option<T>> {
    let path = directory.join(name);
    let text = match read_untrusted(directory, Path::new(name), LIMIT) {
        Ok(text) => text,
        Err(Unreadable::Missing) => return Ok(None),
        Err(Unreadable::Other(reason) | Unreadable::TooLong(reason)) => {
            bail!("{}: {reason}", path.display())
        }
    };
    toml_text::parse(path.display(), &text).map(Some)
}

fn write_toml(value: &impl Serialize, directory: &Path, name: &str) -> Result<()> {
    let path = directory.join(name);
    let text =
        toml::to_string(value).with_context(|| format!("{}: cannot be written", path.display()))?;
    write_file(&path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(SUBMISSION);
        let error = || format!("{:#}", Submission::read(place.path()).unwrap_err());
        assert!(error().contains("submission.toml: is missing; run `judge intake` again"));
        for (text, part) in [
            ("student = \"a\"\nstate = \"lost\"\n", "submission.toml:2: unknown variant `lost`"),
            ("student = \"a\"\ndigest = 5\n", "submission.toml:2: invalid type"),
            (
                "student = \"a\"\nstate = \"ready\"\ndigest = \"\"\n",
                "submission.toml: no `command`",
            ),
            ("student = \"a\"\nwho = 1\n", "submission.toml:2: unknown field `who`"),
            ("a = \"", "submission.toml:1: "),
        ] {
            fs::write(&path, text).unwrap();
            assert!(error().contains(part), "{text}: {}", error());
        }
        fs::write(&path, vec![b'#'; LIMIT as usize + 1]).unwrap();
        assert!(error().contains("is longer than"), "{}", error());
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(error().contains("is not a file"), "{}", error());
    }

    #[test]
    fn only_a_mark_makes_a_directory_an_intake_s() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(read_mark(place.path()).unwrap(), None);
        for folder in ["b", "a", ".young"] {
            fs::create_dir(place.path().join(folder)).unwrap();
            Submission::default().write(&place.path().join(folder)).unwrap();
        }
        assert_eq!(read_mark(place.path()).unwrap(), None);
        let mark = IntakeMark::new("halma", "class.zip");
        mark.write(place.path()).unwrap();
        assert_eq!(read_mark(place.path()).unwrap(), Some(mark.clone()));
        assert_eq!(
            student_folders(place.path()).unwrap(),
            ["a", "b"].map(|name| place.path().join(name))
        );
        IntakeMark { version: 2, ..mark }.write(place.path()).unwrap();
        assert!(read_mark(place.path()).unwrap_err().to_string().contains("run the intake again"));
    }
}
