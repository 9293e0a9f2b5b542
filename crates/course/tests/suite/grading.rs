//! Tests of gradings and of every form of report.

use crate::common::{self, run, script};
use serde_json::Value;
use std::path::Path;
use testing::gradings::SMALL;
use testing::{Folder, assert_has, assert_lacks, folder};

#[track_caller]
fn grade(place: &Path, engine: &str, options: &str, code: i32) -> String {
    let mut words = vec!["grade", "--game", "halma", "--engine", "name=agent", engine];
    words.extend([SMALL, "--singles=2"]);
    words.extend(options.split_whitespace());
    run(place, &words, code).stdout
}

fn agent() -> String {
    format!("cmd={} --depth 1", common::agent())
}

#[test]
fn an_agent_gets_its_points_for_legal_moves_and_half_of_them_for_draws() {
    let place = folder();
    let report = grade(&place, &agent(), "--record record", 0);
    assert_has(
        &report,
        ["Score: 12 of 22 in ", "draw by move limit", "game 2 as BLACK, moving second"],
    );
    grade(&place, &agent(), "--fail-under 12", 0);
    grade(&place, &agent(), "--fail-under 12.5", 1);
    grade(&place, &agent(), "--fail-under all", 1);
    let replay = run(&place, "replay --text record", 0).stdout;
    assert_eq!(replay.matches("legal move: a legal move in time").count(), 2);
    run(&place, "replay record --html page.html", 0);
    run(&place, "watch --once record", 0);
}

#[test]
fn a_grading_says_first_how_long_it_takes_and_keeps_the_moves() {
    let place = folder();
    let words = ["grade", "--game", "halma", "--engine", "engine=reference:random", SMALL];
    for _ in 0..2 {
        let told = run(&place, &words, 0).stderr;
        let first = "rules: base (by the scheme)\n4 positions and 2 games: 1 min if the program uses all of its clocks, ";
        assert!(told.starts_with(first), "{told}");
        assert_has(
            &told,
            ["the moves are in graded.jsonl: judge replay graded.jsonl --html games.html"],
        );
    }
    run(&place, "replay graded.jsonl --html games.html", 0);
    // A file that is no record is not replaced, and does not stop the grading.
    place.write("graded.jsonl", "mine\n");
    let told = run(&place, &words, 0).stderr;
    assert_has(&told, ["the moves are not kept: ", "graded.jsonl: expected a record of games"]);
    assert_eq!(place.read("graded.jsonl"), "mine\n");
}

#[test]
fn what_an_agent_lost_is_explained_in_every_form() {
    let place = folder();
    let said = "echo move E 13,13 13,12 0.7 >&2; echo note No >&2; printf 'I am \\033lost\\n' >&2";
    let player = script(&place, "player", &format!("echo 'E 0,0 <9>' > output.txt; {said}"));
    let report = grade(&place, &player, "", 0);
    assert_has(
        &report,
        [
            "Score: 0 of 22",
            "bad format",
            "E 0,0 <9>",
            "SINGLE",
            "Legal moves (",
            " more\n",
            "I am \\u{1b}lost",
            "Its thoughts: E 13,13 13,12 0.7; No\n",
            "The board:",
        ],
    );
    let json: Value = serde_json::from_str(&grade(&place, &player, "--report json", 0)).unwrap();
    assert_eq!(json["score"], 0.0);
    assert_eq!(json["max"], 22.0);
    assert_eq!(json["tests"][0]["fault"]["output"], "E 0,0 <9>\n");
    let told = grade(&place, &player, "--report html -o report.html", 0);
    let html = place.read("report.html");
    assert!(told.is_empty() && html.contains("E 0,0 &lt;9&gt;"), "{html}");
    // The page is sent alone: it has the rule itself, and the moves on its boards.
    assert_has(
        &html,
        [
            "The rule, The board:",
            "The rule is that of test 1.",
            "Green: where the legal moves begin.",
            "<g class=\"thought strength-4\"><path",
            "Blue: the moves that the program weighed.",
        ],
    );
    assert_lacks(&html, ["judge rules"]);
    let lost = grade(&place, &agent(), "--report html --games 2", 0);
    assert_has(
        &lost,
        [
            "aria-label=\"The last position of test 3",
            "aria-label=\"CPU a move: mean ",
            " % of the clock.",
            "<title>ply ",
        ],
    );
    assert_lacks(&lost, ["The last board:"]);
}

/// The fields that Gradescope documents for its results, a test and a line of the leaderboard.
const RESULTS: &str = "score execution_time output output_format test_output_format test_name_format visibility \
                       stdout_visibility extra_data tests leaderboard";
const TEST: &str = "score max_score status name name_format number output output_format tags visibility extra_data";
const LINE: &str = "name value order";

/// The words that it documents for some of them.
fn words_of(field: &str) -> &'static str {
    match field {
        "status" => "passed failed",
        "order" => "asc desc",
        _ if field.ends_with("visibility") => "hidden after_due_date after_published visible",
        _ if field.ends_with("format") => "text html simple_format md ansi",
        _ => "",
    }
}

#[track_caller]
fn assert_documented(value: &Value, fields: &str) {
    for (field, value) in value.as_object().unwrap() {
        assert!(fields.split(' ').any(|known| known == field), "{field}");
        let (words, word) = (words_of(field), value.as_str().unwrap_or_default());
        assert!(
            words.is_empty() || words.split(' ').any(|known| known == word),
            "{field}: {value}"
        );
    }
}

#[test]
fn reports_for_gradescope_have_the_form_that_it_documents() {
    let place = folder();
    let scheme = "game = \"halma\"\nmax-plies = 6\n[[positions]]\ncount = 2\nclock = 5\n[[games]]\ncount = 1\npoints = 10\n\
                  reference = \"random\"\nclock = 20\nvisibility = \"after_published\"\n";
    place.write("scheme.toml", scheme);
    let wrong = script(
        &place,
        "player",
        "echo 'E 0,0 <9>&' > output.txt; printf 'I \\033[2J am lost ]]>' >&2",
    );
    for player in [&wrong, &agent()] {
        let words = "grade --game halma --scheme scheme.toml --report gradescope --engine name=<&>";
        let words: Vec<&str> = words.split(' ').chain([&**player]).collect();
        let results: Value = serde_json::from_str(&run(&place, &words, 0).stdout).unwrap();
        let list = |field: &str| results[field].as_array().unwrap().iter();
        assert_documented(&results, RESULTS);
        list("tests").for_each(|test| assert_documented(test, TEST));
        list("leaderboard").for_each(|line| assert_documented(line, LINE));
        assert_eq!(results["tests"][2]["visibility"], "after_published");
        assert_eq!(results["stdout_visibility"], "hidden");
        assert_eq!(results["leaderboard"][0]["value"], results["score"]);
        assert_has(results["output"].as_str().unwrap(), ["Sandbox layers around the agent: "]);
        let of = |field| move |test: &Value| test[field].as_f64().unwrap();
        assert!(
            list("tests").all(|test| (0.0..=of("max_score")(test)).contains(&of("score")(test)))
        );
        assert_eq!(list("tests").map(of("score")).sum::<f64>(), results["score"]);
    }
}

#[test]
fn a_scheme_is_a_file_that_is_shown_and_read_again() {
    let place = folder();
    let shown = run(&place, "grade --game halma --scheme-show --singles 3", 0).stdout;
    assert!(shown.contains("game = \"halma\"\n") && shown.contains("count = 3\n"), "{shown}");
    place.write("mine.toml", &shown);
    let again = run(&place, "grade --game halma --scheme-show --scheme mine.toml", 0).stdout;
    assert_eq!(again, shown);
    place.write("bad.toml", shown.replace("count = 3", "counts = 3"));
    let told = run(&place, "grade --game halma --scheme-show --scheme bad.toml", 2);
    assert!(told.stderr.starts_with("bad.toml:4: unknown field `counts`"), "{}", told.stderr);
    let words = "grade --game halma --scheme-show --scheme mine.toml --singles 4";
    assert_eq!(run(&place, words, 0).stdout, shown.replace("count = 3", "count = 4"));
}

/// One that moves, one that does not, one that cannot be run, one that is a lone file.
fn class(place: &Path) {
    place.write("class/readme", "no submission");
    script(place.join("class/ann"), "play.sh", "PLAY");
    script(place.join("class/bob, jr"), "play.sh", "echo oh no >&2; exit 1");
    place.write("class/eve/command", "./missing\n");
}

#[test]
fn a_class_gets_a_table_a_csv_file_and_a_report_each() {
    let place = folder();
    class(&place);
    let command = format!("sh play.sh {}", common::agent());
    let mut words =
        vec!["grade-all", "--game", "halma", "class", "--own-commands", "--cmd", &command];
    words.extend("--csv grades.csv --reports reports --singles 2".split(' ').chain([SMALL]));
    let table = run(&place, &words, 0).stdout;
    assert_has(&table, ["ann", "3 crash, 1 not played"]);
    let csv = place.read("grades.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "submission,points,of,cpu_seconds,lost_by,reason,late,scheme,digest");
    let (scheme, digest) = lines[1].rsplit_once(',').unwrap();
    let scheme = scheme.rsplit_once(',').unwrap().1;
    assert!(
        digest.len() == 8
            && scheme.starts_with("game=halma scheme=small.toml singles=2 seed=1 max-plies=6 "),
        "{csv}"
    );
    assert!(lines[1].starts_with("ann,12,22,"), "{csv}");
    let ending = format!("last words: 'oh no')\",,{scheme},{digest}");
    assert!(lines[2].starts_with("\"bob, jr\",0,22,") && lines[2].ends_with(&ending), "{csv}");
    assert_has(lines[2], [",\"3 crash, 1 not played\",\"crash, 22 points in 4 tests ("]);
    assert_has(lines[3], ["eve,0,22,0.0,not run: ", "./missing: no such program"]);
    assert_eq!(lines.len(), 4);
    assert_has(place.read("reports/ann.txt"), ["Score: 12 of 22"]);
    assert_has(
        place.read("reports/eve.txt"),
        [
            "Halma (16 x 16): eve: 0 of 22 points; it was not run: ",
            "To fix it: see that the command `./missing` names a program",
        ],
    );
}

#[test]
fn homework_cases_are_compared_file_by_file_but_for_line_ends() {
    let place = folder();
    for (case, answer) in [("one", "a\r\nb"), ("two", "a\r\nc\r\n")] {
        let folder = place.join("cases").join(case);
        folder.write("input.txt", "1\n");
        folder.write("next_state.txt", answer);
    }
    let player = script(&place, "player", "printf 'a\\nb\\n' > next_state.txt");
    let grade = |player: &str, options: &[&str], code| {
        let mut words =
            vec!["grade-cases", "cases", "--game", "halma", "--engine", "name=agent", player];
        words.extend(options);
        run(&place, &words, code).stdout
    };
    let report = grade(&player, &[], 1);
    assert_has(
        &report,
        ["1 of 2 cases right: 50.0 %", "next_state.txt:2: expected 'c', found 'b'"],
    );
    let json: Value =
        serde_json::from_str(&grade(&player, &["--json", "--fail-under", "1"], 0)).unwrap();
    assert_eq!((&json["right"], &json["cases"][0]["right"]), (&Value::from(1), &Value::from(true)));
    let broken = script(&place, "broken", "echo gone >&2; exit 3");
    let report = grade(&broken, &[], 1);
    assert_has(&report, ["next_state.txt is missing (exit code 3, last words: 'gone')"]);
}
