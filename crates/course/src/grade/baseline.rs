//! What random and greedy play reach in the tests of accuracy: on the same openings, for the same
//! side against the same opponent, by the same analysis.

use super::scheme::plan::{Baseline, Baselines, GradingPlan, Mean, Test};
use anyhow::{Context, Result, bail};
use arena::analysis::accuracy::spread;
use arena::analysis::finding::Effort;
use arena::keys::reference;
use arena::random::{Purpose, derived};
use arena::record::{Event, GameFindings, GameRecord, MoveRecord};
use arena::referee::{GameOrder, play_game};
use arena::replayed::analyse_game;
use engine::Side;
use pages::summary;
use std::collections::BTreeMap;
use terminal::interrupt;

/// Games of random play for each side and opponent, and how many of them have to have an accuracy.
const GAMES: usize = 10;
const LEAST_FIGURES: usize = 3;
/// In per cent: where random play has more, accuracy tells too little.
const MOST: f64 = 95.0;

/// Plays a game.
pub(crate) fn played(
    plan: &GradingPlan,
    order: &GameOrder,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<GameRecord> {
    let (mut start, mut moves) = (None, Vec::<MoveRecord>::new());
    let end = play_game(plan.game, order, &mut |event| {
        match &event {
            Event::Start(begins) => start = Some(begins.clone()),
            Event::Move(mv) => moves.push(mv.clone()),
            _ => {}
        }
        append(event)
    })?;
    Ok(GameRecord { start: start.context("a game without a start")?, moves, end })
}

/// The search of each position in a test of accuracy.
const ACCURACY: Effort = Effort::Nodes(10_000);

/// The accuracy of the moves of the test's side in a game, in tenths of a per cent.
pub(crate) fn accuracy(
    plan: &GradingPlan,
    test: &Test,
    game: &mut GameRecord,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<Option<f64>> {
    let words = plan.game.sides;
    let is_open = |mv: &MoveRecord| {
        mv.side == words[test.side.index()]
            && mv.analysis.as_ref().is_none_or(|finding| finding.effort != ACCURACY)
    };
    if game.moves.iter().any(is_open) {
        analyse(plan, test, game, ACCURACY, append)?;
    }
    let verdict =
        summary::verdict(&plan.header(), (words, plan.game.curve), &game.moves, &game.end);
    let accuracy = verdict.sides[test.side.index()].accuracy;
    Ok(accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0))
}

/// Analyses the agent's moves, and returns which sides' these are. The findings go to the record,
/// for the pages of the game.
pub(crate) fn analyse(
    plan: &GradingPlan,
    test: &Test,
    game: &mut GameRecord,
    effort: Effort,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<[bool; 2]> {
    let shown = Side::BOTH.map(|one| one == test.side);
    analyse_game(plan.game, &plan.header(), game, shown, effort, interrupt::asked)?;
    if !interrupt::asked() {
        let findings = game.moves.iter().map(|mv| mv.analysis.as_deref().cloned()).collect();
        append(Event::Findings(GameFindings { game: game.end.game, findings }))?;
    }
    Ok(shown)
}

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
