//! The record notes the tests that ^C stops, and those in which the judge panics: the only way in
//! which a player in a sandbox can end the judge, by its output.

use arena::record::{Event, Recorder, TestResult};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

static RUNNING: Mutex<Option<(PathBuf, BTreeSet<u32>)>> = Mutex::new(None);

thread_local! {
    /// The game that this thread plays.
    static OWN: Cell<Option<u32>> = const { Cell::new(None) };
}

fn lock() -> MutexGuard<'static, Option<(PathBuf, BTreeSet<u32>)>> {
    clock::lock(&RUNNING)
}

pub(super) fn watch(record: &Path) {
    *lock() = Some((record.to_owned(), BTreeSet::new()));
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if let Some(game) = OWN.take() {
            write_unplayed(&[game], &format!("the judge failed: {panic}"), true);
        }
        previous(panic);
    }));
}

pub(super) fn note(game: u32, runs: bool) {
    OWN.set(runs.then_some(game));
    if let Some((_, games)) = &mut *lock() {
        if runs {
            games.insert(game)
        } else {
            games.remove(&game)
        };
    }
}

/// Notes that the running tests were not played, just before ^C stops the judge.
pub(super) fn withdraw() {
    let games: Vec<u32> =
        lock().as_mut().map(|(_, games)| std::mem::take(games)).into_iter().flatten().collect();
    write_unplayed(&games, "stopped by ^C", false);
}

fn write_unplayed(games: &[u32], why: &str, panicked: bool) {
    let Some((record, _)) = &*lock() else { return };
    // If the record cannot be written, it is as after a kill.
    let Ok(mut recorder) = Recorder::resume(record) else { return };
    for &game in games {
        let error = Some(why.to_string());
        let result = TestResult { game, points: 0.0, wall: 0.0, analysis: None, error, panicked };
        let _ = recorder.append(&Event::Result(result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_notes_a_test_in_which_the_judge_panics() {
        let place = tempfile::tempdir().unwrap();
        let record = place.path().join("record");
        std::fs::write(&record, "").unwrap();
        watch(&record);
        note(7, true);
        let failed = std::thread::spawn(|| {
            note(8, true);
            let nothing: [u8; 0] = [];
            nothing[std::hint::black_box(3)]
        });
        assert!(failed.join().is_err());
        withdraw();
        let lines = std::fs::read_to_string(&record).unwrap();
        let lines: Vec<TestResult> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines[0].game == 8 && lines[0].panicked, "{lines:?}");
        assert!(lines[0].error.as_ref().unwrap().contains("index out of bounds"), "{lines:?}");
        assert!(
            lines[1..].iter().all(|line| !line.panicked) && lines.iter().any(|line| line.game == 7),
            "{lines:?}"
        );
    }
}
