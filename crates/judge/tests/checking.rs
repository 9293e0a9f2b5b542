//! `judge check`: what students' files look like, and what several rule sets make of a play.

mod common;

use common::{run, text};
use std::fs;
use std::path::Path;

/// For each game the start, and a legal play there.
fn starts() -> [(&'static str, String); 5] {
    let squirrels = "E3 Sneak\n*****\n*****\n****X\n*****\n*****\n";
    let plays = [
        ("halma", "E 13,12 12,11\n"),
        ("wolves", "E 1,4 1,3\n"),
        ("squirrels", squirrels),
        ("foxgame", "E 2,0 3,1\n"),
        ("foxgeese", "au\n"),
    ];
    plays.map(|(game, play)| (game, play.to_string()))
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
    for (game, play) in starts() {
        let plain = check(game, start(game), play.clone(), 0);
        assert_eq!(check(game, edited(&start(game)), edited(&play), 0), plain, "{game}");
        // Elsewhere in a text the mark is a character like any other.
        assert!(check(game, start(game), format!("{}\u{feff}{}", &play[..1], &play[1..]), 1).contains("line 1"));
    }
}
