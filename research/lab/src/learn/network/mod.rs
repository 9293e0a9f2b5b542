//! `lab learn-network`: fits the network that adds to the worths of Halma's tables
//! (`crates/halma/src/network.rs`). Each round plays games with the network of the round before,
//! the first one with the tables alone, and fits a network to the games of all rounds.
//!
//! The directory holds `games-N.txt`, the games of round N; `network-N.bin`, its network; and
//! `log.txt`.

mod fit;
mod games;

use crate::learn::game_file::{self, digest};
use crate::learn::games::GameConditions;
use crate::learn::learning::{Directory, in_order, write_whole};
use crate::learn::progress::Progress;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use engine::{RuleSet, checksum, split_mix};
use fit::{SeenGame, fit};
use games::{ScoredGame, play};
use halma::Rules;
use halma::network::{Network, WEIGHTS};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terminal::interrupt;

/// Explanations and an example for the help text.
pub(crate) const EXAMPLE: &str = "\
Each round plays games with the network of the round before, the first one with the tables alone, and fits a network to the
games of all rounds. One game in sixteen is held out: the log says how much of its targets is explained. The directory keeps all
games and every network. ^C ends the run after the current games; finished games are kept, and the same command continues. The
number of jobs does not change the result.

Example, and then the agent's network, whose checksum, the last in the log, belongs into crates/halma/src/network.rs:
  lab learn-network --directory scratch/learn/network --jobs 2
  cp scratch/learn/network/network-004.bin crates/halma/data/network.bin";

/// Options of `lab learn-network`.
#[derive(Args)]
pub(crate) struct Options {
    /// The directory of games, networks and log; an earlier run in it is continued
    #[arg(long, value_name = "DIRECTORY")]
    directory: PathBuf,

    /// Total number of rounds, those of earlier runs included
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=999))]
    rounds: u32,

    /// Number of games from the start in each round
    #[arg(long, value_name = "COUNT", default_value_t = 15_000)]
    games: usize,

    /// Number of games from random late positions in each round
    #[arg(long, value_name = "COUNT", default_value_t = 8_000)]
    late_games: usize,

    /// Nodes for each move
    #[arg(long, value_name = "COUNT", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How many times a fit sees each position
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    epochs: usize,

    /// Number of games at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,

    /// The seed of all games and fits
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// The conditions of the games, but for the nodes.
const CONDITIONS: GameConditions =
    GameConditions { nodes: 600, opening: (2, 12), random_every: 30, longest: 320 };

/// Runs `lab learn-network`, and prints the path of the last network.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    interrupt::catch()?;
    let progress = Progress::default();
    let whole = learn(options, &progress)?;
    let file = whole.then(|| network_name(options.rounds));
    Ok(super::end(&progress, &options.directory, file))
}

/// Returns the name of a round's network.
fn network_name(round: u32) -> String {
    format!("network-{round:03}.bin")
}

/// Runs the rounds that the directory lacks. Returns `false` if interrupted.
fn learn(options: &Options, progress: &Progress) -> Result<bool> {
    let directory = Directory(options.directory.clone());
    fs::create_dir_all(&directory.0).with_context(|| directory.0.display().to_string())?;
    let mut network = None;
    for round in 1..=options.rounds {
        let path = directory.0.join(network_name(round));
        if !path.exists() {
            if !play_games(options, &directory, progress, network, round)? {
                return Ok(false);
            }
            let Some(bytes) = fit_network(options, &directory, progress, round)? else {
                return Ok(false);
            };
            write_whole(&path, bytes)?;
        }
        network = Some(read_network(&path)?);
    }
    Ok(true)
}

/// Reads the file of a network.
fn read_network(path: &Path) -> Result<Network> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
    let weights: Box<[u8; WEIGHTS]> = bytes
        .into_boxed_slice()
        .try_into()
        .map_err(|_| anyhow!("{name}: expected {WEIGHTS} bytes"))?;
    Ok(Network::new(Box::leak(weights)))
}

/// Plays the games that a round's file still lacks: those from the start, then the late ones.
/// Returns `false` if interrupted.
fn play_games(
    options: &Options,
    directory: &Directory,
    progress: &Progress,
    network: Option<Network>,
    round: u32,
) -> Result<bool> {
    let path = directory.games(round);
    let done = if path.exists() {
        let (games, text) = game_file::read(&path, ScoredGame::parse)?;
        write_whole(&path, text)?;
        games.len()
    } else {
        0
    };
    let conditions = GameConditions { nodes: options.nodes, ..CONDITIONS };
    in_order(
        done,
        options.games + options.late_games,
        options.jobs as usize,
        progress,
        &format!("round {round}: games"),
        &OpenOptions::new().create(true).append(true).open(&path)?,
        |game| {
            let seed = split_mix(options.seed ^ u64::from(round) << 40 ^ game as u64);
            // Three games in four from the start use the last rule set, the strictest.
            let rules = if game % 4 == 0 { 0 } else { Rules::ALL.len() - 1 };
            let rules = (game < options.games).then_some(rules);
            Some(play(network, rules, conditions, seed).line())
        },
    )
}

/// Fits a network to the games of all rounds up to this one, and returns its bytes; `None` if
/// interrupted.
fn fit_network(
    options: &Options,
    directory: &Directory,
    progress: &Progress,
    round: u32,
) -> Result<Option<Vec<u8>>> {
    let mut seen = Vec::new();
    for number in 1..=round {
        progress.show(&format!("round {round}: reads games"), "", number as usize, round as usize);
        let path = directory.games(number);
        let (games, text) = game_file::read(&path, ScoredGame::parse)?;
        for game in &games {
            let game = SeenGame::new(game).with_context(|| path.display().to_string())?;
            seen.extend(game);
        }
        if number == round {
            let count = games.len();
            let ended = games.iter().filter(|game| game.margin.is_some()).count();
            let (nodes, seed, digest) = (options.nodes, options.seed, digest(&text));
            directory.log(
                progress,
                &format!(
                    "round {round}: {count} games, {ended} with an end, {nodes} nodes a move, seed {seed}, digest {digest}"
                ),
            )?;
        }
    }
    let step = format!("round {round}: fits, batches");
    let weights = fit(
        &seen,
        options.epochs,
        options.seed ^ u64::from(round) << 40,
        |done, of| progress.show(&step, "", done, of),
        |line| directory.log(progress, &format!("round {round}: {line}")),
    )?;
    let Some(weights) = weights else { return Ok(None) };
    let bytes = weights.rounded();
    directory
        .log(progress, &format!("round {round}: network, checksum {:016x}", checksum(&bytes)))?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_cut_goes_on_as_if_it_had_not_been_and_an_ended_one_changes_nothing() {
        let place = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read(place.path().join(name)).unwrap();
        let learned = |name: &str, rounds, jobs| {
            let directory = place.path().join(name);
            let (games, late_games, nodes, epochs, seed) = (12, 8, 30, 2, 5);
            let options =
                Options { directory, rounds, games, late_games, nodes, epochs, jobs, seed };
            assert!(learn(&options, &Progress::default()).unwrap());
        };
        learned("whole", 2, 1);
        learned("cut", 1, 2);
        assert_eq!(read("cut/network-001.bin"), read("whole/network-001.bin"));
        // Some games of the second round, and a part of one, had been written.
        let games = read("whole/games-002.txt");
        fs::write(place.path().join("cut/games-002.txt"), &games[..games.len() / 2]).unwrap();
        learned("cut", 2, 2);
        let log = read("cut/log.txt");
        learned("cut", 2, 2);
        assert_eq!(read("cut/log.txt"), log);
        for name in ["games-001.txt", "games-002.txt", "network-001.bin", "network-002.bin"] {
            assert!(read(&format!("cut/{name}")) == read(&format!("whole/{name}")), "{name}");
        }
        assert_ne!(read("whole/network-001.bin"), read("whole/network-002.bin"));
        assert_eq!(read("whole/network-002.bin").len(), WEIGHTS);
        fs::write(place.path().join("cut/network-001.bin"), "short").unwrap();
        assert!(read_network(&place.path().join("cut/network-001.bin")).is_err());
    }
}
