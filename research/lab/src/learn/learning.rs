//! The learning loop. Each iteration plays self-play games, fits a new version, plays it against
//! the newest version, and keeps the better one. All state is in a directory, so that an
//! interrupted run can be resumed.
//!
//! The directory holds `version-N.txt`, the parameters after iteration N; `games-N.txt`, the games
//! of iteration N; and `log.txt`, a line for each step.

use crate::learn::fitting::fit_to_games;
use crate::learn::game_file::{self, digest, format_game, parse_game};
use crate::learn::games::{GameConditions, play, play_pair};
use crate::learn::model::LinearModel;
use crate::learn::options::LearnOptions;
use crate::learn::progress::Progress;
use anyhow::{Context, Result, anyhow};
use engine::{Protocol, RuleSet, split_mix};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use terminal::interrupt;

/// One pair of games in this many is played against an older version.
const OLDER_EVERY: u64 = 5;

/// The directory of a learning run.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    /// Returns the path of a version.
    fn version(&self, number: u32) -> PathBuf {
        self.0.join(format!("version-{number:03}.txt"))
    }

    /// Returns the path of an iteration's games.
    pub(crate) fn games(&self, number: u32) -> PathBuf {
        self.0.join(format!("games-{number:03}.txt"))
    }

    /// Appends a line to the log and shows it.
    pub(crate) fn log(&self, progress: &Progress, text: &str) -> Result<()> {
        progress.line(text);
        let path = self.0.join("log.txt");
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{text}").with_context(|| path.display().to_string())
    }
}

/// Runs the learning loop, from where the directory's files leave off. Returns the number of the
/// last version; `Ok(None)` if the user interrupted it.
///
/// # Errors
/// If a file cannot be read, parsed or written.
pub(crate) fn learn<F: LinearModel>(
    model: &F,
    options: &LearnOptions,
    progress: &Progress,
) -> Result<Option<u32>> {
    let directory = Directory(options.directory.clone());
    fs::create_dir_all(&directory.0).with_context(|| directory.0.display().to_string())?;
    if !directory.version(0).exists() {
        write_whole(&directory.version(0), model.text(&model.first()))?;
    }
    let mut versions = vec![read_version(model, &directory.version(0))?];
    for number in 1..=options.iterations {
        if directory.version(number).exists() {
            versions.push(read_version(model, &directory.version(number))?);
            continue;
        }
        if !play_games(model, options, &directory, progress, &versions, number)? {
            return Ok(None);
        }
        let newest = versions.last().ok_or_else(|| anyhow!("no version"))?;
        let candidate = fit_version(model, options, &directory, progress, newest, number)?;
        let Some(points) = play_match(model, options, progress, [&candidate, newest], number)
        else {
            return Ok(None);
        };
        let better = points >= options.pairs as f64;
        directory.log(progress, &match_line(options, number, points, better))?;
        let chosen = if better { candidate } else { newest.clone() };
        write_whole(&directory.version(number), model.text(&chosen))?;
        versions.push(chosen);
    }
    Ok(Some(options.iterations))
}

/// Returns the log line for the match of a version against the one before.
fn match_line(options: &LearnOptions, number: u32, points: f64, better: bool) -> String {
    if options.pairs == 0 {
        return format!("version {number}: kept without a match");
    }
    let games = 2 * options.pairs;
    let word = if better { "kept" } else { "dropped" };
    format!(
        "version {number}: {points} of {games} points against the one before at {} nodes: {word}",
        options.match_nodes
    )
}

/// Reads the file of a version.
fn read_version<F: LinearModel>(model: &F, path: &Path) -> Result<F::Version> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    model.read(&text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Writes a file atomically: to a temporary name, then renamed.
pub(crate) fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| path.display().to_string())
}

/// Plays the games that an iteration's file still lacks. Returns `false` if interrupted.
fn play_games<F: LinearModel>(
    model: &F,
    options: &LearnOptions,
    directory: &Directory,
    progress: &Progress,
    versions: &[F::Version],
    number: u32,
) -> Result<bool> {
    let path = directory.games(number);
    let done = if path.exists() {
        let (games, text) = game_file::read(&path, parse_game)?;
        write_whole(&path, text)?;
        games.len()
    } else {
        0
    };
    let file = OpenOptions::new().create(true).append(true).open(&path)?;
    let rule_sets = <F::Game as Protocol>::Rules::ALL.len();
    let conditions =
        GameConditions { nodes: options.nodes, opening: (2, 12), random_every: 30, longest: 320 };
    let whole = in_order(
        done,
        options.games,
        options.jobs as usize,
        progress,
        &format!("iteration {number}: games"),
        &file,
        |game| {
            let seed = split_mix(options.seed ^ u64::from(number) << 40 ^ game as u64);
            let newest = versions.last()?;
            let older = &versions[(split_mix(seed) % versions.len() as u64) as usize];
            let opponent =
                if (game as u64 / 2).is_multiple_of(OLDER_EVERY) { older } else { newest };
            let pair = if game.is_multiple_of(2) { [newest, opponent] } else { [opponent, newest] };
            // Three games in four use the last rule set, the strictest.
            let rules = if game % 8 < 2 { 0 } else { rule_sets - 1 };
            Some(format_game(&play(model, pair, rules, conditions, seed)))
        },
    )?;
    if whole {
        let (games, text) = game_file::read(&path, parse_game)?;
        let ended = games.iter().filter(|game| game.margin.is_some()).count();
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        directory.log(
            progress,
            &format!(
                "iteration {number}: {} games, {ended} with an end, {:.0} plies each, {} nodes a move, seed {}, digest {}",
                games.len(),
                plies as f64 / games.len() as f64,
                options.nodes,
                options.seed,
                digest(&text)
            ),
        )?;
    }
    Ok(whole)
}

/// Computes the lines `done..count` on several threads and appends them to a file in order. Returns
/// `false` if interrupted.
pub(crate) fn in_order(
    done: usize,
    count: usize,
    jobs: usize,
    progress: &Progress,
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
                while !interrupt::asked() {
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
                    progress.show(step, "", *first, count);
                }
            });
        }
    });
    let (written, _, failure) =
        written.into_inner().map_err(|_| anyhow!("a game ended with a panic"))?;
    failure?;
    Ok(written >= count)
}

/// Fits a new version to the games of this iteration and of those before it that `options.pool`
/// allows.
fn fit_version<F: LinearModel>(
    model: &F,
    options: &LearnOptions,
    directory: &Directory,
    progress: &Progress,
    newest: &F::Version,
    number: u32,
) -> Result<F::Version> {
    let mut games = Vec::new();
    for set in number.saturating_sub(options.pool - 1).max(1)..=number {
        games.extend(game_file::read(&directory.games(set), parse_game)?.0);
    }
    let step = format!("iteration {number}: fits");
    let (version, choice) = fit_to_games(model, &games, newest, options.lambda, |done, of| {
        progress.show(&step, "", done, of)
    })
    .ok_or_else(|| anyhow!("iteration {number}: no fit is determined"))?;
    directory
        .log(progress, &format!("iteration {number}: fit to {} games: {choice}", games.len()))?;
    Ok(version)
}

/// Plays the match of an iteration and returns the first version's points; `None` if interrupted.
fn play_match<F: LinearModel>(
    model: &F,
    options: &LearnOptions,
    progress: &Progress,
    versions: [&F::Version; 2],
    number: u32,
) -> Option<f64> {
    let conditions = GameConditions {
        nodes: options.match_nodes,
        opening: (4, 4),
        random_every: 0,
        longest: 320,
    };
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((0, 0.0));
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while !interrupt::asked() {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= options.pairs {
                        break;
                    }
                    let points = play_pair(
                        model,
                        versions,
                        conditions,
                        pair as u64,
                        options.seed ^ u64::from(number) << 40,
                    );
                    let Ok(mut state) = sum.lock() else { break };
                    *state = (state.0 + 1, state.1 + points[0] + points[1]);
                    let result = format!(", {} of {} points", state.1, 2 * state.0);
                    progress.show(
                        &format!("iteration {number}: match"),
                        &result,
                        state.0,
                        options.pairs,
                    );
                }
            });
        }
    });
    let (pairs, points) = sum.into_inner().ok()?;
    (pairs == options.pairs).then_some(points)
}
