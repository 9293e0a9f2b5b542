//! The submissions of a class as the engines of a tournament.

use super::match_options::TournamentOptions;
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::standings::best_with_ties;
use arena::terms::Bounds;
use course::class::students;
use intake::runtime::{Runtimes, waiting_words};
use intake::sheet::{Sheet, field};
use intake::spreadsheet::unguarded;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the submissions of a directory that can be run, ordered by points if `--best` is given.
/// The others are named on standard error.
pub(super) fn submissions(
    from: &Path,
    options: &TournamentOptions,
    each: &Keys,
    game: &'static AnyGame,
    bounds: &Bounds,
) -> Result<Vec<EngineSpec>> {
    // The engine serves only to read the clock and the margin, which are the same for all
    // submissions.
    let usual = Keys::parse(["engine=reference:random"])?.or(each).engine(game)?;
    let points = options.grades.as_deref().map(points).transpose()?;
    let mut engines: Vec<(f64, EngineSpec)> = Vec::new();
    let mut names = BTreeSet::new();
    let runtimes = Runtimes::new(bounds);
    let mut waiting = Vec::new();
    for mut student in students(from, &options.commands, &game.into())? {
        student.try_runtime(&runtimes);
        waiting.extend(student.waits.map(|why| (student.name.clone(), why)));
        match student.player {
            Ok(EngineSpec {
                kind: PlayerKind::Files { directory: Some(directory), .. }, ..
            }) if directory.to_str().is_none() => {
                eprintln!(
                    "{} does not play: the name of its folder is not UTF-8, and records can only store text",
                    student.name
                );
            }
            Ok(mut player) => {
                let name = player.name.clone();
                // Names of engines have no quotation marks, so that the names of two submissions
                // may become equal.
                let mut numbers = 2..;
                while !names.insert(player.name.clone()) {
                    player.name = format!("{name} ({})", numbers.next().unwrap_or(u32::MAX));
                }
                let found = points.as_ref().and_then(|points| points.get(&student.name));
                let player = EngineSpec { clock: usual.clock, margin: usual.margin, ..player };
                engines.push((found.copied().unwrap_or(-1.0), player));
            }
            Err(not_run) => {
                let why = not_run.why.lines().next().unwrap_or_default();
                eprintln!("{} does not play: {why}", student.name);
            }
        }
    }
    if !waiting.is_empty() {
        bail!("{}", waiting_words(&waiting));
    }
    if let Some(best) = options.best {
        // The sort is stable, so that submissions with the same points stay in the order of their
        // names.
        engines.sort_by(|one, other| other.0.total_cmp(&one.0));
        let points: Vec<f64> = engines.iter().map(|(points, _)| *points).collect();
        let count = best_with_ties(&points, best as usize);
        if count > best as usize {
            eprintln!(
                "--best {best}: {count} submissions play, since those from place {} on have {} points each",
                points.iter().filter(|&&own| own > points[count - 1]).count() + 1,
                points[count - 1].max(0.0)
            );
        }
        engines.truncate(count);
    }
    Ok(engines.into_iter().map(|(_, engine)| engine).collect())
}

fn points(path: &Path) -> Result<BTreeMap<String, f64>> {
    let sheet = Sheet::read(path)?;
    let (Some(who), Some(what)) = (sheet.column(&["submission"]), sheet.column(&["points"])) else {
        bail!(
            "{}:1: expected the columns submission and points, as judge grade-all writes them",
            sheet.name
        );
    };
    let points = |row| {
        let number = field(row, what);
        let wrong = || format!("{}: expected points, found '{number}'", sheet.place(row));
        let number = number.parse().ok().with_context(wrong)?;
        Ok((unguarded(field(row, who)).to_string(), number))
    };
    sheet.below().iter().map(points).collect()
}
