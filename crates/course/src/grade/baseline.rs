//! What random and greedy play reach in the tests of accuracy: measured on the same openings, for
//! the same side against the same opponent, by the same analysis.

use super::play_test::{accuracy, played};
use super::scheme::plan::{GradingPlan, Test};
use anyhow::{Context, Result, bail};
use arena::keys::reference;
use arena::random::{Purpose, derived};
use engine::Side;
use std::fmt;
use std::sync::OnceLock;
use terminal::interrupt;

/// The least number of games of random play for each side and opponent.
const GAMES: usize = 10;
/// The least number of them that have an accuracy.
const LEAST_FIGURES: usize = 3;
/// In per cent: where random play has more, accuracy tells too little.
const MOST: f64 = 90.0;

/// The accuracy of several games of a player, in per cent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    pub mean: f64,
    /// The standard error; 0 for one game.
    error: f64,
}

impl Mean {
    fn of(figures: &[f64]) -> Option<Mean> {
        let count = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
        (!figures.is_empty()).then_some(Mean { mean: (mean * 10.0).round() / 10.0, error })
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ± {:.1} %", self.mean, self.error)
    }
}

/// What random and greedy play reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline {
    pub random: Mean,
    /// `None` if no position has an estimate, or no such game has an accuracy.
    pub greedy: Option<Mean>,
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random play: {}", self.random)?;
        self.greedy.map_or(Ok(()), |greedy| write!(f, ", greedy play: {greedy}"))
    }
}

/// The baselines of a plan by side and opponent, measured when they are first needed.
#[derive(Default)]
pub(crate) struct Baselines(OnceLock<Vec<((Side, String), Baseline)>>);

impl Baselines {
    /// Measures them, if that is not done.
    pub(crate) fn measure(&self, plan: &GradingPlan) -> Result<()> {
        let tests = || plan.tests.iter().filter(|test| test.least.is_some());
        if self.0.get().is_some() || tests().next().is_none() {
            return Ok(());
        }
        eprintln!("measuring the accuracy of random and greedy play");
        let mut groups: Vec<((Side, String), Baseline)> = Vec::new();
        for test in tests() {
            let group = (test.side, test.opponent.name.clone());
            if groups.iter().all(|(known, _)| *known != group) {
                let alike =
                    |other: &&Test| (other.side, &other.opponent.name) == (group.0, &group.1);
                let baseline = measure(plan, &tests().filter(alike).collect::<Vec<_>>())?;
                groups.push((group, baseline));
            }
        }
        let _ = self.0.set(groups);
        Ok(())
    }

    /// The baseline of a test of accuracy.
    pub(crate) fn of(&self, plan: &GradingPlan, test: &Test) -> Result<Baseline> {
        self.measure(plan)?;
        let is_it = |((side, name), _): &&((Side, String), Baseline)| {
            (*side, name) == (test.side, &test.opponent.name)
        };
        let found = self.0.get().and_then(|groups| groups.iter().find(is_it));
        found.map(|(_, baseline)| *baseline).context("a test of accuracy without a baseline")
    }
}

/// Measures the baseline of tests of one side against one opponent.
///
/// # Errors
/// Accuracy does not tell good play from random play there.
pub(crate) fn measure(plan: &GradingPlan, tests: &[&Test]) -> Result<Baseline> {
    let rounds = GAMES.div_ceil(tests.len());
    let figures = |player: &str, rounds: usize| -> Result<Vec<f64>> {
        let mut figures = Vec::new();
        for (round, test) in
            (0..rounds).flat_map(|round| tests.iter().map(move |test| (round, test)))
        {
            let mut order = plan.order(test, &reference(plan.game, player, test.clock)?, 0);
            order.seed = derived(order.seed, Purpose::Attempt, round as u64);
            let mut game = played(plan, &order, &|_| Ok(()))?;
            if interrupt::asked() {
                bail!("interrupted before the first test");
            }
            figures.extend(accuracy(plan, test, &mut game, &|_| Ok(()))?);
        }
        Ok(figures)
    };
    let found = figures("random", rounds)?;
    let (test, games) = (tests[0], rounds * tests.len());
    let place = format!(
        "[[accuracy]]: {} of {} against {}",
        plan.game.side_word(test.side),
        plan.game.title,
        test.opponent.name
    );
    let remedy = "choose another side or reference, or points by results ([[games]])";
    let Some(random) = Mean::of(&found).filter(|_| found.len() >= LEAST_FIGURES) else {
        bail!(
            "{place}: {} of {games} random games have an accuracy, since too few moves have \
             anything to lose; {remedy}",
            found.len()
        );
    };
    if random.mean > MOST {
        bail!("{place}: random play has an accuracy of {random}, too close to 100 %; {remedy}");
    }
    let has_greedy = plan.game.has_estimate()?;
    let greedy = if has_greedy { Mean::of(&figures("greedy", 1)?) } else { None };
    Ok(Baseline { random, greedy })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_its_standard_error() {
        assert_eq!(Mean::of(&[]).map(|mean| mean.mean), None);
        assert_eq!(Mean::of(&[40.0]).unwrap().to_string(), "40.0 ± 0.0 %");
        assert_eq!(Mean::of(&[40.0, 50.0, 60.0]).unwrap().to_string(), "50.0 ± 5.8 %");
    }
}
