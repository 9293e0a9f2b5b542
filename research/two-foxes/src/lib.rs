//! FoxGame with both foxes, exactly: retrograde analysis by the number of sheep and the sum of
//! their rows, all sets of foxes of a flock at once.
//!
//! Sheep never step back, so that flocks fall into layers by their number and the sum of their
//! rows: a step ahead leads to the next layer, a capture to layers of one sheep less. What can be
//! taken back stays within a class, the flocks with the same number of sheep in each row
//! ([`class`]). A flock's value is one word with a bit for each set of foxes ([`bits`]); FOX's turn
//! is worked out for all of them at once ([`terrain`], [`square`]). [`all_layers`] goes through the
//! layers and writes their files ([`store`]). [`wins`] plays by these files.

// Code for the processor's instructions is inlined as a whole, and closures of iterators are not:
// loops go over indices.
#![allow(clippy::needless_range_loop, clippy::manual_memcpy)]

mod all_layers;
mod bits;
mod census;
mod check;
mod class;
mod extent;
mod fox_sets;
mod layer_files;
mod one_way;
mod pairs;
mod parts;
mod sideways;
mod square;
mod store;
mod terrain;
mod walk;
pub mod wins;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use engine::{Game, OneRuleSet, Protocol};
use extent::{Extent, Limits};
use foxgame::board::Board;
use foxgame::rules::{FOX, LEAST_SHEEP, MOST_SHEEP, Position};
use layer_files::Question;
use parts::Part;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::Store;
use terminal::interrupt;

/// FoxGame with both foxes: who wins every position of a number of sheep, layer by layer
#[derive(Parser, Clone, Debug)]
#[command(
    name = "two-foxes",
    version,
    after_help = "\
Examples:
  two-foxes --floor 9 --census                             placements, bytes, hours; solves nothing
  two-foxes --floor 20 --out layers                        does SHEEP win without losing a sheep?
  two-foxes --floor 17 --out layers --keep                 with 17 to 20 sheep, all files kept
  two-foxes --floor 20 --out layers --check-layers 1000000 checks positions of the files by the rules alone
  two-foxes --floor 9 --sheep 10 --layers 5 --out small    only the most advanced sheep, in a few seconds
A layer whose file exists is not computed again, so an interrupted run can be resumed. At the end the values
are counted.
Exit code: 0 success; 1 a check failed; 2 a bad file or command line."
)]
struct Options {
    /// The least number of sheep; fewer count as a win of FOX, which is exact with 9
    #[arg(long, value_name = "SHEEP", value_parser = clap::value_parser!(u32).range(i64::from(LEAST_SHEEP)..=31))]
    floor: u32,

    /// The most sheep; layers with fewer sheep are solved first. By default 20, or the floor if
    /// that is more
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(i64::from(LEAST_SHEEP)..=31))]
    sheep: Option<u32>,

    /// Solve only this many layers, those with the most advanced sheep, and the layers that
    /// captures lead to
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    layers: Option<u32>,

    /// The directory of the layers' files
    #[arg(short, long, value_name = "DIR", default_value = "layers")]
    out: PathBuf,

    /// Ask only whether SHEEP wins, not whether FOX does or neither side: in less than half the
    /// time
    #[arg(long)]
    won_only: bool,

    /// Let SHEEP step sideways in one direction, inwards or outwards, until it steps ahead or loses
    /// a sheep, and then choose anew: what it wins so, it wins under the deadlock rule too, as no
    /// board that SHEEP makes was there before
    #[arg(long, requires = "won_only")]
    one_way: bool,

    /// Only print how many placements there are, and about how many bytes and hours they take
    #[arg(long)]
    census: bool,

    /// Check this many random positions of the layers by the rules that agents play by, FOX's move
    /// and SHEEP's reply
    #[arg(long, value_name = "COUNT")]
    check_layers: Option<u64>,

    /// Walk SHEEP's win from the start by the rules that agents play by: every move of FOX, a reply
    /// to each. Up to this many positions
    #[arg(long, value_name = "POSITIONS")]
    walk: Option<usize>,

    /// The seed of the random positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Where the walk begins: the text of an `input.txt` with FOX to move; by default at the start
    #[arg(long, value_name = "FILE", requires = "walk")]
    from: Option<PathBuf>,

    /// Threads; by default as many as there are processors
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    threads: usize,

    /// The largest memory in GiB
    #[arg(long, value_name = "GIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    memory_gib: u32,

    /// The largest size of the files in GB
    #[arg(long, value_name = "GB", default_value_t = 60)]
    disk_gb: u32,

    /// Keep the values of all layers with FOX to move, for --check-layers, not only the files that
    /// the next ones need
    #[arg(long)]
    keep: bool,

    /// Solve only part I of N of every layer, and wait for the other parts: N processes with one
    /// directory, on one machine or on many with a common file system, make the files of one
    #[arg(long, value_name = "I/N", conflicts_with_all = ["census", "check_layers", "walk"])]
    part: Option<Part>,

    /// Do without the processor's instructions for gathering bits
    #[arg(long, hide = true)]
    portable: bool,
}

/// Runs the program `two-foxes` by its command line and returns the exit code.
pub fn run() -> ExitCode {
    obey(&Options::parse()).unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(2)
    })
}

/// Reads a board with FOX to move from the text of an `input.txt`.
fn read_board(file: &Path) -> Result<Board> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("{name}: cannot be read"))?;
    let position =
        Position::read_task(&text, OneRuleSet).with_context(|| name.to_string())?.position;
    ensure!(
        position.side_to_move() == FOX && position.outcome().is_none(),
        "{name}: expected FOX to move in a game that goes on"
    );
    Ok(position.board())
}

/// Solves layers with both foxes, up to a number of sheep (20 if not given), or only prints their
/// census, or checks them. Exit code 1 if a check finds a wrong value.
///
/// # Errors
/// The options contradict each other, or what [`all_layers::solve`] returns.
fn obey(options: &Options) -> Result<ExitCode> {
    let floor = options.floor;
    let most_advanced = options.layers;
    let most = options.sheep.unwrap_or(floor.max(MOST_SHEEP));
    ensure!(
        (floor..=31).contains(&most),
        "--sheep {most}: expected a number from the floor, {floor}, to 31"
    );
    let extent = Extent { floor, most, most_advanced };
    let threads = if options.threads == 0 {
        std::thread::available_parallelism()?.get()
    } else {
        options.threads
    };
    let sets = if options.won_only { 1 } else { 2 };
    let memory = usize::try_from(options.memory_gib)? << 30;
    let census = census::Census::new(extent, sets, threads);
    if options.census {
        print!("{census}");
        return Ok(ExitCode::SUCCESS);
    }
    let working = census.working_memory();
    ensure!(
        working < memory,
        "{threads} threads take {:.1} GiB besides what is kept in memory: fewer --threads or more --memory-gib",
        working as f64 / f64::from(1 << 30)
    );
    interrupt::catch()?;
    let question = Question { floor, sets, one_way: options.one_way };
    let store = Store::new(&options.out, question, memory - working)?;
    if let Some(positions) = options.check_layers {
        let wrong = check::check(&store, extent, positions, options.seed)?;
        return Ok(ExitCode::from(u8::from(wrong > 0)));
    }
    if let Some(most) = options.walk {
        let board = options.from.as_deref().map_or(Ok(Board::START), read_board)?;
        walk::walk(&store, board, most)?;
        return Ok(ExitCode::SUCCESS);
    }
    let limits = Limits {
        threads,
        disk: u64::from(options.disk_gb) * 1_000_000_000,
        keep: options.keep,
        portable: options.portable,
        part: options.part,
    };
    all_layers::solve(&store, extent, limits)?;
    if most == MOST_SHEEP && most_advanced.is_none() {
        let answer = match check::fox_to_move(&store, Board::START)? {
            check::Value::Won => "SHEEP wins",
            check::Value::Neither => "neither side wins",
            check::Value::Lost if options.won_only => "SHEEP does not win",
            check::Value::Lost => "FOX wins",
        };
        let how = if options.one_way {
            ", with sideways steps in one direction, under the deadlock rule too"
        } else {
            ""
        };
        println!(
            "the start, FOX to move, with fewer than {floor} sheep counted as FOX's win: {answer} by force{how}"
        );
    }
    Ok(ExitCode::SUCCESS)
}
