//! Downloads of a class in the form of each course system.

use crate::Folder;
use std::path::Path;

/// A program that does not start.
pub const BROKEN: &[u8] = b"def move(\n";

/// The path of a program in a download, by the student's number and name and the upload's number.
pub type PathOf = fn(u32, &str, u32) -> String;

/// The names that course systems give to files, and whether they tell which upload it is.
pub const SYSTEMS: [(&str, bool, PathOf); 6] = [
    ("Canvas", true, |id, name, upload| format!("{name}_300{id}_9{upload}{id}_homework.py")),
    ("Moodle", false, |id, name, _| format!("{name}_1{id}_assignsubmission_file_/homework.py")),
    ("Gradescope", true, |id, _, upload| {
        format!("assignment_1_export/submission_{upload}{id}/homework.py")
    }),
    ("Blackboard", true, |_, name, upload| {
        format!("HW_{name}_attempt_2026-11-2{upload}-10-00-00_homework.py")
    }),
    ("Brightspace", true, |id, name, upload| {
        format!("1{id}-678 - {name} - Nov 2{upload}, 2026 1104 AM - homework.py")
    }),
    ("plain", false, |_, name, _| format!("{name}/homework.py")),
];

/// A student of a download: the name, the number of the upload, and the program.
pub type Handed<'a> = (&'a str, u32, &'a [u8]);

/// Returns the files of a download.
pub fn download(path_of: PathOf, handed: &[Handed]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut names = String::new();
    for (id, (name, upload, program)) in (1..).zip(handed) {
        files.push((path_of(id, name, *upload), program.to_vec()));
        names += &format!("submission_{upload}{id}:\n  :submitters:\n  - :name: {name}\n");
    }
    if files[0].0.contains("submission_") && files[0].0.starts_with("assignment") {
        files.push(("assignment_1_export/submission_metadata.yml".to_string(), names.into_bytes()));
    }
    if files[0].0.contains("-678 - ") {
        files.push(("index.html".to_string(), b"<p>The list".to_vec()));
    }
    files
}

/// Writes a download as somebody unpacks it.
pub fn unpack(place: &Path, name: &str, files: &[(String, Vec<u8>)]) {
    for (path, bytes) in files {
        place.join(name).write(path, bytes);
    }
}
