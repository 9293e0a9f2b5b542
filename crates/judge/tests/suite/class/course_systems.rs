//! Tests of points for a course system: the teacher's grade book, late marks and groups.

use super::{student, words};
use crate::common::{run, text};
use std::fs;

#[test]
fn the_teacher_s_grade_book_is_filled_and_nothing_else_in_it_changes() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    for name in ["bergann", "group 7 - cole, dahl", "Zoë O'Neil", "whoever"] {
        student(place.path(), name, "PLAY");
    }
    let scheme = "game = \"halma\"\n[[positions]]\ncount = 3\npoints = 4\nclock = 9\n[late]\npercent = 10\ngrace = 1\n";
    fs::write(at("scheme.toml"), scheme).unwrap();
    let book = "\u{feff}Student,ID,SIS Login ID,Halma (77),Notes\r\n    Points Possible,,,12,\r\n\"Berg, Ann\",508,ab,,\"late, \
                ill\"\r\n\"Cole, Bob\",509,bc,,\r\n\"Dahl, Cid\",510,cd,,\r\n\"Eve, Eve\",511,ee,3,\r\n\"O'Neil, Zoë\",512,zo,,\r\n";
    fs::write(at("book.csv"), book).unwrap();
    fs::write(at("late.csv"), "submission,late\nbergann,26:30:00\nwhoever,1 day\n").unwrap();
    let command = words("").into_iter().take(6).collect::<Vec<_>>();
    let options = "--scheme scheme.toml --csv grades.csv --reports reports --late late.csv --lms canvas book.csv";
    let graded = |options: &str, code| {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(options.split(' ')).collect();
        run(place.path(), &words, code)
    };
    let told = graded(options, 1);
    let said = text(&told.stderr);
    assert!(said.contains("book-graded.csv: 4 students have their points, and 1 are as they were"), "{said}");
    assert!(said.contains("  whoever: whoever is nobody in the grade book"), "{said}");
    let filled = book
        .replace("508,ab,,", "508,ab,9.6,")
        .replace("509,bc,,", "509,bc,12,")
        .replace("510,cd,,", "510,cd,12,")
        .replace("512,zo,,", "512,zo,12,");
    assert_eq!(fs::read_to_string(at("book-graded.csv")).unwrap(), filled);
    assert_eq!(fs::read_to_string(at("book.csv")).unwrap(), book, "the export itself stays");
    // Each reduction has its reason, in the report and in the table.
    let why = "2.4 points off: 26.5 h late, 1 h of grace: 2 days at 10 % each";
    let report = fs::read_to_string(at("reports/bergann.txt")).unwrap();
    assert!(report.contains("bergann: 9.6 of 12 points") && report.contains(&format!("Late: {why}")), "{report}");
    assert!(fs::read_to_string(at("grades.csv")).unwrap().contains(why));
    // Another rule for late submissions plays nothing again, and a list of groups says who somebody is.
    fs::write(at("scheme.toml"), scheme.replace("percent = 10", "points = 1\nmost = 1.5")).unwrap();
    fs::write(at("groups.csv"), "submission,members\nwhoever,511\n").unwrap();
    let record = fs::metadata(at("grades.jsonl")).unwrap().len();
    graded(&format!("{options} --groups groups.csv --resume"), 0);
    assert_eq!(fs::metadata(at("grades.jsonl")).unwrap().len(), record, "nothing is played again");
    let again = filled.replace("508,ab,9.6,", "508,ab,10.5,").replace("511,ee,3,", "511,ee,11,");
    assert_eq!(fs::read_to_string(at("book-graded.csv")).unwrap(), again);
    // Errors in the files come before the first game.
    for (options, part) in [
        ("--lms blackbird book.csv", "--lms: expected canvas, moodle, gradescope or blackboard, found 'blackbird'"),
        ("--lms moodle book.csv", "book.csv:1: no column of an assignment; name it with --lms-column: Student | ID"),
        ("--lms canvas missing.csv", "missing.csv: cannot be read"),
        ("--late book.csv", "book.csv:1: expected the columns submission (or folder) and late"),
    ] {
        let said = text(&graded(&format!("--csv other.csv {options}"), 2).stderr);
        assert!(said.contains(part), "{said}");
    }
    fs::write(at("late.csv"), "submission,late\nbergan,1 day\n").unwrap();
    let said = text(&graded("--csv other.csv --late late.csv", 2).stderr);
    assert!(said.contains("no submission is called 'bergan'") && !at("other.jsonl").exists(), "{said}");
}
