//! Waiting for what other processes do.

use std::thread;
use std::time::{Duration, Instant};

/// Whatever is waited for has to come within this time.
const LIMIT: Duration = Duration::from_secs(60);

/// Waits until something is there.
#[track_caller]
pub fn wait(what: &str, is_there: impl FnMut() -> bool) {
    wait_with(Duration::from_millis(5), what, is_there);
}

/// The same with pauses of this length between looks, which grow up to tenfold.
#[track_caller]
pub fn wait_with(pause: Duration, what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < LIMIT, "{what} did not come");
        thread::sleep((start.elapsed() / 4).clamp(pause, 10 * pause));
    }
}
