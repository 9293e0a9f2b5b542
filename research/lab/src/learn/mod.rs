//! `lab learn`: learns the parameters of an evaluation function from self-play: it plays games,
//! fits the parameters to the results, matches the new version against the old one, keeps the
//! better, and repeats.
//!
//! A game takes part by implementing [`model::LinearModel`], which describes its evaluation as a
//! linear model.

mod fitting;
mod game_file;
mod game_record;
mod games;
mod halma_tables;
mod learning;
mod model;
pub(crate) mod network;
pub(crate) mod options;
mod progress;
mod regression;
pub(crate) mod squirrels_weights;
mod tempo;

use anyhow::{Result, bail};
use engine::Protocol;
use halma_tables::HalmaTables;
use learning::learn;
use options::LearnOptions;
use progress::Progress;
use std::path::Path;
use std::process::ExitCode;
use terminal::interrupt;
use terminal::output::print;

/// Explanations and an example for the help text.
pub(crate) const EXAMPLE: &str = "\
Each iteration plays games of the newest version against itself and older ones, fits the evaluation to their results, and plays
a match of the fitted version against the newest one; the better of the two is the next version. The directory keeps every
version, all games, and a log with the seed and each data set's digest. ^C ends the run after the current games; finished games
are kept, and the same command continues. The number of jobs does not change the result.

Example, and then an agent with the learned parameters:
  lab learn --game halma --directory scratch/learn/halma --iterations 20 --games 1000 --pairs 0 --lambda 0.96 --jobs 2
  cp scratch/learn/halma/version-020.txt crates/halma/data/worths.txt && cargo build --release -p halma";

/// Runs `lab learn`, and prints the path of the last version.
pub(crate) fn run(options: &LearnOptions) -> Result<ExitCode> {
    interrupt::catch()?;
    let progress = Progress::default();
    let last = learn_game(options, &progress)?;
    let file = last.map(|version| format!("version-{version:03}.txt"));
    Ok(end(&progress, &options.directory, file))
}

/// Prints the path of the last file that was learned; `None` if the user interrupted the run.
fn end(progress: &Progress, directory: &Path, file: Option<String>) -> ExitCode {
    progress.clear();
    match file {
        Some(file) => {
            let path = directory.display();
            print(&format!("{path}/{file} has the learned parameters\n"));
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("interrupted; the same command continues");
            ExitCode::from(interrupt::EXIT_CODE)
        }
    }
}

/// Learns the evaluation of the game with this name, and returns the number of the last version;
/// `None` if the user interrupted it.
fn learn_game(options: &LearnOptions, progress: &Progress) -> Result<Option<u32>> {
    const HALMA: &str = halma::Position::NAME;
    match options.game.as_str() {
        HALMA => learn(&HalmaTables, options, progress),
        other => bail!("{other}: expected a game that can learn, {HALMA}"),
    }
}
