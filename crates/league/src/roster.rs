//! Rosters: the people of a league, as a CSV file of our own (`id,name,team,role`) or as Canvas,
//! Moodle and Gradescope write it.

use crate::store::{NewPerson, Role};
use anyhow::{Context, Result, bail};
use intake::headings::{FIRST_NAMES, IDS, LAST_NAMES, NAMES, POINTS_POSSIBLE, PREVIEW_STUDENT};
use intake::sheet::{Sheet, field};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

const TEAMS: [&str; 5] = ["team", "group", "groups", "gruppe", "gruppen"];
const ROLES: [&str; 4] = ["role", "roles", "rolle", "rollen"];
/// In Canvas's file the column `ID` is a number of Canvas's own; the login is what grades are
/// matched by.
const CANVAS_LOGINS: [&str; 2] = ["sis login id", "sis user id"];

/// Reads the people of a roster.
///
/// # Errors
/// A column is missing or a line is wrong; the message names the file and the line.
pub(crate) fn read(sheet: &Sheet) -> Result<Vec<NewPerson>> {
    let file = &sheet.name;
    let records = sheet.below();
    let column = |names: &[&str]| sheet.column(names);
    let logins: Vec<usize> =
        CANVAS_LOGINS.iter().chain(&IDS).filter_map(|name| column(&[name])).collect();
    // A column may be empty, such as Moodle's numbers where nobody has one.
    let has_logins = |at: &&usize| records.iter().any(|record| !field(record, **at).is_empty());
    let login = logins.iter().find(has_logins).or(logins.first()).copied();
    let login = login.with_context(|| {
        format!("{file}:1: no column for the login; one of: {}", IDS.join(", "))
    })?;
    let (name, first, last) = (column(&NAMES), column(&FIRST_NAMES), column(&LAST_NAMES));
    if name.is_none() && (first.is_none() || last.is_none()) {
        bail!("{file}:1: no column for the name; `name`, or `first name` and `last name`");
    }
    let (team, role) = (column(&TEAMS), column(&ROLES));
    let (mut people, mut lines) = (Vec::new(), HashMap::new());
    for record in records {
        let place = sheet.place(record);
        let field = |at: Option<usize>| at.map_or("", |at| field(record, at));
        if field(name) == PREVIEW_STUDENT {
            continue;
        }
        let name = match name {
            Some(_) => turned(field(name)),
            None => format!("{} {}", field(first), field(last)).trim().to_string(),
        };
        let login = field(Some(login));
        // Canvas's second line has the points of each column.
        if login.is_empty() && (name.is_empty() || name.starts_with(POINTS_POSSIBLE)) {
            continue;
        }
        if login.is_empty() || name.is_empty() {
            bail!("{place}: no {}", if login.is_empty() { "login" } else { "name" });
        }
        if let Some(first) = lines.insert(login.to_string(), place.clone()) {
            bail!("{place}: the login '{login}' is that of {first}");
        }
        let role: Role = field(role).parse().with_context(|| place)?;
        // Records and command lines have names of players without quotes.
        let composed = |text: &str| arena::plain::shown(&text.nfc().collect::<String>());
        let shown = |text: &str| composed(text).replace('"', "'");
        let team = Some(field(team)).filter(|team| !team.is_empty()).map(shown);
        people.push(NewPerson { login: composed(login), name: shown(&name), team, role });
    }
    if people.is_empty() {
        bail!("{file}: no people");
    }
    Ok(people)
}

/// Returns a name such as `Doe, Jane` as `Jane Doe`.
fn turned(name: &str) -> String {
    match name.split_once(", ") {
        Some((last, first)) => format!("{first} {last}"),
        None => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<NewPerson>> {
        read(&Sheet::parse("people.csv".to_string(), text.as_bytes())?)
    }

    #[test]
    fn rosters_of_course_systems_are_read() {
        let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,hw (1)\n    Points Possible,,,,,10\n\"Doe, Jane\",77,9001,jdoe,A,\n";
        for (text, expected) in [
            ("id,name,team,role\na1,Ann,,\nb2,Bob,The B,student\n", "a1=Ann b2=Bob"),
            (canvas, "jdoe=Jane Doe"),
            // Canvas's preview student.
            (&format!("{canvas}\"Student, Test\",78,,f00d,A,\n"), "jdoe=Jane Doe"),
            ("id,name\n1,\"Ann \"\"The Boss\"\" Lee\"\n", "1=Ann 'The Boss' Lee"),
            (
                "\u{feff}First name,Surname,ID number,Email address\nZo\u{eb},Lee,123,z@x.example\n",
                "123=Zo\u{eb} Lee",
            ),
            ("First Name,Last Name,SID,Email,Sections\nAnn,Roe,55,a@x.example,1\n", "55=Ann Roe"),
            // A Moodle whose people have no numbers, and a Mac's accents.
            (
                "Vorname;Nachname;ID-Nummer;E-Mail-Adresse\nZoe\u{308};Lee;;z@x.example\nBob;Roe;;b@x.example\n",
                "z@x.example=Zo\u{eb} Lee b@x.example=Bob Roe",
            ),
        ] {
            let people = read_text(text).unwrap();
            let found: Vec<_> =
                people.iter().map(|one| format!("{}={}", one.login, one.name)).collect();
            assert_eq!(found.join(" "), expected);
        }
        let reader = "First Name,Last Name,SID,Email,Role\nAnn,Roe,55,a@x.example,Reader\n";
        assert_eq!(read_text(reader).unwrap()[0].role, Role::Assistant);
        let teams =
            read_text("id,name,team,role\nb2,Bob,The \"B\",student\nt,Teo,,teacher\n").unwrap();
        assert_eq!((teams[0].team.as_deref(), teams[1].role), (Some("The 'B'"), Role::Teacher));
    }

    #[test]
    fn a_wrong_roster_is_refused_with_its_line() {
        for (text, part) in [
            ("x,y\n1,2\n", "people.csv:1: no column for the login"),
            ("id\n1\n", "people.csv:1: no column for the name"),
            ("id,name\n1,Ann\n1,Bob\n", "people.csv:3: the login '1' is that of people.csv:2"),
            ("id,name\n1,\n", "people.csv:2: no name"),
            ("id,name,role\n1,Ann,king\n", "people.csv:2"),
            ("id,name\n", "no people"),
        ] {
            let error = format!("{:#}", read_text(text).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
    }
}
