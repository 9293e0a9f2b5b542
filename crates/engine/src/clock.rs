//! CPU time, and how much of it a play may take.

use crate::protocol::TimeControl;
use cpu_time::ProcessTime;
use std::time::Duration;

/// CPU time (user and system) of this process and all its threads since it was started.
#[must_use]
pub fn cpu_time() -> Duration {
    ProcessTime::now().as_duration()
}

/// CPU time kept back for writing the answer and for leaving, whatever the table's size.
const EXIT_RESERVE: Duration = Duration::from_micros(2_500);
/// The kernel takes back a table's pages at exit; this is kept back for each MiB.
const EXIT_RESERVE_PER_MIB: Duration = Duration::from_micros(100);
/// A share of the clock kept back on top, for the error of another clock and for a host that takes the processor away and
/// counts it as used.
const CLOCK_RESERVE: f64 = 0.015;

/// When to stop thinking, in CPU time since the process was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration is begun after this, scaled by [`Budget::stop_after`].
    pub soft: Duration,
    /// The search ends here in any case.
    pub hard: Duration,
}

impl Budget {
    /// The budget of one play. `clock` is the CPU time left, for this play ([`TimeControl::Single`]) or for the rest of
    /// the game ([`TimeControl::Game`]), of which the side expects to make `plays_left` more plays. `table_bytes` is
    /// the size of the transposition table, whose release costs time.
    #[must_use]
    pub fn new(control: TimeControl, clock: Duration, plays_left: u32, table_bytes: usize) -> Budget {
        let reserve = EXIT_RESERVE
            + EXIT_RESERVE_PER_MIB.mul_f64(table_bytes as f64 / f64::from(1 << 20))
            + clock.mul_f64(CLOCK_RESERVE);
        let usable = clock.saturating_sub(reserve);
        match control {
            TimeControl::Single => Budget { soft: usable, hard: usable },
            TimeControl::Game => {
                let share = usable.div_f64(f64::from(plays_left.max(1)) + 1.0);
                let hard = share.mul_f64(2.5).min(usable.div_f64(3.0));
                Budget { soft: share.min(hard), hard }
            }
        }
    }

    /// Whether to begin no new iteration, after one that took the process to `now`. `unrest` from 0 (the best play has
    /// not changed for long) to 1 (it has just changed) scales the soft limit.
    #[must_use]
    pub fn stop_after(&self, now: Duration, unrest: f64) -> bool {
        if self.soft >= self.hard {
            return now >= self.hard;
        }
        // An iteration costs a multiple of the one before: past about half of the soft limit it is not likely to end.
        now >= self.soft.mul_f64(0.35 + 0.65 * unrest.clamp(0.0, 1.0))
    }

    /// The size of the transposition table that fits a clock when none is asked for: as much as the search can fill,
    /// so that a short clock is not spent on touching and releasing memory.
    #[must_use]
    pub fn table_bytes(control: TimeControl, clock: Duration) -> usize {
        let seconds = match control {
            TimeControl::Single => clock.as_secs_f64(),
            TimeControl::Game => clock.as_secs_f64() / 12.0,
        };
        let mib = (seconds * 24.0).clamp(1.0, DEFAULT_HASH_MIB as f64) as usize;
        mib << 20
    }
}

/// The largest transposition table used without being asked for, and the one of runs without a clock, in MiB.
pub const DEFAULT_HASH_MIB: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_play_may_use_nearly_all_of_its_clock() {
        let clock = Duration::from_secs(10);
        let budget = Budget::new(TimeControl::Single, clock, 40, 64 << 20);
        assert!(budget.hard > clock.mul_f64(0.98) && budget.hard < clock);
        assert!(!budget.stop_after(Duration::from_secs(9), 0.0));
    }

    #[test]
    fn a_clock_shorter_than_the_start_leaves_nothing() {
        let budget = Budget::new(TimeControl::Single, Duration::from_micros(900), 40, 1 << 20);
        assert_eq!(budget.hard, Duration::ZERO);
    }

    #[test]
    fn no_series_of_plays_overruns_a_game_clock() {
        let mut left = Duration::from_secs(5);
        for play in 0..400 {
            let budget = Budget::new(TimeControl::Game, left, 40, 1 << 20);
            assert!(budget.soft <= budget.hard || budget.hard.is_zero() || play > 0);
            assert!(budget.hard < left);
            left -= budget.hard.min(left);
        }
    }

    #[test]
    fn the_table_follows_the_clock() {
        let small = Budget::table_bytes(TimeControl::Single, Duration::from_millis(50));
        assert_eq!(small, 1 << 20);
        assert_eq!(Budget::table_bytes(TimeControl::Single, Duration::from_secs(60)), DEFAULT_HASH_MIB << 20);
    }
}
