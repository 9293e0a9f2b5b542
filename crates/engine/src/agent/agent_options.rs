//! The command-line options of every agent.

use crate::charges::Charges;
use crate::search::MAX_PLY;
use crate::think::{Algorithm, Settings};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::ffi::OsString;
use std::path::PathBuf;

fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let values = Algorithm::NAMES.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).map(|name| {
        let known = Algorithm::NAMES.into_iter().find(|(known, ..)| *known == name);
        known.expect("the parser lets only names through").2
    })
}

const INPUT: &str = "input.txt";
const OUTPUT: &str = "output.txt";

/// The command-line options of every agent.
#[derive(Args, Clone, Debug, PartialEq)]
// Clap shows the doc comments of the fields as help texts.
pub struct Options {
    /// The file to read the position from; - is standard input
    #[arg(short, long, value_name = "FILE", default_value = INPUT)]
    pub input: PathBuf,

    /// The file to write the move to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = OUTPUT)]
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
    /// Parses the command lines that graders use: no arguments, `--verbose`, `--rules NAME`. `None`
    /// for all others, which clap parses: that takes a tenth of a millisecond, a considerable part
    /// of a very short clock.
    pub(super) fn parse_usual(
        words: &[OsString],
        rules: &[&str],
        default_rules: &str,
    ) -> Option<Options> {
        let mut options = Options {
            input: INPUT.into(),
            output: OUTPUT.into(),
            algorithm: Algorithm::Iterative,
            depth: None,
            nodes: None,
            hash: None,
            rules: Some(default_rules.to_string()),
            full_width: false,
            no_memory: false,
            verbose: false,
            show: false,
        };
        let mut words = words.iter().map(|word| word.to_str());
        while let Some(word) = words.next() {
            match word? {
                "-v" | "--verbose" if !options.verbose => options.verbose = true,
                "--rules" => {
                    options.rules =
                        Some(words.next()??).filter(|name| rules.contains(name)).map(str::to_string)
                }
                _ => return None,
            }
            options.rules.as_ref()?;
        }
        Some(options)
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    const RULES: [&str; 2] = ["base", "addendum"];

    fn usual(line: &str) -> Option<Options> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Options::parse_usual(&words, &RULES, "addendum")
    }

    #[test]
    fn usual_command_lines_are_read_as_clap_reads_them() {
        for line in [
            "",
            "--verbose",
            "-v",
            "--rules base",
            "-v --rules addendum",
            "--rules base --rules addendum",
        ] {
            let command = Options::augment_args(Command::new("agent")).args_override_self(true);
            let command = command.mut_arg("rules", |arg| arg.default_value("addendum"));
            let matches = command
                .try_get_matches_from(["agent"].into_iter().chain(line.split_whitespace()))
                .unwrap();
            assert_eq!(usual(line), Some(Options::from_arg_matches(&matches).unwrap()), "{line}");
        }
    }

    #[test]
    fn every_other_command_line_is_left_to_clap() {
        for line in [
            "--help",
            "--rules",
            "--rules other",
            "--rules=base",
            "-vv",
            "-v -v",
            "--show",
            "--nodes 5",
            "input.txt",
        ] {
            assert_eq!(usual(line), None, "{line}");
        }
    }
}
