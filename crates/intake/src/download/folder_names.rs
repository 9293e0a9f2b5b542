//! Makes folder names from students' names: safe on every system, different in more than case, and
//! different from the intake's own files.

use crate::submission::MARK;
use std::collections::BTreeSet;

const LONGEST: usize = 100;

/// The folder names that are taken, in lower case.
pub(crate) struct FolderNames(BTreeSet<String>);

impl FolderNames {
    /// The intake's own file beside the students' folders; its others begin with a dot.
    pub(crate) fn new() -> FolderNames {
        FolderNames([MARK.to_string()].into())
    }

    /// Returns a name that no other folder has.
    pub(crate) fn folder(&mut self, student: &str) -> String {
        let safe = safe_name(student);
        let mut name = safe.clone();
        let mut number = 1;
        while !self.0.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{safe}~{number}");
        }
        name
    }
}

/// Explains a folder's other name, if the student's is that of an intake's file.
pub(crate) fn remark(student: &str, folder: &str) -> Option<String> {
    let safe = safe_name(student);
    (safe.to_lowercase() == MARK)
        .then(|| format!("the folder is {folder}, since the intake writes a file {safe}"))
}

/// Replaces characters with a meaning for a file system or a shell.
fn safe_name(student: &str) -> String {
    let is_safe = |character: char| {
        arena::plain::is_plain(character)
            && (character.is_alphanumeric()
                || !character.is_ascii()
                || " -_.,'()+@".contains(character))
    };
    let text: String =
        student.chars().map(|character| if is_safe(character) { character } else { '_' }).collect();
    let trimmed = |text: &str| text.trim_matches([' ', '.']).to_string();
    let text = trimmed(&text);
    let mut text = trimmed(&text[..text.floor_char_boundary(LONGEST)]);
    if text.is_empty() || text.starts_with('-') || is_device(&text) {
        text.insert(0, '_');
    }
    text
}

/// Returns whether a name belongs to a device on Windows.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered = |kind| {
        let number = stem.strip_prefix(kind).unwrap_or_default();
        number.chars().count() == 1 && number.contains(|symbol| "0123456789¹²³".contains(symbol))
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str())
        || is_numbered("com")
        || is_numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_safe_and_differ_by_more_than_case() {
        let mut names = FolderNames::new();
        for (student, folder) in [
            ("Zoë O'Neil", "Zoë O'Neil"),
            ("zoë o'neil", "zoë o'neil~2"),
            ("../etc", "_etc"),
            ("a/b\\c:d*?", "a_b_c_d__"),
            (".hidden.", "hidden"),
            ("", "_"),
            ("-rf", "_-rf"),
            ("NUL", "_NUL"),
            ("com9 .tar.gz", "_com9 .tar.gz"),
            ("lpt²", "_lpt²"),
            ("common", "common"),
            ("intake.toml", "intake.toml~2"),
            ("Intake.TOML.", "Intake.TOML~3"),
            (".lock", "lock"),
            (".young-ann", "young-ann"),
            ("$(rm)`x`;&|", "_(rm)_x____"),
            ("a\\u{202e}b", "a_u_202e_b"),
        ] {
            assert_eq!(names.folder(student), folder);
        }
        assert!(names.folder(&"ä".repeat(300)).len() <= LONGEST);
        assert_eq!(
            names.folder(&format!("{} .b", "a".repeat(LONGEST - 2))),
            "a".repeat(LONGEST - 2)
        );
        assert!(remark("INTAKE.toml ", "x").is_some());
        assert_eq!(remark("ann", "ann~2"), None);
    }
}
