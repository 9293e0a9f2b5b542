//! The learning loop. Each iteration plays self-play games, fits a new version, plays it against the newest version, and
//! keeps the better one. All state is in a directory, so that an interrupted run can be resumed.
//!
//! The directory holds `version-N.txt`, the parameters after iteration N; `games-N.txt`, the games of iteration N; and
//! `log.txt`, a line for each step.

use crate::learn::fitting::fit_to_games;
use crate::learn::game_file::{self, digest, format_game};
use crate::learn::games::{GameConditions, play, play_pair};
use crate::learn::model::LinearModel;
use anyhow::{Context, Result, anyhow};
use engine::{Protocol, RuleSet, split_mix};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The settings of a learning run.
#[derive(Clone, Debug)]
pub(crate) struct LearningPlan {
    /// The total number of iterations.
    pub iterations: u32,
    /// The number of self-play games in each iteration.
    pub games: usize,
    /// The nodes searched for each move of these games.
    pub nodes: u64,
    /// The number of iterations whose games a fit uses, the newest included.
    pub pool: u32,
    /// The number of pairs of games in the match of a new version against the newest one; 0 skips the match.
    pub pairs: usize,
    /// The nodes searched for each move of the match.
    pub match_nodes: u64,
    /// The number of threads.
    pub jobs: usize,
    /// The seed of the random number generators.
    pub seed: u64,
}

/// The caller's side of a learning run: progress, log lines, and interruption.
pub(crate) trait LearningObserver: Sync {
    /// Reports that `done` of `of` parts of a step are finished; `state` is a short text on the intermediate result.
    fn progress(&self, step: &str, state: &str, done: usize, of: usize);
    /// Shows a line that also goes to the log.
    fn line(&self, text: &str);
    /// Returns whether to stop now. Finished games are kept.
    fn interrupted(&self) -> bool;
}

/// One pair of games in this many is played against an older version.
const OLDER_EVERY: u64 = 5;

/// The directory of a learning run.
struct Directory(PathBuf);

impl Directory {
    /// Returns the path of a version.
    fn version(&self, number: u32) -> PathBuf {
        self.0.join(format!("version-{number:03}.txt"))
    }

    /// Returns the path of an iteration's games.
    fn games(&self, number: u32) -> PathBuf {
        self.0.join(format!("games-{number:03}.txt"))
    }

    /// Appends a line to the log and shows it.
    fn log(&self, observer: &impl LearningObserver, text: &str) -> Result<()> {
        observer.line(text);
        let path = self.0.join("log.txt");
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{text}").with_context(|| path.display().to_string())
    }
}

/// Runs the learning loop, from where the directory's files leave off. Returns the number of the last version; `Ok(None)` if
/// the user interrupted it.
///
/// # Errors
/// If a file cannot be read, parsed or written.
pub(crate) fn learn<F: LinearModel>(
    model: &F,
    plan: &LearningPlan,
    directory: &Path,
    observer: &impl LearningObserver,
) -> Result<Option<u32>> {
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let directory = Directory(directory.to_path_buf());
    if !directory.version(0).exists() {
        write_whole(&directory.version(0), &model.text(&model.first()))?;
    }
    let mut versions = vec![read_version(model, &directory.version(0))?];
    for number in 1..=plan.iterations {
        if directory.version(number).exists() {
            versions.push(read_version(model, &directory.version(number))?);
            continue;
        }
        if !play_games(model, plan, &directory, observer, &versions, number)? {
            return Ok(None);
        }
        let newest = versions.last().ok_or_else(|| anyhow!("no version"))?;
        let candidate = fit_version(model, plan, &directory, observer, newest, number)?;
        let Some(points) = play_match(model, plan, observer, [&candidate, newest], number) else { return Ok(None) };
        let better = points >= plan.pairs as f64;
        directory.log(observer, &match_line(plan, number, points, better))?;
        let chosen = if better { candidate } else { newest.clone() };
        write_whole(&directory.version(number), &model.text(&chosen))?;
        versions.push(chosen);
    }
    Ok(Some(plan.iterations))
}

/// Returns the log line for the match of a version against the one before.
fn match_line(plan: &LearningPlan, number: u32, points: f64, better: bool) -> String {
    if plan.pairs == 0 {
        return format!("version {number}: kept without a match");
    }
    let games = 2 * plan.pairs;
    let word = if better { "kept" } else { "dropped" };
    format!("version {number}: {points} of {games} points against the one before at {} nodes: {word}", plan.match_nodes)
}

/// Reads the file of a version.
fn read_version<F: LinearModel>(model: &F, path: &Path) -> Result<F::Version> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    model.read(&text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Writes a file atomically: to a temporary name, then renamed.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).with_context(|| path.display().to_string())
}

/// Plays the games that an iteration's file still lacks. Returns `false` if interrupted.
fn play_games<F: LinearModel>(
    model: &F,
    plan: &LearningPlan,
    directory: &Directory,
    observer: &impl LearningObserver,
    versions: &[F::Version],
    number: u32,
) -> Result<bool> {
    let path = directory.games(number);
    let done = if path.exists() {
        let (games, text) = game_file::read(&path)?;
        write_whole(&path, &text)?;
        games.len()
    } else {
        0
    };
    let file = OpenOptions::new().create(true).append(true).open(&path)?;
    let rule_sets = <F::Game as Protocol>::Rules::ALL.len();
    let conditions = GameConditions { nodes: plan.nodes, opening: (2, 12), random_every: 30, longest: 320 };
    let whole =
        in_order(done, plan.games, plan.jobs, observer, &format!("iteration {number}: games"), &file, |game| {
            let seed = split_mix(plan.seed ^ u64::from(number) << 40 ^ game as u64);
            let newest = versions.last()?;
            let older = &versions[(split_mix(seed) % versions.len() as u64) as usize];
            let opponent = if (game as u64 / 2).is_multiple_of(OLDER_EVERY) { older } else { newest };
            let pair = if game.is_multiple_of(2) { [newest, opponent] } else { [opponent, newest] };
            // Three games in four use the last rule set, the strictest.
            let rules = if game % 8 < 2 { 0 } else { rule_sets - 1 };
            Some(format_game(&play(model, pair, rules, conditions, seed)))
        })?;
    if whole {
        let (games, text) = game_file::read(&path)?;
        let ended = games.iter().filter(|game| game.margin.is_some()).count();
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        directory.log(
            observer,
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

/// Computes the lines `done..count` on several threads and appends them to a file in order. Returns `false` if interrupted.
fn in_order(
    done: usize,
    count: usize,
    jobs: usize,
    observer: &impl LearningObserver,
    step: &str,
    file: &File,
    line: impl Fn(usize) -> Option<String> + Sync,
) -> Result<bool> {
    let next = AtomicUsize::new(done);
    // The number of the next line to write, the finished lines after it, and the last error.
    let written = Mutex::new((done, std::collections::BTreeMap::new(), Ok(())));
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while !observer.interrupted() {
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
                    observer.progress(step, "", *first, count);
                }
            });
        }
    });
    let (written, _, failure) = written.into_inner().map_err(|_| anyhow!("a game ended with a panic"))?;
    failure?;
    Ok(written >= count)
}

/// Fits a new version to the games of this iteration and of those before it that `plan.pool` allows.
fn fit_version<F: LinearModel>(
    model: &F,
    plan: &LearningPlan,
    directory: &Directory,
    observer: &impl LearningObserver,
    newest: &F::Version,
    number: u32,
) -> Result<F::Version> {
    let mut games = Vec::new();
    for set in number.saturating_sub(plan.pool - 1).max(1)..=number {
        games.extend(game_file::read(&directory.games(set))?.0);
    }
    let step = format!("iteration {number}: fits");
    let (version, choice) = fit_to_games(model, &games, newest, |done, of| observer.progress(&step, "", done, of))
        .ok_or_else(|| anyhow!("iteration {number}: no fit is determined"))?;
    directory.log(observer, &format!("iteration {number}: fit to {} games: {choice}", games.len()))?;
    Ok(version)
}

/// Plays the match of an iteration and returns the first version's points; `None` if interrupted.
fn play_match<F: LinearModel>(
    model: &F,
    plan: &LearningPlan,
    observer: &impl LearningObserver,
    versions: [&F::Version; 2],
    number: u32,
) -> Option<f64> {
    let conditions = GameConditions { nodes: plan.match_nodes, opening: (4, 4), random_every: 0, longest: 320 };
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, 0.0));
    thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                while !observer.interrupted() {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= plan.pairs {
                        break;
                    }
                    let points =
                        play_pair(model, versions, conditions, pair as u64, plan.seed ^ u64::from(number) << 40);
                    let Ok(mut state) = sum.lock() else { break };
                    *state = (state.0 + 1, state.1 + points[0] + points[1]);
                    let result = format!(", {} of {} points", state.1, 2 * state.0);
                    observer.progress(&format!("iteration {number}: match"), &result, state.0, plan.pairs);
                }
            });
        }
    });
    let (pairs, points) = sum.into_inner().ok()?;
    (pairs == plan.pairs).then_some(points)
}
