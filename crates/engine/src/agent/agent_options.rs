//! The command-line options of every agent.

use crate::charges::Charges;
use crate::search::MAX_PLY;
use crate::think::{Algorithm, Settings};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let values = Algorithm::NAMES.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).map(|name| {
        let known = Algorithm::NAMES.into_iter().find(|(known, ..)| *known == name);
        known.expect("the parser lets only names through").2
    })
}

/// The command-line options of every agent.
#[derive(Args, Clone, Debug, PartialEq)]
// Clap shows the doc comments of the fields as help texts.
pub struct Options {
    /// The file to read the position from; - is standard input
    #[arg(short, long, value_name = "FILE", default_value = "input.txt")]
    pub input: PathBuf,

    /// The file to write the move to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "output.txt")]
    pub output: PathBuf,

    /// The algorithm that chooses the move
    #[arg(short, long, value_name = "NAME", default_value = "iterative", value_parser = algorithms())]
    pub algorithm: Algorithm,

    /// Search exactly this many plies, whatever the clock says; the answer is the same on every
    /// machine
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..i64::from(MAX_PLY)))]
    pub depth: Option<u32>,

    /// Search this many nodes, whatever the clock says; the answer is the same on every machine
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// The size of the transposition table in MiB [default: what the clock or the nodes can fill,
    /// at most 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: Option<u32>,

    /// The rule set to play by
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,

    /// Search every move to the full depth, without selective options: slower, and equal to plain
    /// minimax
    #[arg(long)]
    pub full_width: bool,

    /// Keep no memory of the game between its turns (the file playdata.txt)
    #[arg(long)]
    pub no_memory: bool,

    /// Print each iteration to standard error: depth, score, nodes, nodes a second, CPU seconds,
    /// line
    #[arg(short, long)]
    pub verbose: bool,

    /// Draw the board before the move and after it, on standard error
    #[arg(long)]
    pub show: bool,
}

/// The options of an agent that has none of its own.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct NoExtra {}

impl Options {
    /// The settings of [`think`](crate::think::think) for these options.
    pub fn settings<Own>(&self, own: Own) -> Settings<Own> {
        Settings {
            algorithm: self.algorithm,
            depth: self.depth,
            nodes: self.nodes,
            hash_mib: self.hash,
            full_width: self.full_width,
            charges: Charges::default(),
            own,
        }
    }
}
