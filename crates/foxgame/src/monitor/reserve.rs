//! The part of a time slice that is kept back, so that an answer is in time where lines travel or are read late. How late, the
//! monitor's own lines show: it sends whoever has moved `timeslice` at once.

use std::time::{Duration, Instant};

/// The part that is kept back by default: this much,
const USUAL: Duration = Duration::from_millis(10);
/// and this share of the slice, for a machine that is busy.
const USUAL_SHARE: f64 = 0.03;
/// The factor of the longest delay seen that is kept back beside [`USUAL`]: the next one may be longer.
const CAUTION: f64 = 1.25;
/// The factor by which a delay counts less with each turn after it: it is halved in 34 turns.
const FADING: f64 = 0.98;
/// The least share of a slice in which to think, however late the monitor reads.
const LEAST_SHARE: f64 = 0.25;
/// The least share if the command line asks for a longer reserve.
const LEAST_SHARE_ASKED: f64 = 0.1;

/// The reserve of one game, with what the monitor's lines have shown of its delays.
#[derive(Clone, Debug)]
pub struct Reserve {
    /// The reserve asked for in place of the usual one.
    asked: Option<Duration>,
    /// The longest delay seen, less what has faded of it.
    delay: Duration,
    /// The moment at which the own turn was sent, until the opponent's turn is done.
    sent: Option<Instant>,
    /// The moments of the first and the last `timeslice` since then, and their number.
    slices: Option<(Instant, Instant, u32)>,
}

impl Reserve {
    /// The reserve at the beginning of a game: `asked`, or 10 ms and 3 % of the slice.
    #[must_use]
    pub fn new(asked: Option<Duration>) -> Reserve {
        Reserve { asked, delay: Duration::ZERO, sent: None, slices: None }
    }

    /// Notes that the own turn was sent.
    pub fn turn_is_sent(&mut self, moment: Instant) {
        (self.sent, self.slices) = (Some(moment), None);
    }

    /// Notes a line `timeslice`.
    pub fn slice_is_told(&mut self, moment: Instant) {
        if self.sent.is_some() {
            let (first, count) = self.slices.map_or((moment, 0), |(first, _, count)| (first, count));
            self.slices = Some((first, moment, count + 1));
        }
    }

    /// Notes that the opponent's turn is done, and learns from the lines since the own one: `timeslice` that answers the own
    /// turn, and a second one right before the opponent's. A monitor that sends but one may have waited for the opponent with
    /// it, which shows nothing.
    pub fn turn_begins(&mut self, moment: Instant) {
        let (sent, slices) = (self.sent.take(), self.slices.take());
        self.delay = self.delay.mul_f64(FADING);
        if let (Some(sent), Some((first, last, 2..))) = (sent, slices) {
            let read_late = first.saturating_duration_since(sent);
            let sent_late = moment.saturating_duration_since(last);
            self.delay = self.delay.max(read_late).max(sent_late);
        }
    }

    /// The longest delay of the monitor's that is reckoned with.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// The part of a slice in which to think: all but the reserve. Of the shortest slices, and where the monitor is very late,
    /// a quarter; if a longer reserve was asked for a tenth at least.
    #[must_use]
    pub fn thinking_time(&self, slice: Duration) -> Duration {
        let usual = self.asked.unwrap_or(USUAL + slice.mul_f64(USUAL_SHARE));
        let learned = if self.delay.is_zero() { Duration::ZERO } else { USUAL + self.delay.mul_f64(CAUTION) };
        let least = match self.asked {
            Some(asked) => slice.saturating_sub(asked).max(slice.mul_f64(LEAST_SHARE_ASKED)),
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

    /// A turn as the course's monitor has it, which reads the own answer and sends the opponent's so late.
    fn turn(reserve: &mut Reserve, read_late: Duration, sent_late: Duration) {
        let start = Instant::now();
        reserve.turn_is_sent(start);
        reserve.slice_is_told(start + read_late);
        let opponent = start + read_late + ms(5_000);
        reserve.slice_is_told(opponent);
        reserve.turn_begins(opponent + sent_late);
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
            assert_eq!(reserve.thinking_time(ms(1_000)).as_millis(), thinking, "{read_late} {sent_late}");
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
    fn a_delay_fades_when_no_other_comes() {
        let mut reserve = Reserve::new(None);
        turn(&mut reserve, ms(400), ms(0));
        let early = reserve.thinking_time(ms(1_000));
        (0..34).for_each(|_| turn(&mut reserve, ms(0), ms(0)));
        let delay = reserve.delay();
        assert!(delay > ms(195) && delay < ms(210), "{delay:?}");
        assert!(reserve.thinking_time(ms(1_000)) > early);
        (0..400).for_each(|_| turn(&mut reserve, ms(0), ms(0)));
        assert_eq!(reserve.thinking_time(ms(1_000)), ms(960));
    }

    #[test]
    fn an_opponent_that_thinks_long_is_no_delay() {
        let mut reserve = Reserve::new(None);
        let start = Instant::now();
        // A monitor that tells the slice once a turn, with the opponent's move.
        reserve.turn_is_sent(start);
        reserve.slice_is_told(start + ms(900));
        reserve.turn_begins(start + ms(900));
        // One that tells it once, when it has read the own one.
        reserve.turn_is_sent(start);
        reserve.slice_is_told(start);
        reserve.turn_begins(start + ms(900));
        // One that does not tell it again, and the first turn, which has no own one before it.
        reserve.turn_is_sent(start);
        reserve.turn_begins(start + ms(900));
        reserve.slice_is_told(start);
        reserve.turn_begins(start + ms(900));
        assert_eq!(reserve.delay(), Duration::ZERO);
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
