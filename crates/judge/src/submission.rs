//! What an intake leaves for each student, and what marks a directory as an intake's: `intake.toml` beside the students'
//! folders, and in each of them `submission.toml`, `build.log` and `program`, a folder that is ready to be played.

use crate::toml_text::parse;
use anyhow::{Context, Result, anyhow, bail};
use arena::player::left::{Unreadable, read_left};
use engine::agent::files::write_atomically;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// The version of the two files.
const VERSION: u32 = 1;
/// The longest of these files that is read, in bytes.
const LIMIT: u64 = 4 << 20;
/// The file that marks a directory as an intake's.
pub(crate) const MARK: &str = "intake.toml";
/// The file about one student's submission.
pub(crate) const SUBMISSION: &str = "submission.toml";
/// The folder of a student's that is copied for each game.
pub(crate) const PROGRAM: &str = "program";
/// What the compiler said, whole to a limit.
pub(crate) const BUILD_LOG: &str = "build.log";

/// How a submission stands after its intake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// As it was asked for, and it runs.
    Ready,
    /// It runs, and was not quite as asked for.
    Mended,
    /// Only the teacher can say, or the student: no program was found, or it does not build.
    NeedsYou,
}

impl fmt::Display for State {
    /// The word in tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Ready => "ready",
            State::Mended => "mended",
            State::NeedsYou => "needs you",
        })
    }
}

/// One student's submission after its intake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Submission {
    /// The student, as the course system's download has the name; plain text.
    pub student: String,
    /// Whether it can be played.
    pub state: State,
    /// The programming language, as the table of languages calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The command that plays it in a copy of its folder `program`; there is none if the state is `NeedsYou`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What was not as asked for and was put right, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mended: Vec<String>,
    /// Why it needs the teacher, and what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// What is worth knowing and changes nothing, a line each: its first move is illegal, a file was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The last lines of the compiler that failed, or of the standard error of a first move that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<String>,
    /// The digest of the student's files and of all that the intake was made by.
    pub digest: String,
    /// The student's own files in the folder `program`, as paths in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
}

impl Submission {
    /// Reads the file of a student's folder.
    pub(crate) fn read(folder: &Path) -> Result<Submission> {
        let read: Option<Submission> = read_toml(folder, SUBMISSION)?;
        let submission = read.ok_or_else(|| {
            anyhow!("{}: is missing; `judge intake` again finishes what it began", folder.join(SUBMISSION).display())
        })?;
        if submission.state != State::NeedsYou && submission.command.is_none() {
            bail!("{}: no `command`, and the state is not `needs-you`", folder.join(SUBMISSION).display());
        }
        Ok(submission)
    }

    /// Writes the file of a student's folder, whole or not at all.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        write_toml(self, folder, SUBMISSION)
    }
}

/// What an intake says of the directory that it has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct IntakeMark {
    /// The version of the files.
    pub version: u32,
    /// The game that the submissions are for.
    pub game: String,
    /// The name of the download, or of the directory that they came from.
    pub source: String,
    /// The digest of the submissions of all students.
    pub digest: String,
    /// Whether all students are done; an intake that was broken off goes on where it stood.
    #[serde(default)]
    pub complete: bool,
}

impl IntakeMark {
    /// A mark of this version.
    pub(crate) fn new(game: &str, source: &str, digest: String) -> IntakeMark {
        IntakeMark { version: VERSION, game: game.to_string(), source: source.to_string(), digest, complete: false }
    }

    /// Writes it, whole or not at all.
    pub(crate) fn write(&self, directory: &Path) -> Result<()> {
        write_toml(self, directory, MARK)
    }
}

/// The mark of a directory that an intake has made; `None` for any other directory, whatever files lie in its folders.
pub(crate) fn is_intake(directory: &Path) -> Result<Option<IntakeMark>> {
    let mark: Option<IntakeMark> = read_toml(directory, MARK)?;
    if let Some(mark) = &mark
        && mark.version != VERSION
    {
        let (path, found) = (directory.join(MARK), mark.version);
        bail!("{}: version {found}, and this judge knows version {VERSION}: take the class in again", path.display());
    }
    Ok(mark)
}

/// The folders of an intake's students, in the order of their names, also of those whose intake was broken off.
pub(crate) fn folders(directory: &Path) -> Result<Vec<PathBuf>> {
    let listed = std::fs::read_dir(directory)
        .and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>())
        .with_context(|| format!("{}: cannot be listed", directory.display()))?;
    let mut folders: Vec<PathBuf> = listed
        .into_iter()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_hidden(&entry.file_name()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    Ok(folders)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Reads a file; `None` if there is none.
fn read_toml<T: DeserializeOwned>(directory: &Path, name: &str) -> Result<Option<T>> {
    let path = directory.join(name);
    let text = match read_left(directory, Path::new(name), LIMIT) {
        Ok(text) => text,
        Err(Unreadable::Missing) => return Ok(None),
        Err(Unreadable::Other(reason)) => bail!("{}: {reason}", path.display()),
    };
    parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

fn write_toml(value: &impl Serialize, directory: &Path, name: &str) -> Result<()> {
    let path = directory.join(name);
    let text = toml::to_string(value).with_context(|| format!("{}: cannot be written", path.display()))?;
    write_atomically(&path, &text).with_context(|| format!("{}: cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn submission() -> Submission {
        Submission {
            student: "Zoë \"Z\" O'Neil".to_string(),
            state: State::Mended,
            language: Some("C++".to_string()),
            command: Some("./homework".to_string()),
            mended: vec!["Homework.cpp: should be homework.cpp".to_string()],
            needs: None,
            remarks: vec!["first move: illegal".to_string()],
            last_words: Some("a\n  b\u{1b}\n".to_string()),
            digest: "12".to_string(),
            files: vec![PathBuf::from("src/ä b.cpp")],
        }
    }

    #[test]
    fn a_submission_is_read_as_it_was_written() {
        let place = tempfile::tempdir().unwrap();
        let waiting = Submission {
            state: State::NeedsYou,
            language: None,
            command: None,
            needs: Some("no program: ask".to_string()),
            mended: Vec::new(),
            files: Vec::new(),
            ..submission()
        };
        for submission in [submission(), waiting] {
            submission.write(place.path()).unwrap();
            assert_eq!(Submission::read(place.path()).unwrap(), submission);
        }
        assert!(fs::read_to_string(place.path().join(SUBMISSION)).unwrap().contains("state = \"needs-you\""));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(SUBMISSION);
        let error = || format!("{:#}", Submission::read(place.path()).unwrap_err());
        assert!(error().contains("submission.toml: is missing; `judge intake` again"));
        for (text, part) in [
            ("student = \"a\"\nstate = \"lost\"\n", "submission.toml:2: unknown variant `lost`"),
            ("student = \"a\"\nstate = \"ready\"\n\ndigest = 5\n", "submission.toml:4: invalid type"),
            ("student = \"a\"\nstate = \"ready\"\ndigest = \"\"\n", "submission.toml: no `command`"),
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
        assert_eq!(is_intake(place.path()).unwrap(), None);
        for folder in ["b", "a", ".young"] {
            fs::create_dir(place.path().join(folder)).unwrap();
            submission().write(&place.path().join(folder)).unwrap();
        }
        assert_eq!(is_intake(place.path()).unwrap(), None);
        let mark = IntakeMark::new("halma", "class.zip", "7".to_string());
        mark.write(place.path()).unwrap();
        assert_eq!(is_intake(place.path()).unwrap(), Some(mark.clone()));
        assert_eq!(folders(place.path()).unwrap(), ["a", "b"].map(|name| place.path().join(name)));
        IntakeMark { version: 2, ..mark }.write(place.path()).unwrap();
        assert!(is_intake(place.path()).unwrap_err().to_string().contains("take the class in again"));
    }
}
