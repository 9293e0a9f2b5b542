//! How punctual the agents were, in a few figures.

use arena::result::Termination;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The answers of all games.
#[derive(Default)]
pub(super) struct Times {
    /// Shares of the slice that moves took, late ones included.
    shares: Vec<f64>,
    games: BTreeMap<Termination, u32>,
}

impl Times {
    /// Adds an answer that came, or was waited for in vain.
    pub(super) fn add(&mut self, took: Duration, slice: Duration) {
        self.shares.push(took.as_secs_f64() / slice.as_secs_f64());
    }

    /// Adds a game that is over.
    pub(super) fn end(&mut self, termination: Termination) {
        *self.games.entry(termination).or_default() += 1;
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut shares = self.shares.clone();
        shares.sort_by(f64::total_cmp);
        let at =
            |part: f64| 100.0 * shares.get((shares.len() as f64 * part) as usize).or(shares.last()).unwrap_or(&0.0);
        let games: Vec<String> = self.games.iter().map(|(word, count)| format!("{word} {count}")).collect();
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
    fn shares_are_given_in_order_and_faults_by_their_word() {
        let mut times = Times::default();
        assert!(times.to_string().starts_with("0 answers"));
        for took in (1..=1_000).rev() {
            times.add(Duration::from_millis(took), Duration::from_secs(1));
        }
        times.end(Termination::Normal);
        times.end(Termination::TimeForfeit);
        assert_eq!(
            times.to_string(),
            "1000 answers took, of the slice: half of them up to 50.1 %, 99 % up to 99.1 %, 99.9 % up to 100.0 %, \
             all up to 100.0 %; games: normal 1, time forfeit 1"
        );
    }
}
