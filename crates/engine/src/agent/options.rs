//! The options that every agent shares.

use crate::search::MAX_PLY;
use crate::think::{Algorithm, Settings};
use clap::Args;
use std::path::PathBuf;

/// The parser of algorithms until the game's own are known (see `command_line.rs`): it refuses every name.
fn no_algorithm(name: &str) -> Result<Algorithm, String> {
    Err(format!("no algorithm of the name '{name}'"))
}

/// The options of every agent.
#[derive(Args, Clone, Debug, PartialEq)]
pub struct Options {
    /// The file to read the position from; - is standard input
    #[arg(short, long, value_name = "FILE", default_value = "input.txt")]
    pub input: PathBuf,

    /// The file to leave the move in; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "output.txt")]
    pub output: PathBuf,

    /// The algorithm that looks for the move
    #[arg(short, long, value_name = "NAME", default_value = "iterative", value_parser = no_algorithm)]
    pub algorithm: Algorithm,

    /// Search exactly this many plies, whatever the clock says; the answer is the same on every machine
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..i64::from(MAX_PLY)))]
    pub depth: Option<u32>,

    /// Search this many nodes, whatever the clock says; the answer is the same on every machine
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// The size of the transposition table in MiB [default: as much as the clock can fill, at most 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: Option<u32>,

    /// The rule set to play by
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,

    /// Search every move to the full depth, without selective options: slower, and equal to plain minimax
    #[arg(long)]
    pub full_width: bool,

    /// Tell about each iteration on standard error: depth, score, nodes, nodes a second, CPU seconds, line
    #[arg(short, long)]
    pub verbose: bool,
}

/// The options of agents that have none of their own.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct NoExtra {}

impl Options {
    /// The settings of [`think`](crate::think::think) that the options ask for, with the game's own settings.
    #[must_use]
    pub fn settings<Own>(&self, own: Own) -> Settings<Own> {
        Settings {
            algorithm: self.algorithm,
            depth: self.depth,
            nodes: self.nodes,
            hash_mib: self.hash,
            full_width: self.full_width,
            own,
        }
    }
}
