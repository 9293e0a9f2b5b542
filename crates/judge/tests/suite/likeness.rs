//! Tests of `judge likeness`: real programs that are alike in their texts or in their moves.

use crate::common::run;
use std::collections::BTreeSet;
use testing::archive::texts;
use testing::{Folder, NewFolder, assert_has, assert_lacks, copy, folder, needs, repository};

const STARTER: &str = "starters/wolves/python";

/// The starter of Wolves and Sheep, with a choice of its own that depends on a number and on the
/// board alone.
fn program(number: u32) -> String {
    let starter = repository(STARTER).read("agent.py");
    let choice = "random.choice([move for move in moves if move[0] == \"J\"] or moves)";
    assert_has(&starter, [choice]);
    let own = format!(
        "min(moves, key=lambda move: hashlib.md5(repr(({number}, board, move)).encode()).digest())"
    );
    starter.replace(choice, &own).replace("import random", "import random, hashlib")
}

/// A class in which some programs are alike, and the words of the command about it.
fn class(positions: u32) -> (NewFolder, String) {
    let place = folder();
    for number in 0..7 {
        place.write(format!("class/own{number}/agent.py"), program(number));
    }
    let renamed =
        program(3).replace("board", "cells").replace("def main", "# Begin here.\n\ndef main");
    place.write("class/renamed/agent.py", renamed);
    // The same choice in other words, as a translation has it.
    let other = program(4).replace(
        "    moves = legal_moves(board, side)\n    return min(moves, key=lambda move: \
         hashlib.md5(repr((4, board, move)).encode()).digest())",
        "    best = None\n    for move in legal_moves(board, side):\n        worth = \
         hashlib.md5(repr((4, board, move)).encode()).digest()\n        if best is None or worth < best[0]:\n            \
         best = worth, move\n    return best[1]",
    );
    assert_lacks(&other, ["min(moves"]);
    place.write("class/translated/agent.py", other);
    place.write("class/same/agent.py", program(5));
    // The same program behind a mirror.
    let mirrored = program(2).replace("= choose(board", "= mirrored(board").replace(
        "def main():",
        "def mirrored(board, side, seconds):\n    kind, x, y, to_x, to_y = choose([row[::-1] for row in board], side, seconds)\n    \
         return kind, 4 - x, y, 4 - to_x, to_y\n\n\ndef main():",
    );
    place.write("class/mirrored/agent.py", mirrored);
    place.write("class/own1/latin.py", b"# \xfcber\n");
    copy(repository(STARTER), place.join("class/random"));
    place.write("last-year/old/agent.py", program(6));
    let words = format!(
        "likeness class --game wolves --own-commands --cmd 'python3 agent.py' --given '{}' --beside \
         last-year --positions {positions} --json alike.json --page alike.html --jplag jplag --dolos dolos.zip",
        repository(STARTER).display()
    );
    (place, words)
}

#[test]
fn programs_with_the_same_text_are_told_and_no_others() {
    let (place, words) = class(0);
    let pairs = [
        "  own5 and same: the same files",
        "  own6 and last-year/old: the same files",
        "  own3 and renamed: the same but for names, blanks and comments",
    ];
    let told = run(&place, &words, 0).has(pairs).lacks(["moves"]);
    assert_eq!(told.stdout.matches(": the same").count(), pairs.len(), "{told:?}");
    let page = place.read("alike.html");
    assert_has(&page, ["<h2>own3 and renamed</h2>", "<mark>", "For teachers alone"]);
    // In UTF-8, without the starter.
    assert_eq!(place.read("jplag/own1/latin.py"), "# \u{fc}ber\n");
    assert!(place.join("jplag/last-year - old/agent.py").exists());
    assert!(!place.join("jplag/random/agent.py").exists());
    let zip = texts(place.join("dolos.zip"));
    let table = &zip["info.csv"];
    assert_has(table, ["filename,full_name,label,created_at\nmirrored/agent.py,mirrored,class,20"]);
    assert_eq!(table.lines().count(), zip.len());
    assert!(zip.contains_key("own1/latin.py"));
    run(&place, &words, 2).has(["--jplag jplag: expected no folder or an empty one"]);
    // Few answers are no word for anybody.
    let few = "likeness class --game wolves --own-commands --cmd 'python3 agent.py' --positions 3";
    let told = run(&place, few, 0).has(["Not comparable by their moves: "]);
    told.lacks(["No two programs play"]);
}

#[test]
fn the_page_of_a_class_has_the_pairs_and_no_report_has_them() {
    needs("python3");
    let place = folder();
    for (name, number) in [("ann", 1), ("bob", 1), ("cid", 2)] {
        place.write(format!("class/{name}/agent.py"), program(number));
    }
    let page = |options: &str| {
        let words = format!(
            "grade-all class --game wolves --cmd 'python3 agent.py' --singles 1 --games 0 --csv grades.csv --reports reports \
             --report html --page class.html {options}"
        );
        run(&place, &words, 0);
        place.read("class.html")
    };
    assert_has(page(""), ["Nothing has been compared yet"]);
    let words =
        "likeness class --game wolves --cmd 'python3 agent.py' --positions 0 --page alike.html";
    run(&place, words, 0);
    let row = "<td class=\"name\">ann</td><td class=\"name\">bob</td><td class=\"why\">the same files</td>";
    assert_has(page("--resume"), [row, "/alike.html\">"]);
    for folder in ["reports", "class-pages/reports"] {
        for name in ["ann", "bob", "cid"] {
            assert_lacks(place.read(format!("{folder}/{name}.html")), ["alike", "likeness"]);
        }
    }
    place.write("class/bob/agent.py", program(3));
    assert_has(page("--resume"), ["1 submission is newer"]);
}

#[test]
#[ignore = "long"]
fn programs_that_answer_alike_are_told_and_no_others() {
    needs("python3");
    let (place, words) = class(60);
    let told = run(&place, &words, 0).stdout;
    let (_, moves) = told.split_once("Alike in their moves").expect(&told);
    assert_has(moves, ["mirrored and own2: the same move on the board turned"]);
    let mut pairs: Vec<&str> = moves
        .lines()
        .filter_map(|line| line.trim().split_once(": the same move "))
        .map(|(pair, _)| pair)
        .collect();
    pairs.sort_unstable();
    let expected = [
        "mirrored and own2",
        "own3 and renamed",
        "own4 and translated",
        "own5 and same",
        "own6 and last-year/old",
    ];
    assert_eq!(pairs, expected, "{told}");
    let json: serde_json::Value = serde_json::from_str(&place.read("alike.json")).unwrap();
    assert_eq!(json["answers"].as_object().unwrap().len(), 13);
    let positions = json["positions"].as_array().unwrap();
    let different: BTreeSet<_> = positions.iter().map(|position| position.as_str()).collect();
    assert_eq!(different.len(), positions.len());
    // Asked again, also beside another class, programs say nothing that is not known.
    let answers = place.read("class/likeness-answers.jsonl");
    let again = words.replace(" --jplag jplag --dolos dolos.zip", " --concurrency 2");
    run(&place, &again, 0).has([moves.trim_end()]);
    assert_eq!(place.read("class/likeness-answers.jsonl"), answers);
    // A last line that was cut is asked again.
    place.write("class/likeness-answers.jsonl", &answers[..answers.len() - 9]);
    run(&place, &again, 0);
    assert_eq!(place.read("class/likeness-answers.jsonl"), answers);
}
