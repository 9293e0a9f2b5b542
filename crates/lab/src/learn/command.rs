//! `lab learn`: learns an engine's evaluation from its own games.

use crate::learn::foxgame_weights::FoxGameWeights;
use crate::learn::halma_tables::HalmaTables;
use crate::learn::learning::{LearningObserver, LearningPlan, learn};
use anyhow::{Result, bail};
use clap::Args;
use engine::Protocol;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;

/// Explanations and an example for the help text.
pub(crate) const EXAMPLE: &str = "\
Each iteration plays games of the newest version against itself and older ones, fits the evaluation to their results, and plays
a match of the fitted version against the newest one; the better of the two is the next version. The directory keeps every
version, all games, and a log with the seed and each data set's digest. ^C ends the run after the current games; finished games
are kept, and the same command continues. The number of jobs does not change the result.

Example (32 minutes of CPU; it made halma's present parameters), and then an agent with the learned parameters:
  lab learn --game halma --directory scratch/learn/halma --iterations 20 --games 1000 --pairs 0 --jobs 2
  cp scratch/learn/halma/version-020.txt crates/halma/data/worths.txt && cargo build --release -p halma
To try a version first, build halma with --features tuning and run it with --tables scratch/learn/halma/version-020.txt";

/// Options of `lab learn`.
#[derive(Args)]
pub(crate) struct LearnOptions {
    /// The game
    #[arg(long, value_name = "halma|foxgame")]
    game: String,

    /// The directory of versions, games and log; an earlier run in it is continued
    #[arg(long, value_name = "DIRECTORY")]
    directory: PathBuf,

    /// Total number of iterations, those of earlier runs included
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=999))]
    iterations: u32,

    /// Number of games in each iteration
    #[arg(long, value_name = "COUNT", default_value_t = 600)]
    games: usize,

    /// Nodes for each move of these games
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Number of iterations whose games a fit uses, the newest included
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pool: u32,

    /// Pairs of games in the match of a new version against the newest one; 0 keeps every version without a match
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pairs: usize,

    /// Nodes for each move of the match
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,

    /// Number of games at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,

    /// The seed of all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Runs `lab learn`, and prints the path of the last version.
pub(crate) fn run(options: &LearnOptions) -> Result<ExitCode> {
    let plan = LearningPlan {
        iterations: options.iterations,
        games: options.games,
        nodes: options.nodes,
        pool: options.pool,
        pairs: options.pairs,
        match_nodes: options.match_nodes,
        jobs: options.jobs as usize,
        seed: options.seed,
    };
    interrupt::catch()?;
    let observer = TerminalObserver { bar: Mutex::new(None) };
    let last = learn_game(&options.game, &plan, &options.directory, &observer)?;
    observer.clear();
    let directory = options.directory.display();
    Ok(match last {
        Some(version) => {
            print(&format!("{directory}/version-{version:03}.txt has the learned parameters\n"));
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("interrupted; the same command continues");
            ExitCode::from(interrupt::EXIT_CODE)
        }
    })
}

/// Learns the evaluation of the game with this name, and returns the number of the last version; `None` if the user
/// interrupted it.
fn learn_game(
    game: &str,
    plan: &LearningPlan,
    directory: &Path,
    observer: &impl LearningObserver,
) -> Result<Option<u32>> {
    const HALMA: &str = halma::Position::NAME;
    const FOXGAME: &str = foxgame::Position::NAME;
    match game {
        HALMA => learn(&HalmaTables, plan, directory, observer),
        FOXGAME => learn(&FoxGameWeights, plan, directory, observer),
        other => bail!("{other}: expected a game that can learn, {HALMA} or {FOXGAME}"),
    }
}

/// Shows the step in progress as a bar, on a terminal, and the lines of the log.
struct TerminalObserver {
    bar: Mutex<Option<(String, ProgressBar)>>,
}

impl TerminalObserver {
    /// Removes the bar.
    fn clear(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some((_, bar)) = bar.take()
        {
            bar.finish_and_clear();
        }
    }
}

impl LearningObserver for TerminalObserver {
    fn progress(&self, step: &str, what: &str, done: usize, of: usize) {
        if !stderr().is_terminal() {
            return;
        }
        let Ok(mut current) = self.bar.lock() else { return };
        if current.as_ref().is_none_or(|(name, _)| name != step) {
            if let Some((_, bar)) = current.take() {
                bar.finish_and_clear();
            }
            let form = "{msg} {bar:30} {pos}/{len}, {elapsed} gone, {eta} to go";
            let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(of as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            *current = Some((step.to_string(), bar));
        }
        if let Some((_, bar)) = current.as_ref() {
            bar.set_message(format!("{step}{what}"));
            bar.set_position(done as u64);
        }
    }

    fn line(&self, text: &str) {
        self.clear();
        print(&format!("{text}\n"));
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }
}
