//! `judge learn`: learns an engine's evaluation from its own games.

use crate::interrupt;
use crate::names::name_parser;
use crate::output::print;
use ::learn::course::{Course, Plan, learn};
use ::learn::foxgame_weights::FoxGameWeights;
use ::learn::halma_tables::HalmaTables;
use anyhow::{Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Each iteration plays games of the newest version with itself and with older ones, fits the evaluation to how they ended, and
lets the fitted version meet the newest; the better of the two is the next version. The directory keeps every version, all
games, and a log with the seed and each data set's digest. ^C ends it after the games that are running; what has been played
is kept, and the same command goes on. The number of jobs changes nothing in what is learned.

Example (32 minutes of CPU; this made the numbers that halma plays with), and then an agent that plays by what was learned:
  judge learn --game halma --directory scratch/learn/halma --iterations 20 --games 1000 --pairs 0 --jobs 2
  cp scratch/learn/halma/version-020.txt crates/halma/data/worths.txt && cargo build --release -p menagerie-halma
It can be tried before: halma built with --features tuning plays with --tables scratch/learn/halma/version-020.txt";

/// What to learn, and how.
#[derive(Args)]
pub(crate) struct LearnOptions {
    /// The game
    #[arg(long, value_parser = name_parser())]
    game: String,

    /// Where versions, games and log are kept; goes on with what is there
    #[arg(long, value_name = "DIRECTORY")]
    directory: PathBuf,

    /// Iterations in all, those of earlier runs included
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=999))]
    iterations: u32,

    /// Games in each iteration
    #[arg(long, value_name = "COUNT", default_value_t = 600)]
    games: usize,

    /// Nodes a move in these games
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Data sets that a fit takes: this iteration's and those before it
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pool: u32,

    /// Pairs of games in which a version has to hold its own against the one before; 0 keeps every version
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pairs: usize,

    /// Nodes a move in those
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,

    /// Games at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,

    /// The seed of all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Learns, and says where the last version is.
pub(crate) fn run(options: &LearnOptions) -> Result<ExitCode> {
    let plan = Plan {
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
    let eye = Eye { bar: Mutex::new(None) };
    let last = match options.game.as_str() {
        "halma" => learn(&HalmaTables, &plan, &options.directory, &eye)?,
        "foxgame" => learn(&FoxGameWeights, &plan, &options.directory, &eye)?,
        other => bail!("nothing is set up to be learned for {other}; there are halma and foxgame"),
    };
    eye.clear();
    let directory = options.directory.display();
    Ok(match last {
        Some(version) => {
            print(&format!("{directory}/version-{version:03}.txt is what was learned\n"));
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("interrupted; the same command goes on");
            ExitCode::from(interrupt::EXIT_CODE)
        }
    })
}

/// A bar for the step that goes on, on a terminal, and the lines of the log.
struct Eye {
    bar: Mutex<Option<(String, ProgressBar)>>,
}

impl Eye {
    fn clear(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some((_, bar)) = bar.take()
        {
            bar.finish_and_clear();
        }
    }
}

impl Course for Eye {
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
