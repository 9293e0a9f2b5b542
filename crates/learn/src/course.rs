//! The course of learning: games, fit, match, choice, again and again, with everything kept in a directory so that it can go
//! on after an interruption.
//!
//! The directory holds `version-N.txt`, the numbers after the Nth iteration; `games-N.txt`, the games that it was fitted
//! to; and `log.txt`, a line for each step.

use crate::data::{self, digest, line};
use crate::fit::Fit;
use crate::fitting::fit_to_games;
use crate::games::{Terms, meet, play};
use anyhow::{Context, Result, anyhow};
use engine::{Protocol, RuleSet, split_mix};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How to learn.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Iterations in all.
    pub iterations: u32,
    /// Games to play in each.
    pub games: usize,
    /// Nodes a move in these games.
    pub nodes: u64,
    /// Data sets that a fit takes, the newest included.
    pub pool: u32,
    /// Pairs of games in which a new version has to show that it is no worse.
    pub pairs: usize,
    /// Nodes a move in those.
    pub match_nodes: u64,
    /// Threads.
    pub jobs: usize,
    /// The seed of everything.
    pub seed: u64,
}

/// What the caller hears and says while it lasts.
pub trait Course: Sync {
    /// A part of a step has been done: the step, a word on its state, how many parts of how many.
    fn progress(&self, step: &str, state: &str, done: usize, of: usize);
    /// A line for the log and for the eye.
    fn line(&self, text: &str);
    /// Whether to end now; what has been played is kept.
    fn interrupted(&self) -> bool;
}

/// One game in so many is played against an older version.
const OLDER_EVERY: u64 = 5;

struct Directory(PathBuf);

impl Directory {
    fn version(&self, number: u32) -> PathBuf {
        self.0.join(format!("version-{number:03}.txt"))
    }

    fn games(&self, number: u32) -> PathBuf {
        self.0.join(format!("games-{number:03}.txt"))
    }

    fn log(&self, course: &impl Course, text: &str) -> Result<()> {
        course.line(text);
        let path = self.0.join("log.txt");
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{text}").with_context(|| path.display().to_string())
    }
}

/// Learns, and returns the number of the last version. `Ok(None)` if it was interrupted.
///
/// # Errors
/// If a file cannot be read or written, or is none of this.
pub fn learn<F: Fit>(fit: &F, plan: &Plan, directory: &Path, course: &impl Course) -> Result<Option<u32>> {
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let directory = Directory(directory.to_path_buf());
    if !directory.version(0).exists() {
        write_whole(&directory.version(0), &fit.text(&fit.first()))?;
    }
    let mut versions = vec![read_version(fit, &directory.version(0))?];
    for number in 1..=plan.iterations {
        if directory.version(number).exists() {
            versions.push(read_version(fit, &directory.version(number))?);
            continue;
        }
        if !play_games(fit, plan, &directory, course, &versions, number)? {
            return Ok(None);
        }
        let newest = versions.last().ok_or_else(|| anyhow!("no version"))?;
        let candidate = fitted(fit, plan, &directory, course, newest, number)?;
        let Some(points) = match_of(fit, plan, course, [&candidate, newest], number) else { return Ok(None) };
        let better = points >= plan.pairs as f64;
        directory.log(course, &verdict(plan, number, points, better))?;
        let chosen = if better { candidate } else { newest.clone() };
        write_whole(&directory.version(number), &fit.text(&chosen))?;
        versions.push(chosen);
    }
    Ok(Some(plan.iterations))
}

/// The line of the log on the match of a version with the one before.
fn verdict(plan: &Plan, number: u32, points: f64, better: bool) -> String {
    if plan.pairs == 0 {
        return format!("version {number}: kept without a match");
    }
    let games = 2 * plan.pairs;
    let word = if better { "kept" } else { "dropped" };
    format!("version {number}: {points} of {games} points against the one before at {} nodes: {word}", plan.match_nodes)
}

fn read_version<F: Fit>(fit: &F, path: &Path) -> Result<F::Version> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    fit.read(&text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Writes a file that is there whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).with_context(|| path.display().to_string())
}

/// Plays the games of an iteration that are still missing. `false` if interrupted.
fn play_games<F: Fit>(
    fit: &F,
    plan: &Plan,
    directory: &Directory,
    course: &impl Course,
    versions: &[F::Version],
    number: u32,
) -> Result<bool> {
    let path = directory.games(number);
    let done = if path.exists() {
        let (games, text) = data::read(&path)?;
        write_whole(&path, &text)?;
        games.len()
    } else {
        0
    };
    let file = OpenOptions::new().create(true).append(true).open(&path)?;
    let rule_sets = <F::Game as Protocol>::Rules::ALL.len();
    let terms = Terms { nodes: plan.nodes, opening: (2, 12), random_every: 30, longest: 320 };
    let whole = in_order(done, plan.games, plan.jobs, course, &format!("iteration {number}: games"), &file, |game| {
        let seed = split_mix(plan.seed ^ u64::from(number) << 40 ^ game as u64);
        let newest = versions.last()?;
        let older = &versions[(split_mix(seed) % versions.len() as u64) as usize];
        let opponent = if (game as u64 / 2).is_multiple_of(OLDER_EVERY) { older } else { newest };
        let pair = if game.is_multiple_of(2) { [newest, opponent] } else { [opponent, newest] };
        // Three games in four by the last rule set, the strictest.
        let rules = if game % 8 < 2 { 0 } else { rule_sets - 1 };
        Some(line(&play(fit, pair, rules, terms, seed)))
    })?;
    if whole {
        let (games, text) = data::read(&path)?;
        let ended = games.iter().filter(|game| game.margin.is_some()).count();
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        directory.log(
            course,
            &format!(
                "iteration {number}: {} games, {ended} with an end, {:.0} plies each, {} nodes a move, seed {}, digest {}",
                games.len(),
                plies as f64 / games.len() as f64,
                plan.nodes,
                plan.seed,
                digest(&text)
            ),
        )?;
    }
    Ok(whole)
}

/// Computes the lines `done..count` on several threads and appends them to a file in order. `false` if interrupted.
fn in_order(
    done: usize,
    count: usize,
    jobs: usize,
    course: &impl Course,
    step: &str,
    file: &File,
    line: impl Fn(usize) -> Option<String> + Sync,
) -> Result<bool> {
    let next = AtomicUsize::new(done);
    // The number of the next line to write, those that wait for it, and what went wrong.
    let written = Mutex::new((done, std::collections::BTreeMap::new(), Ok(())));
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while !course.interrupted() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let Some(text) = line(number) else { break };
                    let Ok(mut state) = written.lock() else { break };
                    let (first, waiting, failure) = &mut *state;
                    waiting.insert(number, text);
                    while let Some(text) = waiting.remove(first) {
                        if let Err(error) = (&mut &*file).write_all(text.as_bytes()) {
                            *failure = Err(error);
                        }
                        *first += 1;
                    }
                    course.progress(step, "", *first, count);
                }
            });
        }
    });
    let (written, _, failure) = written.into_inner().map_err(|_| anyhow!("a game was cut short by a panic"))?;
    failure?;
    Ok(written >= count)
}

/// A new version, fitted to this iteration's games and to those of some before it.
fn fitted<F: Fit>(
    fit: &F,
    plan: &Plan,
    directory: &Directory,
    course: &impl Course,
    newest: &F::Version,
    number: u32,
) -> Result<F::Version> {
    let mut games = Vec::new();
    for set in number.saturating_sub(plan.pool - 1).max(1)..=number {
        games.extend(data::read(&directory.games(set))?.0);
    }
    let step = format!("iteration {number}: fits");
    let (version, choice) = fit_to_games(fit, &games, newest, |done, of| course.progress(&step, "", done, of))
        .ok_or_else(|| anyhow!("iteration {number}: no fit is determined"))?;
    directory.log(course, &format!("iteration {number}: fit to {} games: {choice}", games.len()))?;
    Ok(version)
}

/// The points of the first version in the match of an iteration; `None` if interrupted.
fn match_of<F: Fit>(
    fit: &F,
    plan: &Plan,
    course: &impl Course,
    versions: [&F::Version; 2],
    number: u32,
) -> Option<f64> {
    let terms = Terms { nodes: plan.match_nodes, opening: (4, 4), random_every: 0, longest: 320 };
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, 0.0));
    thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                while !course.interrupted() {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= plan.pairs {
                        break;
                    }
                    let points = meet(fit, versions, terms, pair as u64, plan.seed ^ u64::from(number) << 40);
                    let Ok(mut state) = sum.lock() else { break };
                    *state = (state.0 + 1, state.1 + points[0] + points[1]);
                    let result = format!(", {} of {} points", state.1, 2 * state.0);
                    course.progress(&format!("iteration {number}: match"), &result, state.0, plan.pairs);
                }
            });
        }
    });
    let (pairs, points) = sum.into_inner().ok()?;
    (pairs == plan.pairs).then_some(points)
}
