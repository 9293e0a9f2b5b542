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
    let words = format!("grade {words} --seed 1 --report json --record r.jsonl --overwrite");
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
    let words = format!(
        "match --seed 1 --game ./game {players} --games 4 --openings random:2 --record games.jsonl"
    );
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
    // Random and greedy play stand beside the number, measured once and for all programs alike.
    let accuracy = |tests: &[Value]| {
        let (words, points) = (tests[4]["reason"].as_str().unwrap(), &tests[4]["points"]);
        let [value, random, greedy] =
            ["value", "random", "greedy"].map(|key| tests[4]["accuracy"][key].as_f64().unwrap());
        let told = [
            format!("an accuracy of {value:.1} % (random play: {random:.1} ± "),
            format!(" %, greedy play: {greedy:.1} %; "),
        ];
        assert_has(words, told.each_ref().map(String::as_str));
        let least = random.max(50.0);
        let expected = ((value - least) / (100.0 - least) * 10.0).clamp(0.0, 10.0);
        assert!((points.as_f64().unwrap() - expected).abs() < 1e-6, "{words}: {points}");
        assert!(random < greedy, "{words}");
        (value, random, greedy)
    };
    let [weak, strong] = [&weak, &strong].map(|tests| accuracy(tests));
    assert!(strong.0 > weak.0 + 10.0, "{strong:?} {weak:?}");
    assert_eq!((strong.1, strong.2), (weak.1, weak.2));
}

#[test]
fn accuracy_is_refused_where_it_tells_nothing_and_a_game_without_it_counts_by_its_result() {
    let place = folder();
    let scheme = |game: &str, keys: &str| {
        let keys = format!("[[accuracy]]\npoints = 10\nclock = 60\n{keys}\n");
        place.write("scheme.toml", format!("game = \"{game}\"\n{keys}"));
        format!("--game {game} --engine engine=reference:random --scheme scheme.toml")
    };
    for (game, said) in [
        ("foxgeese", "accuracy tells nothing of GEESE in Foxes and Geese"),
        ("wolves", "against greedy: accuracy tells nothing: 0 of 10 random games have one"),
    ] {
        let words = scheme(game, "count = 2\nreference = \"greedy\"");
        run(&place, &format!("grade {words} --seed 1"), 2).has([said, "by results ([[games]])"]);
    }
    let keys = "count = 6\nside = \"X\"\nreference = \"minimax:2\"";
    let tests = graded(&place, &scheme("squirrels", keys));
    let without: Vec<&Value> =
        tests.iter().filter(|test| test["accuracy"]["value"].is_null()).collect();
    assert!(!without.is_empty(), "{tests:?}");
    for test in without {
        let said = ["no accuracy: fewer than 5 moves count; points by the result (random play: "];
        assert_has(test["reason"].as_str().unwrap(), said);
        assert_eq!(test["points"], 0.0, "a lost game: {test}");
    }
}
