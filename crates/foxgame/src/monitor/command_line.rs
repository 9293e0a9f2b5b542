//! The command line of the monitor mode, with the options of the course's agents: `-a HOST -p PORT
//! -r ROLE -n NAME`.

use super::wire::{PORT, role};
use crate::endings::tables_option::Extra;
use clap::Parser;
use clock::cpu::idle_processors;
use engine::Side;
use engine::think::Algorithm;
use std::time::Duration;

/// The settings of a game that a monitor runs.
#[derive(Parser)]
#[command(
    name = "foxgame",
    version,
    about = "FoxGame: plays one game that a monitor runs (without any of -p, -r, -a HOST: see foxgame --help).",
    after_help = "\
Example: judge monitor --port 6000 --timeslice 500 in one window, and in two others
  foxgame -a localhost -p 6000 -r fox -n Reineke
  foxgame -a localhost -p 6000 -r sheep -n Flock --threads 2 --reserve 50
Exit code: 0 the game was finished; 3 no connection, a lost connection, or the opponent's move cannot be read (one line on \
standard error says why); 2 a bad command line."
)]
pub(super) struct Settings {
    /// The monitor's host
    #[arg(short, long, value_name = "HOST", default_value = "localhost")]
    pub address: String,

    /// The monitor's port
    #[arg(short, long, default_value_t = PORT, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,

    /// The side to ask for, fox or sheep in any case, may be shortened; any side unless given
    #[arg(short, long, value_parser = |word: &str| role(word).ok_or("expected fox or sheep"))]
    pub role: Option<Side>,

    /// The name to give the monitor
    #[arg(short, long, default_value = "menagerie", value_parser = one_line)]
    pub name: String,

    /// Threads of the search; the clock is wall time here, so that more of them use idle cores
    /// [default: as many as are idle when it starts]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: u32,

    /// Milliseconds of each time slice to keep back, for a monitor or a network that is slow
    /// [default: 10 and 3 % of the slice]. More is kept back as soon as the monitor's lines show
    /// that it reads late
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub reserve: Option<u32>,

    /// Do not think on the opponent's time
    #[arg(long)]
    pub no_ponder: bool,

    #[command(flatten)]
    pub extra: Extra,

    /// The seconds for which to keep trying to connect
    #[arg(long, value_name = "SECONDS", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=3_600))]
    pub wait: u16,

    /// Write a line about each move on standard error
    #[arg(short, long)]
    pub verbose: bool,
}

impl Settings {
    /// The number of search threads; by default the number of idle processors, from 1 to 4, as more
    /// threads gain little.
    pub(super) fn threads(&self) -> usize {
        self.threads
            .map_or_else(|| idle_processors(Duration::from_millis(100)).clamp(1, 4), usize::from)
    }
}

fn one_line(name: &str) -> Result<String, &'static str> {
    match name.trim() {
        "" => Err("expected a name"),
        name if name.len() > 200 || name.chars().any(char::is_control) => {
            Err("expected a name on one line")
        }
        name => Ok(name.to_string()),
    }
}

/// Whether a command line selects the monitor mode, by a port, a role, a host or another of its own
/// options. In the file mode `-a` takes an algorithm and `-n` a number of nodes.
pub fn asks_for_monitor(arguments: &[String]) -> bool {
    let is_algorithm = |word: &str| Algorithm::NAMES.iter().any(|(name, ..)| *name == word);
    const LONG: [&str; 8] = [
        "--port",
        "--role",
        "--address",
        "--name",
        "--threads",
        "--no-ponder",
        "--reserve",
        "--wait",
    ];
    arguments.iter().enumerate().any(|(index, argument)| {
        let host = match argument.strip_prefix("-a") {
            Some("") => arguments.get(index + 1).map(String::as_str),
            joined => joined,
        };
        let name = argument.split('=').next().unwrap_or_default();
        LONG.contains(&name)
            || argument.starts_with("-p")
            || argument.starts_with("-r")
            || host.is_some_and(|host| !is_algorithm(host))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_a_role_or_a_host_asks_for_the_monitor_and_an_algorithm_does_not() {
        for (line, expected) in [
            ("-a localhost -p 6000 -r fox -n x", true),
            ("-a 10.0.0.1", true),
            ("-p6000", true),
            ("--role=fox", true),
            ("-aserver", true),
            ("--name x", true),
            ("", false),
            ("-v", false),
            ("-a minimax --depth 2", false),
            ("-n 5000", false),
            ("--input - --output -", false),
            ("--algorithm greedy", false),
        ] {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            assert_eq!(asks_for_monitor(&words), expected, "{line}");
        }
    }
}
