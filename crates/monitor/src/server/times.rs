//! Statistics of the response times of agents.

use arena::record::Event;
use arena::result::Termination;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[derive(Default)]
pub(super) struct ResponseTimes {
    /// The response time of each answer as a part of the time slice.
    shares: Vec<f64>,
    /// The number of games by the way in which they ended.
    games: BTreeMap<Termination, u32>,
}

impl ResponseTimes {
    /// Adds an event of a game: an answer, or the end, which may have the time until the wait for a
    /// missing answer ended.
    pub(super) fn add(&mut self, event: &Event, slice: Duration) {
        match event {
            Event::Move(record) => self.add_answer(record.wall, slice),
            Event::End(end) => {
                *self.games.entry(end.termination).or_default() += 1;
                end.fault.iter().for_each(|fault| self.add_answer(fault.wall, slice));
            }
            _ => {}
        }
    }

    fn add_answer(&mut self, seconds: f64, slice: Duration) {
        self.shares.push(seconds / slice.as_secs_f64());
    }
}

impl fmt::Display for ResponseTimes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut shares = self.shares.clone();
        shares.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let share = shares.get((shares.len() as f64 * part) as usize).or(shares.last());
            100.0 * share.unwrap_or(&0.0)
        };
        let games: Vec<String> =
            self.games.iter().map(|(word, count)| format!("{word} {count}")).collect();
        write!(
            f,
            "{} answers took, of the slice: half of them up to {:.1} %, 99 % up to {:.1} %, 99.9 % up to {:.1} %, all up to {:.1} %; games: {}",
            shares.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0),
            games.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_percentiles_and_the_number_of_games_by_termination() {
        let mut times = ResponseTimes::default();
        assert!(times.to_string().starts_with("0 answers"));
        for took in (1..=1_000).rev() {
            times.add_answer(f64::from(took) / 1e3, Duration::from_secs(1));
        }
        times.games = [(Termination::Normal, 1), (Termination::TimeForfeit, 1)].into();
        assert_eq!(
            times.to_string(),
            "1000 answers took, of the slice: half of them up to 50.1 %, 99 % up to 99.1 %, 99.9 % up to 100.0 %, \
             all up to 100.0 %; games: normal 1, time forfeit 1"
        );
    }
}
