//! Tests of `judge check`: output files in the forms that students write, under several rule sets.

use crate::common::run;
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, assert_lacks, folder};

/// For each game a legal move at the start.
fn starts() -> Vec<(&'static str, String)> {
    let read =
        |game: &judge::AnyGame| game.rules.read_task(&start(game.name), None).unwrap().unwrap();
    games::all()
        .iter()
        .map(|game| (game.name, read(game).position.legal_moves().swap_remove(0).output))
        .collect()
}

fn start(game: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../inputs").join(game).join("start.txt"),
    )
    .unwrap()
}

#[test]
fn the_pictures_of_the_boards_are_those_that_show_draws() {
    let place = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for game in games::all() {
        let input = root.join("inputs").join(game.name).join("start.txt");
        run(&place, &["show", game.name, input.to_str().unwrap(), "--svg", "board.svg"], 0);
        let drawn = place.read("board.svg");
        let kept = root.read(format!("docs/pictures/{}.svg", game.name));
        assert!(
            drawn == kept,
            "docs/pictures/{0}.svg: draw it again by judge show {0} inputs/{0}/start.txt --svg",
            game.name
        );
    }
}

#[test]
fn what_editors_add_to_a_text_changes_no_verdict_in_any_game() {
    let place = folder();
    let check = |game: &str, input: String, output: String, code| {
        place.write("input.txt", input);
        place.write("output.txt", output);
        run(&place, &["check", game, "input.txt", "output.txt"], code).stdout
    };
    let edited = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for (game, mv) in starts() {
        let plain = check(game, start(game), mv.clone(), 0);
        assert_lacks(&plain, ["note: a strict"]);
        let told = check(game, edited(&start(game)), edited(&mv), 0);
        let notes = told.strip_prefix(&plain).unwrap_or_else(|| panic!("{game}: {told}"));
        let is_note = |line: &str| line.starts_with("note: a strict grader may refuse the file: ");
        assert!(notes.lines().all(is_note), "{notes}");
        assert_has(notes, ["byte-order mark", "CR LF"]);
        // Elsewhere in a text the mark is a character like any other.
        assert_has(
            check(game, start(game), format!("{}\u{feff}{}", &mv[..1], &mv[1..]), 1),
            ["line 1"],
        );
    }
}

#[test]
fn a_move_that_only_some_rule_sets_allow_is_said_to_be_refused_by_some_graders() {
    let place = folder();
    let check = |rules: &[&str], output: &str, code| {
        place.write("input.txt", two_pieces());
        place.write("output.txt", output);
        run(&place, &[&["check", "halma", "input.txt", "output.txt"], rules].concat(), code).stdout
    };
    // White has a piece in its camp, which the addendum makes it play.
    let note =
        "note: allowed by the rules base, refused by addendum: some graders refuse this move\n";
    let reason = "illegal move: a piece in the own camp can be played out of it, and must be (addendum, rule 2)\n";
    let told = check(&[], "E 8,8 7,7\n", 0);
    assert!(
        told.starts_with(&format!("{BASE}WHITE plays 8,8-7,7\n"))
            && told.ends_with(&format!("{note}addendum: {reason}")),
        "{told}"
    );
    assert_eq!(check(&["--rules", "base"], "E 8,8 7,7\n", 0), told);
    let told = check(&["--rules", "addendum"], "E 8,8 7,7\n", 1);
    let rule = "the rule: judge rules halma 'Addendum, rule 2'\n";
    assert_eq!(told, format!("{ADDENDUM}output.txt: {reason}{note}{rule}"));
    // Where all agree there is nothing to add.
    for rules in ["base", "addendum"] {
        assert_lacks(check(&["--rules", rules], "E 14,11 13,11\n", 0), ["graders"]);
        assert_lacks(check(&["--rules", rules], "E 8,8 6,6\n", 1), ["graders"]);
        assert_lacks(check(&["--rules", rules], "nonsense\n", 1), ["graders"]);
    }
}

/// The first lines of commands that keep to Halma's rule sets.
const BASE: &str = "rules: base (others: --rules addendum)\n";
const ADDENDUM: &str = "rules: addendum (others: --rules base)\n";

#[test]
fn commands_of_a_game_with_several_rule_sets_name_theirs_first() {
    let place = folder();
    place.write("input.txt", two_pieces());
    let told = |words: &str| run(&place, words, 0).stdout;
    let strict = |words: &str| told(&format!("{words} --rules addendum"));
    let shown = told("show halma input.txt");
    assert!(shown.starts_with(BASE) && shown.contains("\n16 legal moves:\n"), "{shown}");
    let shown = strict("show halma input.txt");
    assert!(shown.starts_with(ADDENDUM) && shown.contains("\n4 legal moves:\n"), "{shown}");
    let counted = told("perft halma --depth 3");
    assert!(
        counted.starts_with(&format!("{BASE}1 40 (")) && counted.contains("\n3 85440 ("),
        "{counted}"
    );
    assert_has(strict("perft halma --depth 3"), ["\n3 62240 ("]);
    let played = "match --game halma --games 2 --max-plies 2 --engine engine=reference:random name=a --engine engine=reference:greedy";
    assert!(strict(&format!("{played} --record kept")).starts_with(ADDENDUM));
    assert!(told("match --resume kept").starts_with(ADDENDUM), "the record has the rule set");
    assert!(told(&format!("{played} --record free")).starts_with(BASE));
    assert!(told(&played.replace("match", "tournament")).starts_with(BASE));
    // A game with one rule set has nothing to name.
    assert!(told("perft wolves --depth 1").starts_with("1 "));
}

/// Halma with one piece of Black, and two of White, one of them in its camp.
fn two_pieces() -> String {
    let symbol = |x, y| match (x, y) {
        (0, 0) => 'B',
        (8, 8) | (14, 11) => 'W',
        _ => '.',
    };
    let rows = (0..16).map(|y| (0..16).map(|x| symbol(x, y)).collect::<String>() + "\n");
    "SINGLE\nWHITE\n1\n".to_string() + &rows.collect::<String>()
}
