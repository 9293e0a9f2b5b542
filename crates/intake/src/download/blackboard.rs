//! The names of files in Blackboard's downloads, and the users that they name. A name is
//! `ASSIGNMENT_USER_attempt_TIME_FILE`, whose first two parts may have underscores of their own.
//! Blackboard's note on the attempt says where the user begins, or the beginning that all names
//! share. Else students keep their whole names: two are never taken for one.

use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};

const NOTE: &str = "note-of-the-course-system.txt";
const ATTEMPT: &str = "_attempt_";
/// The length of a time such as `2024-02-29-23-59-59`.
const TIME_LENGTH: usize = 19;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileName<'a> {
    /// The assignment and the user, joined by an underscore.
    pub whose: &'a str,
    pub time: &'a str,
    pub file: &'a str,
}

impl FileName<'_> {
    /// Reads the path of a file; `None` if it lies in a folder, or its name has another form.
    pub(crate) fn of_path(path: &[String]) -> Option<FileName<'_>> {
        let [name] = path else { return None };
        FileName::read(name)
    }

    fn read(name: &str) -> Option<FileName<'_>> {
        name.match_indices(ATTEMPT).find_map(|(place, _)| {
            let (whose, rest) = (&name[..place], &name[place + ATTEMPT.len()..]);
            let (time, file) = rest.split_at_checked(TIME_LENGTH)?;
            let file = if file == ".txt" { NOTE } else { file.strip_prefix('_')? };
            let is_name = is_time(time) && readings(whose).next().is_some() && !file.is_empty();
            is_name.then_some(FileName { whose, time, file })
        })
    }

    pub(crate) fn is_note(&self) -> bool {
        self.file == NOTE
    }
}

fn is_time(text: &str) -> bool {
    text.split('-').count() == 6 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Returns the ways to split an assignment and a user, the longest user first.
fn readings(whose: &str) -> impl Iterator<Item = (&str, &str)> {
    whose
        .match_indices('_')
        .map(|(place, _)| (&whose[..place], &whose[place + 1..]))
        .filter(|(assignment, user)| !assignment.is_empty() && !user.trim().is_empty())
}

/// Returns the user in a note's first line: `Name: Jane Doe (jane_doe)`.
pub(crate) fn user_in_note(text: &str) -> Option<&str> {
    let first = text.trim_start_matches('\u{feff}').lines().next()?;
    let (_, named) = first.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    Some(named.trim()).filter(|user| !user.is_empty())
}

/// Returns the users who may have handed in the files whose names begin with each of `whose`.
/// `notes` are the users that notes name, with the beginnings of the notes' names. `assignment` is
/// the teacher's word on how all names begin. Errors: none does.
pub(crate) fn find_users(
    whose: &BTreeSet<String>,
    notes: &[(String, String)],
    assignment: Option<&str>,
) -> Result<BTreeMap<String, Vec<String>>> {
    let in_note = |(whose, user): &'_ (String, String)| {
        let assignment = whose.strip_suffix(user.as_str())?.strip_suffix('_')?;
        Some(assignment.to_string()).filter(|assignment| !assignment.is_empty())
    };
    let assignments: BTreeSet<String> = match assignment {
        Some(assignment) => [assignment.to_string()].into(),
        None => notes.iter().filter_map(in_note).collect(),
    };
    if let Some(wanted) = assignment {
        let found: BTreeSet<&str> = whose
            .iter()
            .flat_map(|whose| readings(whose))
            .map(|(assignment, _)| assignment)
            .collect();
        let shown: Vec<&str> = found.iter().copied().take(8).collect();
        ensure!(
            found.contains(wanted),
            "--assignment: no file's name begins with '{wanted}_'; possible are {}",
            shown.join(" | ")
        );
    }
    let is_shared = |assignment: &str| {
        whose
            .iter()
            .all(|other| other.strip_prefix(assignment).is_some_and(|rest| rest.starts_with('_')))
    };
    let users = |whose: &String| {
        let of = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
            let fitting = readings(whose).filter(|(assignment, _)| fits(assignment));
            fitting.map(|(_, user)| user.to_string()).collect()
        };
        let mut users = of(&|assignment| assignments.contains(assignment));
        if assignments.is_empty() {
            users = of(&is_shared);
        }
        if users.is_empty() { of(&|_| true) } else { users }
    };
    Ok(whose.iter().map(|whose| (whose.clone(), users(whose))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn users(
        notes: &[(&str, &str)],
        others: &[&str],
        assignment: Option<&str>,
    ) -> Vec<(String, Vec<String>)> {
        let all = notes.iter().map(|(whose, _)| whose).chain(others);
        let whose = all.map(|whose| whose.to_string()).collect();
        let notes: Vec<(String, String)> =
            notes.iter().map(|(whose, user)| (whose.to_string(), user.to_string())).collect();
        find_users(&whose, &notes, assignment).unwrap().into_iter().collect()
    }

    fn of(whose: &str, users: &[&str]) -> (String, Vec<String>) {
        (whose.to_string(), users.iter().map(|user| user.to_string()).collect())
    }

    #[test]
    fn names_of_files_are_read() {
        let time = "2024-02-29-23-59-59";
        let is = |whose, file| Some(FileName { whose, time, file });
        for (name, expected) in [
            ("HW 2_jane_doe_attempt_2024-02-29-23-59-59_a.py", is("HW 2_jane_doe", "a.py")),
            ("HW_ann_attempt_2024-02-29-23-59-59.txt", is("HW_ann", NOTE)),
            (
                "First_attempt_2_ann_attempt_2024-02-29-23-59-59_HW_bob_attempt_2023-02-28-23-59-59_a.py",
                is("First_attempt_2_ann", "HW_bob_attempt_2023-02-28-23-59-59_a.py"),
            ),
            ("ann_attempt_2024-02-29-23-59-59_a.py", None),
            ("HW_ann_attempt_2.py", None),
            ("HW_ann_attempt_2024-02-29-23-59-5é", None),
        ] {
            assert_eq!(FileName::read(name), expected, "{name}");
        }
    }

    #[test]
    fn a_note_names_its_user_in_the_first_line_alone() {
        for (note, user) in [
            ("\u{feff}Name: Jane (Jo) Doe (jane_doe)\r\nAssignment: HW 2\r\n", Some("jane_doe")),
            ("Name: Jane Doe\nName: Ann (ann)\n", None),
            ("Name: ()\n", None),
            ("", None),
        ] {
            assert_eq!(user_in_note(note), user, "{note}");
        }
    }

    #[test]
    fn users_are_named_by_their_notes_or_by_the_beginning_that_all_names_share() {
        let notes = [("HW_2_doe", "doe"), ("HW_2_jane_doe", "jane_doe")];
        let both = vec![of("HW_2_doe", &["doe"]), of("HW_2_jane_doe", &["jane_doe"])];
        assert_eq!(users(&notes, &[], None), both);
        // One note is enough for all: they share its assignment.
        assert_eq!(users(&notes[..1], &["HW_2_jane_doe"], None), both);
        assert_eq!(users(&[], &["HW_2_doe", "HW_2_jane_doe"], Some("HW_2")), both);
        let names = ["HW 2_doe", "HW 2_jane_doe"];
        assert_eq!(users(&[], &names, None), [of(names[0], &["doe"]), of(names[1], &["jane_doe"])]);
        // A note that names somebody else says nothing.
        assert_eq!(users(&[("HW 2_ann", "bob")], &[], None), [of("HW 2_ann", &["ann"])]);
    }

    #[test]
    fn where_several_readings_are_possible_all_are_named() {
        let alone = "HW 2_jane_doe";
        assert_eq!(users(&[], &[alone], None), [of(alone, &["jane_doe", "doe"])]);
        let names = ["HW_2_ann", "HW_2_bob"];
        let expected = [of(names[0], &["2_ann", "ann"]), of(names[1], &["2_bob", "bob"])];
        assert_eq!(users(&[], &names, None), expected);
        // Somebody's shown name may end like a user's: `Name: Jane (doe)`.
        let notes = [("HW 2_lee", "lee"), ("HW 2_jane_doe", "doe")];
        assert_eq!(
            users(&notes, &[], None),
            [of(alone, &["jane_doe", "doe"]), of("HW 2_lee", &["lee"])]
        );
        // Another assignment than that of the notes.
        let names = [of("HW 1_jane_doe", &["jane_doe", "doe"]), of("HW 2_lee", &["lee"])];
        assert_eq!(users(&notes[..1], &["HW 1_jane_doe"], None), names);
    }
}
