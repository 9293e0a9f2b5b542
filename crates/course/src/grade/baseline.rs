//! What random and greedy play reach in the tests of accuracy: on the same openings, for the same
//! side against the same opponent, by the same analysis.

use super::play_test::{accuracy, played};
use super::scheme::plan::{GradingPlan, Test};
use anyhow::{Result, bail};
use arena::analysis::accuracy::spread;
use arena::keys::reference;
use arena::random::{Purpose, derived};
use std::collections::BTreeMap;
use std::fmt;
use terminal::interrupt;

/// Games of random play for each side and opponent, and how many of them have to have an accuracy.
const GAMES: usize = 10;
const LEAST_FIGURES: usize = 3;
/// In per cent: where random play has more, accuracy tells too little.
const MOST: f64 = 95.0;

/// A mean accuracy and its standard error, 0 if there is none, in per cent.
#[derive(Clone, Copy)]
pub(crate) struct Mean(pub f64, f64);

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = if self.1 > 0.0 { format!(" ± {:.1}", self.1) } else { String::new() };
        write!(f, "{:.1}{error} %", self.0)
    }
}

/// The accuracy of random and of greedy play, if a game of it has one.
#[derive(Clone, Copy)]
pub(crate) struct Baseline {
    pub random: Mean,
    pub greedy: Option<Mean>,
}

/// Baselines by side and opponent.
pub(crate) type Baselines = BTreeMap<(usize, String), Baseline>;

/// The baselines of a plan, measured when they are first needed.
pub(crate) fn baselines(plan: &GradingPlan) -> Result<&Baselines> {
    if let Some(known) = plan.baselines.get() {
        return Ok(known);
    }
    let mut groups: BTreeMap<_, Vec<&Test>> = BTreeMap::new();
    for test in plan.tests.iter().filter(|test| test.least.is_some()) {
        groups.entry(test.played_by()).or_default().push(test);
    }
    let measured = groups.into_iter().map(|(group, tests)| Ok((group, measure(plan, &tests)?)));
    let measured = measured.collect::<Result<_>>()?;
    Ok(plan.baselines.get_or_init(|| measured))
}

fn measure(plan: &GradingPlan, tests: &[&Test]) -> Result<Baseline> {
    let (game, first) = (plan.game, tests[0]);
    let [side, other] = [first.side, first.side.other()].map(|side| game.side_word(side));
    let place = format!("[[accuracy]]: {side} of {} against {}", game.title, first.opponent.name);
    eprintln!("{place}: measuring random and greedy play");
    let figures = |player: &str, rounds: usize| -> Result<Vec<f64>> {
        let mut figures = Vec::new();
        for (round, test) in
            (0..rounds as u64).flat_map(|round| tests.iter().map(move |t| (round, t)))
        {
            let mut order = plan.order(test, &reference(game, player, test.clock)?, 0);
            order.seed = derived(order.seed, Purpose::Attempt, round);
            let mut record = played(plan, &order, &|_| Ok(()))?;
            figures.extend(accuracy(plan, test, &mut record, &|_| Ok(()))?);
            if interrupt::asked() {
                bail!("interrupted before the first test");
            }
        }
        Ok(figures)
    };
    let mean = |figures: &[f64]| {
        let (mean, deviation) = spread(figures);
        let error = deviation / (figures.len() as f64 - 1.0).max(1.0).sqrt();
        (!figures.is_empty()).then_some(Mean((mean * 10.0).round() / 10.0, error))
    };
    let rounds = GAMES.div_ceil(tests.len());
    let random = figures("random", rounds)?;
    let Some(found) = mean(&random).filter(|of| random.len() >= LEAST_FIGURES && of.0 <= MOST)
    else {
        bail!(
            "{place}: accuracy tells nothing: {} of {} random games have one{}: \
             give another side, such as side = \"{other}\", or points by results ([[games]])",
            random.len(),
            rounds * tests.len(),
            mean(&random).map_or(String::new(), |mean| format!(", {mean}"))
        );
    };
    let greedy = if game.has_estimate()? { mean(&figures("greedy", 1)?) } else { None };
    Ok(Baseline { random: found, greedy })
}
