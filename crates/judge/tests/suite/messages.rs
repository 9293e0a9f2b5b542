//! What the judge says of records with few games or none.

use crate::common::run;
use std::path::Path;
use testing::{Folder, Printed, assert_has, folder, repository};

/// Plays games between two reference players, the first far stronger, and gives what was printed.
fn play(place: &Path, options: &str) -> Printed {
    let late = repository("crates/judge/tests/late");
    let words = format!(
        "match --seed 1 --game halma --max-plies 60 --openings 'dir:{}' --overwrite --engine name=strong engine=reference:alphabeta:2 \
         --engine name=weak engine=reference:random --record record --interval 0 {options}",
        late.display()
    );
    run(place, &words, 0)
}

#[test]
fn two_games_are_too_few_for_a_rating_and_ten_are_not() {
    let place = folder();
    let score = "Score of strong vs weak: 2 - 0 - 0 [1.000] 2\n";
    let told = play(&place, "--games 2");
    // The usual clock.
    assert_has(place.read("record").lines().next().unwrap(), [r#""clock":{"game":100.0}"#]);
    let told = told.has([score, "Too few games for a rating: 2, and it takes 10\n"]);
    for told in [told, run(&place, "table record", 0)] {
        told.lacks(["Elo", "inf", "Pairs:", "+/-", "one-sided"])
            .has(["\n   1  strong      2  100.0 %"]);
    }
    // With `--sprt` the output has the pairs.
    let told = play(&place, "--games 2 --sprt elo0=0 elo1=100");
    told.has(["Pairs: 1 of", "SPRT: LLR"]).lacks(["Elo: inf"]);
    let told = play(&place, "--games 10").lacks(["Too few"]);
    told.has(["\nElo: ", "\nPairs: 5 of ", "\n   1  strong", "  Elo  +/-  Games"])
        .has(["Some results are one-sided"]);
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
        run(&place, "table begun", 0).has(["No game is over yet: there is nothing to rate.\n"]);
    }
}
