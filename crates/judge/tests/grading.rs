//! Gradings: what is given, what is taken off and why, in every form of report.

mod common;

use common::{example, run, script, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A small scheme: 2 positions and 2 games against chance, from which nobody wins within 6 plies.
const SMALL: &str = "--singles 2 --games 2 --reference random --max-plies 6 --single-clock 5 --game-clock 20";

#[track_caller]
fn grade(place: &Path, engine: &str, options: &str, code: i32) -> String {
    let mut words = vec!["grade", "--game", "halma", "--engine", "name=agent", engine];
    words.extend(SMALL.split(' '));
    words.extend(options.split_whitespace());
    text(&run(place, &words, code).stdout)
}

fn agent() -> String {
    format!("cmd={} --depth 1", example("agent"))
}

#[test]
fn an_agent_gets_its_points_for_legal_moves_and_half_of_them_for_draws() {
    let place = tempfile::tempdir().unwrap();
    let report = grade(place.path(), &agent(), "--record record", 0);
    assert!(report.contains("Score: 12 of 22 in "), "{report}");
    assert!(report.contains("draw by move limit"), "{report}");
    assert!(report.contains("game 1 as WHITE, moving first") && report.contains("game 2 as BLACK, moving second"));
    // The exit code speaks only when it is asked to.
    grade(place.path(), &agent(), "--fail-under 12", 0);
    grade(place.path(), &agent(), "--fail-under 12.5", 1);
    grade(place.path(), &agent(), "--fail-under all", 1);
    let replay = text(&run(place.path(), &["replay", "--text", "record"], 0).stdout);
    assert_eq!(replay.matches("legal move: a legal move in time").count(), 2);
    run(place.path(), &["replay", "record", "--html", "page.html"], 0);
    run(place.path(), &["watch", "--once", "record"], 0);
}

#[test]
fn what_an_agent_lost_is_explained_in_every_form() {
    let place = tempfile::tempdir().unwrap();
    let player = script(place.path(), "player", "echo 'E 0,0 <9>' > output.txt; echo 'I am lost' >&2");
    let report = grade(place.path(), &player, "", 0);
    for part in ["Score: 0 of 22", "bad format", "E 0,0 <9>", "SINGLE", "Legal moves (", "I am lost", "The board:"] {
        assert!(report.contains(part), "{part} is missing in\n{report}");
    }
    let json: Value = serde_json::from_str(&grade(place.path(), &player, "--report json", 0)).unwrap();
    assert_eq!(json["score"], 0.0);
    assert_eq!(json["max"], 22.0);
    assert_eq!(json["tests"][0]["fault"]["output"], "E 0,0 <9>\n");
    let gradescope: Value = serde_json::from_str(&grade(place.path(), &player, "--report gradescope", 0)).unwrap();
    let tests = gradescope["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 4);
    assert!(tests.iter().all(|test| test["score"] == 0.0 && test["status"] == "failed"));
    assert_eq!(tests.iter().map(|test| test["max_score"].as_f64().unwrap()).sum::<f64>(), 22.0);
    let junit = grade(place.path(), &player, "--report junit -o report.xml", 0)
        + &fs::read_to_string(place.path().join("report.xml")).unwrap();
    assert!(junit.contains("tests=\"4\" skipped=\"0\" failures=\"4\"") && junit.contains("E 0,0 &lt;9&gt;"), "{junit}");
}

#[test]
fn a_scheme_that_makes_no_sense_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for (options, part) in [
        ("--reference magic", "no reference player"),
        ("--reference-depth 99", "1 to 8"),
        ("--turn-clock 0", "positive"),
        ("--rules chess", "--rules: expected base or addendum"),
        ("--game-points NaN", "--game-points"),
    ] {
        let given: Vec<&str> = options.split(' ').collect();
        let words = ["grade", "--game", "halma", "--engine", "engine=reference:random"];
        let output = run(place.path(), &[&words, &given[..]].concat(), 2);
        assert!(text(&output.stderr).contains(part), "{options}: {}", text(&output.stderr));
    }
}

/// A class of four: one that moves, one that does not, one that cannot be run, one that is a lone file.
fn class(place: &Path) {
    for name in ["ann", "bob, jr", "eve"] {
        fs::create_dir_all(place.join("class").join(name)).unwrap();
    }
    fs::write(place.join("class/readme"), "no submission").unwrap();
    script(&place.join("class/ann"), "play.sh", "PLAY");
    script(&place.join("class/bob, jr"), "play.sh", "exit 1");
    fs::write(place.join("class/eve/command"), "./missing\n").unwrap();
}

const CLASS: &str = "grade-all --game halma class --own-commands --cmd play.sh --csv grades.csv --reports reports";

#[track_caller]
fn grade_class(place: &Path, options: &str) -> String {
    let words = format!("{CLASS} {SMALL} {options}");
    let command = format!("sh play.sh {}", example("agent"));
    let words: Vec<&str> =
        words.split_whitespace().map(|word| if word == "play.sh" { &command } else { word }).collect();
    text(&run(place, &words, 0).stdout)
}

#[test]
fn a_class_gets_a_table_a_csv_file_and_a_report_each() {
    let place = tempfile::tempdir().unwrap();
    class(place.path());
    let table = grade_class(place.path(), "");
    assert!(table.contains("ann") && table.contains("4 crash"), "{table}");
    let csv = fs::read_to_string(place.path().join("grades.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "submission,points,of,cpu_seconds,lost_by,scheme");
    let scheme = lines[1].split(',').next_back().unwrap();
    assert!(scheme.starts_with("game=halma singles=2 single-clock=5 games=2 game-clock=20 "), "{csv}");
    assert!(lines[1].starts_with("ann,12,22,"), "{csv}");
    let ending = format!(",4 crash,{scheme}");
    assert!(lines[2].starts_with("\"bob, jr\",0,22,") && lines[2].ends_with(&ending), "{csv}");
    assert!(lines[3].starts_with("eve,0,,0.0,not run: ") && lines[3].contains("./missing: no such program"), "{csv}");
    assert_eq!(lines.len(), 4);
    assert!(fs::read_to_string(place.path().join("reports/ann.txt")).unwrap().contains("Score: 12 of 22"));
    // An interrupted run goes on: lines that are there stay, the others come.
    let kept = lines[1].replace("ann,12", "ann,13");
    fs::write(place.path().join("grades.csv"), format!("{}\n{kept}\n{}\n", lines[0], lines[3])).unwrap();
    grade_class(place.path(), "--resume");
    let csv = fs::read_to_string(place.path().join("grades.csv")).unwrap();
    assert!(csv.contains("ann,13,22") && csv.contains("\"bob, jr\",0,22,"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn parts_of_a_class_make_the_whole() {
    let place = tempfile::tempdir().unwrap();
    class(place.path());
    let mut students: Vec<String> = Vec::new();
    for part in ["--shard 1/2", "--shard 2/2"] {
        grade_class(place.path(), part);
        let csv = fs::read_to_string(place.path().join("grades.csv")).unwrap();
        students.extend(csv.lines().skip(1).map(|line| line[..3].to_string()));
    }
    students.sort();
    assert_eq!(students, ["\"bo", "ann", "eve"]);
}

#[test]
fn homework_cases_are_compared_file_by_file_but_for_line_ends() {
    let place = tempfile::tempdir().unwrap();
    for (case, answer) in [("one", "a\r\nb"), ("two", "a\r\nc\r\n")] {
        let folder = place.path().join("cases").join(case);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("input.txt"), "1\n").unwrap();
        fs::write(folder.join("next_state.txt"), answer).unwrap();
    }
    let player = script(place.path(), "player", "printf 'a\\nb\\n' > next_state.txt");
    let grade = |player: &str, options: &[&str], code| {
        let mut words = vec!["grade-cases", "cases", "--game", "halma", "--engine", "name=agent", player];
        words.extend(options);
        text(&run(place.path(), &words, code).stdout)
    };
    let report = grade(&player, &[], 1);
    assert!(report.contains("1 of 2 cases right: 50.0 %"), "{report}");
    assert!(report.contains("next_state.txt:2: expected 'c', found 'b'"), "{report}");
    let json: Value = serde_json::from_str(&grade(&player, &["--json", "--fail-under", "1"], 0)).unwrap();
    assert_eq!((&json["right"], &json["cases"][0]["right"]), (&Value::from(1), &Value::from(true)));
    let broken = script(place.path(), "broken", "echo gone >&2; exit 3");
    let report = grade(&broken, &[], 1);
    assert!(report.contains("next_state.txt is missing (exit code 3, last words: 'gone')"), "{report}");
}
