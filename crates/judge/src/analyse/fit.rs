//! `judge analyse --fit`: the curve of winning chances that fits the results of recorded games.

use super::picture::{self, Samples};
use super::work::work;
use crate::games::find;
use crate::interrupt;
use crate::output::print;
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::analysis::fit::{Sample, fit as fit_curve, log_loss, log_loss_of_mean};
use arena::record::Record;
use engine::agent::files::write_atomically;
use engine::score::distance_to_end;
use engine::{Curve, Side};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Games of this remainder, by their number, are kept to measure the fit; both games of a pair are on the same side.
const PAIRS_A_TEST: u32 = 2;

/// Reads the records, looks at every position, and prints the curve with its error.
pub(crate) fn fit(paths: &[PathBuf], effort: Effort, threads: usize, svg: Option<&Path>) -> Result<ExitCode> {
    let mut todo = Vec::new();
    // By game, numbered over all records, and ply: who moves, and the first side's result.
    let mut results = HashMap::new();
    let (mut name, mut games) = (None, 0);
    for path in paths {
        let record = Record::read(path)?;
        let known = find(&record.header.game)?;
        if name.get_or_insert(known.arena.name) != &known.arena.name {
            bail!("{}: another game than {}", path.display(), name.unwrap_or_default());
        }
        for game in record.games.values().filter(|game| game.end.fault.is_none()) {
            games += 1;
            let result = match game.end.winner {
                Some(0) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let questions = (known.questions)(&record.header, &game.start.opening, &game.moves)
                .with_context(|| format!("{}: game {}", path.display(), game.end.game))?;
            for (mv, question) in game.moves.iter().zip(questions) {
                let first = mv.side == known.arena.sides[0];
                results.insert((games, mv.ply), (first, result));
                todo.push((games, mv.ply, question));
            }
        }
    }
    let known = find(name.context("no record")?)?;
    let mut samples = Samples { fitted: Vec::new(), tested: Vec::new() };
    let mut found = Vec::new();
    work(
        todo,
        threads,
        |question| question.estimate(effort),
        |game, ply, (score, depth)| {
            found.push((game, ply, score, depth));
            Ok(())
        },
    )?;
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    // The order in which positions were looked at must not count.
    found.sort_by_key(|(game, ply, ..)| (*game, *ply));
    for (game, ply, score, depth) in found.into_iter().filter(|(_, _, score, _)| distance_to_end(*score).is_none()) {
        let (first, result) = results[&(game, ply)];
        let mover = if first { Side::First } else { Side::Second };
        let sample = Sample { score, mover, depth, result };
        let is_test = (game - 1) / 2 % PAIRS_A_TEST == 1;
        if is_test { samples.tested.push(sample) } else { samples.fitted.push(sample) }
    }
    let curve = fit_curve(&samples.fitted).context("no position to fit to")?;
    print(&told(known.arena.name, curve, &samples, games, effort));
    if let Some(path) = svg {
        let text = picture::curve(known.arena.title, known.arena.sides[0], curve, &samples);
        write_atomically(path, &text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn told(name: &str, curve: Curve, samples: &Samples, games: u32, effort: Effort) -> String {
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
