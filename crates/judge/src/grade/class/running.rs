//! The tests that are running. When ^C stops the judge at once they are written down as not played: only an end that the
//! judge did not see coming counts against a test.

use arena::record::{Event, Recorder, TestResult};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The record, and the games in it that are running.
static RUNNING: Mutex<Option<(PathBuf, BTreeSet<u32>)>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<(PathBuf, BTreeSet<u32>)>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to note what runs, for the record of a path.
pub(super) fn watch(record: &Path) {
    *lock() = Some((record.to_owned(), BTreeSet::new()));
}

/// A game begins or is done with.
pub(super) fn note(game: u32, runs: bool) {
    if let Some((_, games)) = &mut *lock() {
        if runs {
            games.insert(game)
        } else {
            games.remove(&game)
        };
    }
}

/// Takes back all attempts that are running; the last thing before the judge stops.
pub(super) fn take_back() {
    let Some((record, games)) = &mut *lock() else { return };
    // What cannot be written is as it would be after any other end.
    let Ok(mut recorder) = Recorder::resume(record) else { return };
    for game in std::mem::take(games) {
        let error = Some("stopped by ^C".to_string());
        let _ = recorder.append(&Event::Result(TestResult { game, points: 0.0, wall: 0.0, analysis: None, error }));
    }
}
