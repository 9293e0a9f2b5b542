//! Time management: how much of its clock a move may use.

use crate::charges::Charges;
use crate::protocol::TimeControl;
use crate::search::SLOT_BYTES;
use std::time::Duration;

/// The clock that a [`Budget`] is counted on: CPU time of the process for a grader's clock, wall
/// time where somebody waits for the answer.
pub trait Clock {
    /// The time used since the clock was started.
    fn used(&self) -> Duration;
}

/// A clock that stands still, for searches limited by depth or nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn used(&self) -> Duration {
        Duration::ZERO
    }
}

/// The CPU time reserved for writing the answer and for the exit, without the table's part.
const EXIT_RESERVE: Duration = Duration::from_micros(2_500);
/// The CPU time reserved per MiB of the table, whose pages the kernel reclaims at exit.
const EXIT_RESERVE_PER_MIB: Duration = Duration::from_micros(100);
/// The bounds of the CPU time that writing the answer and the exit are expected to take.
const LEAST_EXIT: Duration = Duration::from_micros(150);
const MOST_EXIT: Duration = Duration::from_micros(800);
/// The CPU time of a move without time to think: its table is made, its moves are ordered.
const LEAST_THINKING: Duration = Duration::from_micros(150);
/// The number of extra moves for which only the start and end of a process are reserved.
const SPARE_MOVES: f64 = 12.0;
/// The fraction of the clock that is reserved for the error of the grader's clock, and for a host
/// that takes the processor away and counts that time as used.
const CLOCK_RESERVE: f64 = 0.015;
/// The soft limit of a move of a game, in shares of the clock. It exceeds 1 because iterations end
/// well before the limit on average, and time that a game does not use is lost.
const SOFT_SHARES: f64 = 1.4;
/// The number of moves beyond the expected ones among which a game's clock is divided; it weighs
/// more the nearer the end is.
pub const MOVES_BEYOND: f64 = 10.0;
/// The hard limit of a move of a game, in shares of the clock.
const HARD_SHARES: f64 = 3.5;
/// The maximum fraction of a game's remaining clock that a single move may use.
const LARGEST_PART: f64 = 1.0 / 3.0;
/// The fraction of a share that a move may use where process starts alone nearly fill the clock.
const LEAST_PART: f64 = 0.5;
/// The fraction of the remaining clock that a move may use where process starts alone fill it, but
/// no more than [`LEAST_PART`] of [`LEAST_THINKING`].
const LAST_PART: f64 = 0.01;
/// The fraction of the soft limit after which no iteration is started while the best move is
/// stable: an iteration costs a multiple of the one before, so it would not finish.
const STABLE_PART: f64 = 0.35;
/// The shares of a game's clock that the default table size is made for: between the soft and the
/// hard limit of a move.
const TABLE_SHARES: f64 = 1.5;
/// The minimum default size of the transposition table, in bytes.
const LEAST_TABLE: usize = 1 << 17;

/// The limits of a move, on the [`Clock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The time at which the search began.
    pub begun: Duration,
    /// The time, scaled by [`Budget::stop_after`], after which no iteration is started.
    pub soft: Duration,
    /// The time at which the search is stopped.
    pub hard: Duration,
    /// The end of the whole clock less the exit reserve, for a computation that decides the rest of
    /// the game.
    pub end: Duration,
    /// The part of the clock that is left once all later moves have started and ended their
    /// processes.
    pub free: Duration,
}

impl Budget {
    /// The budget of one move.
    ///
    /// `clock` is the CPU time left, in which the side expects to make `moves_left` more moves.
    /// `used` is the CPU time of this process so far, which every later move costs as well, and
    /// `charges` is what the turns of this game were charged beyond their own count. The release of
    /// a table of `table_bytes` costs time.
    pub fn new(
        control: TimeControl,
        clock: Duration,
        moves_left: u32,
        used: Duration,
        charges: Charges,
        table_bytes: usize,
    ) -> Budget {
        let reserve = EXIT_RESERVE
            + EXIT_RESERVE_PER_MIB.mul_f64(table_bytes as f64 / f64::from(1 << 20))
            + clock.mul_f64(CLOCK_RESERVE);
        let usable = clock.saturating_sub(reserve);
        match control {
            TimeControl::Single => Budget {
                begun: used,
                soft: usable,
                hard: usable,
                end: usable,
                free: usable.saturating_sub(used),
            },
            TimeControl::Game => {
                // Every later move costs at least the start and exit of a process, and what the
                // grader adds. These are reserved first, for some more moves than expected; the
                // rest is divided. An exit takes about as long as the start: both depend on the
                // machine, its load, and how the program was linked.
                let exit = used.clamp(LEAST_EXIT, MOST_EXIT);
                let fixed = |moves: f64| {
                    (used + LEAST_THINKING).mul_f64(moves) + charges.of_turns(moves, exit)
                };
                let moves = f64::from(moves_left.max(1)) + 1.0;
                let free = usable.saturating_sub(fixed(moves + SPARE_MOVES));
                // However little is left, some of it is used: playing on without thinking would
                // only prolong the game.
                let beyond_moves = usable.saturating_sub(fixed(moves));
                let least = if beyond_moves.is_zero() {
                    usable.mul_f64(LAST_PART).min(LEAST_THINKING.mul_f64(LEAST_PART))
                } else {
                    beyond_moves.div_f64(moves / LEAST_PART)
                };
                let share = free.div_f64(moves + MOVES_BEYOND).max(least);
                let hard = share.mul_f64(HARD_SHARES).min(usable.mul_f64(LARGEST_PART)) + used;
                let soft = (share.mul_f64(SOFT_SHARES) + used).min(hard);
                Budget { begun: used, soft, hard, end: usable, free }
            }
        }
    }

    /// The budget with a search's limits a multiple as far from its beginning, within the largest
    /// part of the clock that a single move may use.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Budget {
        let after = |limit: Duration| limit.saturating_sub(self.begun).mul_f64(factor) + self.begun;
        let hard = after(self.hard).min(self.end.mul_f64(LARGEST_PART) + self.begun).max(self.hard);
        Budget { soft: after(self.soft).min(hard), hard, ..self }
    }

    /// Whether to start no further iteration after one that ended at `now`. `instability`, from 0
    /// (the best move has not changed for long) to 1 (it has just changed), scales the soft limit.
    pub fn stop_after(&self, now: Duration, instability: f64) -> bool {
        if self.soft >= self.hard {
            return now >= self.hard;
        }
        let part = STABLE_PART + (1.0 - STABLE_PART) * instability.clamp(0.0, 1.0);
        now >= self.begun + self.soft.saturating_sub(self.begun).mul_f64(part)
    }

    /// The default size of the transposition table, in bytes: what the search can fill within the
    /// clock at `stored_per_second` positions, so that a short clock is not spent on memory.
    pub fn table_bytes(
        control: TimeControl,
        clock: Duration,
        moves_left: u32,
        stored_per_second: u32,
    ) -> usize {
        let share = match control {
            TimeControl::Single => clock,
            TimeControl::Game => clock.mul_f64(TABLE_SHARES).div_f64(f64::from(moves_left) + 1.0),
        };
        let bytes = share.as_secs_f64() * f64::from(stored_per_second) * SLOT_BYTES as f64;
        (bytes as usize).clamp(LEAST_TABLE, DEFAULT_HASH_MIB << 20)
    }
}

/// The maximum default size of the transposition table, in MiB.
pub const DEFAULT_HASH_MIB: usize = 128;

/// The default size in bytes of the transposition table of a search of so many nodes: four slots
/// for each, so that hardly any entry displaces another.
pub fn table_bytes_for_nodes(nodes: u64) -> usize {
    let bytes = nodes.saturating_mul(4 * SLOT_BYTES as u64);
    usize::try_from(bytes).unwrap_or(usize::MAX).clamp(LEAST_TABLE, DEFAULT_HASH_MIB << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The budget of a move of a process that nobody charges more than it counts.
    fn budget(control: TimeControl, clock: Duration, moves_left: u32) -> Budget {
        Budget::new(control, clock, moves_left, USED, Charges::default(), 1 << 20)
    }

    #[test]
    fn a_single_move_may_use_nearly_all_of_its_clock() {
        let clock = Duration::from_secs(10);
        let budget = budget(TimeControl::Single, clock, 40);
        assert!(budget.hard > clock.mul_f64(0.98) && budget.hard < clock);
        assert!(!budget.stop_after(Duration::from_secs(9), 0.0));
    }

    #[test]
    fn a_clock_shorter_than_the_start_leaves_nothing() {
        let budget = budget(TimeControl::Single, Duration::from_micros(900), 40);
        assert_eq!(budget.hard, Duration::ZERO);
    }

    /// The part of the soft limit that a move uses at most: iterations end before it.
    const TAKEN: f64 = 0.7;
    const USED: Duration = Duration::from_micros(1_200);

    #[test]
    fn no_game_twice_as_long_as_expected_overruns_its_clock() {
        for (seconds, moves) in [(1, 120), (5, 140), (30, 150), (300, 160)] {
            lasts(Duration::from_secs(seconds), moves, 80);
        }
    }

    /// Plays a game of so many moves, of which the first one expects `expected`.
    fn lasts(mut left: Duration, moves: u32, expected: u32) {
        for mv in 0..moves {
            let budget = budget(TimeControl::Game, left, expected.saturating_sub(mv).max(12));
            assert!(budget.soft <= budget.hard && budget.hard < left);
            let taken = USED + budget.soft.saturating_sub(USED).mul_f64(TAKEN) + MOST_EXIT;
            left = left.checked_sub(taken).unwrap_or_else(|| panic!("the clock ends at move {mv}"));
        }
    }

    #[test]
    fn a_clock_that_the_starts_alone_nearly_fill_lasts_for_the_expected_moves() {
        lasts(Duration::from_millis(300), 100, 90);
    }

    #[test]
    fn a_clock_lasts_whatever_the_grader_adds_to_a_turn_once_that_is_known() {
        for (milliseconds, added) in [(400, 1_000), (1_000, 1_000), (1_000, 3_000), (5_000, 20_000)]
        {
            let (mut left, mut charges) = (Duration::from_millis(milliseconds), Charges::default());
            for mv in 0..100_u64 {
                let expected = 90_u32.saturating_sub(mv as u32).max(12);
                let budget = Budget::new(TimeControl::Game, left, expected, USED, charges, 1 << 20);
                let used = USED + budget.soft.saturating_sub(USED).mul_f64(TAKEN);
                // The charge varies by a tenth.
                let charge = Duration::from_micros(added * (95 + mv * 7 % 11) / 100);
                let now = left.checked_sub(used + charge).unwrap();
                charges = charges.after_turn(left, used, now).unwrap_or_default();
                left = now;
            }
        }
    }

    #[test]
    fn a_clock_that_the_starts_alone_overfill_is_hardly_used_for_thinking() {
        let thinking = |milliseconds| {
            let (left, used) = (Duration::from_millis(milliseconds), Duration::from_micros(500));
            let budget =
                Budget::new(TimeControl::Game, left, 81, used, Charges::default(), 1 << 17);
            budget.soft - used
        };
        let [overfull, nearly_full] = [70, 110].map(thinking);
        assert!(overfull > Duration::ZERO && overfull <= nearly_full.mul_f64(1.1));
    }

    #[test]
    fn the_table_follows_the_nodes() {
        let sizes = [1, 20_000, 10_000_000, u64::MAX].map(table_bytes_for_nodes);
        assert_eq!(
            sizes,
            [LEAST_TABLE, 20_000 * 64, DEFAULT_HASH_MIB << 20, DEFAULT_HASH_MIB << 20]
        );
    }

    #[test]
    fn the_table_follows_the_clock() {
        let bytes = |control, milliseconds, moves_left| {
            let clock = Duration::from_millis(milliseconds);
            Budget::table_bytes(control, clock, moves_left, 400_000)
        };
        assert_eq!(bytes(TimeControl::Single, 10, 40), LEAST_TABLE);
        assert_eq!(bytes(TimeControl::Single, 60_000, 40), DEFAULT_HASH_MIB << 20);
        // The share of one of 100 moves.
        assert_eq!(bytes(TimeControl::Game, 100_000, 99), 400_000 * 16 * 3 / 2);
    }
}
