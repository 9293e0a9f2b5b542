//! Finds out which file of a download belongs to which student, by the paths that Canvas, Moodle,
//! Gradescope, Blackboard and Brightspace use and in plain directories.

use crate::download::blackboard::{FileName, find_users, user_in_note};
use crate::download::brightspace::{self, is_number};
use crate::download::entries::{Download, Entry, LeftOut};
use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// A student's files in a download. What has no comment is as in [`crate::submission::Submission`].
#[derive(Default)]
pub(crate) struct Student {
    pub name: String,
    /// The files: the path within the submission, and the entry of the download.
    pub files: Vec<(Vec<String>, Entry)>,
    pub left_out: Vec<String>,
    pub id: String,
    pub upload: String,
    pub late: bool,
    /// Why it is not certain who the student is, and what the teacher can do about it.
    pub doubt: Option<String>,
    pub members: Vec<String>,
    pub feedback: Vec<String>,
}

#[derive(Default)]
pub(crate) struct ClassDownload {
    pub format: &'static str,
    pub students: Vec<Student>,
    /// Files that belong to no student, and why.
    pub left_out: Vec<String>,
}

#[derive(Default)]
struct Owner {
    name: String,
    /// The student's number, by which students of the same name differ.
    id: String,
    path: Vec<String>,
    upload: String,
    /// The time of the attempt, if the path has it; only the latest one counts.
    attempt: String,
    late: bool,
    feedback: String,
}

#[derive(Default)]
struct Owned {
    files: Vec<(Owner, Entry)>,
    left_out: Vec<String>,
    doubt: Option<String>,
    /// The last attempt, the last upload, and where feedback goes.
    feedback: (String, u64, String),
}

pub(crate) struct Identity {
    name: String,
    id: String,
    doubt: Option<String>,
}

/// The students behind the names in a download's paths, as its own files tell them.
pub(crate) type Names = BTreeMap<String, Identity>;

/// Reads Gradescope's list, or Blackboard's notes. `assignment`: how the names of Blackboard's
/// files begin, by the teacher's word. Errors: none does.
pub(crate) fn read_names(download: &mut Download, assignment: Option<&str>) -> Result<Names> {
    const MAX_LIST: u64 = 256 << 20;
    const MAX_NOTE: u64 = 4096;
    let (depth, (format, _)) = format_of(download);
    if format == GRADESCOPE {
        let is_list = |entry: &&Entry| entry.path.get(depth..).is_some_and(is_list);
        let list = download.entries.iter().find(is_list).cloned();
        let list = list.map(|list| text_of(download, &list, MAX_LIST)).unwrap_or_default();
        let names = read_gradescope_names(&list).into_iter();
        return Ok(names
            .map(|(id, name)| (id.clone(), Identity { name, id, doubt: None }))
            .collect());
    }
    if format != BLACKBOARD {
        ensure!(assignment.is_none(), "--assignment: not a download of Blackboard's");
        return Ok(Names::new());
    }
    let (mut whose, mut notes) = (BTreeSet::new(), Vec::new());
    for entry in download.entries.clone() {
        let Some(name) = entry.path.get(depth..).and_then(FileName::of_path) else { continue };
        whose.insert(name.whose.to_string());
        if name.is_note()
            && let Some(user) = user_in_note(&text_of(download, &entry, MAX_NOTE))
        {
            notes.push((name.whose.to_string(), user.to_string()));
        }
    }
    let paths = download.left_out.iter().filter_map(|left_out| left_out.path.get(depth..));
    whose.extend(paths.filter_map(FileName::of_path).map(|name| name.whose.to_string()));
    let identity = |(whose, users): (String, Vec<String>)| {
        let (id, doubt) = match &users[..] {
            [user] => (user, None),
            // A row of a grade book that fits only a part of the name is not the student's.
            _ => (
                &whose,
                Some(format!(
                    "the user can be {}; name the assignment as the files' names begin: --assignment NAME",
                    users.join(" or ")
                )),
            ),
        };
        (whose.clone(), Identity { name: id.clone(), id: id.clone(), doubt })
    };
    Ok(find_users(&whose, &notes, assignment)?.into_iter().map(identity).collect())
}

fn text_of(download: &mut Download, entry: &Entry, most: u64) -> String {
    let mut bytes = Vec::new();
    if let Ok(reader) = download.read(entry) {
        let _ = reader.take(most).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Finds the owner of a path; `None` if it belongs to no student.
type PathReader = fn(&[String]) -> Option<Owner>;

const FORMATS: [(&str, PathReader); 5] = [
    (MOODLE, moodle),
    (GRADESCOPE, gradescope),
    (BLACKBOARD, blackboard),
    (BRIGHTSPACE, brightspace),
    (CANVAS, canvas),
];

pub(crate) const MOODLE: &str = "Moodle";
const GRADESCOPE: &str = "Gradescope";
const BLACKBOARD: &str = "Blackboard";
pub(crate) const BRIGHTSPACE: &str = "Brightspace";
const CANVAS: &str = "Canvas";

pub(crate) fn sort_by_student(download: &mut Download, names: &Names) -> ClassDownload {
    let (depth, (format, reader)) = format_of(download);
    // Most names are certain to be Canvas's: the others may be read in its rarer form.
    let reader = if format == CANVAS { canvas_with_underscores } else { reader };
    // A file whose name is none of the course system's is sorted by its own name.
    let reader =
        |path: &[String]| reader(path).or_else(|| plain_reader(path).filter(|_| !is_list(path)));
    let mut entries = std::mem::take(&mut download.entries);
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let entries = entries.into_iter().map(|entry| (entry.path.clone(), Some(entry), None));
    let left_out = std::mem::take(&mut download.left_out).into_iter();
    let left_out = left_out.map(|LeftOut { path, line }| (path, None, Some(line)));
    let folders = std::mem::take(&mut download.empty_folders).into_iter();
    let folders = folders.map(|folder| (in_it(&folder), None, None));
    let mut class = ClassDownload { format, ..ClassDownload::default() };
    let mut students: BTreeMap<(String, String), Owned> = BTreeMap::new();
    for (path, entry, line) in entries.chain(left_out).chain(folders) {
        let within = path.get(depth..).unwrap_or_default();
        let Some(mut owner) = reader(within) else {
            if entry.is_some() && !is_list(within) {
                class.left_out.push(format!("{} belongs to no student", path.join("/")));
            }
            class.left_out.extend(line);
            continue;
        };
        let mut doubt = None;
        if let Some(known) = names.get(&owner.name) {
            (owner.name, owner.id) = (known.name.clone(), known.id.clone());
            doubt.clone_from(&known.doubt);
        }
        let upload = owner.upload.parse().unwrap_or(0);
        let last = (owner.attempt.clone(), upload, std::mem::take(&mut owner.feedback));
        let owned = students.entry((owner.name.clone(), owner.id.clone())).or_default();
        owned.files.extend(entry.map(|entry| (owner, entry)));
        owned.left_out.extend(line);
        owned.doubt = doubt;
        owned.feedback = std::mem::take(&mut owned.feedback).max(last);
    }
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    students.keys().for_each(|(name, _)| *count.entry(name.clone()).or_default() += 1);
    for ((name, id), Owned { files, left_out, doubt, feedback }) in students {
        let shown =
            if count[&name] > 1 && !id.is_empty() { format!("{name} ({id})") } else { name };
        let feedback = Some(feedback.2).filter(|place| !place.is_empty()).into_iter().collect();
        class.students.push(Student { id, doubt, feedback, ..student(shown, files, left_out) });
    }
    class
}

fn in_it(folder: &[String]) -> Vec<String> {
    [folder, &["-".to_string()]].concat()
}

pub(crate) fn single_student(name: String, download: &mut Download) -> ClassDownload {
    let own = |entry: Entry| (Owner { path: entry.path.clone(), ..Owner::default() }, entry);
    let files = std::mem::take(&mut download.entries).into_iter().map(own).collect();
    let left_out = std::mem::take(&mut download.left_out).into_iter();
    let one = student(name, files, left_out.map(|left_out| left_out.line).collect());
    ClassDownload { format: "one student's", students: vec![one], left_out: Vec::new() }
}

fn student(name: String, files: Vec<(Owner, Entry)>, left_out: Vec<String>) -> Student {
    let mut student = Student { name, left_out, ..Student::default() };
    let last = files.iter().map(|(owner, _)| owner.attempt.clone()).max().unwrap_or_default();
    student.late = files.iter().any(|(owner, _)| owner.late);
    let uploads: BTreeSet<&str> = files.iter().map(|(owner, _)| owner.upload.as_str()).collect();
    student.upload = match last.as_str() {
        "" => uploads.into_iter().filter(|upload| !upload.is_empty()).collect::<Vec<_>>().join(" "),
        time => time.to_string(),
    };
    let (mut known, mut lower_case) = (BTreeSet::new(), BTreeMap::new());
    for (owner, entry) in files {
        let path = owner.path.join("/");
        if owner.attempt != last {
            let line = format!("{path} belongs to an earlier attempt ({})", owner.attempt);
            student.left_out.push(line);
            continue;
        }
        if !known.insert(path.clone()) {
            student.left_out.push(format!("{path} appears twice"));
            continue;
        }
        if let Some(other) = lower_case.insert(path.to_lowercase(), path.clone()) {
            let line = format!("{path} and {other} differ only by case: both are kept");
            student.left_out.push(line);
        }
        student.files.push((owner.path, entry));
    }
    student
}

fn format_of(download: &Download) -> (usize, (&'static str, PathReader)) {
    let mut all: Vec<_> = download.entries.iter().map(|entry| entry.path.clone()).collect();
    all.extend(download.empty_folders.iter().map(|folder| in_it(folder)));
    let mut depth = 0;
    loop {
        let paths = all.iter().filter_map(|path| path.get(depth..));
        let paths: Vec<&[String]> = paths.filter(|path| !is_list(path)).collect();
        // One student's file names may fit another format by chance, but not those of most
        // students.
        let known = |(_, reader): &(&str, PathReader)| {
            paths.iter().filter(|path| reader(path).is_some()).count()
        };
        // Of equal ones the first counts.
        if let Some(format) = FORMATS.into_iter().rev().max_by_key(known)
            && known(&format) > 0
            && 2 * known(&format) >= paths.len()
        {
            return (depth, format);
        }
        // Only the formats of course systems and zips have an enclosing folder.
        let one = paths.first().and_then(|path| path.first());
        let is_around =
            one.is_some() && paths.iter().all(|path| path.len() > 1 && path.first() == one);
        if !is_around || depth == 3 {
            return (plain_depth(&all, download.is_directory), ("plain", plain_reader));
        }
        depth += 1;
    }
}

/// Returns the number of enclosing folders: 1 if a zip has one folder which has only folders, or
/// several folders with a homework, else 0.
fn plain_depth(paths: &[Vec<String>], is_directory: bool) -> usize {
    const PROGRAM_FOLDERS: [&str; 9] =
        ["src", "source", "include", "lib", "bin", "test", "tests", "docs", "doc"];
    let Some(first) = paths.first() else { return 0 };
    if is_directory || paths.iter().any(|path| path.len() < 2 || path[0] != first[0]) {
        return 0;
    }
    let (mut folders, mut with_homework) = (BTreeSet::new(), BTreeSet::new());
    for path in paths.iter().filter(|path| path.len() > 2) {
        let folder = path[1].to_lowercase();
        if PROGRAM_FOLDERS.contains(&folder.as_str()) {
            return 0;
        }
        folders.insert(&path[1]);
        if path[path.len() - 1].to_lowercase().starts_with("homework") {
            with_homework.insert(&path[1]);
        }
    }
    let nothing_else = paths.iter().all(|path| path.len() > 2);
    usize::from(with_homework.len() > 1 || nothing_else && folders.len() > 1)
}

/// Gradescope's list lies beside the students' folders; in one of them it is a file among others.
fn is_list(path: &[String]) -> bool {
    path == ["submission_metadata.yml"]
}

fn read_gradescope_names(text: &str) -> BTreeMap<String, String> {
    let unquoted = |text: &str| text.trim_matches(['"', '\'']).to_string();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut folder = None;
    for line in text.lines() {
        if !line.starts_with([' ', '-', '#']) {
            folder = line.trim_end().strip_suffix(':').map(unquoted);
        }
        let value = line.trim_start().trim_start_matches("- ").trim_start().strip_prefix(":name:");
        if let (Some(folder), Some(value)) = (&folder, value) {
            let known = names.entry(folder.clone()).or_default();
            *known += if known.is_empty() { "" } else { " and " };
            *known += &arena::plain::shown(&unquoted(value.trim()));
        }
    }
    names.retain(|_, name| !name.trim().is_empty());
    names
}

/// Returns the owner of a file `own`, or of a path within a submission.
fn owner(name: &str, id: &str, own: &str, within: &[String]) -> Option<Owner> {
    let own = [own.to_string()];
    let path = if within.is_empty() { &own } else { within };
    let path: Vec<String> = path.iter().filter(|part| !part.is_empty()).cloned().collect();
    let name = name.trim().to_string();
    let known = !name.is_empty() && !path.is_empty();
    known.then(|| Owner { name, id: id.to_string(), path, ..Owner::default() })
}

/// Moodle: `First Last_12345_assignsubmission_file_/homework.py`, or the same without folders.
fn moodle(path: &[String]) -> Option<Owner> {
    let (first, within) = path.split_first()?;
    let (whose, kind) = first.split_once("_assignsubmission_")?;
    let (name, id) = whose.rsplit_once('_').filter(|(_, id)| is_number(id))?;
    let own = kind
        .strip_prefix("file")
        .or_else(|| kind.strip_prefix("onlinetext"))?
        .trim_start_matches('_');
    let feedback = match within {
        [] => first[..first.len() - own.len()].to_string(),
        _ => format!("{first}/"),
    };
    Some(Owner { feedback, ..owner(name, id, own, within)? })
}

/// Gradescope: `submission_12345/homework.py`.
fn gradescope(path: &[String]) -> Option<Owner> {
    let (first, within) = path.split_first()?;
    let upload = first.strip_prefix("submission_").filter(|number| is_number(number))?.to_string();
    Some(Owner { upload, ..owner(first, "", "", within)? })
}

/// Blackboard: `Homework 2_user_attempt_2024-02-29-23-59-59_homework.py`. The owner's name is
/// `Homework 2_user`.
fn blackboard(path: &[String]) -> Option<Owner> {
    let name = FileName::of_path(path)?;
    Some(Owner { attempt: name.time.to_string(), ..owner(name.whose, "", name.file, &[])? })
}

/// Brightspace: `12345-678 - Jane Doe - Oct 1, 2026 1104 AM - homework.py`, or the same with a
/// folder for each attempt.
fn brightspace(path: &[String]) -> Option<Owner> {
    let (first, within) = path.split_first()?;
    let name = brightspace::FileName::read(first)?;
    let feedback = if within.is_empty() { first.clone() } else { format!("{first}/") };
    let attempt = name.time.clone();
    Some(Owner { attempt, feedback, ..owner(name.student, name.id, name.file, within)? })
}

/// Canvas: `lastfirst_LATE_12345_67890_homework-1.py`: the numbers of the student and of the
/// upload, and `-1` for a repeated submission. Texts and links have no upload, and take no
/// feedback: `lastfirst_12345_text.html`. Without names: `LATE_anon_abc12_67890_homework.py`.
fn canvas(path: &[String]) -> Option<Owner> {
    let [file] = path else { return None };
    let mut late = false;
    let mut without_late = |text| {
        let rest = str::strip_prefix(text, "LATE_");
        late |= rest.is_some();
        rest.unwrap_or(text)
    };
    let (first, rest) = without_late(file).split_once('_')?;
    let (second, rest) = without_late(rest).split_once('_')?;
    let rest = without_late(rest);
    let is_text = ["text.html", "link.html"].contains(&rest);
    let (upload, own) =
        rest.split_once('_').filter(|(number, _)| is_number(number)).unwrap_or(("", rest));
    if upload.is_empty() && !is_text {
        return None;
    }
    let (name, id) = match first {
        "anon" => (format!("anon_{second}"), ""),
        _ => (first.to_string(), Some(second).filter(|id| is_number(id))?),
    };
    let feedback = if upload.is_empty() { String::new() } else { file.clone() };
    let owner = owner(&name, id, &without_count(own), &[])?;
    Some(Owner { upload: upload.to_string(), late, feedback, ..owner })
}

/// Canvas, with underscores in the student's name: `last_first_12345_67890_homework.py`. In a plain
/// download, whose files may have any names, this form would be found by chance.
fn canvas_with_underscores(path: &[String]) -> Option<Owner> {
    let [file] = path else { return None };
    let places = std::iter::once(0).chain(file.match_indices('_').map(|(place, _)| place + 1));
    places.map(|place| file.split_at(place)).find_map(|(before, rest)| {
        let mut owner = canvas(&[rest.to_string()])?;
        owner.name.insert_str(0, before);
        if !owner.feedback.is_empty() {
            owner.feedback.clone_from(file);
        }
        Some(owner)
    })
}

/// Removes the number that Canvas adds to the name of a file that is handed in again.
fn without_count(file: &str) -> String {
    let (stem, end) = file.split_at(file.rfind('.').unwrap_or(file.len()));
    match stem.rsplit_once('-') {
        Some((before, number)) if is_number(number) && number.len() <= 2 && !before.is_empty() => {
            format!("{before}{end}")
        }
        _ => file.to_string(),
    }
}

fn plain_reader(path: &[String]) -> Option<Owner> {
    const NO_PROGRAMS: [&str; 9] =
        ["txt", "md", "csv", "html", "htm", "yml", "xlsx", "toml", "log"];
    let (first, within) = path.split_first()?;
    if !within.is_empty() {
        return owner(first, "", "", within);
    }
    let (stem, extension) = first.rsplit_once('.')?;
    let is_program = !NO_PROGRAMS.contains(&extension.to_lowercase().as_str());
    owner(stem, "", first, &[]).filter(|_| is_program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::archive::zip;
    use testing::{Folder, folder};

    /// The students of a zip, a line each: name, number, upload, marks, paths, what is left out,
    /// and where feedback goes if that is no file of the zip. A line for each file: its path, and
    /// after `=` its text.
    #[track_caller]
    fn are_sorted(files: &str, format: &str, students: &str) {
        let lines =
            files.lines().map(|line| line.trim().split_once('=').unwrap_or((line.trim(), "")));
        let files: Vec<_> = lines.map(|(path, text)| (path, text.replace("\\n", "\n"))).collect();
        let bytes: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        let place = folder();
        place.write("download.zip", zip(&bytes));
        let mut download = Download::open(&place.join("download.zip")).unwrap();
        let names = read_names(&mut download, None).unwrap();
        let class = sort_by_student(&mut download, &names);
        let told = |student: &Student| {
            let Student { name, id, upload, late, left_out, feedback, .. } = student;
            let paths: Vec<String> = student.files.iter().map(|(path, _)| path.join("/")).collect();
            let is_file = |place: &&String| {
                files.iter().any(|(path, _)| path == place && !path.ends_with('/'))
            };
            let feedback = feedback.iter().find(|place| !is_file(place)).map_or("", |place| place);
            let late = if *late { "late" } else { "" };
            [name, id, upload, late, &paths.join(" "), &left_out.join(" "), feedback].join("|")
        };
        let students: Vec<&str> = students.lines().map(str::trim).collect();
        assert_eq!(class.students.iter().map(told).collect::<Vec<_>>(), students);
        assert_eq!(class.format, format);
    }

    #[test]
    fn names_of_canvas_have_numbers_marks_and_underscores() {
        are_sorted(
            "doejane_12345_67890_homework.py
             doejane_12345_67891_notes.txt
             leebob_LATE_12346_67892_homework-1.py
             leebob_22346_67893_homework-2.py
             anon_x7y8z_67894_play.py
             LATE_anon_Qw1er_88104_homework.py
             xuli_508_text.html
             yangmo_LATE_509_link.html
             notes of a student.py
             lions_red_12347_67896_homework.py
             lions_blue_LATE_12348_67897_homework_1_2_x.py",
            CANVAS,
            "anon_Qw1er||88104|late|homework.py||
             anon_x7y8z||67894||play.py||
             doejane|12345|67890 67891||homework.py notes.txt||
             leebob (12346)|12346|67892|late|homework.py||
             leebob (22346)|22346|67893||homework.py||
             lions_blue|12348|67897|late|homework_1_2_x.py||
             lions_red|12347|67896||homework.py||
             notes of a student||||notes of a student.py||
             xuli|508|||text.html||
             yangmo|509||late|link.html||",
        );
        // One student's file that fits another system does not say whose the others are.
        are_sorted(
            "ann_2_20_homework.py
             bob_3_30_homework.py
             eve_1_1_x_1_assignsubmission_file_y.py",
            CANVAS,
            "ann|2|20||homework.py||
             bob|3|30||homework.py||
             eve|1|1||x_1_assignsubmission_file_y.py||",
        );
    }

    #[test]
    fn folders_and_attempts_of_course_systems_are_students() {
        are_sorted(
            "Jane Doe_12345_assignsubmission_file_/homework.py
             Bob O_Lee_12346_assignsubmission_file_/hw/homework.py
             Eve_12347_assignsubmission_file_homework.py
             Noa_12349_assignsubmission_file_/.DS_Store
             Pia_12350_assignsubmission_file_/",
            MOODLE,
            "Bob O_Lee|12346|||hw/homework.py||Bob O_Lee_12346_assignsubmission_file_/
             Eve|12347|||homework.py||Eve_12347_assignsubmission_file_
             Jane Doe|12345|||homework.py||Jane Doe_12345_assignsubmission_file_/
             Noa|12349|||||Noa_12349_assignsubmission_file_/
             Pia|12350|||||Pia_12350_assignsubmission_file_/",
        );
        // In the folder of the third student, the list is a file among others.
        are_sorted(
            "as/submission_metadata.yml=---\\nsubmission_1:\\n  :submitters:\\n  - :name: Ann \
             Dee\\n    \
             :sid: '1'\\n  - :name: Bob\\n  :score: 1.0\\nsubmission_2:\\n  :submitters:\\n  - \
             :sid: '2'\\n    :name: \"Eve \\e\"\\n
             as/submission_1/homework.py
             as/submission_2/homework.py
             as/submission_3/submission_metadata.yml=submission_1:\\n  :submitters:\\n  - \
             :name: eve\\n",
            GRADESCOPE,
            r"Ann Dee and Bob|submission_1|1||homework.py||
             Eve \e|submission_2|2||homework.py||
             submission_3||3||submission_metadata.yml||",
        );
        are_sorted(
            "Homework 2_ann_attempt_2024-02-28-10-00-00_homework.py
             Homework 2_ann_attempt_2024-02-29-23-59-59_homework.py
             Homework 2_ann_attempt_2024-02-29-23-59-59.txt=Name: Ann
             Homework 2_bob_attempt_2024-02-29-23-59-59.txt=Name: Bob",
            BLACKBOARD,
            "ann|ann|2024-02-29-23-59-59||note-of-the-course-system.txt homework.py|homework.py \
             belongs to an earlier attempt (2024-02-28-10-00-00)|
             bob|bob|2024-02-29-23-59-59||note-of-the-course-system.txt||",
        );
        are_sorted(
            "index.html
             12-678 - Ann Doe - Oct 1, 2026 1204 PM - homework.py
             12-678 - Ann Doe - Oct 1, 2026 1104 AM - homework.py
             13-678 - Ann Doe - Oct 1, 2026 1104 AM/homework.py
             14-678 - Bob Lee - Sep 30, 2026 1104 PM/hw/homework.py",
            BRIGHTSPACE,
            "Ann Doe (12-678)|12-678|2026-10-01 1204||homework.py|homework.py \
             belongs to an earlier attempt (2026-10-01 1104)|
             Ann Doe (13-678)|13-678|2026-10-01 1104||homework.py||\
             13-678 - Ann Doe - Oct 1, 2026 1104 AM/
             Bob Lee|14-678|2026-09-30 2304||hw/homework.py||\
             14-678 - Bob Lee - Sep 30, 2026 1104 PM/",
        );
    }

    #[test]
    fn folders_files_and_zips_are_students_where_no_course_system_names_them() {
        let are_plain = |files: &str, students: &str| are_sorted(files, "plain", students);
        // A folder with folders of one program is a student's.
        are_plain("ann/board/board.py\nann/homework.py", "ann||||board/board.py homework.py||");
        let alone = "ann||||homework.py||\neve||||eve.py||\nmia||||mia.zip||";
        are_plain("ann/homework.py\neve.py\nmia.zip\ngrades.csv", alone);
        are_plain(
            "class/ann/homework.py\nclass/eve.py\nclass/mia.zip\nclass/Bob Lee/homework.py",
            &format!("Bob Lee||||homework.py||\n{alone}"),
        );
        are_plain(
            r"eve/submission_metadata.yml=ann:\n  :submitters:\n  - :name: eve\n
             eve/homework.py
             ann/homework.py",
            "ann||||homework.py||\neve||||homework.py submission_metadata.yml||",
        );
    }
}
