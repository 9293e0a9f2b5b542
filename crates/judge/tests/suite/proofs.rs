//! Tests of points for play apart from results: a game of somebody's own that is solved, positions
//! with a proven result, and accuracy; and of sheets for a talk.

use crate::common::run;
use crate::own_game::tic_tac_toe;
use serde_json::Value;
use testing::{Folder, NewFolder, assert_has, assert_lacks, folder, needs};

const PROOFS: &str = "game = \"tic-tac-toe\"\n[[proofs]]\ncount = 8\npoints = 2\nclock = 9\n";

/// The tic-tac-toe, solved, with a scheme of proofs.
fn solved() -> (NewFolder, String) {
    needs("python3");
    let place = folder();
    tic_tac_toe(&place);
    let told = run(&place, "solve ./game", 0).stdout;
    place.write("game/scheme.toml", PROOFS);
    (place, told)
}

/// The tests of a grading.
fn graded(place: &NewFolder, words: &str) -> Vec<Value> {
    let report =
        run(place, &format!("grade {words} --report json --record r.jsonl --overwrite"), 0);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    report["tests"].as_array().unwrap().clone()
}

#[test]
fn a_small_game_is_solved_and_its_proofs_are_graded() {
    let (place, told) = solved();
    // As plain minimax over all positions counts them.
    assert_has(
        &told,
        [
            "From the start neither side wins.",
            "5478 positions: X wins 2936, O wins 1474, neither 1068; the longest win takes 5 plies.",
        ],
    );
    let perfect = graded(&place, "--game ./game --engine engine=reference:minimax:8");
    assert_eq!(perfect.len(), 8);
    assert!(perfect.iter().all(|test| test["points"] == 2.0), "{perfect:?}");
    let first = graded(&place, "--game ./game --engine cmd=./agent.sh dir=.");
    let (mut full, mut given) = (0, 0);
    for (test, same) in first.iter().zip(&perfect) {
        assert_eq!(test["name"], same["name"]);
        let reason = test["reason"].as_str().unwrap();
        assert_has(reason, [" by the table of judge solve; ", "what keeps it: "]);
        let played = reason.split("; ").nth(1).unwrap();
        let (mv, keeps) = (played.split(' ').next().unwrap(), played.contains("keeps it"));
        let kept = reason.rsplit(": ").next().unwrap();
        assert_eq!(kept.split(" | ").any(|kept| kept == mv), keeps, "{reason}");
        assert_eq!(test["points"], if keeps { 2.0 } else { 0.0 });
        *(if keeps { &mut full } else { &mut given }) += 1;
    }
    assert!(full > 0 && given > 0, "{first:?}");
}

#[test]
fn a_table_of_other_rules_is_refused_and_one_beside_another_text_is_not() {
    let (place, _) = solved();
    place.write("game/rules.md", "Other words.");
    let proofs = "grade --game ./game --engine engine=reference:random";
    run(&place, proofs, 0);
    place.write("game/rules.py", place.read("game/rules.py") + "\n");
    let refused = run(&place, proofs, 2).stderr;
    assert_has(&refused, ["solved.txt: remove it, or make it again", "the rules have changed"]);
    std::fs::remove_file(place.join("game/solved.txt")).unwrap();
    assert_has(run(&place, proofs, 2).stderr, ["no result of", "is proven: judge solve"]);
    let few = run(&place, "solve ./game --most 99", 2).stderr;
    assert_has(&few, ["positions", "too many: at most 99 are solved"]);
    assert!(!place.join("game/solved.txt").exists());
}

#[test]
fn built_in_games_have_proofs_by_what_is_stored_and_accuracy_by_the_analysis() {
    let place = folder();
    place.write(
        "scheme.toml",
        "game = \"wolves\"\nmax-plies = 40\n[[proofs]]\ncount = 4\npoints = 3\nclock = 9\nkept = 0.4\n\
         [[accuracy]]\ncount = 1\npoints = 10\nleast = 50\nside = \"SHEEP\"\nreference = \"greedy\"\nclock = 60\n",
    );
    let agent = "--game wolves --scheme scheme.toml --engine engine=reference:";
    let [weak, again, strong] =
        ["random", "random", "minimax:2"].map(|name| graded(&place, &format!("{agent}{name}")));
    for (index, test) in weak.iter().enumerate() {
        assert_eq!(test["points"], again[index]["points"]);
        assert_eq!(test["name"], strong[index]["name"]);
    }
    assert_has(weak[0]["name"].as_str().unwrap(), ["proof 1 (", "): ", " of "]);
    let accuracy = |tests: &[Value]| {
        let words = tests[4]["reason"].as_str().unwrap();
        let per_cent = words.strip_prefix("an accuracy of ").unwrap().split(' ').next().unwrap();
        let (per_cent, points) = (per_cent.parse::<f64>().unwrap(), tests[4]["points"].as_f64());
        let expected = ((per_cent - 50.0) / 5.0).clamp(0.0, 10.0);
        assert!((points.unwrap() - expected).abs() < 0.011, "{words}: {points:?}");
        per_cent
    };
    assert!(accuracy(&strong) > accuracy(&weak));
    let wrong = |key: &str, group: &str| {
        let text = format!("game = \"wolves\"\n[[{group}]]\ncount = 1\nclock = 1\n{key}\n");
        place.write("wrong.toml", text);
        let words = "grade --game wolves --scheme wrong.toml --engine engine=reference:random";
        run(&place, words, 2).stderr
    };
    assert_has(wrong("kept = 0.3", "positions"), ["wrong.toml", "kept: a key of [[proofs]] alone"]);
    let random = "reference = \"random\"\n";
    let least = wrong(&format!("{random}least = 3"), "games");
    assert_has(least, ["least: a key of [[accuracy]] alone"]);
    assert_has(wrong(&format!("{random}draw = 0.1"), "accuracy"), ["draw: a key of [[games]]"]);
}

#[test]
fn sheets_for_a_talk_have_questions_and_the_teacher_s_copy_the_answers() {
    let (place, _) = solved();
    let players = "--engine cmd=./agent.sh dir=. name=ann --engine engine=reference:minimax:8";
    let played =
        format!("match --game ./game {players} --games 4 --openings random:2 --record r.jsonl");
    run(&place, &played, 0);
    let told = run(&place, "analyse r.jsonl --talk talk.html", 0);
    assert_has(&told.stderr, ["talk.html", "talk-answers.html"]);
    assert_eq!(told.stdout, "");
    let [sheets, answers] = ["talk.html", "talk-answers.html"].map(|page| place.read(page));
    let count = sheets.matches("Your program played").count();
    assert!((1..=5).contains(&count), "{sheets}");
    assert_eq!(sheets.matches("<svg").count(), count);
    assert_eq!(answers.matches("Answer: ").count(), count);
    assert_has(&answers, ["ann", "gave away the draw", "by the table of judge solve"]);
    assert_lacks(&sheets, ["Answer: ", "gave away", "minimax:8: Tic-tac-toe"]);
}
