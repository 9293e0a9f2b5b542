//! Tests of points for play apart from results: a game of somebody's own that is solved, positions
//! with a proven result, and accuracy; and of sheets for a talk.

use crate::common::run;
use crate::own_game::{RULES, tic_tac_toe};
use serde_json::Value;
use testing::{Folder, NewFolder, Printed, assert_has, assert_lacks, folder, needs};

const PROOFS: &str = "game = \"tic-tac-toe\"\n[[proofs]]\ncount = 8\npoints = 2\nclock = 9\n";

fn solved() -> (NewFolder, Printed) {
    needs("python3");
    let place = tic_tac_toe();
    let told = run(&place, "solve ./game", 0);
    place.write("game/scheme.toml", PROOFS);
    (place, told)
}

fn graded(place: &NewFolder, words: &str) -> Vec<Value> {
    let words = format!("grade {words} --report json --record r.jsonl --overwrite");
    let report: Value = serde_json::from_str(&run(place, &words, 0).stdout).unwrap();
    report["tests"].as_array().unwrap().clone()
}

#[test]
fn a_small_game_is_solved_and_its_proofs_are_graded() {
    let (place, told) = solved();
    // As plain minimax over all positions counts them.
    told.has([
        "From the start neither side wins.",
        "5478 positions: X wins 2936, O wins 1474, neither 1068; the longest win takes 5 plies.",
    ]);
    let perfect = graded(&place, "--game ./game --engine engine=reference:minimax:8");
    assert_eq!(perfect.len(), 8);
    assert!(perfect.iter().all(|test| test["points"] == 2.0), "{perfect:?}");
    let first = graded(&place, "--game ./game --engine cmd=./agent.sh dir=.");
    for (test, same) in first.iter().zip(&perfect) {
        assert_eq!(test["name"], same["name"]);
        let reason = test["reason"].as_str().unwrap();
        assert_has(reason, [" by the table of judge solve; ", "what keeps it: "]);
        let played = reason.split("; ").nth(1).unwrap();
        let (mv, keeps) = (played.split(' ').next().unwrap(), played.contains("keeps it"));
        let kept = reason.rsplit(": ").next().unwrap();
        assert_eq!(kept.split(" | ").any(|kept| kept == mv), keeps, "{reason}");
        assert_eq!(test["points"], if keeps { 2.0 } else { 0.0 });
    }
    let full = first.iter().filter(|test| test["points"] == 2.0).count();
    assert!(full > 0 && full < 8, "{first:?}");
    // Sheets for a talk have questions, and the teacher's copy has the answers.
    let players = "--engine cmd=./agent.sh dir=. name=ann --engine engine=reference:minimax:8";
    let words =
        format!("match --game ./game {players} --games 4 --openings random:2 --record games.jsonl");
    run(&place, &words, 0);
    let told = run(&place, "analyse games.jsonl --talk talk.html", 0);
    assert_eq!(told.has(["talk.html", "talk-answers.html"]).stdout, "");
    let [sheets, answers] = ["talk.html", "talk-answers.html"].map(|page| place.read(page));
    let count = sheets.matches("Your program played").count();
    assert!((1..=5).contains(&count), "{sheets}");
    assert_eq!(sheets.matches("<svg").count(), count);
    assert_eq!(answers.matches("Answer: ").count(), count);
    assert_has(&sheets, [" play after ", ", and did your program see it? What is better about "]);
    assert_has(
        &answers,
        ["ann", "the reply is ", "gave away the draw", "by the table of judge solve"],
    );
    assert_lacks(&sheets, ["Answer: ", "gave away", "minimax:8: Tic-tac-toe"]);
    // A table of other rules is refused, and one beside another text is not.
    place.write("game/rules.md", "Other words.");
    let proofs = "grade --game ./game --engine engine=reference:random";
    run(&place, proofs, 0);
    place.write(RULES, place.read(RULES) + "\n");
    let said = ["solved.txt: remove it, or make it again", "the rules have changed"];
    run(&place, proofs, 2).has(said);
    place.remove("game/solved.txt");
    run(&place, proofs, 2).has(["no result of", "is proven: judge solve"]);
    let said = ["positions", "too many: at most 99 are solved"];
    run(&place, "solve ./game --most 99", 2).has(said);
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
    for (group, keys, said) in [
        ("positions", "kept = 0.3", "kept: a key of [[proofs]] alone"),
        ("games", "reference = \"random\"\nleast = 3", "least: a key of [[accuracy]] alone"),
        ("accuracy", "reference = \"random\"\ndraw = 0.1", "draw: a key of [[games]]"),
    ] {
        let text = format!("game = \"wolves\"\n[[{group}]]\ncount = 1\nclock = 1\n{keys}\n");
        place.write("wrong.toml", text);
        let words = "grade --game wolves --scheme wrong.toml --engine engine=reference:random";
        run(&place, words, 2).has(["wrong.toml", said]);
    }
}
