//! The part of a time slice that is kept in reserve, so that answers arrive in time although lines
//! travel or are read late (docs/foxgame.md, "How the agent keeps its slice").

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The fixed part of the default reserve.
const DEFAULT_FIXED: Duration = Duration::from_millis(10);
/// The share of the slice that the default reserve adds to [`DEFAULT_FIXED`], for busy machines.
const DEFAULT_SHARE: f64 = 0.03;
/// The safety factor on the delays seen: the next delay may be longer.
const SAFETY_FACTOR: f64 = 1.25;
/// The least share of a slice for thinking, however large the monitor's delays.
const LEAST_SHARE: f64 = 0.25;
/// The least share of a slice for thinking if the command line sets the reserve.
const LEAST_SHARE_IF_SET: f64 = 0.1;

/// The delays of the last turns, or of the last wake-ups.
#[derive(Clone)]
struct Delays {
    seen: VecDeque<Duration>,
    /// The number of delays that are remembered.
    remembered: usize,
    /// The number of the longest that are left out once so many are remembered.
    left_out: usize,
}

impl Delays {
    fn new(remembered: usize, left_out: usize) -> Delays {
        Delays { seen: VecDeque::with_capacity(remembered), remembered, left_out }
    }

    fn add(&mut self, delay: Duration) {
        if self.seen.len() == self.remembered {
            self.seen.pop_front();
        }
        self.seen.push_back(delay);
    }

    /// The delay that all but the longest few stay within.
    fn likely(&self) -> Duration {
        let mut sorted: Vec<Duration> = self.seen.iter().copied().collect();
        sorted.sort_unstable();
        let left_out = self.left_out * sorted.len() / self.remembered;
        sorted.len().checked_sub(1 + left_out).map_or(Duration::ZERO, |index| sorted[index])
    }
}

#[derive(Clone)]
pub(super) struct Reserve {
    /// The reserve that the command line sets in place of the default.
    asked: Option<Duration>,
    /// The delays of the monitor, one a turn.
    delays: Delays,
    /// The delays of the own threads' wake-ups, dozens a turn.
    wake_delays: Delays,
    /// The moment just before the own move was sent; `None` once the opponent's turn is done.
    sent: Option<Instant>,
    /// The moment of the first `timeslice` since `sent`, and that of the last if there are several.
    slices: Option<(Instant, Option<Instant>)>,
}

impl Reserve {
    pub(super) fn new(asked: Option<Duration>) -> Reserve {
        Reserve {
            asked,
            delays: Delays::new(48, 1),
            wake_delays: Delays::new(512, 3),
            sent: None,
            slices: None,
        }
    }

    pub(super) fn move_sent(&mut self, moment: Instant) {
        (self.sent, self.slices) = (Some(moment), None);
    }

    pub(super) fn timeslice_received(&mut self, moment: Instant) {
        if self.sent.is_some() {
            self.slices =
                Some(self.slices.map_or((moment, None), |(first, _)| (first, Some(moment))));
        }
    }

    /// Records that a thread was awake at `moment`, which should have been woken when it was `due`.
    pub(super) fn woken(&mut self, due: Instant, moment: Instant) {
        self.wake_delays.add(moment.saturating_duration_since(due));
    }

    /// Records the end of the opponent's turn, and measures the delays since the own move: from the
    /// move to the first `timeslice`, which answers it, and from the last `timeslice`, which
    /// precedes the opponent's move, to now. A single `timeslice` measures nothing, because the
    /// monitor may have sent it only after the opponent's move.
    pub(super) fn opponent_done(&mut self, moment: Instant) {
        let (sent, slices) = (self.sent.take(), self.slices.take());
        if let (Some(sent), Some((first, Some(last)))) = (sent, slices) {
            let read_late = first.saturating_duration_since(sent);
            let sent_late = moment.saturating_duration_since(last);
            self.delays.add(read_late.max(sent_late));
        }
    }

    /// The delays that are likely at most: the monitor's, and the own threads' wake-ups.
    pub(super) fn delays(&self) -> [Duration; 2] {
        [self.delays.likely(), self.wake_delays.likely()]
    }

    /// The thinking time in a slice: all but the reserve.
    pub(super) fn thinking_time(&self, slice: Duration) -> Duration {
        let usual = self.asked.unwrap_or(DEFAULT_FIXED + slice.mul_f64(DEFAULT_SHARE));
        // One answer can be late by both: its turn began late, and the monitor reads it late.
        let delays: Duration = self.delays().iter().sum();
        let learned = if delays.is_zero() {
            Duration::ZERO
        } else {
            DEFAULT_FIXED + delays.mul_f64(SAFETY_FACTOR)
        };
        let least = match self.asked {
            Some(asked) => slice.saturating_sub(asked).max(slice.mul_f64(LEAST_SHARE_IF_SET)),
            None => slice,
        };
        slice.saturating_sub(usual.max(learned)).max(least.min(slice.mul_f64(LEAST_SHARE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// One turn of a monitor that sends `timeslice` twice a turn, as the course's does, with these
    /// delays.
    fn turn(reserve: &mut Reserve, read_late: Duration, sent_late: Duration) {
        let start = Instant::now();
        reserve.move_sent(start);
        reserve.timeslice_received(start + read_late);
        let opponent = start + read_late + ms(5_000);
        reserve.timeslice_received(opponent);
        reserve.opponent_done(opponent + sent_late);
    }

    #[test]
    fn without_delays_the_reserve_is_what_the_command_line_says_or_little() {
        for (asked, slice, thinking) in [
            (None, 1_000, 960),
            (None, 100, 87),
            (None, 8, 2),
            (None, 0, 0),
            (Some(100), 1_000, 900),
            (Some(0), 1_000, 1_000),
            (Some(800), 1_000, 200),
            (Some(5_000), 1_000, 100),
        ] {
            let reserve = Reserve::new(asked.map(ms));
            assert_eq!(reserve.thinking_time(ms(slice)), ms(thinking), "{asked:?} {slice}");
        }
    }

    #[test]
    fn a_monitor_that_reads_or_sends_late_leaves_that_much_less() {
        for (read_late, sent_late, thinking) in [
            (60, 0, 915),
            (0, 60, 915),
            (200, 60, 740),
            (500, 0, 365),
            (550, 0, 302),
            (60_000, 0, 250),
        ] {
            for asked in [None, Some(ms(20))] {
                let mut reserve = Reserve::new(asked);
                turn(&mut reserve, ms(read_late), ms(sent_late));
                let found = reserve.thinking_time(ms(1_000));
                assert_eq!(found.as_millis(), thinking, "{read_late} {sent_late}");
            }
        }
    }

    #[test]
    fn a_single_long_delay_of_the_monitor_counts_until_many_turns_have_shown_that_it_was_rare() {
        let mut reserve = Reserve::new(None);
        // How many turns with which delay, and the delay that is likely at most then.
        for (turns, late, likely) in
            [(1, 400, 400), (46, 8, 400), (1, 8, 8), (1, 300, 8), (1, 300, 300)]
        {
            (0..turns).for_each(|_| turn(&mut reserve, ms(late), ms(0)));
            assert_eq!(reserve.delays()[0], ms(likely));
        }
    }

    #[test]
    fn a_machine_that_wakes_threads_late_leaves_that_much_less_until_it_is_prompt_again() {
        let (mut reserve, due) = (Reserve::new(None), Instant::now());
        for (late, thinking) in [(0, 960), (1, 960), (40, 940), (20, 940), (200, 740)] {
            reserve.woken(due, due + ms(late));
            assert_eq!(reserve.thinking_time(ms(1_000)), ms(thinking), "{late}");
        }
        reserve.woken(due + ms(900), due);
        assert_eq!(reserve.delays(), [ms(0), ms(200)], "a search that ends early is no delay");
        // The monitor's delay comes on top of it.
        let mut both = reserve.clone();
        turn(&mut both, ms(100), ms(0));
        assert_eq!(both.thinking_time(ms(1_000)), ms(615));
        (0..511).for_each(|_| reserve.woken(due, due + ms(1)));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(960));
    }

    #[test]
    fn wake_ups_of_which_one_in_a_hundred_is_late_leave_that_much_less() {
        let (mut reserve, due) = (Reserve::new(None), Instant::now());
        for (rarity, late, likely) in [(100, 60, 60), (500, 90, 1)] {
            for number in 0..2_000 {
                reserve.woken(due, due + ms(if number % rarity == 0 { late } else { 1 }));
            }
            assert_eq!(reserve.delays()[1], ms(likely));
        }
    }

    #[test]
    fn an_opponent_that_thinks_long_is_no_delay() {
        let mut reserve = Reserve::new(None);
        let start = Instant::now();
        // Monitors that send `timeslice` with the opponent's move, when they have read the own
        // move, or only before the game.
        for slice in [Some(start + ms(900)), Some(start), None] {
            reserve.move_sent(start);
            slice.into_iter().for_each(|moment| reserve.timeslice_received(moment));
            reserve.opponent_done(start + ms(900));
        }
        // The first turn, which no own move precedes.
        reserve.timeslice_received(start);
        reserve.opponent_done(start + ms(900));
        assert_eq!(reserve.delays(), [Duration::ZERO; 2]);
    }
}
