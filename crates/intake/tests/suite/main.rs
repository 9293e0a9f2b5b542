//! Tests of `judge intake` and `judge try` with programs as students hand them in. The commands run
//! as they are in the judge, by `examples/submissions.rs`.

mod attacks;
mod choices;
mod downloads;
mod mains;
mod mends;
mod packing;
mod preflight;
mod tries;

use std::collections::BTreeMap;
use std::path::Path;
use testing::archive::zip;
use testing::intake::states;
use testing::{Folder, folder};

testing::commands!(judge, testing::example(env!("CARGO_PKG_NAME"), "submissions"));

/// Expects the students of an intake, each with a state and words that are said of the submission.
#[track_caller]
fn assert_students(place: &Path, expected: &[(&str, &str, &str)]) {
    let found = states(place);
    let named: BTreeMap<&str, &str> = expected.iter().map(|one| (one.0, one.1)).collect();
    let states: BTreeMap<&str, &str> =
        found.iter().map(|(name, (state, _))| (name.as_str(), state.as_str())).collect();
    assert_eq!(states, named, "{found:#?}");
    for (student, _, part) in expected {
        assert!(found[*student].1.contains(part), "{student}: {part}: {found:#?}");
    }
}

/// Takes a download with these files in.
#[track_caller]
fn are_taken(files: &[(&str, &[u8])], code: i32, expected: &[(&str, &str, &str)]) {
    let place = folder();
    place.write("download.zip", zip(files));
    intake(&place, "download.zip", "", code);
    assert_students(&place, expected);
}
