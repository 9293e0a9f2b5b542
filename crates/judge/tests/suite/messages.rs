//! Messages of the judge for mistyped commands, and for records with few games or none.

use crate::common::run;
use std::fs;
use std::path::Path;
use testing::text;

/// Plays games between two reference players, the first far stronger, and gives what was printed.
fn play(place: &Path, games: &str, more: &[&str]) -> String {
    let late = format!("dir:{}/tests/late", env!("CARGO_MANIFEST_DIR"));
    let words = ["match", "--game", "halma", "--games", games, "--max-plies", "60", "--openings", &late];
    let players = ["--engine", "name=strong", "engine=reference:alphabeta:2"];
    let others = ["--engine", "name=weak", "engine=reference:random", "--record", "record", "--interval", "0"];
    text(&run(place, &[&words[..], &players, &others, more].concat(), 0).stdout)
}

#[test]
fn a_replay_without_an_output_names_both_that_there_are() {
    let place = tempfile::tempdir().unwrap();
    let told = text(&run(place.path(), &["replay", "record"], 2).stderr);
    assert!(told.contains("--html <FILE>") && told.contains("--text"), "{told}");
    run(place.path(), &["replay", "record", "--text", "--html", "page.html"], 2);
}

#[test]
fn a_reference_player_without_its_first_word_is_named_in_full() {
    let place = tempfile::tempdir().unwrap();
    let words = ["match", "--game", "halma", "--engine", "engine=minimax:2", "--engine", "engine=reference:random"];
    let told = text(&run(place.path(), &words, 2).stderr);
    let expected = "engine 'minimax:2': expected halma or reference:NAME, found 'minimax:2'; \
                    did you mean engine=reference:minimax:2?\n";
    assert_eq!(told, expected);
}

#[test]
fn the_help_of_a_match_tells_the_clock_that_players_get_unless_told_otherwise() {
    let place = tempfile::tempdir().unwrap();
    for command in ["match", "tournament"] {
        let help = text(&run(place.path(), &[command, "--help"], 0).stdout);
        assert!(help.contains("[default: 100, unless st= is given]"), "{help}");
    }
    play(place.path(), "2", &[]);
    let header = fs::read_to_string(place.path().join("record")).unwrap();
    assert!(header.lines().next().unwrap().contains(r#""clock":{"game":100.0}"#), "{header}");
    let help = text(&run(place.path(), &["grade", "--help"], 0).stdout);
    assert!(!help.contains("[default: 100, unless") && help.contains("The clocks are the scheme's"), "{help}");
}

#[test]
fn two_games_are_too_few_for_a_rating_and_ten_are_not() {
    let place = tempfile::tempdir().unwrap();
    let told = play(place.path(), "2", &[]);
    assert!(told.contains("Score of strong vs weak: 2 - 0 - 0 [1.000] 2\n"), "{told}");
    assert!(told.contains("Too few games for a rating: 2, and it takes 10\n"), "{told}");
    let shown = text(&run(place.path(), &["table", "record"], 0).stdout);
    for told in [told, shown] {
        assert!(!told.contains("Elo") && !told.contains("inf") && !told.contains("Pairs:"), "{told}");
        assert!(
            told.contains("\n   1  strong      2  100.0 %") && !told.contains("+/-") && !told.contains("one-sided"),
            "{told}"
        );
    }
    fs::remove_file(place.path().join("record")).unwrap();
    // With `--sprt` the output has the pairs.
    let told = play(place.path(), "2", &["--sprt", "elo0=0", "elo1=100"]);
    assert!(told.contains("Pairs: 1 of") && told.contains("SPRT: LLR") && !told.contains("Elo: inf"), "{told}");
    fs::remove_file(place.path().join("record")).unwrap();
    let told = play(place.path(), "10", &[]);
    assert!(told.contains("\nElo: ") && told.contains("\nPairs: 5 of ") && !told.contains("Too few"), "{told}");
    assert!(told.contains("\n   1  strong") && told.contains("  Elo  +/-  Games"), "{told}");
    assert!(told.contains("Some results are one-sided"), "{told}");
}

#[test]
fn a_record_without_games_is_said_to_have_none() {
    let place = tempfile::tempdir().unwrap();
    play(place.path(), "2", &[]);
    let record = fs::read_to_string(place.path().join("record")).unwrap();
    // The header, and a game that has only begun.
    for lines in [1, 3] {
        let begun: String = record.split_inclusive('\n').take(lines).collect();
        fs::write(place.path().join("begun"), begun).unwrap();
        let told = text(&run(place.path(), &["table", "begun"], 0).stdout);
        assert_eq!(told, "No game is over yet: there is nothing to rate.\n");
    }
}
