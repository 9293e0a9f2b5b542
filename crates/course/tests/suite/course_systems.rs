//! Tests of points for a course system: the teacher's grade book, late marks and groups.

use crate::common::{intake, run, student, words};
use std::fs;
use testing::archive::zip;
use testing::intake::FIRST;
use testing::{Folder, assert_has, assert_lacks, folder};

#[test]
fn the_teacher_s_grade_book_is_filled_and_nothing_else_in_it_changes() {
    let place = folder();
    for name in ["bergann", "group 7 - cole, dahl", "Zoë O'Neil", "whoever"] {
        student(&place, name, "PLAY");
    }
    let scheme = "game = \"halma\"\n[[positions]]\ncount = 3\npoints = 4\nclock = 9\n[late]\npercent = 10\ngrace = 1\n";
    place.write("scheme.toml", scheme);
    let book = "\u{feff}Student,ID,SIS Login ID,Halma (77),Notes\r\n    Points Possible,,,12,\r\n\"Berg, Ann\",508,ab,,\"late, \
                ill\"\r\n\"Cole, Bob\",509,bc,,\r\n\"Dahl, Cid\",510,cd,,\r\n\"Eve, Eve\",511,ee,3,\r\n\"O'Neil, Zoë\",512,zo,,\r\n";
    place.write("book.csv", book);
    place.write("late.csv", "submission,late\nbergann,26:30:00\nwhoever,1 day\n");
    let command = words("").into_iter().take(6).collect::<Vec<_>>();
    let options = "--scheme scheme.toml --csv grades.csv --reports reports --late late.csv --lms canvas book.csv";
    let graded = |options: &str, code| {
        let words: Vec<&str> =
            command.iter().map(String::as_str).chain(options.split(' ')).collect();
        run(&place, &words, code)
    };
    let told = graded(options, 1);
    let said = told.stderr;
    assert_has(
        &said,
        [
            "book-graded.csv: 4 students have their points, and 1 are as they were",
            "  whoever: whoever is nobody in the grade book",
        ],
    );
    let filled = book
        .replace("508,ab,,", "508,ab,9.6,")
        .replace("509,bc,,", "509,bc,12,")
        .replace("510,cd,,", "510,cd,12,")
        .replace("512,zo,,", "512,zo,12,");
    assert_eq!(place.read("book-graded.csv"), filled);
    assert_eq!(place.read("book.csv"), book, "the export itself stays");
    // Each reduction has its reason, in the report and in the table.
    let why = "2.4 points off: 26.5 h late, 1 h of grace: 2 days at 10 % each";
    let report = place.read("reports/bergann.txt");
    assert_has(&report, ["bergann: 9.6 of 12 points", &format!("Late: {why}")]);
    assert_has(place.read("grades.csv"), [why]);
    // Another rule for late submissions plays nothing again, and a list of groups says who somebody
    // is.
    place.write("scheme.toml", scheme.replace("percent = 10", "points = 1\nmost = 1.5"));
    place.write("groups.csv", "submission,members\nwhoever,511\n");
    let record = fs::metadata(place.join("grades.jsonl")).unwrap().len();
    graded(&format!("{options} --groups groups.csv --resume"), 0);
    assert_eq!(
        fs::metadata(place.join("grades.jsonl")).unwrap().len(),
        record,
        "nothing is played again"
    );
    let again = filled.replace("508,ab,9.6,", "508,ab,10.5,").replace("511,ee,3,", "511,ee,11,");
    assert_eq!(place.read("book-graded.csv"), again);
    // Errors in the files come before the first game.
    for (options, part) in [
        (
            "--lms blackbird book.csv",
            "--lms: expected canvas, moodle, gradescope, blackboard or brightspace, found 'blackbird'",
        ),
        (
            "--lms moodle book.csv",
            "book.csv:1: no column of an assignment; name it with --lms-column: Student | ID",
        ),
        ("--lms canvas missing.csv", "missing.csv: cannot be read"),
        ("--late book.csv", "book.csv:1: expected the columns submission (or folder) and late"),
    ] {
        let said = graded(&format!("--csv other.csv {options}"), 2).stderr;
        assert_has(&said, [part]);
    }
    place.write("late.csv", "submission,late\nbergan,1 day\n");
    let said = graded("--csv other.csv --late late.csv", 2).stderr;
    assert!(
        said.contains("no submission is called 'bergan'") && !place.join("other.jsonl").exists(),
        "{said}"
    );
}

#[test]
fn the_points_of_users_with_underscores_go_to_themselves() {
    let place = folder();
    let files: [(&str, &[u8]); 4] = [
        ("HW 2_doe_attempt_2026-10-01-10-00-00.txt", b"Name: Dan Doe (doe)\n"),
        ("HW 2_doe_attempt_2026-10-01-10-00-00_homework.py", b"pass\n"),
        ("HW 2_jane_doe_attempt_2026-10-01-11-00-00.txt", b"Name: Jane Doe (jane_doe)\n"),
        ("HW 2_jane_doe_attempt_2026-10-01-11-00-00_homework.py", FIRST),
    ];
    place.write("download.zip", zip(&files));
    intake(&place, "download.zip", "", 1);
    let book = "\"Last Name\",\"First Name\",\"Username\",\"HW 2 [Total Pts: 3 Score] |98765\"\n\
                \"Doe\",\"Dan\",\"doe\",\"\"\n\"Doe\",\"Jane\",\"jane_doe\",\"\"\n";
    place.write("book.csv", book);
    place.write("scheme.toml", "game = \"halma\"\nmax-plies = 2\n[[games]]\ncount = 1\npoints = 3\ndraw = 1\nreference = \"random\"\nclock = 20\n");
    let graded = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --lms blackboard book.csv";
    let told = run(&place, graded, 0).stderr;
    assert_has(&told, ["book-graded.csv: 2 students have their points, and 0 are as they were"]);
    let filled = book
        .replace("\"doe\",\"\"", "\"doe\",\"0\"")
        .replace("\"jane_doe\",\"\"", "\"jane_doe\",\"3\"");
    let found = place.read("book-graded.csv");
    assert_eq!(found, filled);
}

#[test]
fn late_words_of_moodle_are_understood_or_told() {
    let place = folder();
    let files: [(&str, &[u8]); 3] = [
        ("Dani\u{eb}l N\u{fa}\u{f1}ez_1001_assignsubmission_file_/homework.py", FIRST),
        ("J\u{fc}rgen Gro\u{df}_1002_assignsubmission_file_/homework.py", FIRST),
        ("Ann Lee_1003_assignsubmission_file_/homework.py", FIRST),
    ];
    place.write("download.zip", zip(&files));
    intake(&place, "download.zip", "", 0);
    let scheme = "game = \"halma\"\nmax-plies = 2\n[[games]]\ncount = 1\npoints = 10\ndraw = 1\nreference = \"random\"\n\
                  clock = 20\n";
    let late = "[late]\npercent = 10\n";
    let graded = |book: &str, number: usize, scheme: &str| {
        place.write("book.csv", book);
        place.write("scheme.toml", scheme);
        let words = format!(
            "grade-all --game halma class --scheme scheme.toml --csv grades{number}.csv --lms moodle book.csv"
        );
        let told = run(&place, &words, 0).stderr;
        (told, place.read("book-graded.csv"))
    };
    let headings = "Identifier,Full name,Email address,Status,Grade,Maximum grade\n";
    let row = |id: &str, name: &str, status: &str, points: &str| {
        format!("{id},{name},s@x.example,{status},{points},10.00\n")
    };
    let extension = "\"Submitted for grading - Graded - Extension granted until: Friday, 2 October 2026, 11:59 PM\"";
    let late_extension = extension.replacen("Graded", "1 day 2 hours late - Graded", 1);
    let english = |one: &str, two: &str, three: &str| {
        headings.to_string()
            + &row("Participant 1001", "Dani\u{eb}l N\u{fa}\u{f1}ez", extension, one)
            + &row(
                "Participant 1002",
                "J\u{fc}rgen Gro\u{df}",
                "Submitted for grading - 2 hours 5 mins late - Graded",
                two,
            )
            + &row("Participant 1003", "Ann Lee", &late_extension, three)
    };
    let (told, filled) = graded(&english("", "", ""), 1, &format!("{scheme}{late}"));
    assert_eq!(filled, english("10", "9", "8"), "{told}");
    assert_lacks(&told, ["not understood"]);
    let german = |two: &str, three: &str, unknown: &str| {
        "Identifikator;Vollst\u{e4}ndiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung\n"
            .to_string()
            + &row("Teilnehmer/in1001", "Dani\u{eb}l N\u{fa}\u{f1}ez", unknown, "10")
                .replace(',', ";")
            + &row(
                "Teilnehmer/in1002",
                "J. Gro\u{df}",
                "Zur Bewertung abgegeben - 2 Stunden 5 Minuten versp\u{e4}tet",
                two,
            )
            .replace(',', ";")
            + &row(
                "Teilnehmer/in1003",
                "Ann Lee",
                "Zur Bewertung abgegeben - Bewertet - 1 Tag 2 Stunden versp\u{e4}tet",
                three,
            )
            .replace(',', ";")
    };
    let finnish = "L\u{e4}hetetty - 2 tuntia my\u{f6}h\u{e4}ss\u{e4}";
    let (told, filled) = graded(&german("", "", finnish), 2, &format!("{scheme}{late}"));
    assert_eq!(filled, german("9", "8", finnish), "{told}");
    assert_has(
        &told,
        [
            "not understood, so that these submissions count as in time; --late FILE says how late",
            &format!("  {finnish} (1 student)"),
        ],
    );
    // Without a rule for late submissions nothing has to be understood.
    let (told, _) = graded(&german("", "", finnish), 3, scheme);
    assert_has(&told, ["2 submissions are late"]);
    assert_lacks(&told, ["not understood"]);
}
