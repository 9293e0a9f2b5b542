//! A class of more than a hundred as real ones are.

use crate::common::run;
use std::fs;
use std::path::{Path, PathBuf};
use testing::archive::zip_of;
use testing::class::{self, Made};
use testing::gradings::TINY;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, folder, needs};

/// Names as the download and as the grade book have them. Composed and decomposed letters are the
/// same name.
const NAMES: [(&str, &str); 20] = [
    ("Anna Schmidt", "Anna Schmidt"),
    ("Anna Schmidt", "Anna Schmidt"),
    ("Anna Schmidt-Weber", "Anna Schmidt-Weber"),
    ("Zoe\u{308} van den Berg", "Zo\u{eb} van den Berg"),
    ("Jose\u{301} Mari\u{301}a Nu\u{301}n\u{303}ez", "Jos\u{e9} Mar\u{ed}a N\u{fa}\u{f1}ez"),
    ("Nguye\u{302}\u{303}n Va\u{306}n A", "Nguy\u{1ec5}n V\u{103}n A"),
    ("\u{141}ukasz Z\u{307}o\u{301}\u{142}c\u{301}", "\u{141}ukasz \u{17b}\u{f3}\u{142}\u{107}"),
    ("Ma\u{308}x Gro\u{df}", "M\u{e4}x Gro\u{df}"),
    ("Max Gross", "Max Gross"),
    ("Sean O'Neil", "Sean O'Neil"),
    ("\u{674e} \u{5c0f}\u{9f8d}", "\u{674e} \u{5c0f}\u{9f8d}"),
    (
        "\u{41c}\u{430}\u{440}\u{438}\u{44f} \u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432}\u{430}",
        "\u{41c}\u{430}\u{440}\u{438}\u{44f} \u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432}\u{430}",
    ),
    ("Jane_Doe", "Jane_Doe"),
    ("Doe", "Doe"),
    ("Jane Doe Jr.", "Jane Doe Jr."),
    ("Ann Lee (exchange)", "Ann Lee (exchange)"),
    ("Ann Lee", "Ann Lee"),
    ("program", "program"),
    ("A=B Test", "A=B Test"),
    ("Student 7", "Student 7"),
];

#[test]
#[ignore = "needs java, g++ and node"]
fn in_a_class_of_many_styles_every_honest_program_scores_and_nobody_is_merged_or_missing() {
    ["python3", "gcc", "make", "javac", "java", "g++", "node"].into_iter().for_each(needs);
    let place = folder();
    let made = class::make_some(&place.join("made"), |_| true);
    // Moodle's numbers tell students of one name apart.
    let name = |index: usize| {
        let (download, book) = NAMES[index % NAMES.len()];
        let number = ["", " II", " III", " IV", " V", " VI", " VII"][index / NAMES.len()];
        (format!("{download}{number}"), format!("{book}{number}"))
    };
    let mut files = Vec::new();
    let mut book = "Identifier,Full name,Email address,Status,Grade,Maximum grade\n".to_string();
    let mut filled = book.clone();
    for (index, Made { student, honest, .. }) in made.iter().enumerate() {
        let id = 1000 + index;
        let (download, full) = name(index);
        let whose = format!("{download}_{id}_assignsubmission_file_");
        list(&place.join("made").join(student), &whose, &mut files);
        let row = |points: &str| {
            format!("Participant {id},{full},s{id}@x.example,Submitted for grading,{points},6.00\n")
        };
        book += &row("");
        // The position gives its point, and the game that ends at its limit half of its ten.
        filled += &row(if *honest { "6" } else { "0" });
    }
    place.write("download.zip", zip_of(&files));
    place.write("book.csv", &book);
    let taken = run(&place, "intake download.zip --game halma --out class --concurrency 2", 1);
    assert_has(taken.stderr, [&format!("{} students, Moodle download", made.len())]);
    let folders = place.join("class").entries().into_iter().filter(|path| path.is_dir());
    let folders: Vec<PathBuf> = folders.collect();
    assert_eq!(folders.len(), made.len());
    for folder in folders {
        let found = submission(&place, folder.file_name().unwrap().to_str().unwrap());
        let made = &made[found["id"].as_str().unwrap().parse::<usize>().unwrap() - 1000];
        let state = found["state"].as_str().unwrap();
        assert_eq!(["ready", "mended"].contains(&state), made.honest, "{}: {found}", made.student);
        assert!(said(&found).contains(made.said), "{}, {}: {found}", made.student, made.said);
    }
    let graded = format!(
        "grade-all --game halma class {TINY} --concurrency 2 --csv grades.csv --page class.html --lms moodle book.csv"
    );
    run(&place, &graded, 0);
    assert_eq!(place.read("book-graded.csv"), filled);
    assert_eq!(place.read("grades.csv").lines().count(), 1 + made.len());
}

/// Adds the files below a folder, with their paths in a download.
fn list(folder: &Path, path: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in folder.entries() {
        let path = format!("{path}/{}", entry.file_name().unwrap().to_str().unwrap());
        match entry.is_dir() {
            true => list(&entry, &path, files),
            false => files.push((path, fs::read(entry).unwrap())),
        }
    }
}
