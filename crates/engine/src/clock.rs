//! CPU time, and how much of it a move may take.

use crate::protocol::TimeControl;
use crate::search::SLOT_BYTES;
use std::time::Duration;

/// CPU time (user and system) of this process and all its threads since it was started.
///
/// Not by the clock `CLOCK_PROCESS_CPUTIME_ID`: where a limit on CPU time is set (`ulimit -t`, as graders do), Linux lets
/// that one stand still between two ticks of its timer, up to 4 ms.
#[must_use]
#[cfg(unix)]
pub fn cpu_time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return cpu_time::ProcessTime::now().as_duration() };
    let parts = [usage.user_time(), usage.system_time()];
    parts.iter().map(|part| Duration::new(part.tv_sec() as u64, part.tv_usec() as u32 * 1_000)).sum()
}

/// CPU time (user and system) of this process and all its threads since it was started.
#[must_use]
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    cpu_time::ProcessTime::now().as_duration()
}

/// CPU time kept back for writing the answer and for leaving, whatever the table's size.
const EXIT_RESERVE: Duration = Duration::from_micros(2_500);
/// The kernel takes back a table's pages at exit; this is kept back for each MiB.
const EXIT_RESERVE_PER_MIB: Duration = Duration::from_micros(100);
/// CPU time that a process takes at least to leave its answer and to end.
const LEAST_EXIT: Duration = Duration::from_micros(800);
/// Moves for which no time to think is kept, but the time to start and to end.
const SPARE_MOVES: f64 = 20.0;
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
            TimeControl::Single => Budget { soft: usable, hard: usable, end: usable },
            TimeControl::Game => {
                // A process that does nothing still costs its start and its end. A game may last longer than expected:
                // what these would cost is kept back before the rest is shared out.
                let fixed = used + LEAST_EXIT;
                let moves = f64::from(moves_left.max(1)) + 1.0;
                let free = usable.saturating_sub(fixed.mul_f64(moves * 1.25 + SPARE_MOVES));
                // However little is left, some of it is better spent than a game prolonged by thoughtless moves.
                let beyond_moves = usable.saturating_sub(fixed.mul_f64(moves));
                let least =
                    if beyond_moves.is_zero() { usable.div_f64(100.0) } else { beyond_moves.div_f64(moves * 3.0) };
                let share = free.div_f64(moves).max(least);
                let hard = share.mul_f64(2.5).min(usable.div_f64(3.0)) + used;
                Budget { soft: (share + used).min(hard), hard, end: usable }
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
        // An iteration costs a multiple of the one before: past about half of the soft limit it is not likely to end.
        now >= self.soft.mul_f64(0.35 + 0.65 * instability.clamp(0.0, 1.0))
    }

    /// The size of the transposition table that fits a clock when none is asked for: as much as the search can fill with
    /// `stored_per_second` positions, so that a short clock is not spent on touching and releasing memory.
    #[must_use]
    pub fn table_bytes(control: TimeControl, clock: Duration, moves_left: u32, stored_per_second: u32) -> usize {
        let mv = match control {
            TimeControl::Single => clock,
            // Between the soft limit of a move and the hard one.
            TimeControl::Game => clock.mul_f64(1.5).div_f64(f64::from(moves_left) + 1.0),
        };
        let bytes = mv.as_secs_f64() * f64::from(stored_per_second) * SLOT_BYTES as f64;
        (bytes as usize).clamp(1 << 20, DEFAULT_HASH_MIB << 20)
    }
}

/// The largest transposition table used without being asked for, and the one of runs without a clock, in MiB.
pub const DEFAULT_HASH_MIB: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn cpu_time_does_not_stand_still_where_cpu_time_is_limited() {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (_, most) = getrlimit(Resource::RLIMIT_CPU).unwrap();
        setrlimit(Resource::RLIMIT_CPU, most.min(1_000_000), most).unwrap();
        let start = cpu_time();
        let (mut last, mut steps) = (start, 0);
        while last < start + Duration::from_millis(40) {
            let now = cpu_time();
            steps += u32::from(now != last);
            last = now;
        }
        // The clock that is read once a tick makes 10 to 40 steps.
        assert!(steps > 200, "{steps} steps in 40 ms");
    }

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
                let taken = budget.soft.max(USED) + LEAST_EXIT;
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
            let taken = budget.soft.max(USED) + LEAST_EXIT;
            left = left.checked_sub(taken).unwrap_or_else(|| panic!("the clock ends at move {mv}"));
        }
    }

    #[test]
    fn the_table_follows_the_clock() {
        let small = Budget::table_bytes(TimeControl::Single, Duration::from_millis(50), 40, 400_000);
        assert_eq!(small, 1 << 20);
        assert_eq!(
            Budget::table_bytes(TimeControl::Single, Duration::from_secs(60), 40, 400_000),
            DEFAULT_HASH_MIB << 20
        );
        // One of a hundred moves.
        let share = Budget::table_bytes(TimeControl::Game, Duration::from_secs(100), 99, 400_000);
        assert_eq!(share, 400_000 * 16 * 3 / 2);
    }
}
