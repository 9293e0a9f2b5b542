//! Whether a processor ran nothing while an answer was waited for, as happens to virtual machines whose host is busy.
//! Nobody can be in time then; a late answer's reason says so, for those who have to judge it.

use crate::priority::{be_prompt_at, places};
use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two wake-ups of a watcher.
const PAUSE: Duration = Duration::from_millis(1);
/// A watcher that is woken this much late was not woken late by the other programs of the machine, whose turns it does not
/// have to wait for.
const LEAST: Duration = Duration::from_millis(5);
/// The most pauses that are remembered.
const MOST_REMEMBERED: usize = 256;

/// A pause: a processor ran nothing from the one moment to the other.
#[derive(Clone, Copy)]
struct HostPause {
    from: Instant,
    to: Instant,
}

static SEEN: Mutex<VecDeque<HostPause>> = Mutex::new(VecDeque::new());

/// Watches from now on, on as many processors as a prompt thread has stand-ins.
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
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.len() == MOST_REMEMBERED {
        seen.pop_front();
    }
    seen.push_back(pause);
}

/// The longest time for which a watched processor ran nothing between two moments. A watcher is given a moment to wake up
/// and tell.
fn within(from: Instant, to: Instant) -> Option<Duration> {
    thread::sleep(2 * PAUSE);
    longest(SEEN.lock().unwrap_or_else(PoisonError::into_inner).iter().copied(), from, to)
}

/// The longest pause between two moments in words that follow a reason; empty if there was no pause.
pub fn excuse(from: Instant, to: Instant) -> String {
    within(from, to).map_or(String::new(), |pause| {
        format!("; a processor of this machine ran nothing for {:.1} ms of it", pause.as_secs_f64() * 1e3)
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
        let seen = [(0, 30), (50, 58), (90, 200)].map(|(from, to)| HostPause { from: at(from), to: at(to) });
        let longest = |from, to| longest(seen.into_iter(), at(from), at(to)).map(|part| part.as_millis());
        assert_eq!(longest(20, 60), Some(10));
        assert_eq!(longest(40, 94), Some(8));
        assert_eq!(longest(100, 1_000), Some(100));
        assert_eq!(longest(27, 53), None);
        assert_eq!(longest(300, 400), None);
    }
}
