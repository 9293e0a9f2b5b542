//! What a grader charges for a turn of a game beyond the CPU time that the agent counts itself: the
//! exit, a shell around it, a clock that counts otherwise. An agent that knows the clock of one
//! turn and of the next, and the CPU time in between, knows the difference, and keeps as much back
//! for every turn to come.

use std::time::Duration;

/// The number of turns whose charges count; those before fade away.
const MOST_TURNS: u32 = 32;
/// The largest charge that is believed, as a fraction of the clock: a larger one is another game's.
const LARGEST_PART: f64 = 0.25;
/// The standard deviation of a charge that is assumed besides those seen, in microseconds: after
/// one turn nothing is known of it.
const ASSUMED_DEVIATION: f64 = 150.0;

/// The charges of the turns of one game so far: number, sum and sum of squares, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Charges {
    turns: u32,
    sum: f64,
    squares: f64,
}

impl Charges {
    /// The charges with that of one more turn, in which the clock went from `before` to `now` and
    /// the process counted `used`. `None` if this cannot be the same game: its clock has grown, or
    /// lost more than is believed.
    pub fn after_turn(self, before: Duration, used: Duration, now: Duration) -> Option<Charges> {
        let taken = before.checked_sub(now)?;
        let charge = taken.as_secs_f64() - used.as_secs_f64();
        if charge > before.as_secs_f64() * LARGEST_PART {
            return None;
        }
        let charge = (charge * 1e6).round();
        let kept = if self.turns < MOST_TURNS {
            1.0
        } else {
            f64::from(MOST_TURNS - 1) / f64::from(self.turns)
        };
        Some(Charges {
            turns: (self.turns + 1).min(MOST_TURNS),
            sum: self.sum * kept + charge,
            squares: self.squares * kept + charge * charge,
        })
    }

    /// The time that so many turns to come are likely to be charged at most: `usual` for each as
    /// long as no turn has been seen.
    pub fn of_turns(&self, turns: f64, usual: Duration) -> Duration {
        if self.turns == 0 {
            return usual.mul_f64(turns);
        }
        let seen = f64::from(self.turns);
        let mean = self.sum / seen;
        let variance = (self.squares / seen - mean * mean).max(0.0);
        let deviation = (variance + ASSUMED_DEVIATION * ASSUMED_DEVIATION / seen).sqrt();
        // Two standard deviations: of the sum of the turns to come, and of the mean of those so far.
        let beyond = 2.0 * deviation * (turns.sqrt() + turns / seen.sqrt());
        Duration::from_secs_f64((mean.max(0.0) * turns + beyond) * 1e-6)
    }

    /// The three numbers as text.
    pub fn text(&self) -> String {
        format!("{} {:.0} {:.0}", self.turns, self.sum, self.squares)
    }

    /// Parses what [`Charges::text`] returned; `None` for anything else, and for numbers that no
    /// game leads to.
    pub fn read(text: &str) -> Option<Charges> {
        /// The microseconds of a day: no turn is charged more.
        const MOST: f64 = 86_400e6;
        let mut words = text.split(' ');
        let turns: u32 = words.next()?.parse().ok()?;
        let mut number = || words.next()?.parse::<i128>().ok().map(|number| number as f64);
        let (sum, squares) = (number()?, number()?);
        let most = f64::from(turns) * MOST;
        let is_sound =
            turns <= MOST_TURNS && sum.abs() <= most && (0.0..=most * MOST).contains(&squares);
        (is_sound && words.next().is_none()).then_some(Charges { turns, sum, squares })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn us(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    /// The charges of turns that each used 2 ms by the own count.
    fn charged(charges: &[u64]) -> Charges {
        let mut clock = us(1_000_000);
        charges.iter().fold(Charges::default(), |charges, &charge| {
            let now = clock - us(2_000 + charge);
            let after = charges.after_turn(clock, us(2_000), now).unwrap();
            clock = now;
            after
        })
    }

    #[test]
    fn without_a_turn_the_usual_time_is_kept_for_each() {
        assert_eq!(Charges::default().of_turns(10.0, us(300)), us(3_000));
    }

    #[test]
    fn even_charges_are_kept_back_and_little_more() {
        let kept = charged(&[900; 30]).of_turns(40.0, us(300));
        assert!(kept > us(36_000) && kept < us(38_000), "{kept:?}");
        // One turn is not sure yet.
        let first = charged(&[900]).of_turns(40.0, us(300));
        assert!(first > us(46_000) && first < us(60_000), "{first:?}");
    }

    #[test]
    fn charges_that_vary_are_kept_back_with_their_spread() {
        let varied: Vec<u64> = [3_000, 500, 500, 500, 500].repeat(6);
        let kept = charged(&varied).of_turns(40.0, us(300));
        assert!(kept > us(40_000 + 20_000) && kept < us(80_000), "{kept:?}");
    }

    #[test]
    fn a_grader_that_counts_less_is_not_believed_to_give_time_back() {
        let mut charges = Charges::default();
        for _ in 0..20 {
            charges = charges.after_turn(us(100_000), us(5_000), us(100_000)).unwrap();
        }
        assert!(charges.of_turns(40.0, us(300)) < us(1_500));
    }

    #[test]
    fn a_clock_that_grows_or_falls_by_much_is_another_games() {
        let seen = charged(&[500; 5]);
        assert_eq!(seen.after_turn(us(100_000), us(3_000), us(100_001)), None);
        assert_eq!(seen.after_turn(us(100_000), us(3_000), us(70_000)), None);
        assert!(seen.after_turn(us(100_000), us(3_000), us(75_000)).is_some());
    }

    #[test]
    fn late_charges_outweigh_early_ones() {
        let late = [[4_000; 100], [200; 100]].concat();
        assert!(charged(&late).of_turns(40.0, us(300)) < us(40_000));
    }

    #[test]
    fn the_text_is_read_back_and_other_texts_are_not() {
        let seen = charged(&[500, 700, 900]);
        assert_eq!(seen.text(), "3 2100 1550000");
        assert_eq!(Charges::read(&seen.text()), Some(seen));
        for text in [
            "",
            "3",
            "3 5",
            "3 5 6 7",
            "x 1 1",
            "99 1 1",
            "3 nan 1",
            "3 1 -1",
            "3 1e9 1",
            "0 5 5",
            "3 999999999999999 1",
        ] {
            assert_eq!(Charges::read(text), None, "{text}");
        }
    }
}
