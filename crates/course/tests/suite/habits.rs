//! A class of sixty as real ones are: names that can be mixed up, files as students' editors and
//! archives leave them, and twelve programs that cannot play.

use crate::common::run;
use std::collections::BTreeMap;
use std::fs;
use testing::archive::{forged, seven_zip, tar, utf16, zip};
use testing::class::{WALKER_C, WALKER_JS, starter};
use testing::gradings::TINY;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, folder, needs};

/// The students: names as the download has them and as the grade book has them. Composed and
/// decomposed letters are the same name, and two are called Anna Schmidt.
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

/// The files of a student, and what the intake has to make of them.
struct HandIn {
    /// Paths and contents.
    files: Vec<(String, Vec<u8>)>,
    /// Whether the program plays legal moves.
    plays: bool,
    /// A part of what is said of it.
    said: &'static str,
}

fn plays(files: &[(&str, &[u8])]) -> HandIn {
    let files = files.iter().map(|(name, bytes)| ((*name).to_string(), bytes.to_vec())).collect();
    HandIn { files, plays: true, said: "" }
}

fn fails(name: &str, bytes: &[u8], said: &'static str) -> HandIn {
    HandIn { plays: false, said, ..plays(&[(name, bytes)]) }
}

/// Returns the files of sixty students.
fn hand_ins() -> Vec<HandIn> {
    let [python, cpp] = ["python/agent.py", "cpp/agent.cpp"].map(starter);
    let java = starter("java/Agent.java").replace("class Agent", "class homework");
    let sources = [
        ("homework.py", &*python),
        ("homework.java", &*java),
        ("homework.cpp", &*cpp),
        ("homework.c", WALKER_C),
    ];
    let mut all = vec![plays(&[("homework.js", WALKER_JS.as_bytes())])];
    for (name, source) in sources {
        let bytes = source.as_bytes();
        let latin: Vec<u8> = [
            if name.ends_with("py") {
                &b"# Spielzug f\xfcr WEISS\n"[..]
            } else {
                b"// Spielzug f\xfcr WEISS\n"
            },
            bytes,
        ]
        .concat();
        let folder = format!("__MACOSX/._{name}");
        let inner = zip(&[(name, bytes), (&folder, b"x")]);
        all.extend([
            plays(&[(name, bytes)]),
            plays(&[(name, &[b"\xef\xbb\xbf", bytes].concat())]),
            plays(&[(name, &[&b"\xff\xfe"[..], &utf16(source)].concat())]),
            plays(&[(name, source.replace('\n', "\r\n").as_bytes())]),
            plays(&[(name, &latin)]),
            plays(&[(
                "hw.zip",
                &zip(&[(&format!("hw 2/{name}"), bytes), ("hw 2/.DS_Store", b"x")]),
            )]),
            plays(&[("outer.zip", &zip(&[("notes.md", b"x"), ("inner.zip", &inner)]))]),
            plays(&[(&format!("hw2 (1)/it's = mine/{name}"), bytes)]),
            plays(&[
                (name, bytes),
                ("playdata.txt", b"a plan for another game\n"),
                ("report.pdf", b"%PDF"),
            ]),
        ]);
    }
    let reads = "import os\nassert open(os.path.join(os.path.dirname(__file__), '..', 'data', 'weights.txt')).read() == '1 2 3'\n";
    let gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let notebook =
        serde_json::json!({ "cells": [{ "cell_type": "code", "source": [python] }] }).to_string();
    let make = "homework: walk.c\n\tcc -O1 -o homework walk.c\n";
    let package = format!("package edu.hw;\n{}", starter("java/Agent.java"));
    let talks = format!("print('thinking ' * 1000)\n{python}");
    all.extend([
        plays(&[(
            "hw-sources.jar",
            &zip(&[("META-INF/MANIFEST.MF", b"x"), ("homework.java", java.as_bytes())]),
        )]),
        plays(&[("hw.7z", &seven_zip(&[("homework.py", python.as_bytes())]))]),
        plays(&[("hw.tar.gz", &tar(gz, &[("hw/homework.cpp", cpp.as_bytes())]).finish().unwrap())]),
        plays(&[("homework.py.txt", python.as_bytes())]),
        plays(&[
            ("src/homework.py", format!("{reads}{python}").as_bytes()),
            ("data/weights.txt", b"1 2 3"),
        ]),
        plays(&[("homework.ipynb", notebook.as_bytes())]),
        plays(&[("Makefile", make.as_bytes()), ("walk.c", WALKER_C.as_bytes())]),
        plays(&[("src/edu/hw/Agent.java", package.as_bytes())]),
        plays(&[("HomeWork.PY", python.as_bytes())]),
        plays(&[("agent7.cpp", cpp.as_bytes())]),
        plays(&[("homework.py", talks.as_bytes())]),
    ]);
    all.extend([
        fails("homework.py", b"import time\ntime.clock()\n", "older than 3.8"),
        fails("homework.py", b"print 'E 14,11 13,10'\n", "it needs Python 2"),
        fails("homework.py", b"def move((a, b)):\n    pass\n", "it needs Python 2"),
        fails("homework.py", b"board = {}\nboard['a1']\n", "first move: crash"),
        fails(
            "homework.py",
            b"open('output.txt', 'w').write('E 0,0 9,9')\n",
            "first move: illegal move",
        ),
        fails("homework.py", b"import time\ntime.sleep(1000)\n", "first move: stall"),
        fails("hw.zip", &forged(14, 0), "method 14, LZMA"),
        fails("hw.zip", &forged(8, 1), "encrypted"),
        fails("report.pdf", b"%PDF", "no program among the files"),
        fails("homework.java", b"public class homework { void }\n", "javac: exit code 1"),
        fails("homework.cpp", b"int main( {\n", "g++: exit code 1"),
        fails("homework.py", b"\n", "homework.py is empty"),
    ]);
    all
}

#[test]
#[ignore = "needs java, g++ and node"]
fn in_a_class_of_sixty_every_honest_program_scores_and_nobody_is_merged_or_missing() {
    ["python3", "gcc", "make", "javac", "java", "g++", "node"].into_iter().for_each(needs);
    let place = folder();
    let hand_ins = hand_ins();
    assert_eq!(hand_ins.len(), 60);
    assert_eq!(hand_ins.iter().filter(|hand_in| hand_in.plays).count(), 48);
    // Moodle's numbers tell students of one name apart.
    let name = |index: usize| {
        let (download, book) = NAMES[index % NAMES.len()];
        let number = ["", " II", " III"][index / NAMES.len()];
        (format!("{download}{number}"), format!("{book}{number}"))
    };
    // Programs that cannot play lie between those that can.
    let order = |index: usize| index * 7 % hand_ins.len();
    let mut files: Vec<(String, &[u8])> = Vec::new();
    let mut book = "Identifier,Full name,Email address,Status,Grade,Maximum grade\n".to_string();
    for index in 0..hand_ins.len() {
        let (download, full) = name(index);
        let id = 1000 + index;
        for (path, bytes) in &hand_ins[order(index)].files {
            files.push((format!("{download}_{id}_assignsubmission_file_/{path}"), bytes));
        }
        book += &format!("Participant {id},{full},s{id}@x.example,Submitted for grading,,6.00\n");
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    place.write("download.zip", zip(&files));
    place.write("book.csv", &book);
    let words = |line: &str, code| run(&place, line, code);
    let taken = words("intake download.zip --game halma --out class --concurrency 2", 1);
    println!("{}", taken.stdout);
    assert_has(taken.stderr, ["60 students, Moodle download"]);
    let folders: BTreeMap<String, toml::Table> = fs::read_dir(place.join("class"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .map(|folder| (folder.clone(), submission(&place, &folder)))
        .collect();
    assert_eq!(folders.len(), 60);
    for found in folders.values() {
        let index: usize = found["id"].as_str().unwrap().parse::<usize>().unwrap() - 1000;
        let hand_in = &hand_ins[order(index)];
        let state = found["state"].as_str().unwrap();
        assert_eq!(["ready", "mended"].contains(&state), hand_in.plays, "{found}");
        assert!(said(found).contains(hand_in.said), "expected {}: {found}", hand_in.said);
    }
    let graded = words(
        &format!(
            "grade-all --game halma class {TINY} --concurrency 2 --csv grades.csv --page class.html --lms moodle book.csv"
        ),
        0,
    );
    println!("{}{}", graded.stdout, graded.stderr);
    // The position gives its point, and the game that ends at its limit half of its ten.
    let mut filled = book.lines().next().unwrap().to_string() + "\n";
    for (index, row) in book.lines().skip(1).enumerate() {
        let points = if hand_ins[order(index)].plays { "6" } else { "0" };
        filled += &row.replace(",,6.00", &format!(",{points},6.00"));
        filled += "\n";
    }
    assert_eq!(place.read("book-graded.csv"), filled);
    assert_eq!(place.read("grades.csv").lines().count(), 61);
}
