//! Messages of the judge for mistyped commands, and for records with few games or none.

use crate::common::run;
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, assert_lacks, folder};

/// Plays games between two reference players, the first far stronger, and gives what was printed.
fn play(place: &Path, options: &str) -> String {
    let late = format!("dir:{}/tests/late", env!("CARGO_MANIFEST_DIR"));
    let words = format!(
        "match --game halma --max-plies 60 --openings '{late}' --engine name=strong engine=reference:alphabeta:2 \
         --engine name=weak engine=reference:random --record record --interval 0 {options}"
    );
    run(place, &words, 0).stdout
}

#[test]
fn a_replay_without_an_output_names_both_that_there_are() {
    let place = folder();
    let told = run(&place, "replay record", 2).stderr;
    assert_has(&told, ["--html <FILE>", "--text"]);
    run(&place, "replay record --text --html page.html", 2);
}

#[test]
fn a_reference_player_without_its_first_word_is_named_in_full() {
    let place = folder();
    let words = "match --game halma --engine engine=minimax:2 --engine engine=reference:random";
    let told = run(&place, words, 2).stderr;
    let expected = "engine 'minimax:2': expected halma or reference:NAME, found 'minimax:2'; \
                    did you mean engine=reference:minimax:2?\n";
    assert_eq!(told, expected);
}

#[test]
fn the_help_of_a_match_tells_the_clock_that_players_get_unless_told_otherwise() {
    let place = folder();
    for command in ["match", "tournament"] {
        let help = run(&place, &[command, "--help"], 0).stdout;
        assert_has(&help, ["[default: 100, unless st= is given]"]);
    }
    play(&place, "--games 2");
    let header = place.read("record");
    assert_has(header.lines().next().unwrap(), [r#""clock":{"game":100.0}"#]);
    let help = run(&place, "grade --help", 0).stdout;
    assert_has(&help, ["The clocks are the scheme's"]);
    assert_lacks(&help, ["[default: 100, unless"]);
}

#[test]
fn two_games_are_too_few_for_a_rating_and_ten_are_not() {
    let place = folder();
    let told = play(&place, "--games 2");
    assert_has(
        &told,
        [
            "Score of strong vs weak: 2 - 0 - 0 [1.000] 2\n",
            "Too few games for a rating: 2, and it takes 10\n",
        ],
    );
    let shown = run(&place, "table record", 0).stdout;
    for told in [told, shown] {
        assert_lacks(&told, ["Elo", "inf", "Pairs:"]);
        assert_has(&told, ["\n   1  strong      2  100.0 %"]);
        assert_lacks(&told, ["+/-", "one-sided"]);
    }
    fs::remove_file(place.join("record")).unwrap();
    // With `--sprt` the output has the pairs.
    let told = play(&place, "--games 2 --sprt elo0=0 elo1=100");
    assert_has(&told, ["Pairs: 1 of", "SPRT: LLR"]);
    assert_lacks(&told, ["Elo: inf"]);
    fs::remove_file(place.join("record")).unwrap();
    let told = play(&place, "--games 10");
    assert_has(&told, ["\nElo: ", "\nPairs: 5 of "]);
    assert_lacks(&told, ["Too few"]);
    assert_has(&told, ["\n   1  strong", "  Elo  +/-  Games", "Some results are one-sided"]);
}

#[test]
fn a_record_without_games_is_said_to_have_none() {
    let place = folder();
    play(&place, "--games 2");
    let record = place.read("record");
    // The header, and a game that has only begun.
    for lines in [1, 3] {
        let begun: String = record.split_inclusive('\n').take(lines).collect();
        place.write("begun", begun);
        let told = run(&place, "table begun", 0).stdout;
        assert_eq!(told, "No game is over yet: there is nothing to rate.\n");
    }
}
