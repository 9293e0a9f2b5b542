//! Tests of `judge grade-all`.

use crate::common::{grade, run, script, student, words};
use serde_json::Value;
use std::fs;
use testing::gradings::{SMALL, SMALL_SCHEME, attempts, grades};
use testing::{Folder, assert_has, assert_lacks, folder, policy_hash};

/// The words of a grading by `scheme.toml`.
fn by_own_scheme(options: &str) -> Vec<String> {
    let words = words(options).into_iter();
    words.map(|word| word.replace(SMALL, "--scheme=scheme.toml")).collect()
}

#[test]
fn after_three_crashes_the_rest_is_not_played_and_said_so() {
    let place = folder();
    student(&place, "ann", "exit 7");
    student(&place, "bob", "sleep 100");
    let patient = SMALL_SCHEME.replace("clock = 5", "clock = 2").replace("clock = 20", "clock = 2");
    place.write("scheme.toml", patient);
    let mut words = by_own_scheme("--wall-margin 0");
    run(&place, &words, 0);
    let grades_of = grades(&place);
    assert_eq!(grades_of["ann"][2], "3 crash, 3 not played");
    assert_eq!(grades_of["bob"][2], "3 not played, 3 stall");
    assert!(grades_of["ann"][3].starts_with("crash, 24 points in 6 tests ("), "{grades_of:?}");
    assert_eq!(attempts(&place).len(), 6);
    words.extend(["--no-early-stop".to_string(), "--resume".to_string()]);
    let told = run(&place, &words, 2);
    assert_has(&told.stderr, ["early-stop=no"]);
    fs::remove_dir_all(place.join("class/bob")).unwrap();
    for file in ["grades.csv", "grades.jsonl"] {
        fs::remove_file(place.join(file)).unwrap();
    }
    grade(&place, "--no-early-stop", 0);
    assert_eq!(grades(&place)["ann"][2], "6 crash");
}

#[test]
fn what_came_or_changed_since_is_graded_and_nothing_else() {
    let place = folder();
    student(&place, "bob", "PLAY");
    student(&place, "eve", "exit 1");
    grade(&place, "", 0);
    let before = attempts(&place).len();
    student(&place, "ann", "PLAY");
    student(&place, "eve", "PLAY");
    grade(&place, "--resume", 0);
    let graded = grades(&place);
    assert_eq!(["ann", "bob", "eve"].map(|name| &*graded[name][0]), ["14"; 3]);
    assert_eq!((graded.len(), attempts(&place).len()), (3, before + 12));
    let ends = testing::ends(place.join("grades.jsonl"));
    let mut numbers: Vec<u64> = ends.iter().map(|end| end["game"].as_u64().unwrap()).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), ends.len());
}

#[test]
fn a_class_that_was_taken_in_is_run_as_its_intake_says() {
    let place = folder();
    let class = place.join("class");
    let submission = |name: &str, toml: &str| {
        let folder = class.join(name);
        folder.make("program");
        folder.write("submission.toml", format!("student = \"{name}\"\ndigest = \"1\"\n{toml}"));
        script(folder.join("program"), "play.sh", "echo E 0,0 0,0 > output.txt");
    };
    submission(
        "ann",
        "state = \"mended\"\ncommand = \"sh play.sh\"\nlanguage = \"shell\"\nmended = [\"Play.sh was play.sh\"]\n",
    );
    submission(
        "bob",
        "state = \"needs-you\"\nneeds = \"it does not build: <b>g++</b>\"\nlast-words = \"x\"\n",
    );
    class.make("cid");
    let run = |options: &str, code| {
        let words = "grade-all --game halma class --csv grades.csv --reports reports --report html";
        run(&place, &format!("{words} {SMALL} {options}"), code)
    };
    // Without an intake's mark a student's own file counts for nothing.
    let told = run("", 2).stderr;
    assert_has(&told, ["--cmd", "--own-commands"]);
    let mark = "version = 1\ngame = \"halma\"\nsource = \"class.zip\"\ndigest = \"1\"\n";
    class.write("intake.toml", mark.replace("halma", "wolves"));
    assert_has(&run("", 2).stderr, ["imported for wolves"]);
    class.write("intake.toml", mark);
    assert_has(&run("--own-commands", 2).stderr, ["the intake has found"]);
    run("", 0);
    let grades = grades(&place);
    assert_eq!(grades["ann"][2], "6 illegal move");
    assert_eq!(grades["bob"][2], "not run: it does not build: <b>g++</b>");
    assert!(grades["cid"][2].contains("submission.toml: is missing"), "{grades:?}");
    let report = |name: &str| place.read(format!("reports/{name}.html"));
    assert_has(report("ann"), ["Mended by the intake: Play.sh was play.sh"]);
    assert_has(report("bob"), ["it does not build: &lt;b&gt;g++", "To fix it: "]);
}

#[test]
fn a_crash_is_told_with_all_that_the_program_said_once() {
    let place = folder();
    let lines = "echo 'Traceback (most recent call last):'; for i in $(seq 200); do echo \"  File x, line $i, in f\"; done; \
                 echo 'IndexError: list index out of range'; exit 1";
    student(&place, "ann", &format!("exec >&2; {lines}"));
    grade(&place, "--reports reports", 0);
    let report = place.read("reports/ann.txt");
    assert_has(
        &report,
        [
            "ann: 0 of 24 points; most lost points: crash, 24 points in 6 tests (",
            "exit code 1, last words: 'IndexError: list index out of range'",
            "line 1, in f",
            "line 200, in f",
        ],
    );
    assert_eq!(report.matches("line 100, in f").count(), 1);
    assert_eq!(report.matches("Standard error: the same as in test 1").count(), 2, "{report}");
    // Each of them may be looked at alone.
    let ends: Vec<Value> = testing::ends(place.join("grades.jsonl"));
    assert!(
        ends.iter().all(|end| end["fault"]["stderr"].as_str().unwrap().contains("line 100, in f"))
    );
}

#[test]
fn the_page_of_a_class_leads_to_each_report_and_to_each_lost_game() {
    let place = folder();
    let nasty = "<script>alert(1)<#%&\"'";
    student(&place, "ann", "PLAY");
    student(&place, nasty, "echo '</pre><script>alert(2)</script>' >&2; exit 1");
    place.write("class/zoe/command", "./missing");
    grade(&place, "--own-commands --page class.html", 0);
    let page = place.read("class.html");
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert_has(&page, [&format!("style-src {};", policy_hash(style))]);
    let escaped = "&lt;script&gt;alert(1)&lt;#%&amp;&quot;'";
    let encoded = "%3Cscript%3Ealert%281%29%3C%23%25%26%22%27";
    assert_has(
        &page,
        [
            &format!(
                "<td class=\"name\"><a href=\"class-pages/reports/{encoded}.html\">{escaped}</a>"
            ),
            &format!("title=\"position 1 (BLACK), {escaped}: crash\""),
        ],
    );
    let mut links: Vec<&str> =
        page.split("<a href=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
    links.sort_unstable();
    links.dedup();
    for link in &links {
        let (file, game) = link.split_once('#').unwrap_or((link, ""));
        let text = place.read(file.replace(encoded, nasty));
        if let Some((number, _)) = game.split_once('/') {
            assert_has(&text, [&format!("\"game\":{number},")]);
        }
        assert_lacks(&text, ["<script>alert", "</pre><script"]);
    }
    // Three reports, two games of ann that were drawn, three crashes, and the two pages of games
    // themselves.
    assert_eq!(links.len(), 3 + 2 + 3 + 2, "{links:#?}");
    assert_lacks(&page, ["<script", "src="]);
    assert_has(&page, ["1 was not run at all", "<td class=\"none\" colspan=\"6\">not run</td>"]);
}

#[test]
fn other_points_are_counted_without_playing_again_and_changes_are_told() {
    let place = folder();
    for (name, lines) in [("ann", "PLAY"), ("bob", "exit 1"), ("cid", "PLAY")] {
        student(&place, name, lines);
    }
    let scheme = "game = \"halma\"\nmax-plies = 6\n[[positions]]\ncount = 2\npoints = 1\nclock = 5\n[[games]]\ncount = 1\npoints = 10\n\
                  reference = \"random\"\nclock = 20\n";
    let graded = |scheme: &str, options: &str, code| {
        place.write("scheme.toml", scheme);
        let options = format!("--nameless nameless.csv --page class.html {options}");
        run(&place, &by_own_scheme(&options), code)
    };
    graded(scheme, "", 0);
    let played = attempts(&place);
    let nameless = place.read("nameless.csv");
    assert_has(&nameless, ["points,of,cpu_seconds,lost_by,digest\n7,12,"]);
    assert_lacks(&nameless, ["ann", "bob"]);
    fs::remove_dir_all(place.join("class/cid")).unwrap();
    student(&place, "bob", "PLAY");
    let other = scheme.replace("points = 1\n", "points = 3\nvisibility = \"hidden\"\n");
    let told = graded(&other, "--resume --reports told", 0);
    let report = place.read("told/ann.txt");
    assert_has(&report, ["2 hidden tests", "6 of 6", "11 of 16 points", "game 1 "]);
    assert_lacks(report, ["position"]);
    assert_has(&told.stderr, ["the scheme gives other points than before"]);
    assert_has(
        &told.stdout,
        [
            "Changed since the last grading:\n  ann: 11 points, 7 before: the scheme has other points\n",
            "  bob: 11 points, 0 before: its files or its command are others\n",
        ],
    );
    let again = attempts(&place);
    assert!(played.iter().all(|(game, times)| again[game] == *times), "{played:?} {again:?}");
    assert_eq!(again.len(), played.len() + 3, "only the changed submission is played");
    // Comments and the rule for late submissions play nothing again.
    let commented = format!("# a comment\n\n{other}[late]\npercent = 10\nmost = 10\n");
    place.write("late.csv", "submission,late\nann,49:00:00\n");
    let told = graded(&commented, "--resume --late late.csv", 0);
    assert_has(&told.stdout, ["  ann: 9.9 points, 11 before: its delay"]);
    assert_eq!(attempts(&place), again);
    // What is played is not to change.
    let told = graded(&other.replace("clock = 5", "clock = 6"), "--resume", 2).stderr;
    assert_has(&told, ["graded by another scheme"]);
}
