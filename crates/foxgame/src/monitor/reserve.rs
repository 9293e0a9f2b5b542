//! The part of a time slice that is kept in reserve, so that answers arrive in time although lines
//! travel or are read late. The monitor's delays are measured by its `timeslice` lines: it sends
//! one to the side that has moved as soon as it has read the move. The machine's are measured by
//! the own threads: each knows when it should have been woken. The reserve covers what most delays
//! stay below: a single long one, as when the host does not run a virtual machine, costs no time
//! for thinking in the turns after it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The fixed part of the default reserve.
const DEFAULT_FIXED: Duration = Duration::from_millis(10);
/// The share of the slice that the default reserve adds to [`DEFAULT_FIXED`], for busy machines.
const DEFAULT_SHARE: f64 = 0.03;
/// The safety factor on the delays seen, which are kept in reserve besides [`DEFAULT_FIXED`]: the
/// next delay may be longer.
const SAFETY_FACTOR: f64 = 1.25;
/// The least share of a slice for thinking, however large the monitor's delays.
const LEAST_SHARE: f64 = 0.25;
/// The least share of a slice for thinking if the command line sets the reserve.
const LEAST_SHARE_IF_SET: f64 = 0.1;

/// The delays of the last turns, or of the last wake-ups.
#[derive(Clone, Debug)]
struct Delays {
    seen: VecDeque<Duration>,
    /// The number of delays that are remembered.
    remembered: usize,
    /// The number of the longest of them that are left out once so many are remembered.
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

    /// The delay that all but the longest few stay within; the longest of all while few are
    /// remembered.
    fn likely(&self) -> Duration {
        let mut sorted: Vec<Duration> = self.seen.iter().copied().collect();
        sorted.sort_unstable();
        let left_out = self.left_out * sorted.len() / self.remembered;
        sorted.len().checked_sub(1 + left_out).map_or(Duration::ZERO, |index| sorted[index])
    }
}

/// The reserve of one game, with the delays measured so far.
#[derive(Clone, Debug)]
pub struct Reserve {
    /// The reserve that the command line sets in place of the default.
    asked: Option<Duration>,
    /// The delays of the monitor, one a turn.
    delays: Delays,
    /// The delays of the own threads' wake-ups, dozens a turn.
    wake_delays: Delays,
    /// The moment just before the own move was sent; `None` once the opponent's turn is done.
    sent: Option<Instant>,
    /// The moments of the first and the last `timeslice` since `sent`, and their number.
    slices: Option<(Instant, Instant, u32)>,
}

impl Reserve {
    /// The reserve at the beginning of a game: `asked`, or 10 ms plus 3 % of the slice.
    pub fn new(asked: Option<Duration>) -> Reserve {
        Reserve {
            asked,
            delays: Delays::new(48, 1),
            wake_delays: Delays::new(512, 3),
            sent: None,
            slices: None,
        }
    }

    /// Records the moment just before the own move was sent.
    pub fn move_sent(&mut self, moment: Instant) {
        (self.sent, self.slices) = (Some(moment), None);
    }

    /// Records the arrival of a line `timeslice`.
    pub fn timeslice_received(&mut self, moment: Instant) {
        if self.sent.is_some() {
            let (first, count) =
                self.slices.map_or((moment, 0), |(first, _, count)| (first, count));
            self.slices = Some((first, moment, count + 1));
        }
    }

    /// Records that a thread was awake at `moment`, which should have been woken when it was `due`.
    pub fn woken(&mut self, due: Instant, moment: Instant) {
        self.wake_delays.add(moment.saturating_duration_since(due));
    }

    /// Records the end of the opponent's turn, and measures the delays since the own move: from the
    /// move to the first `timeslice`, which answers it, and from the last `timeslice`, which
    /// precedes the opponent's move, to now. A single `timeslice` measures nothing, because the
    /// monitor may have sent it only after the opponent's move.
    pub fn opponent_done(&mut self, moment: Instant) {
        let (sent, slices) = (self.sent.take(), self.slices.take());
        if let (Some(sent), Some((first, last, 2..))) = (sent, slices) {
            let read_late = first.saturating_duration_since(sent);
            let sent_late = moment.saturating_duration_since(last);
            self.delays.add(read_late.max(sent_late));
        }
    }

    /// The delays that are likely at most: the monitor's, and the own threads' wake-ups.
    pub fn delays(&self) -> [Duration; 2] {
        [self.delays.likely(), self.wake_delays.likely()]
    }

    /// The thinking time in a slice: all but the reserve. It is at least a quarter of the slice, or
    /// a tenth if the command line asks for so long a reserve.
    pub fn thinking_time(&self, slice: Duration) -> Duration {
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
    fn without_delays_all_but_ten_milliseconds_and_three_percent_is_for_thinking() {
        let mut reserve = Reserve::new(None);
        for _ in 0..2 {
            assert_eq!(reserve.thinking_time(ms(1_000)), ms(960));
            assert_eq!(reserve.thinking_time(ms(100)), ms(87));
            assert_eq!(reserve.thinking_time(ms(8)), ms(2), "a quarter");
            turn(&mut reserve, Duration::from_micros(200), Duration::from_micros(100));
        }
    }

    #[test]
    fn a_monitor_that_reads_or_sends_late_leaves_that_much_less() {
        for (read_late, sent_late, thinking) in
            [(60, 0, 915), (0, 60, 915), (200, 60, 740), (500, 0, 365), (550, 0, 302)]
        {
            let mut reserve = Reserve::new(None);
            turn(&mut reserve, ms(read_late), ms(sent_late));
            assert_eq!(
                reserve.thinking_time(ms(1_000)).as_millis(),
                thinking,
                "{read_late} {sent_late}"
            );
        }
    }

    #[test]
    fn a_quarter_of_the_slice_is_for_thinking_however_late_the_monitor_is() {
        let mut reserve = Reserve::new(None);
        turn(&mut reserve, ms(60_000), ms(0));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(250));
        assert_eq!(reserve.thinking_time(ms(0)), ms(0));
    }

    #[test]
    fn a_single_long_delay_of_the_monitor_counts_until_many_turns_have_shown_that_it_was_rare() {
        let mut reserve = Reserve::new(None);
        turn(&mut reserve, ms(400), ms(0));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(490));
        (0..46).for_each(|_| turn(&mut reserve, ms(8), ms(0)));
        assert_eq!(reserve.delays()[0], ms(400));
        turn(&mut reserve, ms(8), ms(0));
        assert_eq!(reserve.delays()[0], ms(8), "one of 48");
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(960));
        turn(&mut reserve, ms(300), ms(0));
        assert_eq!(reserve.delays()[0], ms(8), "the first one is forgotten");
        turn(&mut reserve, ms(300), ms(0));
        assert_eq!(reserve.delays()[0], ms(300), "two of 48");
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
        for number in 0..2_000 {
            reserve.woken(due, due + ms(if number % 100 == 0 { 60 } else { 1 }));
            assert_eq!(reserve.delays()[1], ms(60), "{number}");
        }
        for number in 0..2_000 {
            reserve.woken(due, due + ms(if number % 500 == 0 { 90 } else { 1 }));
        }
        assert_eq!(reserve.delays()[1], ms(1));
    }

    #[test]
    fn an_opponent_that_thinks_long_is_no_delay() {
        let mut reserve = Reserve::new(None);
        let start = Instant::now();
        // A monitor that sends `timeslice` once a turn, with the opponent's move.
        reserve.move_sent(start);
        reserve.timeslice_received(start + ms(900));
        reserve.opponent_done(start + ms(900));
        // A monitor that sends it once a turn, when it has read the own move.
        reserve.move_sent(start);
        reserve.timeslice_received(start);
        reserve.opponent_done(start + ms(900));
        // A monitor that sends it only before the game; then the first turn, which no own move
        // precedes.
        reserve.move_sent(start);
        reserve.opponent_done(start + ms(900));
        reserve.timeslice_received(start);
        reserve.opponent_done(start + ms(900));
        assert_eq!(reserve.delays(), [Duration::ZERO; 2]);
    }

    #[test]
    fn the_reserve_asked_for_is_kept_and_grows_with_delays() {
        let mut reserve = Reserve::new(Some(ms(100)));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(900));
        turn(&mut reserve, ms(500), ms(0));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(365));
        assert_eq!(Reserve::new(Some(ms(0))).thinking_time(ms(1_000)), ms(1_000));
        assert_eq!(Reserve::new(Some(ms(800))).thinking_time(ms(1_000)), ms(200));
        assert_eq!(Reserve::new(Some(ms(5_000))).thinking_time(ms(1_000)), ms(100), "a tenth");
    }
}
