//! `lab only-moves`: finds positions with an *only move*, a move without which the game is lost, for the puzzles of the page
//! (`crates/web/puzzles`). It draws random positions near the end of a game, proves by search that one move wins and that every
//! other move loses, and keeps positions that are unlike each other.
//!
//! - `sources.rs`: where each game's positions come from, and how deep a proof may be;
//! - `proof.rs`: what is proven of a position;
//! - `line.rs`: a puzzle, the moves of its line with the answers to all other moves;
//! - `choice.rs`: which of the puzzles found are kept.

mod choice;
mod line;
mod proof;
mod sources;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use engine::RuleSet;
use engine::split_mix;
use line::{Puzzle, puzzle};
use proof::Prover;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;
use serde_json::{Value, json};
use sources::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example: the file of the page, in some minutes on two cores
  lab only-moves wolves crates/web/puzzles";

/// Options of `lab only-moves`.
#[derive(Args)]
pub(crate) struct Options {
    /// The game
    game: String,

    /// The directory in which the file GAME.json is written
    directory: PathBuf,

    /// The number of puzzles
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=1000))]
    count: u64,

    /// The number of random positions to look at; enough for 30 puzzles without the option
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    tries: Option<u64>,

    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `lab only-moves`.
pub(crate) fn run(options: &Options) -> Result<()> {
    match options.game.as_str() {
        "halma" => write::<halma::Position>(options),
        "wolves" => write::<wolves::Position>(options),
        "squirrels" => write::<squirrels::Position>(options),
        "foxgame" => write::<foxgame::Position>(options),
        "foxgeese" => write::<foxgeese::Position>(options),
        other => bail!("{other}: expected halma, wolves, squirrels, foxgame or foxgeese"),
    }
}

/// Finds the puzzles of a game, prints what was found, and writes the file.
fn write<G: Source>(options: &Options) -> Result<()> {
    let tries = options.tries.unwrap_or(G::TRIES);
    println!("{}: {tries} positions, seed {}", G::NAME, options.seed);
    let found: Vec<Puzzle<G>> =
        (0..tries).into_par_iter().filter_map(|number| from_random::<G>(options.seed, number)).collect();
    println!("{} of them are puzzles", found.len());
    let kept = choice::choose(found, options.count as usize);
    ensure!(
        kept.len() as u64 == options.count,
        "--tries {tries}: {} puzzles of {}; try more positions",
        kept.len(),
        options.count
    );
    for (number, puzzle) in (1..).zip(&kept) {
        let (side, steps, nodes) = (G::side_word(puzzle.side()), puzzle.steps.len(), puzzle.nodes);
        println!("{number}: {side}, {steps} only moves in a row, found and kept after {nodes} nodes");
    }
    let text = serde_json::to_string(&file(&kept, options.seed))?;
    // A line a puzzle, so that changes of the file can be read.
    save(&options.directory.join(format!("{}.json", G::NAME)), &(text.replace(",{\"input\"", ",\n{\"input\"") + "\n"))
}

/// The puzzle of a random position, if it is one.
fn from_random<G: Source>(seed: u64, number: u64) -> Option<Puzzle<G>> {
    let position = G::random(&mut StdRng::seed_from_u64(split_mix(seed) ^ number))?;
    if position.outcome().is_some() || position.legal_moves().len() < G::FEWEST {
        return None;
    }
    puzzle(&position, &mut Prover::new())
}

/// The file of a game as JSON; `docs/browser.md` describes it.
fn file<G: Source>(puzzles: &[Puzzle<G>], seed: u64) -> Value {
    json!({
        "game": G::NAME,
        "rules": G::Rules::AGENT.name(),
        "seed": seed,
        "unit": G::UNIT,
        "puzzles": puzzles.iter().map(Puzzle::json).collect::<Vec<_>>(),
    })
}

/// Writes a file to a temporary name and renames it.
fn save(path: &Path, text: &str) -> Result<()> {
    let made = path.with_extension("json.tmp");
    fs::write(&made, text).with_context(|| made.display().to_string())?;
    fs::rename(&made, path).with_context(|| path.display().to_string())?;
    println!("{}: {} bytes", path.display(), text.len());
    Ok(())
}
