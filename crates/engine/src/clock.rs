//! The clock of a game, and how much of it a move may take.

use crate::protocol::TimeControl;
use crate::search::SLOT_BYTES;
use std::time::Duration;

/// Measures the time that a [`Budget`] is counted in: CPU time of the process for a grader's clock, wall time where
/// somebody waits for the answer.
pub trait Clock {
    /// Time used since the clock was started.
    fn used(&self) -> Duration;
}

/// A clock that stands still, for thinking that is limited by depth or nodes alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn used(&self) -> Duration {
        Duration::ZERO
    }
}

/// CPU time kept back for writing the answer and for leaving, whatever the table's size.
const EXIT_RESERVE: Duration = Duration::from_micros(2_500);
/// The kernel takes back a table's pages at exit; this is kept back for each MiB.
const EXIT_RESERVE_PER_MIB: Duration = Duration::from_micros(100);
/// CPU time that a process takes to leave its answer and to end, at least and at most; between them it is as long as
/// [`EXIT_PART`] of what the process took to begin.
const LEAST_EXIT: Duration = Duration::from_micros(150);
const MOST_EXIT: Duration = Duration::from_micros(800);
/// The end of a process, as a part of its start: both depend on the machine, its load, and how the program was linked.
const EXIT_PART: f64 = 1.0;
/// Moves for which no time to think is kept, but the time to start and to end.
const SPARE_MOVES: f64 = 8.0;
/// A share of the clock kept back on top, for the error of another clock and for a host that takes the processor away and
/// counts it as used.
const CLOCK_RESERVE: f64 = 0.015;
/// The moves that a game's clock is divided among, as a multiple of those that are expected to be left.
const LONGER_GAME: f64 = 1.0;
/// The soft limit of a move of a game, in shares of a move: iterations end well before it on average, and what a game does
/// not spend is lost.
const SOFT_SHARES: f64 = 1.4;
/// Moves that a game's clock is divided among beyond those that are expected: the nearer the end, the more they count.
const MOVES_BEYOND: f64 = 10.0;
/// The hard limit of a move of a game, in shares of a move.
const HARD_SHARES: f64 = 3.5;
/// The part of what is left of a game's clock that no single move may pass.
const LARGEST_PART: f64 = 1.0 / 3.0;
/// The part of a share that is spent where the starts of the process alone nearly fill the clock.
const LEAST_PART: f64 = 1.0 / 3.0;
/// The part of all that is left which is spent on a move where the starts alone fill the clock.
const LAST_PART: f64 = 0.01;
/// The part of the soft limit past which no iteration is begun, while the best move does not change; as an iteration
/// costs a multiple of the one before, a later one is not likely to end.
const STABLE_PART: f64 = 0.35;
/// Shares of a game's clock, between the soft limit of a move and the hard one, that the table is made for.
const TABLE_SHARES: f64 = 1.5;
/// The smallest transposition table used without being asked for, in bytes.
const LEAST_TABLE: usize = 1 << 17;

/// The time that a process takes to leave its answer and to end if it took `used` to begin.
fn end_after(used: Duration) -> Duration {
    used.mul_f64(EXIT_PART).clamp(LEAST_EXIT, MOST_EXIT)
}

/// When to stop thinking, in CPU time since the process was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When the thinking began.
    pub begun: Duration,
    /// No new iteration is begun after this, scaled by [`Budget::stop_after`].
    pub soft: Duration,
    /// The search ends here in any case.
    pub hard: Duration,
    /// The end of the clock itself, less what it takes to leave: for what decides the rest of the game, so that nothing
    /// has to be kept for later moves.
    pub end: Duration,
}

impl Budget {
    /// The budget of one move. `clock` is the CPU time left, for this move ([`TimeControl::Single`]) or for the rest of
    /// the game ([`TimeControl::Game`]), of which the side expects to make `moves_left` more moves. `used` is the CPU
    /// time that this process has taken until now, which every later move will take as well. `table_bytes` is the size
    /// of the transposition table, whose release costs time.
    #[must_use]
    pub fn new(control: TimeControl, clock: Duration, moves_left: u32, used: Duration, table_bytes: usize) -> Budget {
        let reserve = EXIT_RESERVE
            + EXIT_RESERVE_PER_MIB.mul_f64(table_bytes as f64 / f64::from(1 << 20))
            + clock.mul_f64(CLOCK_RESERVE);
        let usable = clock.saturating_sub(reserve);
        match control {
            TimeControl::Single => Budget { begun: used, soft: usable, hard: usable, end: usable },
            TimeControl::Game => {
                // A process that does nothing still costs its start and its end. A game may last longer than expected:
                // what these would cost is kept back before the rest is shared out.
                let fixed = used + end_after(used);
                let moves = f64::from(moves_left.max(1)) + 1.0;
                let free = usable.saturating_sub(fixed.mul_f64(moves * LONGER_GAME + SPARE_MOVES));
                // However little is left, some of it is better spent than a game prolonged by thoughtless moves.
                let beyond_moves = usable.saturating_sub(fixed.mul_f64(moves));
                let least = if beyond_moves.is_zero() {
                    usable.mul_f64(LAST_PART)
                } else {
                    beyond_moves.div_f64(moves / LEAST_PART)
                };
                let share = free.div_f64(moves + MOVES_BEYOND).max(least);
                let hard = share.mul_f64(HARD_SHARES).min(usable.mul_f64(LARGEST_PART)) + used;
                let soft = (share.mul_f64(SOFT_SHARES) + used).min(hard);
                Budget { begun: used, soft, hard, end: usable }
            }
        }
    }

    /// Whether to begin no new iteration, after one that took the process to `now`. `instability` from 0 (the best move has
    /// not changed for long) to 1 (it has just changed) scales the soft limit.
    #[must_use]
    pub fn stop_after(&self, now: Duration, instability: f64) -> bool {
        if self.soft >= self.hard {
            return now >= self.hard;
        }
        let part = STABLE_PART + (1.0 - STABLE_PART) * instability.clamp(0.0, 1.0);
        now >= self.begun + self.soft.saturating_sub(self.begun).mul_f64(part)
    }

    /// The size of the transposition table that fits a clock when none is asked for: as much as the search can fill with
    /// `stored_per_second` positions, so that a short clock is not spent on touching and releasing memory.
    #[must_use]
    pub fn table_bytes(control: TimeControl, clock: Duration, moves_left: u32, stored_per_second: u32) -> usize {
        let share = match control {
            TimeControl::Single => clock,
            TimeControl::Game => clock.mul_f64(TABLE_SHARES).div_f64(f64::from(moves_left) + 1.0),
        };
        let bytes = share.as_secs_f64() * f64::from(stored_per_second) * SLOT_BYTES as f64;
        (bytes as usize).clamp(LEAST_TABLE, DEFAULT_HASH_MIB << 20)
    }
}

/// The largest transposition table used without being asked for, and the one of runs without a clock, in MiB.
pub const DEFAULT_HASH_MIB: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_move_may_use_nearly_all_of_its_clock() {
        let clock = Duration::from_secs(10);
        let budget = Budget::new(TimeControl::Single, clock, 40, USED, 64 << 20);
        assert!(budget.hard > clock.mul_f64(0.98) && budget.hard < clock);
        assert!(!budget.stop_after(Duration::from_secs(9), 0.0));
    }

    #[test]
    fn a_clock_shorter_than_the_start_leaves_nothing() {
        let budget = Budget::new(TimeControl::Single, Duration::from_micros(900), 40, USED, 1 << 20);
        assert_eq!(budget.hard, Duration::ZERO);
    }

    /// What games take of the soft limit, at most: iterations end before it (measured: half).
    const TAKEN: f64 = 0.7;
    /// What a process has used when it asks for its budget.
    const USED: Duration = Duration::from_micros(1_200);

    #[test]
    fn no_game_twice_as_long_as_expected_overruns_its_clock() {
        for (seconds, moves) in [(1, 120), (5, 140), (30, 150), (300, 160)] {
            let mut left = Duration::from_secs(seconds);
            for mv in 0..moves {
                let expected = 80_u32.saturating_sub(mv).max(12);
                let budget = Budget::new(TimeControl::Game, left, expected, USED, 1 << 20);
                assert!(budget.soft <= budget.hard);
                assert!(budget.hard < left);
                let taken = USED + budget.soft.saturating_sub(USED).mul_f64(TAKEN) + MOST_EXIT;
                left = left.checked_sub(taken).unwrap_or_else(|| panic!("{seconds} s end at move {mv}"));
            }
        }
    }

    #[test]
    fn a_clock_that_the_starts_alone_nearly_fill_lasts_for_the_expected_moves() {
        let mut left = Duration::from_millis(300);
        for mv in 0..100_u32 {
            let expected = 90_u32.saturating_sub(mv).max(12);
            let budget = Budget::new(TimeControl::Game, left, expected, USED, 1 << 20);
            let taken = USED + budget.soft.saturating_sub(USED).mul_f64(TAKEN) + MOST_EXIT;
            left = left.checked_sub(taken).unwrap_or_else(|| panic!("the clock ends at move {mv}"));
        }
    }

    #[test]
    fn the_table_follows_the_clock() {
        let small = Budget::table_bytes(TimeControl::Single, Duration::from_millis(10), 40, 400_000);
        assert_eq!(small, LEAST_TABLE);
        assert_eq!(
            Budget::table_bytes(TimeControl::Single, Duration::from_secs(60), 40, 400_000),
            DEFAULT_HASH_MIB << 20
        );
        // One of a hundred moves.
        let share = Budget::table_bytes(TimeControl::Game, Duration::from_secs(100), 99, 400_000);
        assert_eq!(share, 400_000 * 16 * 3 / 2);
    }
}
