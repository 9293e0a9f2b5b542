//! An agent's command line.

use super::Agent;
use super::agent_options::Options;
use crate::protocol::RuleSet;
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser};

#[derive(Parser)]
struct CommandLine<X: Args> {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    extra: X,
}

/// Parses the command line. Prints and exits for `--help`, `--version` and errors (exit code 2).
pub(super) fn parse<A: Agent>() -> (Options, A::Extra) {
    let matches = command_line::<A>().try_get_matches().map_err(with_tip);
    let line = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
    let CommandLine { options, extra } = line.unwrap_or_else(|error| error.exit());
    (options, extra)
}

/// The clap command of a game's agent, from which manual pages and completions are made too.
pub fn command_line<A: Agent>() -> clap::Command {
    let names: Vec<&str> = A::Rules::ALL.iter().map(|(name, _)| *name).collect();
    let one_rule_set = names.len() == 1;
    CommandLine::<A::Extra>::command()
        .name(A::NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!(
            "{}: reads a position, thinks within a CPU-time budget, leaves a move.",
            A::TITLE
        ))
        .after_help(A::EXAMPLE)
        // The judge appends a user's options to its own.
        .args_override_self(true)
        .mut_arg("rules", |arg| {
            arg.value_parser(PossibleValuesParser::new(names))
                .default_value(A::Rules::AGENT.name())
                .hide(one_rule_set)
        })
}

/// Adds a tip to the error for a file name without its option.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let bare = |value: &ContextValue| matches!(value, ContextValue::String(word) if !word.starts_with('-'));
    if error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::InvalidArg).is_some_and(bare)
    {
        let tip = "to read a file, use --input FILE".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}
