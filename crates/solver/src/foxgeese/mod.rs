//! `solve foxgeese`: a strategy of the geese that wins against everything the foxes do.
//!
//! [`search`] finds a strategy by the staged proof of [`crate::staged`]. [`improve`] then
//! shortens its longest line. [`lower_bound`] proves that no strategy can be shorter than a number of moves, and
//! [`recheck`] verifies such a proof.

mod deepen;
mod improve;
mod lower_bound;
mod recheck;
mod search;
mod shorten;

use crate::interrupt;
use crate::staged::Win;
use crate::staged::checkpoint;
use crate::staged::known::Known;
use crate::staged::stages::{Progress, Stages};
use crate::staged::wins::Wins;
use anyhow::{Context, Result};
use clap::Args;
use clock::cpu::process_time;
use engine::Protocol;
use foxgeese::Position;
use foxgeese::board::{Board, Cells};
use foxgeese::check::check;
use foxgeese::rules::{GEESE, LOST_GEESE, MOST_GEESE, MOST_MOVES};
use foxgeese::strategy::{self, Strategy};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Foxes and Geese: a strategy of the geese that wins from the start against everything the foxes do
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve foxgeese --out strategy.bin           find a strategy, and make its longest line shorter for ten minutes
  solve foxgeese --check strategy.bin         follow every line of it by the rules alone
  solve foxgeese --check embedded             the same for the strategy inside the agent
  solve foxgeese --print embedded             its moves, one position a line
  solve foxgeese --keep known.bin             search, or resume from the file; ^C writes the file
  solve foxgeese --without rst --keep known.bin --most 100 --out 17.bin
                                              the same without the three geese of the last row; wins serve all starts
  solve foxgeese --without rst --check 17.bin follow every line of that
  solve foxgeese --no-win-within 9            prove that the geese cannot win in 9 moves, and check it by the rules alone")]
pub(crate) struct Options {
    /// The file to write the strategy to
    #[arg(short, long, value_name = "FILE", default_value = "foxgeese.strategy")]
    out: PathBuf,

    /// Only check a strategy by the rules alone: this file, or `embedded` for the agent's own
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,

    /// Only print a strategy, this file or `embedded` for the agent's own: a line for each position, those furthest from
    /// the end first, with the most moves to the end, the geese's move, and the rows of the board, whose geese have the
    /// letters from a on in reading order. Mirror images are printed once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "check", "no_win_within", "from"])]
    print: Option<PathBuf>,

    /// Only prove that the geese cannot win within this many of their moves, and check the proof by the rules alone
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["out", "check", "from"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_MOVES)))]
    no_win_within: Option<u8>,

    /// The memory of that proof, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    mib: u32,

    /// Begin with this strategy, or the agent's own (`embedded`), once it is checked, instead of searching for one
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Total seconds of the search for shorter wins
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    seconds: u64,

    /// Stop the search for shorter wins once the longest line has at most this many moves
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    most: u8,

    /// The checkpoint file: read if it exists, written every two minutes, at ^C and at the end
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// CPU seconds after which the search for a strategy stops; by default it runs until it is done or interrupted
    #[arg(long, value_name = "SECONDS")]
    search_seconds: Option<u64>,

    /// The geese left out at the start, by their letters: a to g, h to n, o to q, r to t from the front row on
    #[arg(long, value_name = "LETTERS", value_parser = letters)]
    without: Option<LeftOut>,

    /// Geese at the start; the last ones in reading order are left out
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(9..=20))]
    #[arg(conflicts_with = "without")]
    geese: u32,
}

/// The cells of the geese that are left out at the start.
#[derive(Clone, Copy, Debug)]
struct LeftOut(Cells);

/// Parses the letters of geese that are left out: each of `a` to `t` at most once, and at least nine geese must stay.
fn letters(text: &str) -> Result<LeftOut, String> {
    let (start, mut cells) = (Position::initial(), Cells::EMPTY);
    for letter in text.chars() {
        let cell = start.cell_of(letter).filter(|&cell| start.board().geese.contains(cell));
        let cell = cell.ok_or_else(|| format!("there is no goose {letter:?}; the letters are a to t"))?;
        if cells.contains(cell) {
            return Err(format!("the goose {letter:?} is named twice"));
        }
        cells.insert(cell);
    }
    let most = MOST_GEESE - LOST_GEESE - 1;
    if cells.len() > most {
        return Err(format!("at most {most} geese can be left out: with {LOST_GEESE} the foxes have won"));
    }
    Ok(LeftOut(cells))
}

/// Returns the starting position that the options ask for.
fn start(options: &Options) -> Position {
    let start = Position::with_geese(options.geese);
    let board = start.board();
    let left_out = options.without.map_or(Cells::EMPTY, |letters| letters.0);
    Position::lettered(Board { geese: board.geese - left_out, ..board }, GEESE, 0)
}

/// Runs `solve foxgeese`. Exit code 1 if no strategy is found or a check fails.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let start = start(options);
    if let Some(file) = &options.check {
        return check_file(file, &start);
    }
    if let Some(file) = &options.print {
        return print_file(file);
    }
    if let Some(moves) = options.no_win_within {
        return bound_from_below(start.board(), moves, options.mib as usize);
    }
    interrupt::catch()?;
    let found = match &options.from {
        Some(file) => search::SearchResult { won: true, known: begin_with(file, options.keep.as_deref(), &start)? },
        None => search::find_strategy(start.board(), options.keep.as_deref(), options.search_seconds)?,
    };
    if !found.won {
        println!("not proven: {} won positions, {} boards given up", found.known.wins.len(), found.known.dead.len());
        return Ok(ExitCode::from(1));
    }
    shorten_and_write(options, found.known, start.board())
}

/// Returns the bytes of a strategy file, or those of the agent's own strategy if the name is `embedded`.
fn strategy_bytes(file: &Path) -> Result<Cow<'static, [u8]>> {
    if file == Path::new("embedded") {
        return Ok(Cow::Borrowed(Strategy::embedded_bytes()));
    }
    std::fs::read(file).map(Cow::Owned).with_context(|| file.display().to_string())
}

/// Returns the wins of a strategy, which is checked first, together with the contents of a search file if there is one.
fn begin_with(file: &Path, keep: Option<&Path>, start: &Position) -> Result<Known> {
    let bytes = &*strategy_bytes(file)?;
    let strategy = Strategy::new(bytes).with_context(|| file.display().to_string())?;
    check(strategy, start).with_context(|| file.display().to_string())?;
    let mut known = Known::read_if_exists(keep)?;
    for (packed, strategy::Win { moves, mv }) in strategy.entries() {
        let board = Board::unpack(packed).expect("packed by a board");
        known.wins.insert(board, Win { moves: moves.into(), mv });
    }
    Ok(known)
}

/// Shortens the longest line within the limits of the options, and writes the strategy. Exit code 1 if its longest line is
/// longer than the rules allow.
fn shorten_and_write(options: &Options, known: Known, start: Board) -> Result<ExitCode> {
    let began = Instant::now();
    let mut go_on = |_: &Known, _: &dyn Fn() -> Progress| true;
    let mut search = Stages::new(known, &search::efforts, &mut go_on);
    let moves = |wins: &Wins| wins.get(start).map_or(u16::MAX, |win| win.moves);
    eprintln!("{} won positions, longest line {}", search.known.wins.len(), moves(&search.known.wins));
    let over = |wins: &Wins| {
        let late = began.elapsed().as_secs() >= options.seconds;
        late || interrupt::requested() || moves(wins) <= u16::from(options.most)
    };
    improve::improve(&mut search, start, over, |round| {
        eprintln!("{:.0} s of CPU: {round}", process_time().as_secs_f64());
    });
    let positions = shorten::reachable(&mut search.known.wins, start);
    let (longest, seconds) = (moves(&search.known.wins), process_time().as_secs_f64());
    println!(
        "positions {} of {}, longest line {longest}, {seconds:.1} s of CPU",
        positions.len(),
        search.known.wins.len()
    );
    if let Some(path) = &options.keep {
        search.known.write(path)?;
    }
    if longest > u16::from(MOST_MOVES) {
        println!(
            "the rules allow {MOST_MOVES} moves: no strategy is written; give it more --seconds to find shorter lines"
        );
        return Ok(ExitCode::from(1));
    }
    checkpoint::replace(&options.out, &strategy::write(&written(&positions)))?;
    Ok(ExitCode::SUCCESS)
}

/// Proves for each number of moves from 1 to `most` that the geese cannot win within it, and checks the last proof. Exit
/// code 1 if they can, or if the check fails.
fn bound_from_below(start: Board, most: u8, mib: usize) -> Result<ExitCode> {
    let mut search = lower_bound::LowerBoundSearch::new(mib);
    for moves in 1..=most {
        let holds = search.holds(start, moves).with_context(|| format!("{moves} moves"))?;
        let (nodes, boards, seconds) = (search.nodes, search.table.len(), process_time().as_secs_f64());
        let word = if holds { "no win" } else { "a win" };
        println!("within {moves} moves of the geese: {word} ({nodes} nodes, {boards} boards, {seconds:.1} s of CPU)");
        if !holds {
            return Ok(ExitCode::from(1));
        }
    }
    let mut check = recheck::LowerBoundCheck::new(&search.table);
    let holds = check.holds(start, most);
    let recheck::CheckFigures { boards, answered } = check.figures();
    let seconds = process_time().as_secs_f64();
    let word = if holds { "right" } else { "WRONG" };
    println!(
        "checked by the rules alone: {word} ({boards} boards, {answered} moves of the geese answered, {seconds:.1} s of CPU in all)"
    );
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Checks a strategy by the rules alone and prints its figures. Exit code 1 if the check fails.
fn check_file(file: &Path, start: &Position) -> Result<ExitCode> {
    let bytes = &*strategy_bytes(file)?;
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

/// Prints the positions of a strategy with their moves. A reader that closes the pipe ends it.
fn print_file(file: &Path) -> Result<ExitCode> {
    let bytes = &*strategy_bytes(file)?;
    let strategy = Strategy::new(bytes).with_context(|| file.display().to_string())?;
    let mut entries: Vec<_> = strategy.entries().collect();
    entries.sort_by_key(|&(_, win)| Reverse(win.moves));
    let mut out = BufWriter::new(stdout().lock());
    let written = entries.into_iter().try_for_each(|(packed, win)| {
        let position = Board::unpack(packed).map(|board| Position::lettered(board, GEESE, 0));
        let position = position.ok_or_else(|| io::Error::other(format!("{}: no board", file.display())))?;
        let rows = position.plain_picture().replace([' ', '\r'], "").trim_end().replace('\n', "/");
        writeln!(out, "{} {} {rows}", win.moves, position.describe_move(win.mv))
    });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Converts positions and their wins to the entries of a strategy file.
fn written(positions: &[(u64, Win)]) -> Vec<(u64, strategy::Win)> {
    let moves = |win: Win| u8::try_from(win.moves).expect("no line of a strategy is longer than the rules allow");
    positions.iter().map(|&(packed, win)| (packed, strategy::Win { moves: moves(win), mv: win.mv })).collect()
}
