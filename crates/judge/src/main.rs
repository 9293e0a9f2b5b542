//! The judge: checks, counts and shows; plays and grades programs that live by files and clocks.

mod check;
mod count;
mod games;

use anyhow::Result;
use check::Verdict;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Checks, counts and shows positions and plays of the games of Menagerie.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
Examples:
  judge check halma input.txt output.txt --rules addendum
  judge perft halma --depth 4
  judge show halma inputs/halma/start.txt
Exit code: 0 all is well; 1 the play is refused; 2 a file or the command line is bad."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a play: exit code 0 and the board after it, or 1 and the reason why it is refused
    Check {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The input file: the position
        input: PathBuf,
        /// The output file: the play
        output: PathBuf,
        /// The rule set to refuse by; the most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
    /// Count the lines of plays from a position, depth by depth
    Perft {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The deepest count, in plies
        #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
        /// The position, an input file; the start of the game unless given
        #[arg(short, long, value_name = "FILE")]
        input: Option<PathBuf>,
        /// The rule set; the judge's most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
    /// Draw a position with coordinates and list its legal plays
    Show {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The input file: the position
        input: PathBuf,
        /// The rule set; the judge's most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
}

fn main() -> ExitCode {
    match run(CommandLine::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    // The name parser lets only names of the list through.
    const LISTED: &str = "the game is in the list";
    match command {
        Command::Check { game, input, output, rules } => {
            let verdict = games::visit(&game, check::Check { input, output, rules }).expect(LISTED)?;
            match verdict {
                Verdict::Legal(text) => print!("{text}"),
                Verdict::Refused(reason) => {
                    println!("{reason}");
                    return Ok(ExitCode::from(1));
                }
            }
        }
        Command::Perft { game, depth, input, rules } => {
            games::visit(&game, count::Perft { depth, input, rules }).expect(LISTED)?;
        }
        Command::Show { game, input, rules } => {
            print!("{}", games::visit(&game, check::Show { input, rules }).expect(LISTED)?);
        }
    }
    Ok(ExitCode::SUCCESS)
}
