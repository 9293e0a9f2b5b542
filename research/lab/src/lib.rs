//! The program `lab`, for developers of Menagerie: benchmarks of the search, endurance tests of the
//! agents, learning of evaluations, and puzzles. Entry point: [`run`].

mod bench;
mod fit_curve;
mod learn;
mod only_moves;
mod soak;
mod term;
mod wolves_data;

use anygame::AnyGame;
use anyhow::Result;
use arena::player::scratch::remove_scratch;
use clap::{Parser, Subcommand};
use learn::{network, squirrels_weights};
use std::process::ExitCode;

/// Measures, tests and tunes the games and their search.
#[derive(Parser)]
#[command(
    name = "lab",
    version,
    after_help = "\
Examples:
  lab bench --deeper -1
  lab learn --game halma --directory scratch/learn/halma --iterations 20 --games 1000 --pairs 0 --jobs 2
The pages in docs/ show the other commands beside their figures.
Exit code: 0 success; 1 a measurement found a fault; 2 a file or the command line is bad; 130 interrupted."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The commands of `lab`.
#[derive(Subcommand)]
enum Command {
    /// Search fixed positions of every game, and print nodes and CPU seconds
    #[command(after_help = bench::EXAMPLE)]
    Bench(bench::BenchOptions),
    /// Fit a game's curve of winning chances to the results of recorded games
    #[command(after_help = fit_curve::EXAMPLE)]
    FitCurve(fit_curve::Options),
    /// Learn an evaluation from the agent's own games
    #[command(after_help = learn::EXAMPLE)]
    Learn(learn::options::LearnOptions),
    /// Halma: fit the network that adds to the learned tables to the agent's own games
    #[command(after_help = network::EXAMPLE)]
    LearnNetwork(network::Options),
    /// Find positions with one move that does not lose, for the puzzles of the page
    #[command(after_help = only_moves::EXAMPLE)]
    OnlyMoves(only_moves::Options),
    /// Ask the agents for moves in random positions under short clocks, and check every answer
    #[command(after_help = soak::EXAMPLE)]
    Soak(soak::SoakOptions),
    /// Simulate a term of a league: students hand in, workers play, people watch, processes are
    /// killed
    #[command(after_help = term::EXAMPLE)]
    Term(term::TermOptions),
    /// Squirrels: fit the weights of the learned evaluation, and write the file data/weights.rs
    #[command(after_help = squirrels_weights::EXAMPLE)]
    SquirrelsWeights(squirrels_weights::Options),
    /// Wolves and Sheep: write the results that the agent embeds, from tables of `solve wolves`
    #[command(after_help = wolves_data::EXAMPLE)]
    WolvesData(wolves_data::Options),
}

/// Runs the program `lab` by its command line and returns the exit code. `lab soak` plays these
/// games; the other commands know those of Menagerie.
pub fn run(games: Vec<AnyGame>) -> ExitCode {
    if let Some(code) = sandbox::own_command() {
        return code;
    }
    terminal::games::set(games);
    let code = run_command(CommandLine::parse().command).unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(2)
    });
    remove_scratch();
    code
}

/// Runs one command.
fn run_command(command: Command) -> Result<ExitCode> {
    match command {
        Command::Learn(options) => return learn::run(&options),
        Command::LearnNetwork(options) => return network::run(&options),
        Command::Soak(options) => return soak::soak(&options),
        Command::Term(options) => return term::run(&options),
        Command::Bench(options) => bench::run(&options)?,
        Command::FitCurve(options) => fit_curve::run(&options)?,
        Command::OnlyMoves(options) => only_moves::run(&options)?,
        Command::SquirrelsWeights(options) => squirrels_weights::run(&options)?,
        Command::WolvesData(options) => wolves_data::run(&options)?,
    }
    Ok(ExitCode::SUCCESS)
}
