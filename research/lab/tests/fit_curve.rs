//! Test of `lab fit-curve`.

use crate::{program, run, text};
use std::process::Command;

#[test]
fn a_curve_is_fitted_to_the_results_of_a_record() {
    let place = tempfile::tempdir().unwrap();
    let words = "match --game foxgame --games 8 --max-plies 60 --engine engine=reference:random --engine engine=reference:greedy";
    let words = words.split(' ').chain(["--record", "record"]);
    let played =
        Command::new(program("judge")).args(words).current_dir(place.path()).output().unwrap();
    assert!(played.status.success(), "{}", text(&played.stderr));
    let told = text(&run(place.path(), &["fit-curve", "record", "--nodes", "100"], 0).stdout);
    assert!(
        told.contains("foxgame: 8 games")
            && told.contains("Curve { points: ")
            && told.contains("log loss"),
        "{told}"
    );
    run(place.path(), &["fit-curve", "missing"], 2);
}
