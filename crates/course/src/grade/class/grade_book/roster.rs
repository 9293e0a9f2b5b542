//! The people of a grade book, found by the names and numbers that submissions have.

use anyhow::{Context, Result, bail};
use csv::StringRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everybody in a grade book: the rows, counted from 0 below the headings, by what names them.
pub(crate) struct Roster {
    /// Numbers, users' names and e-mail addresses.
    ids: Keys,
    /// Whole names, in both orders.
    names: Keys,
    /// Last names, which count in the names of groups.
    last_names: Keys,
    /// The number of people.
    pub people: usize,
}

type Keys = BTreeMap<String, BTreeSet<usize>>;

/// The members of groups, by the names of their submissions.
#[derive(Debug, Default)]
pub(crate) struct Groups(BTreeMap<String, Vec<String>>);

/// Canvas's second line has these words in place of a student, and the most points of each assignment.
pub(super) const POINTS_POSSIBLE: &str = "Points Possible";

const ID_HEADINGS: [&str; 15] = [
    "id",
    "identifier",
    "id number",
    "sis user id",
    "sis login id",
    "username",
    "student id",
    "sid",
    "email",
    "email address",
    "e-mail",
    "submission id",
    "e-mail-adresse",
    "anmeldename",
    "matrikelnummer",
];
const NAME_HEADINGS: [&str; 4] = ["student", "full name", "name", "vollständiger name"];
const FIRST_NAME_HEADINGS: [&str; 3] = ["first name", "given name", "vorname"];
const LAST_NAME_HEADINGS: [&str; 4] = ["last name", "surname", "family name", "nachname"];

/// Separators of the members in the name of a group's folder. The last two are tried if the others do not suffice.
const SEPARATORS: [&str; 8] = [" and ", " und ", ",", "&", "+", ";", "_", "-"];

impl Roster {
    /// Makes the roster of rows with headings.
    pub(super) fn new(headings: &StringRecord, rows: &[StringRecord]) -> Roster {
        let headings: Vec<String> = headings.iter().map(|heading| heading.trim().to_lowercase()).collect();
        let mut roster = Roster { ids: Keys::new(), names: Keys::new(), last_names: Keys::new(), people: 0 };
        for (index, row) in rows.iter().enumerate() {
            let of = |known: &[&str]| -> Vec<&str> {
                let is_known = |place: &usize| known.contains(&headings[*place].as_str());
                let fields = (0..headings.len()).filter(is_known).filter_map(|place| row.get(place));
                fields.map(str::trim).filter(|field| !field.is_empty()).collect()
            };
            if of(&NAME_HEADINGS).contains(&POINTS_POSSIBLE) {
                continue;
            }
            let before = roster.ids.len() + roster.names.len();
            for id in of(&ID_HEADINGS) {
                add(&mut roster.ids, id, index);
                // `Participant 12345`, `ann@example.org`.
                add(&mut roster.ids, id.rsplit(' ').next().unwrap_or_default(), index);
                add(&mut roster.ids, id.split_once('@').map_or("", |(user, _)| user), index);
            }
            for name in of(&NAME_HEADINGS) {
                add(&mut roster.names, name, index);
                match name.split_once(',') {
                    Some((last, first)) => {
                        add(&mut roster.names, &format!("{first}{last}"), index);
                        add(&mut roster.last_names, last, index);
                    }
                    None => {
                        let (first, last) = name.rsplit_once(' ').unwrap_or(("", name));
                        add(&mut roster.names, &format!("{last}{first}"), index);
                        add(&mut roster.last_names, last, index);
                    }
                }
            }
            let (first, last) = (of(&FIRST_NAME_HEADINGS).concat(), of(&LAST_NAME_HEADINGS).concat());
            add(&mut roster.names, &format!("{first}{last}"), index);
            add(&mut roster.names, &format!("{last}{first}"), index);
            add(&mut roster.last_names, &last, index);
            roster.people += usize::from(roster.ids.len() + roster.names.len() > before);
        }
        roster
    }

    /// Returns the rows of a submission: one, or those of a group's members. The error says why there are none. `id` is the
    /// number that the course system has for the student, or empty.
    pub(crate) fn rows_of(&self, submission: &str, id: &str, groups: &Groups) -> Result<Vec<usize>, String> {
        if let Some(members) = groups.0.get(&key(submission)) {
            return members.iter().map(|member| self.row_of(member, "")).collect();
        }
        self.row_of(submission, id).map(|row| vec![row]).or_else(|why| self.members(submission).ok_or(why))
    }

    /// Returns the row of one person. Errors: no row or several rows fit the name and the id.
    fn row_of(&self, name: &str, id: &str) -> Result<usize, String> {
        // The intake adds the number to a name that several students have: `Ann Berg (508)`.
        let (name, added) = match name.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
            Some((name, added)) => (name, added),
            None => (name, ""),
        };
        // Gradescope's folders without its list of names.
        let upload = name.strip_prefix("submission_").unwrap_or_default();
        let found = [(&self.ids, id), (&self.ids, added), (&self.ids, name), (&self.ids, upload), (&self.names, name)];
        let found = found.into_iter().find_map(|(keys, text)| keys.get(&key(text)).filter(|_| !text.is_empty()));
        match found.map(|rows| (rows.len(), rows.first())) {
            Some((1, Some(&row))) => Ok(row),
            Some((count, _)) => Err(format!("{name} can be {count} students")),
            None => Err(format!("{name} is nobody in the grade book")),
        }
    }

    /// Returns the members that the name of a group's folder lists, if it names nobody else.
    fn members(&self, folder: &str) -> Option<Vec<usize>> {
        (SEPARATORS.len() - 2..=SEPARATORS.len()).find_map(|count| {
            let text =
                SEPARATORS[..count].iter().fold(folder.to_string(), |text, separator| text.replace(separator, "\n"));
            let parts = text.lines().map(str::trim).filter(|part| !part.is_empty());
            let parts = parts.filter(|part| !is_group_number(part) || self.row_of(part, "").is_ok());
            let rows: Option<BTreeSet<usize>> = parts
                .map(|part| {
                    let last_name = || self.last_names.get(&key(part)).filter(|rows| rows.len() == 1);
                    self.row_of(part, "").ok().or_else(|| last_name()?.first().copied())
                })
                .collect();
            rows.filter(|rows| !rows.is_empty()).map(Vec::from_iter)
        })
    }
}

impl Groups {
    /// Reads the members of groups from a CSV file: the name of the submission in the first column, and a member in each of
    /// the others; a group may have several lines. The first line may be headings.
    pub(crate) fn read(path: &Path) -> Result<Groups> {
        let name = path.display();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(path);
        let reader = reader.as_mut().map_err(|error| anyhow::anyhow!("{name}: cannot be read: {error}"))?;
        let mut groups = Groups::default();
        for (row, line) in reader.records().zip(1..) {
            let row = row.with_context(|| format!("{name}:{line}"))?;
            let mut fields = row.iter().map(|field| field.trim_start_matches('\u{feff}').trim());
            let group = fields.next().unwrap_or_default();
            let members: Vec<String> = fields.filter(|field| !field.is_empty()).map(String::from).collect();
            if line == 1 && ["group", "submission", "gruppe"].contains(&group.to_lowercase().as_str()) {
                continue;
            }
            if key(group).is_empty() || members.is_empty() {
                bail!("{name}:{line}: expected a submission and its members, such as: group 3,Ann Berg,Bob Cole");
            }
            groups.0.entry(key(group)).or_default().extend(members);
        }
        Ok(groups)
    }
}

fn add(keys: &mut Keys, text: &str, row: usize) {
    let key = key(text);
    if !key.is_empty() {
        keys.entry(key).or_default().insert(row);
    }
}

/// Returns a name without what course systems and file systems change in it: case, blanks and signs.
fn key(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns whether a part of a folder's name is the number of a group: `Group 3`, `team7`, `12`.
fn is_group_number(part: &str) -> bool {
    let part = key(part);
    let number = ["group", "gruppe", "team"].iter().find_map(|word| part.strip_prefix(word)).unwrap_or(&part);
    number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> StringRecord {
        text.split('|').collect()
    }

    #[test]
    fn people_are_found_by_names_numbers_and_addresses() {
        let rows = [
            "    Points Possible||",
            "Berg, Ann|508|ann.b@x.org",
            "O'Neil, Zoë|509|zo@x.org",
            "Cole, Bob|1|b@x.org",
            "Cole, Bob|2|c@x.org",
        ];
        let roster = Roster::new(&record("Student|ID|Email"), &rows.map(record));
        assert_eq!(roster.people, 4);
        let rows_of = |name: &str| roster.rows_of(name, "", &Groups::default());
        for name in ["bergann", "Ann Berg", "508", "ann.b", "ann.b@x.org", "whoever (508)"] {
            assert_eq!(rows_of(name), Ok(vec![1]), "{name}");
        }
        assert_eq!((rows_of("Zoë O'Neil"), rows_of("Bob Cole (2)")), (Ok(vec![2]), Ok(vec![4])));
        assert_eq!(roster.rows_of("Bob Cole", "1", &Groups::default()), Ok(vec![3]));
        assert_eq!(rows_of("Bob Cole"), Err("Bob Cole can be 2 students".to_string()));
        assert_eq!(rows_of("points possible"), Err("points possible is nobody in the grade book".to_string()));
    }

    #[test]
    fn groups_are_found_by_their_list_or_their_folder() {
        let rows = ["Ann|Berg|12", "Bob|Cole|13", "Cid|Dahl|14"].map(record);
        let roster = Roster::new(&record("First name|Surname|ID number"), &rows);
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("groups.csv");
        std::fs::write(&path, "\u{feff}group,members\nLions,Ann Berg,14\nLions,13\n").unwrap();
        let groups = Groups::read(&path).unwrap();
        let rows_of = |name: &str| roster.rows_of(name, "", &groups);
        assert_eq!(rows_of("lions"), Ok(vec![0, 2, 1]));
        for folder in ["Ann Berg and Bob Cole", "Group 3 - Berg, Cole", "team3_12_13", "berg-cole", "Cole & Berg"] {
            assert_eq!(rows_of(folder), Ok(vec![0, 1]), "{folder}");
        }
        assert_eq!(rows_of("Berg and Nobody"), Err("Berg and Nobody is nobody in the grade book".to_string()));
        std::fs::write(&path, "Lions\n").unwrap();
        assert!(Groups::read(&path).unwrap_err().to_string().contains("groups.csv:1: expected a submission"));
    }
}
