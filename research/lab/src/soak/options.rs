//! The options of `lab soak`.

use std::path::PathBuf;
use terminal::games::name_parser;

/// Options of `lab soak`.
#[derive(clap::Args)]
pub(crate) struct SoakOptions {
    /// Stop after this number of seconds of wall time
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(super) seconds: u64,

    /// Stop after this number of questions to all games together
    #[arg(short = 'n', long, value_name = "COUNT")]
    pub(super) questions: Option<u64>,

    /// Stop after this number of questions to every game, or of kills with --kill
    #[arg(long, value_name = "COUNT")]
    pub(super) each: Option<usize>,

    /// Only these games [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = name_parser())]
    pub(super) game: Vec<String>,

    /// The clocks, in seconds
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', default_values_t = [0.001, 0.01, 0.05, 0.2, 1.0], value_parser = parse_clock)]
    pub(super) clock: Vec<f64>,

    /// Number of agents that run at the same time
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) jobs: u32,

    /// The seed of the positions and the moments of the kills
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,

    /// Begin with the question of this number, which failures show; needs the same seed, games and
    /// clocks
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) first: u64,

    /// Kill each agent at a random moment of its clock, and check its output file
    #[arg(long)]
    pub(super) kill: bool,

    /// Run the agents with this nice value; 19 is the lowest priority
    #[arg(long, value_name = "0..19", value_parser = clap::value_parser!(i32).range(0..=19))]
    pub(super) nice: Option<i32>,

    /// Number of busy threads besides the agents [without COUNT: one less than there are
    /// processors]
    #[arg(long, value_name = "COUNT", num_args = 0..=1, default_missing_value = "0", value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub(super) busy: Option<u32>,

    /// Further options for the agents, such as '--hash 64'
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, default_value = "")]
    pub(super) args: String,

    /// Write a line of JSON for each question to this file
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
}

/// Explanations and examples for the help text.
pub(crate) const EXAMPLE: &str = "\
A move that only some graders refuse counts as illegal. An answer is late if it took over 1 ms more CPU time than a clock of
0.05 s or longer. Of twenty positions, eight are from random play, seven from the agents' games against themselves, four are
the game's hand-made test positions and one is the end of a random game.
In a finished game the right answer is a refusal: exit code 2, one line on standard error, no output file.
Examples:
  lab soak --seconds 60 --record soak.jsonl
  lab soak --kill --each 300 --clock 0.001,0.01,0.05,0.2
  lab soak --nice 19 --busy 2 --game halma,wolves --clock 0.05,0.2 --seed 7
  lab soak --clock 10 --args '--hash 64' --each 4
  lab soak --seed 7 --first 4711 -n 1          repeat the question that failed in a run with this seed
Exit code: 0 every answer was legal and in time; 1 some were not; 2 an agent cannot be run; 130 interrupted (after printing the
table).";

/// Parses a clock.
fn parse_clock(text: &str) -> Result<f64, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "expected a number of seconds such as 0.05".to_string())?;
    let known = (1e-6..=3600.0).contains(&seconds);
    known
        .then_some(seconds)
        .ok_or_else(|| "expected a number of seconds from 0.000001 to 3600".to_string())
}
