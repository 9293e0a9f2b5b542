//! Pauses of the host, in which a processor ran nothing, as in virtual machines on a busy host. A
//! player cannot answer then, so the reason given for a late answer mentions a pause.

use clock::lock;
use clock::priority::{be_prompt_at, places};
use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(1);
/// A watcher woken this late was paused by the host: prompt threads do not wait for other programs
/// of this machine.
const LEAST: Duration = Duration::from_millis(5);
const MOST_REMEMBERED: usize = 256;

#[derive(Clone, Copy)]
struct HostPause {
    from: Instant,
    to: Instant,
}

static SEEN: Mutex<VecDeque<HostPause>> = Mutex::new(VecDeque::new());

/// Starts the watcher threads, one for each of [`places`]. Later calls do nothing.
pub fn watch() {
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| {
        for place in 0..places() {
            thread::spawn(move || {
                be_prompt_at(place);
                let mut last = Instant::now();
                loop {
                    thread::sleep(PAUSE);
                    let now = Instant::now();
                    if now - last >= PAUSE + LEAST {
                        remember(HostPause { from: last + PAUSE, to: now });
                    }
                    last = now;
                }
            });
        }
    });
}

fn remember(pause: HostPause) {
    let mut seen = lock(&SEEN);
    if seen.len() == MOST_REMEMBERED {
        seen.pop_front();
    }
    seen.push_back(pause);
}

/// A note on the longest pause between two moments, for the end of a reason; empty if there was
/// none.
pub fn excuse(from: Instant, to: Instant) -> String {
    thread::sleep(2 * PAUSE);
    longest(lock(&SEEN).iter().copied(), from, to).map_or(String::new(), |pause| {
        format!(
            "; a processor of this machine ran nothing for {:.1} ms of it",
            pause.as_secs_f64() * 1e3
        )
    })
}

fn longest(seen: impl Iterator<Item = HostPause>, from: Instant, to: Instant) -> Option<Duration> {
    let part = |pause: HostPause| pause.to.min(to).saturating_duration_since(pause.from.max(from));
    seen.map(part).filter(|&part| part >= LEAST).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_of_a_pause_between_the_two_moments_counts() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let seen = [(0, 30), (50, 58), (90, 200)]
            .map(|(from, to)| HostPause { from: at(from), to: at(to) });
        let longest =
            |from, to| longest(seen.into_iter(), at(from), at(to)).map(|part| part.as_millis());
        assert_eq!(longest(20, 60), Some(10));
        assert_eq!(longest(40, 94), Some(8));
        assert_eq!(longest(100, 1_000), Some(100));
        assert_eq!(longest(27, 53), None);
        assert_eq!(longest(300, 400), None);
    }
}
