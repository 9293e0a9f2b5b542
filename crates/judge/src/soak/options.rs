//! The options of `judge soak`.

use crate::names::name_parser;
use std::path::PathBuf;

/// What the soak is to do.
#[derive(clap::Args)]
pub(crate) struct SoakOptions {
    /// Seconds of wall time after which to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(super) seconds: u64,

    /// Questions, over all games, after which to stop
    #[arg(short = 'n', long, value_name = "COUNT")]
    pub(super) questions: Option<u64>,

    /// Questions to every game, or kills with --kill, after which to stop
    #[arg(long, value_name = "COUNT")]
    pub(super) each: Option<usize>,

    /// Only these games [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = name_parser())]
    pub(super) game: Vec<String>,

    /// The clocks, in seconds
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', default_values_t = [0.001, 0.01, 0.05, 0.2, 1.0], value_parser = clock)]
    pub(super) clock: Vec<f64>,

    /// Agents at a time
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) jobs: u32,

    /// The seed of the positions and the moments of the kills
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,

    /// Begin with the question of this number, as failures name it; the seed, games and clocks have to be the same
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) first: u64,

    /// Kill each agent at a random moment of its clock, and check what it has left
    #[arg(long)]
    pub(super) kill: bool,

    /// Run the agents at this priority, 19 the lowest
    #[arg(long, value_name = "0..19", value_parser = clap::value_parser!(i32).range(0..=19))]
    pub(super) nice: Option<i32>,

    /// Threads to keep busy beside the agents [without COUNT: one less than there are processors]
    #[arg(long, value_name = "COUNT", num_args = 0..=1, default_missing_value = "0", value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub(super) busy: Option<u32>,

    /// More options for the agents, such as '--hash 64'
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, default_value = "")]
    pub(super) args: String,

    /// Write a line of JSON for each question to this file
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
}

/// For the help text.
pub(crate) const EXAMPLE: &str = "\
A move counts as illegal also where only some graders refuse it. An answer is late if it took over 1 ms of CPU time more
than a clock of 0.05 s or longer. Of twenty positions eight are of random play, seven of the agents' games against
themselves, four hand-made extremes (one piece, a full board, a side that must pass, a game that is over ...) and one
after the end of a random game. Where there is nothing to play, a refusal is right: exit code 2, the line, no output.
Examples:
  judge soak --seconds 60 --record soak.jsonl
  judge soak --kill --each 300 --clock 0.001,0.01,0.05,0.2
  judge soak --nice 19 --busy 2 --game halma,wolves --clock 0.05,0.2 --seed 7
  judge soak --clock 10 --args '--hash 64' --each 4
  judge soak --seed 7 --first 4711 -n 1          the question that failed in a run with this seed, once more
Exit code: 0 every answer legal, there and in time; 1 not so; 2 an agent cannot be run; 130 interrupted (the table is
printed).";

fn clock(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds such as 0.05".to_string())?;
    let known = (1e-6..=3600.0).contains(&seconds);
    known.then_some(seconds).ok_or_else(|| "expected a number of seconds from 0.000001 to 3600".to_string())
}
