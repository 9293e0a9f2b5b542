//! Names of students as names of folders: safe on every system, and none like another's but for case.

use std::collections::BTreeSet;

/// The longest name of a folder, in bytes.
const LONGEST: usize = 100;

/// The names of folders that were given.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name for a student's folder, like no other's.
    pub(super) fn folder(&mut self, student: &str) -> String {
        let safe = safe(student);
        let mut name = safe.clone();
        let mut number = 1;
        while !self.taken.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{safe}~{number}");
        }
        name
    }
}

/// A name with nothing in it that a file system or a shell takes for something else.
fn safe(student: &str) -> String {
    const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com1", "lpt1"];
    let is_safe = |character: char| {
        arena::plain::is_plain(character)
            && (character.is_alphanumeric() || !character.is_ascii() || " -_.,'()+@".contains(character))
    };
    let text: String = student.chars().map(|character| if is_safe(character) { character } else { '_' }).collect();
    let mut text = text.trim_matches(|character: char| character == ' ' || character == '.').to_string();
    while text.len() > LONGEST {
        text.pop();
    }
    if text.is_empty() || text.starts_with('-') || RESERVED.contains(&text.to_lowercase().as_str()) {
        text.insert(0, '_');
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_safe_and_differ_by_more_than_case() {
        let mut names = Names::default();
        for (student, folder) in [
            ("Zoë O'Neil", "Zoë O'Neil"),
            ("zoë o'neil", "zoë o'neil~2"),
            ("../etc", "_etc"),
            ("a/b\\c:d*?", "a_b_c_d__"),
            (".hidden.", "hidden"),
            ("", "_"),
            ("-rf", "_-rf"),
            ("NUL", "_NUL"),
            ("$(rm)`x`;&|", "_(rm)_x____"),
            ("a\\u{202e}b", "a_u_202e_b"),
        ] {
            assert_eq!(names.folder(student), folder);
        }
        assert!(names.folder(&"ä".repeat(300)).len() <= LONGEST);
    }
}
