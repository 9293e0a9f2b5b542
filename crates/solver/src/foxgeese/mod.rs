//! `solve foxgeese`: a strategy of the geese that wins against everything the foxes do.
//!
//! The proof goes by stages. A board is closed if no goose could be jumped from anywhere in the region that the foxes
//! can reach; between closed boards with less and less room for the foxes a proof-number search finds the way
//! (`stage`), and `stages` puts the ways together. `shorten` then makes the wins shorter.

mod deepen;
mod file;
mod improve;
mod known;
mod lower;
mod proof;
mod recheck;
mod shorten;
mod stage;
mod stages;
mod won;

use anyhow::{Context, Result};
use clap::Args;
use foxgeese::Position;
use foxgeese::board::{Board, Cells};
use foxgeese::check::check;
use foxgeese::rules::{GEESE, MOST_MOVES};
use foxgeese::strategy::{self, Strategy};
use known::Known;
use stages::Stages;
use won::Win;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use system::cpu::process_time;

/// Foxes and Geese: a strategy of the geese that wins from the start against everything the foxes do
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve foxgeese --out strategy.bin           find a strategy, and make its longest line shorter for ten minutes
  solve foxgeese --check strategy.bin         follow every line of it by the rules alone
  solve foxgeese --check embedded             the same for the strategy inside the agent
  solve foxgeese --no-win-within 9            prove that the geese cannot win in 9 moves, and check it by the rules alone")]
pub(crate) struct Options {
    /// The file to write the strategy to
    #[arg(short, long, value_name = "FILE", default_value = "foxgeese.strategy")]
    out: PathBuf,

    /// Only check a strategy by the rules alone: this file, or `embedded` for the agent's own
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,

    /// Only prove that the geese cannot win within this number of their moves, and check that by the rules alone
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["out", "check", "from"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_MOVES)))]
    no_win_within: Option<u8>,

    /// The memory of such a proof, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    mib: u32,

    /// Begin with this strategy, once it is checked, instead of searching for one
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Seconds to look for shorter wins, in all
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    seconds: u64,

    /// The file of all that the search knows: read if it is there, written every two minutes, at ^C and at the end
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// CPU seconds after which the search for a strategy stops; by default it goes on until it is done or told to stop
    #[arg(long, value_name = "SECONDS")]
    search_seconds: Option<u64>,

    /// The geese left out at the start, by their letters
    #[arg(long, value_name = "LETTERS", default_value = "")]
    without: String,

    /// Geese at the start; the last ones in reading order are left out
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(9..=20))]
    geese: u32,
}

/// Finds a strategy or checks one, as the options ask; exit code 1 if there is none or it does not hold.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let start = Position::with_geese(options.geese);
    let left_out: Cells = options.without.chars().filter_map(|letter| start.cell_of(letter)).collect();
    let board = start.board();
    let start = Position::lettered(Board { geese: board.geese - left_out, ..board }, GEESE, 0);
    if let Some(file) = &options.check {
        return check_file(file, &start);
    }
    if let Some(moves) = options.no_win_within {
        return bound_from_below(start.board(), moves, options.mib as usize);
    }
    let began = Instant::now();
    let found = if let Some(file) = &options.from {
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        let strategy = Strategy::new(&bytes).with_context(|| file.display().to_string())?;
        check(strategy, &start).with_context(|| file.display().to_string())?;
        let mut known = Known::default();
        known.wins.extend(strategy.entries());
        proof::Found { won: true, known }
    } else {
        proof::search(start.board(), options.keep.as_deref(), options.search_seconds)?
    };
    if !found.won {
        eprintln!("no strategy found: {} won positions", found.known.wins.len());
        return Ok(ExitCode::from(1));
    }
    let mut go_on = |_: &Known, _: &dyn Fn() -> stages::Progress| true;
    let mut search = Stages::new(found.known, &proof::efforts, &mut go_on);
    let start = start.board();
    eprintln!(
        "{:.1} s found {} positions, {:?}",
        began.elapsed().as_secs_f64(),
        search.known.wins.len(),
        search.known.wins.get(start)
    );
    let over = || began.elapsed().as_secs() >= options.seconds;
    improve::improve(&mut search, start, over, |round| {
        eprintln!("{:.0} s: {round}", began.elapsed().as_secs_f64());
    });
    let positions = shorten::reachable(&search.known.wins, start);
    eprintln!(
        "{:.1} s {:?} positions {} of {}",
        began.elapsed().as_secs_f64(),
        search.known.wins.get(start),
        positions.len(),
        search.known.wins.len()
    );
    if let Some(path) = &options.keep {
        file::write(path, &search.known)?;
    }
    std::fs::write(&options.out, strategy::write(&written(&positions)?)).with_context(|| options.out.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Proves for one number of moves after the other that the geese cannot win within it, up to `most`, and checks the last
/// proof. Exit code 1 if they can, or if the check fails.
fn bound_from_below(start: Board, most: u8, mib: usize) -> Result<ExitCode> {
    let mut search = lower::Search::new(mib);
    for moves in 1..=most {
        let holds = search.holds(start, moves).with_context(|| format!("{moves} moves"))?;
        let (nodes, boards, seconds) = (search.nodes, search.table.len(), process_time().as_secs_f64());
        let word = if holds { "no win" } else { "a win" };
        println!("within {moves} moves of the geese: {word} ({nodes} nodes, {boards} boards, {seconds:.1} s of CPU)");
        if !holds {
            return Ok(ExitCode::from(1));
        }
    }
    let mut check = recheck::Check::new(&search.table);
    let holds = check.holds(start, most);
    let recheck::Checked { boards, answered } = check.figures();
    let seconds = process_time().as_secs_f64();
    let word = if holds { "right" } else { "WRONG" };
    println!(
        "checked by the rules alone: {word} ({boards} boards, {answered} moves of the geese answered, {seconds:.1} s of CPU in all)"
    );
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Checks a strategy and prints its figures. Exit code 1 if it does not hold.
fn check_file(file: &Path, start: &Position) -> Result<ExitCode> {
    let read;
    let bytes = if file == Path::new("embedded") {
        Strategy::embedded_bytes()
    } else {
        read = std::fs::read(file).with_context(|| file.display().to_string())?;
        &read
    };
    let began = Instant::now();
    let checked = Strategy::new(bytes).map_err(|damage| damage.to_string());
    match checked.and_then(|strategy| check(strategy, start).map_err(|flaw| flaw.to_string())) {
        Ok(proof) => {
            println!("Foxes and Geese: the geese win, whatever the foxes do.");
            println!("positions (geese to move)  {}", proof.positions);
            println!("foxes' replies answered    {}", proof.replies);
            println!("longest line               {} moves of the geese", proof.longest);
            println!("geese left, at least       {}", proof.fewest_geese);
            println!("lines end with             foxes blocked {}, square filled {}", proof.blocked, proof.filled);
            println!("bytes                      {}", bytes.len());
            println!("checked in                 {:.2} s", began.elapsed().as_secs_f64());
            Ok(ExitCode::SUCCESS)
        }
        Err(reason) => {
            println!("{}: {reason}", file.display());
            Ok(ExitCode::from(1))
        }
    }
}

/// Positions as a strategy's file has them.
fn written(positions: &[(u64, Win)]) -> Result<Vec<(u64, strategy::Win)>> {
    let convert = |&(packed, win): &(u64, Win)| Ok((packed, strategy::Win { moves: win.moves.try_into()?, mv: win.mv }));
    let positions: Result<_, std::num::TryFromIntError> = positions.iter().map(convert).collect();
    positions.context("the longest line is too long for a file; give it more --seconds to become shorter")
}
