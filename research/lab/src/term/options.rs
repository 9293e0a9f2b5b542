//! The options of `lab term`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Explanations and examples for the help text.
pub(crate) const EXAMPLE: &str = "\
The program `league` beside lab is the server; with --play real, it is the workers too. Drawn results come from true strengths by
a logistic model, from workers that speak to the server by HTTP; so the order of the ladder can be compared with the truth.
Uploads are handed in during the first half of the games; then comes the rush, and then the other games.
Examples:
  lab term --students 20 --uploads 60 --rush 10 --games 400 --seed 1
  lab term --seed 1                           300 students, 2,000 uploads, 20,000 games, 100 watchers
  lab term --seed 2 --kills 100
  lab term --play real --students 12 --uploads 40 --rush 10 --games 100 --workers 2 --kills 10 --seed 3
  lab term --database postgres://league@localhost/league --workers 3 --seed 4
Exit code: 0 everything confirmed is there and counts once; 1 something is wrong; 2 the term cannot be simulated.";

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Play {
    /// Results are drawn from true strengths
    Drawn,
    /// Programs are compiled, tried and played in the sandbox, by processes of `league worker`
    Real,
}

/// Options of `lab term`.
#[derive(Args)]
pub(crate) struct TermOptions {
    /// How games are played
    #[arg(long, value_enum, default_value = "drawn")]
    pub(super) play: Play,

    /// Students
    #[arg(long, value_name = "COUNT", default_value_t = 300)]
    pub(super) students: usize,

    /// Uploads, those of the rush included
    #[arg(long, value_name = "COUNT", default_value_t = 2_000)]
    pub(super) uploads: usize,

    /// Uploads of the minute before the deadline
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub(super) rush: usize,

    /// Games, after which the ladder is frozen
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    pub(super) games: u64,

    /// People who load a page every other second
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(super) watchers: u32,

    /// Workers, threads that draw results or processes
    #[arg(long, value_name = "COUNT", default_value_t = 4)]
    pub(super) workers: u32,

    /// Kill the server at this many random moments; with --play real, the server or a worker
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(super) kills: u32,

    /// Pause between two kills, in seconds, at most
    #[arg(long, value_name = "SECONDS", default_value_t = 6.0)]
    pub(super) kill_pause: f64,

    /// The standard deviation of the true strengths
    #[arg(long, value_name = "POINTS", default_value_t = 400.0)]
    pub(super) spread: f64,

    /// The database, as for `league serve`
    #[arg(long, value_name = "URL")]
    pub(super) database: Option<String>,

    /// A new directory for the league, which is kept [default: a temporary one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) directory: Option<PathBuf>,

    /// The seed of uploads, strengths, results and moments
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,
}
