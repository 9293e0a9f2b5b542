//! `solve squirrels`: the value and a best line of any position, up to the empty board.

use ::squirrels::board::{ALL, SQUARES, Squares, Values};
use ::squirrels::full_solve::{FullSolution, ProgressUpdate, solve};
use ::squirrels::rules::X;
use ::squirrels::{Move, Position};
use anyhow::{Context, Result, bail};
use clap::Args;
use clock::cpu::process_time;
use engine::{Game, OneRuleSet, Protocol};
use files::read_input;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// The seconds between two lines of progress.
const LINE_SECONDS: u64 = 10;

/// Squirrels: the final difference with best play, and a line that reaches it, of any position up
/// to the empty board
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve squirrels inputs/squirrels/competition-single-8-left.txt
  solve squirrels --random 7     an empty board with random values of seed 7
The input has the competition's format; its clock is ignored.")]
pub(super) struct Options {
    /// The position: an input file in the competition's format; - is standard input
    #[arg(required_unless_present = "random", conflicts_with = "random")]
    input: Option<PathBuf>,

    /// An empty board with random values from 1 to 99, X to move
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,

    /// The size of the table in MiB; for a whole board 8192 is better
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(8..=65_536))]
    hash: u32,

    /// Threads
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
}

pub(super) fn run(options: &Options) -> Result<ExitCode> {
    let position = position(options)?;
    let start = Instant::now();
    let next_line = AtomicU64::new(LINE_SECONDS);
    let solved =
        solve(&position, options.threads, (options.hash as usize) << 20, &|update| match update {
            ProgressUpdate::Bounds(lower, upper) => {
                let seconds = start.elapsed().as_secs_f64();
                eprintln!("{seconds:.0} s: the value is from {lower} to {upper}");
            }
            ProgressUpdate::Tick { nodes, empty } => {
                let (all, nodes) = (position.empty().len(), nodes as f64 / 1e6);
                let seconds = start.elapsed().as_secs();
                if seconds >= next_line.load(Relaxed) {
                    next_line.store(seconds + LINE_SECONDS, Relaxed);
                    eprintln!(
                        "{seconds} s: {empty} of {all} empty squares, {nodes:.1} million nodes"
                    );
                }
            }
        });
    print!("{}", report(&position, &solved, start));
    Ok(ExitCode::SUCCESS)
}

fn position(options: &Options) -> Result<Position> {
    let Some(input) = &options.input else {
        let mut random = StdRng::seed_from_u64(options.random.unwrap_or_default());
        let values: [u16; SQUARES] = std::array::from_fn(|_| random.random_range(1..=99_u8).into());
        return Ok(Position::new(Arc::new(Values::new(values)), [Squares::EMPTY; 2], X));
    };
    let text = read_input(input).with_context(|| format!("{}: cannot be read", input.display()))?;
    match Position::read_task(&text, OneRuleSet) {
        Ok(task) => Ok(task.position),
        Err(error) => bail!("{}:{error}", input.display()),
    }
}

fn report(position: &Position, solved: &FullSolution, start: Instant) -> String {
    let side = position.side_to_move();
    let value = solved.solution.value;
    let total = position.values().sum(ALL);
    let result = match value {
        0 => "a draw".to_string(),
        _ => {
            let winner = Position::side_word(if value > 0 { side } else { side.other() });
            let (margin, most) = (value.abs(), (total + value.abs()) / 2);
            format!("{winner} wins by {margin}, {most} to {}", total - most)
        }
    };
    let mut line = Vec::new();
    let mut after = position.clone();
    for &square in &solved.line {
        line.push(after.describe_move(Move(square)));
        after.play(Move(square));
    }
    format!(
        "{}{result}\n{} to move, value {value:+}, best move {}\nline {}\nnodes {}, {:.1} s of CPU, {:.1} s\n",
        position.picture(None),
        Position::side_word(side),
        solved.solution.best,
        line.join(", "),
        solved.nodes,
        process_time().as_secs_f64(),
        start.elapsed().as_secs_f64(),
    )
}
