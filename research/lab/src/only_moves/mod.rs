//! `lab only-moves`: finds positions with an *only move*, a move without which the game is lost,
//! for the puzzles of the page (`crates/web/puzzles`). It has agents play games, with mistakes,
//! proves by search of the last positions of each that one move wins and that every other move
//! loses, and keeps positions that are unlike each other.
//!
//! - `games.rs`: the games whose positions are looked at;
//! - `sources.rs`: what differs between the games, such as how deep a proof may be;
//! - `proof.rs`: what is proven of a position;
//! - `line.rs`: a puzzle, the moves of its line with the answers to all other moves;
//! - `themes.rs`: what a puzzle is about;
//! - `choice.rs`: which of the puzzles found are kept.

mod choice;
mod games;
mod line;
mod proof;
mod sources;
mod themes;

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

    /// The number of games to play; enough for 30 puzzles without the option
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// The seed of the games
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
    let games = options.games.unwrap_or(G::GAMES);
    println!("{}: {games} games, seed {}", G::NAME, options.seed);
    let found: Vec<Puzzle<G>> = (0..games)
        .into_par_iter()
        .flat_map_iter(|number| of_game::<G>(options.seed, number))
        .collect();
    println!("{} of their positions are puzzles", found.len());
    let kept = choice::choose(found, options.count as usize);
    ensure!(
        kept.len() as u64 == options.count,
        "--games {games}: {} puzzles of {}; play more games",
        kept.len(),
        options.count
    );
    for (number, puzzle) in (1..).zip(&kept) {
        let (side, steps, nodes) = (G::side_word(puzzle.side()), puzzle.steps.len(), puzzle.nodes);
        let themes = puzzle.themes.join(", ");
        println!(
            "{number}: {side}, {steps} only moves in a row, found and kept after {nodes} nodes; {themes}"
        );
    }
    let text = serde_json::to_string(&file(&kept, options.seed))?;
    // A line a puzzle, so that changes of the file can be read.
    save(
        &options.directory.join(format!("{}.json", G::NAME)),
        &(text.replace(",{\"input\"", ",\n{\"input\"") + "\n"),
    )
}

/// The puzzles among the last positions of a game. The positions within the line of a puzzle are
/// none of their own.
fn of_game<G: Source>(seed: u64, number: u64) -> Vec<Puzzle<G>> {
    let random = &mut StdRng::seed_from_u64(split_mix(seed) ^ number);
    let positions = games::positions::<G>(random).unwrap_or_default();
    let (mut prover, mut found) = (Prover::new(), Vec::new());
    let mut at = positions.len().saturating_sub(G::LAST);
    while let Some(position) = positions.get(at) {
        let puzzle = if position.is_wanted() { puzzle(position, &mut prover) } else { None };
        at += puzzle.as_ref().map_or(1, |puzzle: &Puzzle<G>| 2 * puzzle.steps.len());
        found.extend(puzzle);
    }
    found
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
