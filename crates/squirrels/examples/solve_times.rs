//! CPU times and nodes of the exact solver on random boards: random values, random legal moves down to a number of empty
//! squares. `--against PROGRAM` solves each board by this program built from other sources too, in turns, and says
//! whether the values agree. `cargo run --release -p menagerie-squirrels --example solve_times -- --help` has examples.

use clap::Parser;
use engine::Game;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::board::{MOST_VALUE, Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::rules::X;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use system::cpu::process_time;

#[derive(Parser)]
#[command(after_help = "\
Examples:
  solve_times --empty 17 --boards 100 --mib 8
  solve_times --empty 20 --boards 100 --against OLD   both programs on each board, ratios and equal values
Exit code: 0, 1 if a value differs, 2 if the other program fails.")]
struct Options {
    /// The number of empty squares
    #[arg(long, default_value_t = 17, value_parser = clap::value_parser!(u32).range(1..=25))]
    empty: u32,

    /// The number of boards
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    boards: u64,

    /// The size of the table in MiB
    #[arg(long, default_value_t = 64)]
    mib: usize,

    /// The seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Values from 0 to this; without it from 1 to 99
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=i64::from(MOST_VALUE)))]
    largest: Option<u16>,

    /// This program built from other sources, to be compared on the same boards
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,

    /// Solve only the board of this number, from 0, and print its value, nodes and CPU seconds
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
}

/// What solving one board took.
#[derive(Clone, Copy)]
struct Run {
    value: i32,
    nodes: u64,
    seconds: f64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(number) = options.only {
        let Run { value, nodes, seconds } = solve(&options, number);
        println!("{value} {nodes} {seconds:.6}");
        return ExitCode::SUCCESS;
    }
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for number in 0..options.boards {
        let Some(other) = &options.against else {
            ours.push(solve(&options, number));
            continue;
        };
        // Each in a process of its own: in one that has solved before, memory is at hand.
        let this = match std::env::current_exe() {
            Ok(this) => this,
            Err(error) => {
                eprintln!("this program's path: {error}");
                return ExitCode::from(2);
            }
        };
        for (program, runs) in [(other, &mut others), (&this, &mut ours)] {
            match run_program(program, &options, number) {
                Ok(run) => runs.push(run),
                Err(error) => {
                    eprintln!("{}: board {number}: {error}", program.display());
                    return ExitCode::from(2);
                }
            }
        }
    }
    println!("{} empty squares, {} boards, seed {}, {} MiB", options.empty, options.boards, options.seed, options.mib);
    print_line("this program", &ours);
    if options.against.is_none() {
        return ExitCode::SUCCESS;
    }
    print_line("the other", &others);
    let equal = ours.iter().zip(&others).filter(|(our, other)| our.value == other.value).count();
    let ratio = |of: fn(&Run) -> f64| {
        let logarithms = ours.iter().zip(&others).map(|(our, other)| (of(other) / of(our)).ln());
        (logarithms.sum::<f64>() / ours.len() as f64).exp()
    };
    let (seconds, nodes) = (ratio(|run| run.seconds.max(1e-6)), ratio(|run| run.nodes.max(1) as f64));
    println!("the other takes {seconds:.2} times the CPU, {nodes:.2} times the nodes (geometric means)");
    println!("equal values: {equal} of {}", ours.len());
    if equal == ours.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_line(name: &str, runs: &[Run]) {
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    let mut nodes: Vec<u64> = runs.iter().map(|run| run.nodes).collect();
    seconds.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    let (half, last) = (runs.len() / 2, runs.len() - 1);
    println!(
        "{name}: CPU median {:.4} s, worst {:.4} s; nodes median {}, worst {}; sum of values {}",
        seconds[half],
        seconds[last],
        nodes[half],
        nodes[last],
        runs.iter().map(|run| run.value).sum::<i32>(),
    );
}

/// The random position of a number.
fn board(options: &Options, number: u64) -> Position {
    let mut random = StdRng::seed_from_u64(engine::split_mix(options.seed) ^ number);
    let values = Arc::new(Values::new(std::array::from_fn(|_| match options.largest {
        Some(largest) => random.random_range(0..=largest),
        None => random.random_range(1..=99_u8).into(),
    })));
    let mut position = Position::new(Arc::clone(&values), [Squares::EMPTY; 2], X);
    while position.empty().len() > options.empty {
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
    position
}

fn solve(options: &Options, number: u64) -> Run {
    let position = board(options, number);
    let start = process_time();
    let table = Table::for_empty(position.empty(), options.mib << 20);
    let mut solver = Solver::new(position.values(), &table, || false);
    let value = solver.solve(&position, |_, _| ()).expect("nothing stops it").value;
    let nodes = solver.nodes();
    drop(table);
    Run { value, nodes, seconds: (process_time() - start).as_secs_f64() }
}

/// A program's run on the board of a number.
fn run_program(program: &Path, options: &Options, number: u64) -> Result<Run, String> {
    let mut command = Command::new(program);
    let words = [("--empty", u64::from(options.empty)), ("--mib", options.mib as u64), ("--seed", options.seed)];
    for (name, value) in words.into_iter().chain(options.largest.map(|largest| ("--largest", largest.into()))) {
        command.args([name, &value.to_string()]);
    }
    let output = command.args(["--only", &number.to_string()]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = || Some((words.first()?.parse().ok()?, words.get(1)?.parse().ok()?, words.get(2)?.parse().ok()?));
    let (value, nodes, seconds) = read().ok_or_else(|| format!("expected value, nodes and seconds, found '{text}'"))?;
    Ok(Run { value, nodes, seconds })
}
