//! Tests of points for a course system: the teacher's grade book, late marks and groups.

use crate::common::{intake, run, student, words};
use testing::archive::{texts, zip_of};
use testing::downloads::{BROKEN, SYSTEMS, download};
use testing::intake::FIRST;
use testing::{Folder, assert_has, assert_lacks, folder};

/// One game of two plies, for three points.
const SCHEME: &str = "game = \"halma\"\nseed = 1\nmax-plies = 2\n[[games]]\ncount = 1\npoints = 3\ndraw = 1\nreference = \"random\"\nclock = 20\n";

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
    let command = words("").into_iter().take(6);
    let graded = |options: &str, code| {
        let words: Vec<String> =
            command.clone().chain(options.split(' ').map(String::from)).collect();
        run(&place, &words, code).stderr
    };
    let options = "--scheme scheme.toml --csv grades.csv --reports reports --late late.csv --lms canvas book.csv";
    assert_has(
        graded(options, 1),
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
    let why = "2.4 points off: 26.5 h late, 1 h of grace: 2 days at 10 % each";
    let report = place.read("reports/bergann.txt");
    assert_has(&report, ["bergann: 9.6 of 12 points", &format!("Late: {why}")]);
    assert_has(place.read("grades.csv"), [why]);
    // Nothing is played again for another rule, and a list of groups says who somebody is.
    place.write("scheme.toml", scheme.replace("percent = 10", "points = 1\nmost = 1.5"));
    place.write("groups.csv", "submission,members\nwhoever,511\n");
    let record = place.read("grades.jsonl");
    graded(&format!("{options} --groups groups.csv --resume"), 0);
    assert_eq!(place.read("grades.jsonl"), record);
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
        assert_has(graded(&format!("--csv other.csv {options}"), 2), [part]);
    }
    place.write("late.csv", "submission,late\nbergan,1 day\n");
    let said = graded("--csv other.csv --late late.csv", 2);
    assert_has(said, ["no submission is called 'bergan'"]);
    assert!(!place.join("other.jsonl").exists());
}

#[test]
fn late_words_of_moodle_are_understood_or_told() {
    let place = folder();
    let names = ["Dani\u{eb}l N\u{fa}\u{f1}ez", "J\u{fc}rgen Gro\u{df}", "Ann Lee"];
    let files: Vec<_> = (1001..)
        .zip(names)
        .map(|(id, name)| (format!("{name}_{id}_assignsubmission_file_/homework.py"), FIRST))
        .collect();
    place.write("download.zip", zip_of(&files));
    intake(&place, "download.zip", "", 0);
    let extension = "\"Submitted for grading - Extension granted until: Friday, 2 October 2026\"";
    let late = "Zur Bewertung abgegeben - 2 Stunden 5 Minuten versp\u{e4}tet";
    let finnish = "L\u{e4}hetetty - 2 tuntia my\u{f6}h\u{e4}ss\u{e4}";
    let book = |points: [&str; 3]| -> String {
        let rows = (1001..).zip(names).zip([extension, late, finnish]).zip(points);
        let rows = rows.map(|(((id, name), status), points)| {
            format!("Participant {id},{name},s@x.example,{status},{points},10.00\n")
        });
        let headings = "Identifier,Full name,Email address,Status,Grade,Maximum grade\n";
        [headings.to_string()].into_iter().chain(rows).collect()
    };
    let scheme = SCHEME.replace("points = 3", "points = 10");
    let graded = |number: usize, scheme: &str| {
        place.write("book.csv", book(["", "", ""]));
        place.write("scheme.toml", scheme);
        let words = format!(
            "grade-all --game halma class --scheme scheme.toml --csv grades{number}.csv --lms moodle book.csv"
        );
        run(&place, &words, 0).stderr
    };
    let told = graded(1, &format!("{scheme}[late]\npercent = 10\n"));
    assert_eq!(place.read("book-graded.csv"), book(["10", "9", "10"]), "{told}");
    assert_has(
        &told,
        [
            "not understood, so that these submissions count as in time; --late FILE says how late",
            &format!("  {finnish} (1 student)"),
        ],
    );
    let told = graded(2, &scheme);
    assert_has(&told, ["1 submission is late"]);
    assert_lacks(&told, ["not understood"]);
}

#[test]
fn a_team_is_one_hand_in_whose_points_all_members_get() {
    let place = folder();
    let other: &[u8] = b"# Another program.\nopen('output.txt', 'w').write('E 14,11 13,10\\n')\n";
    let of = |name: &str| format!("{name}_assignsubmission_file_/homework.py");
    let download = |of_tom: &[u8]| {
        let files = [
            ("Group 3-Tea Ash_7060", FIRST),
            ("Group 3-Tom Bow_7061", of_tom),
            ("Lab-A-Anna-Lena Cho_7062", other),
            ("Lab-A-Anna-Maria Dix_7063", other),
            ("Lab-B-Zed Eis_7064", b"pass\n"),
        ];
        zip_of(&files.map(|(name, bytes)| (of(name), bytes)))
    };
    place.write("download.zip", download(FIRST));
    let told = intake(&place, "download.zip", "--csv intake.csv", 1).stdout;
    assert_has(&told, ["members: Tea Ash (7060), Tom Bow (7061)", "\nLab-A ", "\n3 students: 2 "]);
    let book = |points: [&str; 5]| {
        let people = ["Tea Ash", "Tom Bow", "Anna-Lena Cho", "Anna-Maria Dix", "Zed Eis"];
        let rows = (7060..).zip(people).zip(points);
        rows.fold(
            "Identifier,Full name,Grade,Maximum grade\n".to_string(),
            |text, ((id, name), points)| text + &format!("Participant {id},{name},{points},3.00\n"),
        )
    };
    place.write("book.csv", book([""; 5]));
    place.write("scheme.toml", SCHEME);
    let graded = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --reports reports --feedback feedback.zip --lms moodle book.csv";
    run(&place, graded, 0);
    assert_eq!(place.read("book-graded.csv"), book(["3", "3", "3", "3", "0"]));
    assert_has(place.read("reports/Group 3.txt"), ["Team: Tea Ash (7060), Tom Bow (7061)"]);
    let sent = texts(place.join("feedback.zip"));
    let of = |name: &str| &sent[&format!("{name}_assignsubmission_file_/report.txt")];
    assert_eq!(of("Group 3-Tea Ash_7060"), of("Group 3-Tom Bow_7061"));
    assert_has(of("Lab-B-Zed Eis_7064"), ["0 of 3 points"]);
    assert_eq!(sent.len(), 5);
    place.write("download.zip", download(other));
    let told = intake(&place, "download.zip", "", 1).stderr;
    assert_has(&told, ["Group 3-Tom Bow: the files of the members of Group 3 differ"]);
}

#[test]
fn groups_of_canvas_and_students_with_two_accounts_are_told_in_a_file() {
    let place = folder();
    for (name, plays) in [
        ("lions_508_71_homework.py", FIRST),
        ("coleb_509_72_homework.py", b"pass\n"),
        ("bobcole_77_73_homework.py", FIRST),
    ] {
        place.write(format!("download/{name}"), plays);
    }
    intake(&place, "download", "", 1);
    let book = |[ann, bob, cid]: [&str; 3]| {
        format!(
            "Student,ID,HW (77)\nPoints Possible,,3\n\"Berg, Ann\",508,{ann}\n\"Cole, Bob\",509,{bob}\n\"Dahl, Cid\",510,{cid}\n"
        )
    };
    place.write("book.csv", book([""; 3]));
    place.write("scheme.toml", SCHEME);
    let graded = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --resume --lms canvas book.csv";
    let told = run(&place, graded, 1).stderr;
    assert_has(&told, ["lions: only the number 508 is in the grade book. If this is a group"]);
    // Canvas's own list of the groups, with a line for the second account.
    let list = "name,canvas_user_id,login_id,group_name\nAnn,508,ab,lions\nCid,510,cd,lions\nEve,511,ee,\nBob,509,bc,bobcole\n";
    place.write("groups.csv", list);
    let told = run(&place, &format!("{graded} --groups groups.csv"), 0).stderr;
    assert_has(
        &told,
        ["bobcole and coleb are of one student, by --groups: the 3 points of bobcole count"],
    );
    assert_eq!(place.read("book-graded.csv"), book(["3", "3", "3"]));
}

#[test]
fn feedback_lies_where_each_course_system_looks_for_it() {
    for (system, _, path_of) in SYSTEMS {
        let place = &folder();
        // Where a number tells them apart, two students have one name.
        let takes_feedback = ["Canvas", "Moodle", "Brightspace"].contains(&system);
        let (zoe, cem) = ("Zo\u{eb}", if takes_feedback { "Zo\u{eb}" } else { "Cem" });
        let handed = [(zoe, 1, FIRST), (cem, 1, BROKEN), ("Gus", 2, FIRST)];
        place.write("class.zip", zip_of(&download(path_of, &handed)));
        intake(place, "class.zip", "", 1);
        place.write("scheme.toml", SCHEME);
        let words = "grade-all --game halma class --scheme scheme.toml --csv grades.csv --reports \
                     reports --feedback feedback.zip";
        let told = run(place, words, if takes_feedback { 0 } else { 2 }).stderr;
        if !takes_feedback {
            assert_has(&told, ["this is a class of none of them"]);
            continue;
        }
        let sent = texts(place.join("feedback.zip"));
        let end = if system == "Moodle" { "report.txt" } else { "homework.py" };
        for ((id, points), (name, upload, _)) in (1..).zip(["3", "0", "3"]).zip(handed) {
            let path = path_of(id, name, upload).replace("homework.py", end);
            assert_has(&sent[&path], [name, &format!("{points} of 3 points")]);
        }
        let has_index = sent.get("index.html").is_some_and(|list| list == "<p>The list");
        assert_eq!((sent.len(), has_index), (3 + usize::from(has_index), system == "Brightspace"));
    }
}
