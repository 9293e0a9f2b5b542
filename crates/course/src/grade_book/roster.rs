//! The people of a grade book, found by the names and numbers that submissions have.

use anyhow::{Result, bail};
use csv::StringRecord;
use intake::headings::{FIRST_NAMES, IDS, LAST_NAMES, NAMES, POINTS_POSSIBLE, PREVIEW_STUDENT};
use intake::sheet::Sheet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// Everybody in a grade book: the rows below the headings, from 0, by what names them.
#[derive(Default)]
pub(crate) struct Roster {
    /// Numbers, users' names and e-mail addresses.
    ids: Keys,
    names: Keys,
    /// Last names, which count in the names of groups.
    last_names: Keys,
    pub people: usize,
}

/// Rows by texts. Where texts are alike but for signs (`jane_doe`, `janedoe`), the whole one
/// decides.
#[derive(Default)]
struct Keys {
    /// By whole texts, in lower case.
    whole: Rows,
    parts: Rows,
    /// By all of them, without what course systems and file systems change.
    loose: Rows,
}

type Rows = BTreeMap<String, BTreeSet<usize>>;

impl Keys {
    fn add(&mut self, text: &str, row: usize) {
        self.whole.entry(exactly(text)).or_default().insert(row);
        self.add_loose(text, row);
    }

    /// Adds a part of a text, which counts where it is nobody's whole text.
    fn add_part(&mut self, part: &str, row: usize) {
        self.parts.entry(exactly(part)).or_default().insert(row);
        self.add_loose(part, row);
    }

    fn add_loose(&mut self, text: &str, row: usize) {
        let key = key(text);
        if !key.is_empty() {
            self.loose.entry(key).or_default().insert(row);
        }
    }

    /// The rows of a text, signs included.
    fn exact(&self, text: &str) -> Option<&BTreeSet<usize>> {
        let text = exactly(text);
        self.whole.get(&text).or_else(|| self.parts.get(&text)).filter(|_| !text.is_empty())
    }

    fn get(&self, text: &str) -> Option<&BTreeSet<usize>> {
        self.exact(text).or_else(|| self.loose.get(&key(text)))
    }
}

/// The members of groups, by submissions.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    members: BTreeMap<String, Vec<String>>,
    /// The groups whose members the teacher has named.
    named: BTreeSet<String>,
}

/// The headings in a course system's list of groups: of the group, and of a member, the surest
/// first.
const GROUP_HEADINGS: [&str; 3] = ["group_name", "group name", "group code"];
const MEMBER_HEADINGS: [&str; 4] = ["canvas_user_id", "login_id", "user name", "user_id"];

/// Between the members in a folder's name. The last two are tried if the others do not suffice.
const SEPARATORS: [&str; 8] = [" and ", " und ", ",", "&", "+", ";", "_", "-"];

impl Roster {
    pub(super) fn new(headings: &StringRecord, rows: &[StringRecord]) -> Roster {
        let headings: Vec<String> =
            headings.iter().map(|heading| heading.trim().to_lowercase()).collect();
        let mut roster = Roster::default();
        for (index, row) in rows.iter().enumerate() {
            let of = |known: &[&str]| -> Vec<&str> {
                let fields = headings.iter().zip(row).filter(|(name, _)| known.contains(&&***name));
                fields.map(|(_, field)| field.trim()).filter(|field| !field.is_empty()).collect()
            };
            if of(&NAMES).iter().any(|name| [POINTS_POSSIBLE, PREVIEW_STUDENT].contains(name)) {
                continue;
            }
            for id in of(&IDS) {
                roster.ids.add(id, index);
                // `Participant 12345`, `ann@example.org`.
                roster.ids.add_part(id.rsplit(' ').next().unwrap_or_default(), index);
                // Moodle in German, and Brightspace.
                let number = id.strip_prefix("Teilnehmer/in").or(id.strip_prefix('#'));
                roster.ids.add_part(number.unwrap_or_default(), index);
                roster.ids.add_part(id.split_once('@').map_or("", |(user, _)| user), index);
            }
            let (first, last) = (of(&FIRST_NAMES).concat(), of(&LAST_NAMES).concat());
            let mut names = vec![(&*first, &*last)];
            for name in of(&NAMES) {
                roster.names.add(name, index);
                names.push(match name.split_once(',') {
                    Some((last, first)) => (first, last),
                    None => name.rsplit_once(' ').unwrap_or(("", name)),
                });
            }
            for (first, last) in names {
                roster.names.add(&format!("{first}{last}"), index);
                roster.names.add(&format!("{last}{first}"), index);
                roster.last_names.add(last, index);
            }
            let known = [&IDS[..], &NAMES, &FIRST_NAMES, &LAST_NAMES].concat();
            roster.people += usize::from(!of(&known).is_empty());
        }
        roster
    }

    /// Returns the rows of a submission: one, or those of a group's members; or why there are none.
    /// `id` is the course system's number for the student, or empty.
    pub(crate) fn rows_of(
        &self,
        submission: &str,
        id: &str,
        groups: &Groups,
    ) -> Result<Vec<usize>, String> {
        let why_not = |name: &str, rows: usize| match rows {
            0 => format!("{name} is nobody in the grade book"),
            _ => format!("{name} can be {rows} students"),
        };
        if let Some(members) = groups.members.get(&key(submission)) {
            let row = |name: &String| self.row_of(name, "").map_err(|rows| why_not(name, rows));
            return members.iter().map(row).collect();
        }
        let rows = match self.row_of(submission, id) {
            // The name of a user is not that of a group, whatever parts it has: `lee_doe` is
            // neither Lee nor Doe.
            Err(0) if id != submission => self.members(submission).ok_or(0),
            row => row.map(|row| vec![row]),
        };
        rows.map_err(|rows| why_not(submission, rows))
    }

    /// Whether only the number is known, as of a group of Canvas's, which has that of one member.
    pub(crate) fn is_known_by_number_alone(&self, name: &str, id: &str) -> bool {
        self.ids.get(id).is_some() && self.row_of(name, "").is_err_and(|rows| rows == 0)
    }

    /// The row of one person. An error has the number of rows that fit: none or several.
    fn row_of(&self, name: &str, id: &str) -> Result<usize, usize> {
        // The intake adds the number to a name that several students have: `Ann Berg (508)`.
        // Students write their names themselves: what a name adds to itself does not count where
        // the course system has a number.
        let (short, added) = match name.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
            Some((short, added)) if id.is_empty() || added == id => (short, added),
            _ => (name, ""),
        };
        // Gradescope's folders without its list of names.
        let by_number = |text: &str| self.ids.get(text.strip_prefix("submission_").unwrap_or(text));
        let found = match id {
            "" => (self.ids.get(added).or(self.ids.get(short)).or(by_number(short)))
                .or(self.names.get(short)),
            _ if id == name => self.ids.exact(id),
            _ => match (by_number(id), self.names.get(short)) {
                (Some(by_id), Some(by_name)) => {
                    return the_only(by_id.intersection(by_name), by_id.union(by_name).count());
                }
                (by_id, by_name) => by_id.or(by_name),
            },
        };
        found.map_or(Err(0), |rows| the_only(rows.iter(), rows.len()))
    }

    /// The members that a folder's name lists, if it names nobody else.
    fn members(&self, folder: &str) -> Option<Vec<usize>> {
        (SEPARATORS.len() - 2..=SEPARATORS.len()).find_map(|count| {
            let text = SEPARATORS[..count]
                .iter()
                .fold(folder.to_string(), |text, separator| text.replace(separator, "\n"));
            let parts = text.lines().map(str::trim).filter(|part| !part.is_empty());
            // A remark in brackets is no number.
            let row = |part: &str| self.row_of(part.trim_end_matches(')'), "");
            let parts = parts.filter(|part| !is_group_number(part) || row(part).is_ok());
            let rows: Option<BTreeSet<usize>> = parts
                .map(|part| {
                    let last_name =
                        || self.last_names.get(&key(part)).filter(|rows| rows.len() == 1);
                    row(part).ok().or_else(|| last_name()?.first().copied())
                })
                .collect();
            rows.filter(|rows| !rows.is_empty()).map(Vec::from_iter)
        })
    }
}

impl Groups {
    pub(crate) fn add_team(&mut self, name: &str, members: &[String]) {
        self.members.entry(key(name)).or_insert_with(|| members.to_vec());
    }

    /// Whether the teacher has named the members of a submission.
    pub(crate) fn has_named(&self, submission: &str) -> bool {
        self.named.contains(&key(submission))
    }

    /// Reads a CSV file with a submission and members of it in each line, perhaps below headings;
    /// the headings of a course system's list of groups name the columns that count.
    pub(crate) fn read(path: &Path) -> Result<Groups> {
        let sheet = Sheet::read(path)?;
        let mut groups = Groups::default();
        let mut columns = None;
        for (index, row) in sheet.rows.iter().enumerate() {
            let fields: Vec<&str> = row.iter().map(str::trim).collect();
            let of = |place: &usize| fields.get(*place).filter(|field| !field.is_empty());
            let first = fields.first().map_or(String::new(), |field| field.to_lowercase());
            if index == 0 {
                columns = list_columns(&fields);
                if columns.is_some() || ["group", "submission", "gruppe"].contains(&&*first) {
                    continue;
                }
            }
            let (group, members) = match &columns {
                None => (of(&0), (1..fields.len()).filter_map(|place| of(&place)).collect()),
                Some((group, members)) => (of(group), Vec::from_iter(members.iter().find_map(of))),
            };
            match group.filter(|group| !key(group).is_empty() && !members.is_empty()) {
                Some(group) => {
                    groups.named.insert(key(group));
                    let members = members.into_iter().map(|member| member.to_string());
                    groups.members.entry(key(group)).or_default().extend(members);
                }
                // Students without a group have lines in a course system's list, too.
                None if columns.is_some() => {}
                None => bail!(
                    "{}: expected a submission and its members, such as: group 3,Ann Berg,Bob Cole",
                    sheet.place(row)
                ),
            }
        }
        Ok(groups)
    }
}

/// The columns of the group and of its members in a course system's list of groups.
fn list_columns(headings: &[&str]) -> Option<(usize, Vec<usize>)> {
    let of = |heading: &&str| headings.iter().position(|found| found.to_lowercase() == **heading);
    let members: Vec<usize> =
        MEMBER_HEADINGS.iter().chain(&IDS).chain(&NAMES).filter_map(&of).collect();
    let group = GROUP_HEADINGS.iter().find_map(of)?;
    (!members.is_empty()).then_some((group, members))
}

/// The only one of the rows. An error has the number that was `found`.
fn the_only<'a>(mut rows: impl Iterator<Item = &'a usize>, found: usize) -> Result<usize, usize> {
    match (rows.next(), rows.next()) {
        (Some(&row), None) => Ok(row),
        _ => Err(found),
    }
}

/// In lower case. Macs write accents apart, and others do not.
fn exactly(text: &str) -> String {
    text.trim().to_lowercase().nfc().collect()
}

/// Without what course systems and file systems change: case, blanks, accents and signs.
fn key(text: &str) -> String {
    text.nfd()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a part of a folder's name is the number of a group: `Group 3`, `team7`, `12`.
fn is_group_number(part: &str) -> bool {
    let part = key(part);
    let number = ["group", "gruppe", "team"]
        .iter()
        .find_map(|word| part.strip_prefix(word))
        .unwrap_or(&part);
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
            "Student, Test|77|f00d",
            "Cole, Bob|1|b@x.org",
            "Cole, Bob|2|c@x.org",
        ];
        let roster = Roster::new(&record("Student|ID|Email"), &rows.map(record));
        assert_eq!(roster.people, 4);
        let rows_of = |name: &str| roster.rows_of(name, "", &Groups::default());
        for name in ["bergann", "Ann Berg", "508", "ann.b", "ann.b@x.org", "whoever (508)"] {
            assert_eq!(rows_of(name), Ok(vec![1]), "{name}");
        }
        assert_eq!(
            roster.rows_of("Ann Berg", "509", &Groups::default()),
            Err("Ann Berg can be 2 students".to_string())
        );
        assert_eq!(
            roster.rows_of("Dan Ek (508)", "7", &Groups::default()),
            Err("Dan Ek (508) is nobody in the grade book".to_string())
        );
        assert_eq!((rows_of("Zoë O'Neil"), rows_of("Bob Cole (2)")), (Ok(vec![2]), Ok(vec![5])));
        assert_eq!(
            (rows_of("Zoe\u{308} O'Neil"), rows_of("Zoe O'Neil")),
            (Ok(vec![2]), Ok(vec![2]))
        );
        assert_eq!(roster.rows_of("Bob Cole", "1", &Groups::default()), Ok(vec![4]));
        assert_eq!(rows_of("Bob Cole"), Err("Bob Cole can be 2 students".to_string()));
        let by_number = |name: &str, id: &str| roster.is_known_by_number_alone(name, id);
        assert!(by_number("lions", "508") && !by_number("lions", "9"));
        assert!(!by_number("Ann Berg", "508"));
        assert_eq!(
            rows_of("points possible"),
            Err("points possible is nobody in the grade book".to_string())
        );
    }

    #[test]
    fn each_name_of_a_download_is_one_row_however_its_letters_are_composed() {
        let names = [
            "Anna Schmidt",
            "Anna Schmidt",
            "Anna Schmidt-Weber",
            "Zo\u{eb} van den Berg",
            "Nguy\u{1ec5}n V\u{103}n A",
            "\u{141}ukasz \u{17b}\u{f3}\u{142}\u{107}",
            "M\u{e4}x Gro\u{df}",
            "Max Gross",
            "\u{674e} \u{5c0f}\u{9f8d}",
            "Jane_Doe",
            "Doe",
            "Jane Doe Jr.",
            "Ann Lee (exchange)",
            "Ann Lee",
            "A=B Test",
        ];
        let rows = names.iter().zip(1000..).map(|(name, id)| format!("Participant {id}|{name}"));
        let rows: Vec<_> = rows.map(|row| record(&row)).collect();
        let roster = Roster::new(&record("Identifier|Full name"), &rows);
        for (row, name) in names.iter().enumerate() {
            let (name, id) = (name.nfd().collect::<String>(), (1000 + row).to_string());
            let found = roster.rows_of(&name, &id, &Groups::default());
            assert_eq!(found, Ok(vec![row]), "{name}");
        }
    }

    #[test]
    fn names_of_users_that_are_alike_but_for_signs_are_kept_apart() {
        let rows =
            ["Doe|Dan|doe|d@x.org", "Doe|Jane|jane_doe|doe@y.org", "Doe|Janet|janedoe|j@x.org"]
                .map(record);
        let roster = Roster::new(&record("Last Name|First Name|Username|Email"), &rows);
        let rows_of = |name: &str, id: &str| roster.rows_of(name, id, &Groups::default());
        for (row, user) in ["doe", "jane_doe", "janedoe"].into_iter().enumerate() {
            assert_eq!(
                (rows_of(user, user), rows_of(user, "")),
                (Ok(vec![row]), Ok(vec![row])),
                "{user}"
            );
        }
        // A user who is not in the grade book is nobody else there, whatever parts the name has.
        for user in ["jane.doe", "dan_doe", "doe_jane"] {
            assert_eq!(rows_of(user, user), Err(format!("{user} is nobody in the grade book")));
        }
        assert_eq!(rows_of("jane.doe", ""), Err("jane.doe can be 2 students".to_string()));
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
        for folder in [
            "Ann Berg and Bob Cole",
            "Group 3 - Berg, Cole",
            "team3_12_13",
            "berg-cole",
            "Cole & Berg",
        ] {
            assert_eq!(rows_of(folder), Ok(vec![0, 1]), "{folder}");
        }
        assert_eq!(
            rows_of("Berg and Nobody"),
            Err("Berg and Nobody is nobody in the grade book".to_string())
        );
        // Canvas's own list.
        let list = "name,canvas_user_id,group_name\nAnn,12,bears\nCid,14,bears\nEve,15,\n";
        std::fs::write(&path, list).unwrap();
        let groups = Groups::read(&path).unwrap();
        assert_eq!(roster.rows_of("bears", "", &groups), Ok(vec![0, 2]));
        std::fs::write(&path, "Lions\n").unwrap();
        assert!(
            Groups::read(&path)
                .unwrap_err()
                .to_string()
                .contains("groups.csv:1: expected a submission")
        );
    }
}
