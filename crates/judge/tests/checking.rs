//! `judge check`: what students' files look like, and what several rule sets make of a move.

mod common;

use common::{run, text};
use std::fs;
use std::path::Path;

/// For each game the start, and a legal move there.
fn starts() -> [(&'static str, String); 5] {
    let squirrels = "E3 Sneak\n*****\n*****\n****X\n*****\n*****\n";
    let moves = [
        ("halma", "E 13,12 12,11\n"),
        ("wolves", "E 1,4 1,3\n"),
        ("squirrels", squirrels),
        ("foxgame", "E 2,0 3,1\n"),
        ("foxgeese", "au\n"),
    ];
    moves.map(|(game, mv)| (game, mv.to_string()))
}

fn start(game: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../inputs").join(game).join("start.txt")).unwrap()
}

#[test]
fn what_editors_add_to_a_text_changes_no_verdict_in_any_game() {
    let place = tempfile::tempdir().unwrap();
    let check = |game: &str, input: String, output: String, code| {
        fs::write(place.path().join("input.txt"), input).unwrap();
        fs::write(place.path().join("output.txt"), output).unwrap();
        text(&run(place.path(), &["check", game, "input.txt", "output.txt"], code).stdout)
    };
    let edited = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for (game, mv) in starts() {
        let plain = check(game, start(game), mv.clone(), 0);
        assert_eq!(check(game, edited(&start(game)), edited(&mv), 0), plain, "{game}");
        // Elsewhere in a text the mark is a character like any other.
        assert!(check(game, start(game), format!("{}\u{feff}{}", &mv[..1], &mv[1..]), 1).contains("line 1"));
    }
}

#[test]
fn a_move_that_only_some_rule_sets_allow_is_said_to_be_refused_by_some_graders() {
    let place = tempfile::tempdir().unwrap();
    let check = |rules: &[&str], output: &str, code| {
        fs::write(place.path().join("input.txt"), two_pieces()).unwrap();
        fs::write(place.path().join("output.txt"), output).unwrap();
        text(&run(place.path(), &[&["check", "halma", "input.txt", "output.txt"], rules].concat(), code).stdout)
    };
    // White has a piece in its camp, which the addendum makes it play.
    let note = "note: allowed by the rules base, refused by addendum: some graders refuse this move\n";
    let reason = "illegal move: a piece in the own camp can be played out of it, and must be (addendum, rule 2)\n";
    let told = check(&[], "E 8,8 7,7\n", 0);
    assert!(
        told.starts_with("WHITE plays 8,8-7,7\n") && told.ends_with(&format!("{note}addendum: {reason}")),
        "{told}"
    );
    assert_eq!(check(&["--rules", "base"], "E 8,8 7,7\n", 0), told);
    let told = check(&["--rules", "addendum"], "E 8,8 7,7\n", 1);
    let rule = "the rule: judge rules halma 'Addendum, rule 2'\n";
    assert_eq!(told, format!("output.txt: {reason}{note}{rule}"));
    // Where all agree there is nothing to add.
    for rules in ["base", "addendum"] {
        assert!(!check(&["--rules", rules], "E 14,11 13,11\n", 0).contains("graders"));
        assert!(!check(&["--rules", rules], "E 8,8 6,6\n", 1).contains("graders"));
        assert!(!check(&["--rules", rules], "nonsense\n", 1).contains("graders"));
    }
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
