//! `judge analyse --fit`: fits the curve of winning chances to the results of recorded games.

use super::curve_plot::{self, Samples};
use super::parallel::for_each_turn;
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::analysis::fit::{Sample, fit as fit_curve, log_loss, log_loss_of_mean};
use arena::record::Record;
use arena::replayed::ReplayedGame;
use engine::score::distance_to_end;
use engine::{Curve, Side};
use files::write_atomically;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terminal::games::find;
use terminal::interrupt;
use terminal::output::print;

/// One of this many pairs of games measures the error and is not fitted to.
const PAIRS_PER_TEST: u32 = 2;

/// Reads the records, estimates the score of every position, and prints the fitted curve with its error.
pub(crate) fn fit(paths: &[PathBuf], effort: Effort, threads: usize, svg: Option<&Path>) -> Result<ExitCode> {
    let mut todo = Vec::new();
    // Whether the first side moves, and its result, by ply and by game, numbered over all records.
    let mut results = HashMap::new();
    let (mut name, mut games) = (None, 0);
    for path in paths {
        let record = Record::read(path)?;
        let any_game = find(&record.header.game)?;
        if name.get_or_insert(any_game.name) != &any_game.name {
            bail!("{}: a record of another game than {}", path.display(), name.unwrap_or_default());
        }
        for game in record.games.values().filter(|game| game.end.fault.is_none()) {
            games += 1;
            let result = match game.end.winner {
                Some(0) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let replayed = ReplayedGame::of(any_game, &record.header, &game.start.opening, &game.moves)
                .with_context(|| format!("{}: game {}", path.display(), game.end.game))?;
            for (mv, turn) in game.moves.iter().zip(replayed.into_turns()) {
                let first = mv.side == any_game.sides[0];
                results.insert((games, mv.ply), (first, result));
                todo.push((games, mv.ply, turn));
            }
        }
    }
    let any_game = find(name.context("no record")?)?;
    let mut samples = Samples { fitted: Vec::new(), tested: Vec::new() };
    let mut found = Vec::new();
    for_each_turn(
        todo,
        threads,
        |turn| turn.position.estimate(effort),
        |game, ply, (score, depth)| {
            found.push((game, ply, score, depth));
            Ok(())
        },
    )?;
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    // The threads finish in any order. The result must not depend on it.
    found.sort_by_key(|(game, ply, ..)| (*game, *ply));
    for (game, ply, score, depth) in found.into_iter().filter(|(_, _, score, _)| distance_to_end(*score).is_none()) {
        let (first, result) = results[&(game, ply)];
        let mover = if first { Side::First } else { Side::Second };
        let sample = Sample { score, mover, depth, result };
        let is_test = (game - 1) / 2 % PAIRS_PER_TEST == 1;
        if is_test { samples.tested.push(sample) } else { samples.fitted.push(sample) }
    }
    let curve = fit_curve(&samples.fitted).context("the records have no position to fit the curve to")?;
    print(&summary(any_game.name, curve, &samples, games, effort));
    if let Some(path) = svg {
        let text = curve_plot::curve_plot(any_game.title, any_game.sides[0], curve, &samples);
        write_atomically(path, &text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the text with the curve and its error.
fn summary(name: &str, curve: Curve, samples: &Samples, games: u32, effort: Effort) -> String {
    let Samples { fitted, tested } = samples;
    format!(
        "{name}: {games} games, {effort} a position\n\
         Curve {{ points: {:.0}.0, first: {:.3}, tempo: {:.0}.0 }}\n\
         fitted to {} positions; on {} positions of other games: log loss {:.4}, of a constant {:.4}\n",
        curve.points,
        curve.first,
        curve.tempo,
        fitted.len(),
        tested.len(),
        log_loss(curve, tested),
        log_loss_of_mean(fitted, tested),
    )
}
