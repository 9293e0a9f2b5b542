//! A class that plays itself: its submissions as the engines of a tournament.

use super::options::TournamentOptions;
use crate::grade::{Commands, students};
use anyhow::{Context, Result, bail};
use arena::AnyGame;
use arena::player::keys::Keys;
use arena::player::spec::{EngineSpec, PlayerKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The submissions of a directory that can be run, best first if it is known who is best. Those that cannot are named on
/// standard error.
pub(super) fn class(from: &Path, options: &TournamentOptions, each: &Keys, game: &AnyGame) -> Result<Vec<EngineSpec>> {
    let commands = Commands { all: options.cmd.as_deref(), own: options.own_commands };
    // Clock and margin are those for all.
    let usual = Keys::parse(["engine=reference:random"])?.or(each).engine(game)?;
    let points = options.grades.as_deref().map(points).transpose()?;
    let mut engines: Vec<(f64, EngineSpec)> = Vec::new();
    let mut names = BTreeSet::new();
    for student in students(from, &commands, game)? {
        match student.player {
            Ok(EngineSpec { kind: PlayerKind::Files { directory: Some(directory), .. }, .. })
                if directory.to_str().is_none() =>
            {
                eprintln!(
                    "{} does not play: a record of games holds text, and its folder's name is none",
                    student.name
                );
            }
            Ok(mut player) => {
                let plain = player.name.clone();
                // Names of engines are without quotes, so that those of two submissions may be alike.
                let mut others = 2..;
                while !names.insert(player.name.clone()) {
                    player.name = format!("{plain} ({})", others.next().unwrap_or(u32::MAX));
                }
                let points = points.as_ref().and_then(|points| points.get(&student.name)).copied().unwrap_or(-1.0);
                engines.push((points, EngineSpec { clock: usual.clock, margin: usual.margin, ..player }));
            }
            Err(not_run) => {
                eprintln!("{} does not play: {}", student.name, not_run.why.lines().next().unwrap_or_default());
            }
        }
    }
    if let Some(best) = options.best {
        // The order of names stays among those with the same points.
        engines.sort_by(|one, other| other.0.total_cmp(&one.0));
        engines.truncate(best as usize);
    }
    Ok(engines.into_iter().map(|(_, engine)| engine).collect())
}

/// The points in the CSV file of a class, by submission.
fn points(path: &Path) -> Result<BTreeMap<String, f64>> {
    let name = path.display();
    let mut reader = csv::Reader::from_path(path).with_context(|| format!("{name}: cannot be read"))?;
    let headings = reader.headers().with_context(|| format!("{name}:1"))?.clone();
    let column = |heading: &str| headings.iter().position(|found| found.trim_start_matches('\u{feff}') == heading);
    let (Some(who), Some(what)) = (column("submission"), column("points")) else {
        bail!("{name}:1: expected the columns submission and points, as judge grade-all writes them");
    };
    let mut points = BTreeMap::new();
    for (row, line) in reader.records().zip(2..) {
        let row = row.with_context(|| format!("{name}:{line}"))?;
        let field = |column: usize| row.get(column).unwrap_or_default();
        let number = field(what);
        let number =
            number.parse().ok().with_context(|| format!("{name}:{line}: expected points, found '{number}'"))?;
        // A spreadsheet's guard against formulas is no part of a name.
        let guarded = |rest: &str| rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@']);
        let who = field(who);
        let who = who.strip_prefix('\'').filter(|rest| guarded(rest)).unwrap_or(who);
        points.insert(who.to_string(), number);
    }
    Ok(points)
}
