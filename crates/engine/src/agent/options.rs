//! The command line that every agent shares.

use super::Agent;
use crate::protocol::RuleSet;
use crate::search::MAX_PLY;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::path::PathBuf;

/// How an agent looks for its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// Iterative deepening within the clock: the strongest play
    Iterative,
    /// Plain alpha-beta to a fixed depth (3 unless --depth is given)
    Alphabeta,
    /// Plain minimax to a fixed depth (2 unless --depth is given)
    Minimax,
    /// The move that looks best one ply ahead
    Greedy,
    /// One of the game's own, by its name
    #[value(skip)]
    Own(&'static str),
}

/// The engine's algorithms and the game's own.
fn algorithms<A: Agent>() -> impl TypedValueParser<Value = Algorithm> {
    let engines = Algorithm::value_variants().iter().filter_map(Algorithm::to_possible_value);
    let own = A::ALGORITHMS.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(engines.chain(own)).map(|name| {
        let own = A::ALGORITHMS.iter().find(|(known, _)| *known == name).map(|(known, _)| Algorithm::Own(known));
        own.or_else(|| Algorithm::from_str(&name, false).ok()).expect("the parser lets only names through")
    })
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

    /// How to look for the move
    #[arg(short, long, value_name = "NAME", value_enum, default_value_t = Algorithm::Iterative)]
    pub algorithm: Algorithm,

    /// Search exactly so many plies, whatever the clock says; the answer is the same on every machine
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..i64::from(MAX_PLY)))]
    pub depth: Option<u32>,

    /// Search so many nodes, whatever the clock says; the answer is the same on every machine
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

#[derive(Parser)]
struct CommandLine<X: Args> {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    extra: X,
}

/// For agents without options of their own.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct NoExtra {}

/// Reads the process's command line. Prints and exits for `--help`, `--version` and errors (exit code 2).
pub(super) fn parse<A: Agent>() -> (Options, A::Extra) {
    let names: Vec<&str> = A::Rules::ALL.iter().map(|(name, _)| *name).collect();
    let one_rule_set = names.len() == 1;
    let command = CommandLine::<A::Extra>::command()
        .name(A::NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!("{}: reads a position, thinks within a CPU-time budget, leaves a move.", A::TITLE))
        .after_help(A::EXAMPLE)
        // A judge puts a user's options behind its own.
        .args_override_self(true)
        .mut_arg("algorithm", |arg| arg.value_parser(algorithms::<A>()))
        .mut_arg("rules", |arg| {
            arg.value_parser(PossibleValuesParser::new(names)).default_value(A::Rules::AGENT.name()).hide(one_rule_set)
        });
    let matches = command.try_get_matches().unwrap_or_else(|error| with_tip(error).exit());
    let line = CommandLine::<A::Extra>::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    (line.options, line.extra)
}

/// Whoever gives a file without an option is told which one it needs.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let bare = |value: &ContextValue| matches!(value, ContextValue::String(word) if !word.starts_with('-'));
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::InvalidArg).is_some_and(bare) {
        let tip = "to read a file, use --input FILE".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

impl Options {
    /// The rule set asked for, or the agent's own.
    pub(super) fn rule_set<R: RuleSet>(&self) -> R {
        self.rules.as_deref().and_then(R::by_name).unwrap_or(R::AGENT)
    }

    /// Whether the clock counts: not where a depth or a number of nodes is asked for.
    pub(super) fn timed(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none()
    }
}
