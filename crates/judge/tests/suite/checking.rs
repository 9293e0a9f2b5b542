//! Tests of `judge check`: output files in the forms that students write, under several rule sets.

use crate::common::run;
use testing::{Folder, Printed, assert_has, folder, repository};

fn starts() -> Vec<(&'static str, String)> {
    let read =
        |game: &judge::AnyGame| game.rules.read_task(&start(game.name), None).unwrap().unwrap();
    games::all()
        .iter()
        .map(|game| (game.name, read(game).position.legal_moves().swap_remove(0).output))
        .collect()
}

fn start(game: &str) -> String {
    repository("inputs").join(game).read("start.txt")
}

#[test]
fn the_pictures_of_the_boards_are_those_that_show_draws() {
    let place = folder();
    for game in games::all().iter().map(|game| game.name) {
        place.write("start.txt", start(game));
        run(&place, &format!("show {game} start.txt --svg board.svg"), 0);
        let kept = repository("docs/pictures").read(format!("{game}.svg"));
        assert!(place.read("board.svg") == kept, "docs/pictures/{game}.svg: draw it again");
    }
}

#[test]
fn what_editors_add_to_a_text_changes_no_verdict_in_any_game() {
    let place = folder();
    let check = |game: &str, input: String, output: String, code| {
        place.write("input.txt", input);
        place.write("output.txt", output);
        run(&place, &format!("check {game} input.txt output.txt"), code)
    };
    let edited = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for (game, mv) in starts() {
        let plain = check(game, start(game), mv.clone(), 0).lacks(["note: a strict"]).stdout;
        let told = check(game, edited(&start(game)), edited(&mv), 0).stdout;
        let notes = told.strip_prefix(&plain).unwrap_or_else(|| panic!("{game}: {told}"));
        let is_note = |line: &str| line.starts_with("note: a strict grader may refuse the file: ");
        assert!(notes.lines().all(is_note), "{notes}");
        assert_has(notes, ["byte-order mark", "CR LF"]);
        // Elsewhere in a text the mark is a character like any other.
        check(game, start(game), format!("{}\u{feff}{}", &mv[..1], &mv[1..]), 1).has(["line 1"]);
    }
}

#[test]
fn a_move_that_only_some_rule_sets_allow_is_said_to_be_refused_by_some_graders() {
    let place = folder();
    place.write("input.txt", two_pieces());
    let check = |rules: &str, output: &str, code| -> Printed {
        place.write("output.txt", output);
        run(&place, &format!("check halma input.txt output.txt {rules}"), code)
    };
    // White has a piece in its camp, which the addendum makes it play.
    let note =
        "note: allowed by the rules base, refused by addendum: some graders refuse this move\n";
    let reason = "illegal move: a piece in the own camp can be played out of it, and must be (addendum, rule 2)\n";
    let told = check("", "E 8,8 7,7\n", 0).stdout;
    assert!(told.starts_with(&format!("{BASE}WHITE plays 8,8-7,7\n")), "{told}");
    assert!(told.ends_with(&format!("{note}addendum: {reason}")), "{told}");
    assert_eq!(check("--rules base", "E 8,8 7,7\n", 0).stdout, told);
    let told = check("--rules addendum", "E 8,8 7,7\n", 1).stdout;
    let rule = "the rule: judge rules halma 'Addendum, rule 2'\n";
    assert_eq!(told, format!("{ADDENDUM}output.txt: {reason}{note}{rule}"));
    // Where all agree there is nothing to add.
    for rules in ["--rules base", "--rules addendum"] {
        for (output, code) in [("E 14,11 13,11\n", 0), ("E 8,8 6,6\n", 1), ("nonsense\n", 1)] {
            check(rules, output, code).lacks(["graders"]);
        }
    }
}

/// The first lines of commands that keep to Halma's rule sets.
const BASE: &str = "rules: base (others: --rules addendum)\n";
const ADDENDUM: &str = "rules: addendum (others: --rules base)\n";

#[test]
fn commands_of_a_game_with_several_rule_sets_name_theirs_first() {
    let place = folder();
    place.write("input.txt", two_pieces());
    let told = |words: &str, rules: &str, parts: &[&str]| {
        let told = run(&place, words, 0).stdout;
        assert!(told.starts_with(rules), "{told}");
        parts.iter().for_each(|part| assert_has(&told, [part]));
    };
    told("show halma input.txt", BASE, &["\n16 legal moves:\n"]);
    told("show halma input.txt --rules addendum", ADDENDUM, &["\n4 legal moves:\n"]);
    told("perft halma --depth 3", BASE, &["\n1 40 (", "\n3 85440 ("]);
    told("perft halma --depth 3 --rules addendum", ADDENDUM, &["\n3 62240 ("]);
    let played = "match --seed 1 --game halma --games 2 --max-plies 2 --engine engine=reference:random name=a --engine engine=reference:greedy";
    told(&format!("{played} --rules addendum --record kept"), ADDENDUM, &[]);
    // The record has the rule set.
    told("match --resume kept", ADDENDUM, &[]);
    told(&played.replace("match", "tournament"), BASE, &[]);
    // A game with one rule set has nothing to name.
    told("perft wolves --depth 1", "1 ", &[]);
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
