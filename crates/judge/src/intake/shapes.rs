//! The shapes of downloads: whose file is which, in what Canvas, Moodle, Gradescope and Blackboard hand out and in plain
//! directories.

use super::source::{Entry, LeftOut};
use std::collections::{BTreeMap, BTreeSet};

/// A student's files, as a download has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Student {
    /// The name, plain.
    pub name: String,
    /// The files: the path within the submission, and where they are.
    pub files: Vec<(Vec<String>, Entry)>,
    /// What of theirs is left out, and why.
    pub left_out: Vec<String>,
}

/// What a download holds.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The shape it was taken for, in words.
    pub shape: &'static str,
    /// The students, in the order of their names.
    pub students: Vec<Student>,
    /// What is no student's, and why.
    pub left_out: Vec<String>,
}

/// Whose a file is, by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owner {
    name: String,
    /// What parts students of one name.
    id: String,
    /// The path within the submission.
    path: Vec<String>,
    /// When it was handed in, if the path says; only the latest counts.
    attempt: String,
}

/// A reader of paths of one shape; `None` for what is no student's.
type Reader = fn(&[String]) -> Option<Owner>;

/// The shapes that a path shows, each with its reader.
const SHAPES: [(&str, Reader); 4] =
    [("Moodle", moodle), ("Gradescope", gradescope), ("Blackboard", blackboard), ("Canvas", canvas)];

/// Sorts the files of a download by students. `names` are those that Gradescope's list has for its folders.
pub(super) fn class(mut entries: Vec<Entry>, left_out: Vec<LeftOut>, is_directory: bool, names: &Names) -> Class {
    let (depth, (shape, reader)) = shape_of(&entries, is_directory);
    let mut class = Class { shape, ..Class::default() };
    let mut owned: BTreeMap<(String, String), Vec<(Owner, Entry)>> = BTreeMap::new();
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    for entry in entries {
        match reader(&entry.path[depth..]) {
            Some(mut owner) => {
                if let Some(name) = names.get(&owner.name) {
                    owner.name.clone_from(name);
                }
                owned.entry((owner.name.clone(), owner.id.clone())).or_default().push((owner, entry));
            }
            None if is_list(&entry.path) => {}
            None => class.left_out.push(format!("{} is no student's", entry.path.join("/"))),
        }
    }
    let mut missing: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for LeftOut { path, line } in left_out {
        let Some(mut owner) = path.get(depth..).and_then(reader) else {
            class.left_out.push(line);
            continue;
        };
        if let Some(name) = names.get(&owner.name) {
            owner.name.clone_from(name);
        }
        owned.entry((owner.name.clone(), owner.id.clone())).or_default();
        missing.entry((owner.name, owner.id)).or_default().push(line);
    }
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    owned.keys().for_each(|(name, _)| *count.entry(name.clone()).or_default() += 1);
    for ((name, id), files) in owned {
        let left_out = missing.remove(&(name.clone(), id.clone())).unwrap_or_default();
        let name = if count[&name] > 1 { format!("{name} ({id})") } else { name };
        class.students.push(student(name, files, left_out));
    }
    class
}

/// The class of one student whose submission the download is.
pub(super) fn of_one(name: String, entries: Vec<Entry>, left_out: Vec<LeftOut>) -> Class {
    let own = |entry: Entry| {
        let owner = Owner { name: String::new(), id: String::new(), path: entry.path.clone(), attempt: String::new() };
        (owner, entry)
    };
    let left_out = left_out.into_iter().map(|left_out| left_out.line).collect();
    let one = student(name, entries.into_iter().map(own).collect(), left_out);
    Class { shape: "one student's", students: vec![one], left_out: Vec::new() }
}

/// The names of Gradescope's folders.
pub(super) type Names = BTreeMap<String, String>;

/// One student's files, of the last attempt if there are several.
fn student(name: String, files: Vec<(Owner, Entry)>, left_out: Vec<String>) -> Student {
    let mut student = Student { name, left_out, ..Student::default() };
    let last = files.iter().map(|(owner, _)| owner.attempt.clone()).max().unwrap_or_default();
    for (owner, entry) in files {
        let shown = owner.path.join("/");
        if owner.attempt != last {
            student.left_out.push(format!("{shown} is of an earlier attempt ({})", owner.attempt));
        } else if student.files.iter().any(|(path, _)| *path == owner.path) {
            student.left_out.push(format!("{shown} is there twice"));
        } else {
            if let Some((other, _)) = student.files.iter().find(|(path, _)| are_alike(path, &owner.path)) {
                let other = other.join("/");
                student.left_out.push(format!("{shown} and {other} differ by case alone: both are kept"));
            }
            student.files.push((owner.path, entry));
        }
    }
    student
}

fn are_alike(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.to_lowercase() == other.to_lowercase())
}

/// The shape of a download, and how many folders lie around it.
fn shape_of(entries: &[Entry], is_directory: bool) -> (usize, (&'static str, Reader)) {
    let mut depth = 0;
    loop {
        let paths: Vec<&[String]> =
            entries.iter().filter(|entry| !is_list(&entry.path)).filter_map(|entry| entry.path.get(depth..)).collect();
        for (name, reader) in SHAPES {
            let known = paths.iter().filter(|path| reader(path).is_some()).count();
            if known > 0 && 2 * known >= paths.len() {
                return (depth, (name, reader));
            }
        }
        // A folder around everything: only known shapes and zips have one.
        let one = paths.first().and_then(|path| path.first());
        let is_around = one.is_some() && paths.iter().all(|path| path.len() > 1 && path.first() == one);
        if !is_around || depth == 3 {
            return (plain_depth(entries, is_directory), ("plain", plain_reader));
        }
        depth += 1;
    }
}

/// How many folders lie around the folders of students, where nothing but the folders tells: one, if a zip holds one folder
/// and that one nothing but folders, or several with a homework in each.
fn plain_depth(entries: &[Entry], is_directory: bool) -> usize {
    const OF_ONE_PROGRAM: [&str; 9] = ["src", "source", "include", "lib", "bin", "test", "tests", "docs", "doc"];
    let Some(first) = entries.first() else { return 0 };
    if is_directory || entries.iter().any(|entry| entry.path.len() < 2 || entry.path[0] != first.path[0]) {
        return 0;
    }
    let within = || entries.iter().filter(|entry| entry.path.len() > 2);
    let folders: BTreeSet<&str> = within().map(|entry| entry.path[1].as_str()).collect();
    let is_homework =
        |entry: &&Entry| entry.path.last().is_some_and(|name| name.to_lowercase().starts_with("homework"));
    let with_homework: BTreeSet<&str> = within().filter(is_homework).map(|entry| entry.path[1].as_str()).collect();
    let are_students = folders.iter().all(|name| !OF_ONE_PROGRAM.contains(&name.to_lowercase().as_str()));
    let nothing_else = within().count() == entries.len();
    usize::from(are_students && (with_homework.len() > 1 || nothing_else && folders.len() > 1))
}

/// Gradescope's own list of its folders.
pub(super) fn is_list(path: &[String]) -> bool {
    path.last().is_some_and(|name| name == "submission_metadata.yml") && path.len() <= 2
}

/// The names of students in Gradescope's list: for each folder those who handed it in.
pub(super) fn names_of_list(text: &str) -> Names {
    let mut names = Names::new();
    let mut folder = None;
    for line in text.lines() {
        if !line.starts_with([' ', '-', '#']) {
            folder = line.trim_end().strip_suffix(':').map(|name| name.trim_matches(['"', '\'']).to_string());
        }
        let value = line.trim_start().trim_start_matches("- ").trim_start().strip_prefix(":name:");
        if let (Some(folder), Some(value)) = (&folder, value) {
            let value = arena::plain::shown(value.trim().trim_matches(['"', '\'']));
            let known: &mut String = names.entry(folder.clone()).or_default();
            if !known.is_empty() {
                known.push_str(" and ");
            }
            known.push_str(&value);
        }
    }
    names.retain(|_, name| !name.trim().is_empty());
    names
}

fn owner(name: &str, id: &str, path: Vec<String>, attempt: &str) -> Option<Owner> {
    let known = !name.trim().is_empty() && !path.is_empty();
    known.then(|| Owner { name: name.trim().to_string(), id: id.to_string(), path, attempt: attempt.to_string() })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `First Last_12345_assignsubmission_file_/homework.py`, or the same without folders.
fn moodle(path: &[String]) -> Option<Owner> {
    let (first, rest) = path.split_first()?;
    let (whose, kind) = first.split_once("_assignsubmission_")?;
    let (name, id) = whose.rsplit_once('_').filter(|(_, id)| is_number(id))?;
    let own = kind.strip_prefix("file").or_else(|| kind.strip_prefix("onlinetext"))?.trim_start_matches('_');
    let path = if rest.is_empty() { vec![own.to_string()] } else { rest.to_vec() };
    owner(name, id, path.into_iter().filter(|part| !part.is_empty()).collect(), "")
}

/// `submission_12345/homework.py`.
fn gradescope(path: &[String]) -> Option<Owner> {
    let (first, rest) = path.split_first()?;
    first.strip_prefix("submission_").filter(|number| is_number(number))?;
    owner(first, "", rest.to_vec(), "")
}

/// `Homework 2_user_attempt_2024-02-29-23-59-59_homework.py`; a `.txt` without a name is the student's note.
fn blackboard(path: &[String]) -> Option<Owner> {
    const DATE: usize = "2024-02-29-23-59-59".len();
    let [file] = path else { return None };
    let (whose, rest) = file.split_once("_attempt_")?;
    let date = rest.get(..DATE)?;
    let is_date = date.split('-').count() == 6 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let (_, user) = whose.rsplit_once('_')?;
    let file = match &rest[DATE..] {
        ".txt" => "note-of-the-course-system.txt",
        rest => rest.strip_prefix('_')?,
    };
    owner(user, "", vec![file.to_string()], date).filter(|_| is_date)
}

/// `lastfirst_LATE_12345_67890_homework-1.py`: the numbers are the student's and the submission's, `-1` counts submissions
/// again. Without names it is `anon_abc12_67890_homework.py`.
fn canvas(path: &[String]) -> Option<Owner> {
    let [file] = path else { return None };
    let (mut name, mut rest) = file.split_once('_')?;
    let anonymous = name == "anon";
    if anonymous {
        let (code, after) = rest.split_once('_')?;
        (name, rest) = (&file[..name.len() + 1 + code.len()], after);
    }
    rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let mut id = "";
    for _ in 0..if anonymous { 1 } else { 2 } {
        let (number, after) = rest.split_once('_').filter(|(number, _)| is_number(number))?;
        (id, rest) = (if id.is_empty() { number } else { id }, after);
    }
    owner(name, id, vec![uncounted(rest)], "")
}

/// A file name without the number that Canvas adds to one that is handed in again.
fn uncounted(file: &str) -> String {
    let (stem, extension) = file.rsplit_once('.').map_or((file, ""), |(stem, extension)| (stem, extension));
    match stem.rsplit_once('-') {
        Some((before, number)) if is_number(number) && number.len() <= 2 && !before.is_empty() => {
            if extension.is_empty() { before.to_string() } else { format!("{before}.{extension}") }
        }
        _ => file.to_string(),
    }
}

/// A folder a student, or a file a student.
fn plain_reader(path: &[String]) -> Option<Owner> {
    const NO_PROGRAMS: [&str; 9] = ["txt", "md", "csv", "html", "htm", "yml", "xlsx", "toml", "log"];
    let (first, rest) = path.split_first()?;
    if !rest.is_empty() {
        return owner(first, "", rest.to_vec(), "");
    }
    let (stem, extension) = first.rsplit_once('.')?;
    let is_program = !NO_PROGRAMS.contains(&extension.to_lowercase().as_str());
    owner(stem, "", vec![first.clone()], "").filter(|_| is_program)
}
