//! The record notes the tests that ^C stops, and those in which the judge panics: the only way in
//! which a player in a sandbox can end the judge, by its output.

use arena::record::{Attempt, Event, Recorder, TestResult};
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
        if let (Some(game), Some((record, games))) = (OWN.take(), &mut *lock()) {
            games.remove(&game);
            let why = format!("the judge failed: {panic}");
            write_unplayed(record, &BTreeSet::from([game]), &why, true);
        }
        previous(panic);
    }));
}

/// Appends an event of a test. What is running changes together with the record, which ^C therefore
/// finds whole.
pub(super) fn append(recorder: &Mutex<Recorder>, event: &Event) -> anyhow::Result<()> {
    let mut running = lock();
    clock::lock(recorder).append(event)?;
    match (event, &mut *running) {
        (&Event::Attempt(Attempt { game, .. }), Some((_, games))) => {
            OWN.set(Some(game));
            games.insert(game);
        }
        (Event::Result(_), Some((_, games))) => remove_own(games),
        _ => {}
    }
    Ok(())
}

/// Ends the test of this thread without a result.
pub(super) fn leave() {
    if let Some((_, games)) = &mut *lock() {
        remove_own(games);
    }
}

fn remove_own(games: &mut BTreeSet<u32>) {
    if let Some(game) = OWN.take() {
        games.remove(&game);
    }
}

/// Notes that the running tests were not played, just before ^C stops the judge. Nothing is appended
/// afterwards: a thread that tries to waits until the process ends.
pub(super) fn withdraw() {
    let running = lock();
    note_stopped(&running);
    std::mem::forget(running);
}

fn note_stopped(running: &Option<(PathBuf, BTreeSet<u32>)>) {
    if let Some((record, games)) = running {
        write_unplayed(record, games, "stopped by ^C", false);
    }
}

fn write_unplayed(record: &Path, games: &BTreeSet<u32>, why: &str, panicked: bool) {
    // If the record cannot be written, it is as after a kill.
    let Ok(mut recorder) = Recorder::resume(record) else { return };
    for &game in games {
        let error = Some(why.to_string());
        let result = TestResult { game, error, panicked, ..TestResult::default() };
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
        let begin = |game| {
            let recorder = Mutex::new(Recorder::resume(&record).unwrap());
            append(&recorder, &Event::Attempt(Attempt { game, walled: true })).unwrap();
        };
        begin(7);
        let failed = std::thread::scope(|scope| {
            let failing = || {
                begin(8);
                let nothing: [u8; 0] = [];
                nothing[std::hint::black_box(3)]
            };
            scope.spawn(failing).join()
        });
        assert!(failed.is_err());
        note_stopped(&lock());
        let lines = std::fs::read_to_string(&record).unwrap();
        let results: Vec<TestResult> =
            lines.lines().skip(2).map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(results[0].game == 8 && results[0].panicked, "{results:?}");
        assert!(results[0].error.as_ref().unwrap().contains("index out of bounds"), "{results:?}");
        assert!(
            results[1..].iter().all(|result| !result.panicked)
                && results.iter().any(|result| result.game == 7),
            "{results:?}"
        );
    }
}
