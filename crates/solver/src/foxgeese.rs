//! `solve foxgeese`: checks or prints a strategy of the geese that wins against everything the
//! foxes do.

use anyhow::{Context, Result};
use clap::Args;
use engine::Protocol;
use foxgeese::Position;
use foxgeese::board::Board;
use foxgeese::check::{Proof, check};
use foxgeese::rules::GEESE;
use foxgeese::strategy::Strategy;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Foxes and Geese: checks or prints a strategy of the geese that wins from the start against
/// everything the foxes do
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
#[command(after_help = "\
Examples:
  solve foxgeese --check embedded             follow every line of the agent's own strategy by the rules alone
  solve foxgeese --print embedded             its moves, one position a line")]
pub(crate) struct Options {
    /// Check a strategy by the rules alone: this file, or `embedded` for the agent's own
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,

    /// Print a strategy, this file or `embedded` for the agent's own: a line for each position,
    /// those furthest from the end first, with the most moves to the end, the geese's move, and the
    /// rows of the board, whose geese have the letters from a on in reading order. Mirror images
    /// are printed once
    #[arg(long, value_name = "FILE")]
    print: Option<PathBuf>,
}

/// Runs `solve foxgeese`. Exit code 1 if a check fails.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(file) = &options.check {
        return check_file(file);
    }
    options.print.as_deref().map_or(Ok(ExitCode::SUCCESS), print_file)
}

fn strategy_bytes(file: &Path) -> Result<Cow<'static, [u8]>> {
    if file == Path::new("embedded") {
        return Ok(Cow::Borrowed(Strategy::embedded_bytes()));
    }
    std::fs::read(file).map(Cow::Owned).with_context(|| file.display().to_string())
}

fn check_file(file: &Path) -> Result<ExitCode> {
    let bytes = &*strategy_bytes(file)?;
    let began = Instant::now();
    let checked = Strategy::new(bytes).map_err(str::to_string);
    let checked = checked.and_then(|strategy| check(strategy, &Position::initial()));
    let proof = match checked {
        Ok(proof) => proof,
        Err(reason) => {
            println!("{}: {reason}", file.display());
            return Ok(ExitCode::from(1));
        }
    };
    let Proof { positions, replies, longest, fewest_geese, blocked, filled } = proof;
    println!("Foxes and Geese: the geese win, whatever the foxes do.");
    println!("positions (geese to move)  {positions}");
    println!("foxes' replies answered    {replies}");
    println!("longest line               {longest} moves of the geese");
    println!("geese left, at least       {fewest_geese}");
    println!("lines end with             foxes blocked {blocked}, square filled {filled}");
    println!("bytes                      {}", bytes.len());
    println!("checked in                 {:.2} s", began.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// Prints the positions of a strategy with their moves. A reader that closes the pipe ends it.
fn print_file(file: &Path) -> Result<ExitCode> {
    let bytes = &*strategy_bytes(file)?;
    let strategy = Strategy::new(bytes).map_err(anyhow::Error::msg);
    let strategy = strategy.with_context(|| file.display().to_string())?;
    let mut entries: Vec<_> = strategy.entries().collect();
    entries.sort_by_key(|&(_, win)| Reverse(win.moves));
    let mut out = BufWriter::new(stdout().lock());
    let written = entries.into_iter().try_for_each(|(packed, win)| {
        let position = Board::unpack(packed).map(|board| Position::lettered(board, GEESE, 0));
        let position =
            position.ok_or_else(|| io::Error::other(format!("{}: no board", file.display())))?;
        let rows = position.plain_picture().replace([' ', '\r'], "").trim_end().replace('\n', "/");
        writeln!(out, "{} {} {rows}", win.moves, position.describe_move(win.mv))
    });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}
