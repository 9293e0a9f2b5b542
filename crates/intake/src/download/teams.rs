//! The teams of Moodle's downloads, with a folder for each member: `Group 3-Ann
//! Berg_7060_assignsubmission_file_`.

use crate::download::course_systems::Student;
use crate::download::entries::Download;
use crate::submission::hex;
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Read;

const BETWEEN: char = '-';
const MOST: u64 = 64 << 20;

/// Makes one hand-in of the folders of each team. A download is one of teams if every name has the
/// sign between team and member, and two members have the same files: students with such a sign in
/// their names stay who they are.
pub(crate) fn join_teams(download: &mut Download, students: Vec<Student>) -> Result<Vec<Student>> {
    if students.iter().any(|student| !student.name.contains(BETWEEN)) {
        return Ok(students);
    }
    let digests: Vec<String> =
        students.iter().map(|student| digest(download, student)).collect::<Result<_>>()?;
    let is_of = |student: &Student, team: &str| {
        student.name.strip_prefix(team).is_some_and(|rest| rest.starts_with(BETWEEN))
    };
    // The shortest beginning counts whose students all have the same files.
    let team = |name: &str| {
        let beginnings = name.match_indices(BETWEEN).map(|(place, _)| name[..place].to_string());
        beginnings.into_iter().find(|team| {
            let mut files =
                students.iter().zip(&digests).filter(|(student, _)| is_of(student, team));
            let first = files.next();
            first.is_some_and(|(_, first)| files.all(|(_, digest)| digest == first))
        })
    };
    let teams: Vec<Option<String>> = students.iter().map(|student| team(&student.name)).collect();
    let named: Vec<&String> = teams.iter().flatten().collect();
    if named.iter().collect::<BTreeSet<_>>().len() == named.len() {
        return Ok(students);
    }
    let mut joined: Vec<Student> = Vec::new();
    for (mut student, team) in students.into_iter().zip(teams) {
        let Some(team) = team else {
            let other = student.name.split(BETWEEN).next().unwrap_or_default();
            student.doubt = Some(format!(
                "the files of the members of {other} differ: put those that count into the folder of each member"
            ));
            joined.push(student);
            continue;
        };
        let name = student.name[team.len() + BETWEEN.len_utf8()..].to_string();
        let number = format!(" ({})", student.id);
        let member = format!("{}{number}", name.strip_suffix(&number).unwrap_or(&name));
        match joined.iter_mut().find(|one| one.name == team) {
            Some(known) => {
                known.members.push(member);
                known.feedback.append(&mut student.feedback);
            }
            None => {
                let members = vec![member];
                joined.push(Student { name: team, id: String::new(), members, ..student });
            }
        }
    }
    Ok(joined)
}

fn digest(download: &mut Download, student: &Student) -> Result<String> {
    let mut digest = Sha256::new();
    for (path, entry) in &student.files {
        digest.update(path.join("/"));
        digest.update([0]);
        // A file that cannot be read is told when it is unpacked.
        let mut bytes = Vec::new();
        let _ = download.read(entry).map(|reader| reader.take(MOST).read_to_end(&mut bytes));
        digest.update(bytes);
    }
    Ok(hex(&digest.finalize()))
}
