//! `lab squirrels-solve-times`: measures CPU times and nodes of the exact solver on random boards with a given number of empty
//! squares. With `--against PROGRAM`, another build of `lab` solves each board, too, and the command reports whether the values
//! agree.

use crate::experiments::squirrels_boards::random_board;
use anyhow::{Context, Result};
use clap::Args;
use clock::cpu::process_time;
use squirrels::board::MOST_VALUE;
use squirrels::exact::{Solver, Table};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab squirrels-solve-times --empty 17 --boards 100 --mib 8
  lab squirrels-solve-times --empty 20 --boards 100 --against OLD/lab   compare two builds: ratios and equal values
Exit code: 0, 1 if a value differs, 2 if the other program fails.";

/// Options of `lab squirrels-solve-times`.
#[derive(Args)]
pub(crate) struct Options {
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

    /// The largest value, with 0 as the least [default: values from 1 to 99]
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=i64::from(MOST_VALUE)))]
    largest: Option<u16>,

    /// Another build of lab, to compare on the same boards
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,

    /// Solve only the board with this number, from 0, and print its value, nodes and CPU seconds
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
}

/// The result of solving one board.
#[derive(Clone, Copy)]
struct SolveRun {
    value: i32,
    nodes: u64,
    seconds: f64,
}

/// Runs `lab squirrels-solve-times`.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(number) = options.only {
        let SolveRun { value, nodes, seconds } = solve(options, number);
        println!("{value} {nodes} {seconds:.6}");
        return Ok(ExitCode::SUCCESS);
    }
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for number in 0..options.boards {
        let Some(other) = &options.against else {
            ours.push(solve(options, number));
            continue;
        };
        // Each solver runs in a new process: a process that has solved a board before has its memory mapped already.
        let this = std::env::current_exe().context("this program's path")?;
        for (program, runs) in [(other, &mut others), (&this, &mut ours)] {
            let run = run_program(program, options, number);
            runs.push(run.with_context(|| format!("{}: board {number}", program.display()))?);
        }
    }
    println!("{} empty squares, {} boards, seed {}, {} MiB", options.empty, options.boards, options.seed, options.mib);
    print_line("this program", &ours);
    if options.against.is_none() {
        return Ok(ExitCode::SUCCESS);
    }
    print_line("the other", &others);
    let equal = ours.iter().zip(&others).filter(|(our, other)| our.value == other.value).count();
    let ratio = |of: fn(&SolveRun) -> f64| {
        let logarithms = ours.iter().zip(&others).map(|(our, other)| (of(other) / of(our)).ln());
        (logarithms.sum::<f64>() / ours.len() as f64).exp()
    };
    let (seconds, nodes) = (ratio(|run| run.seconds.max(1e-6)), ratio(|run| run.nodes.max(1) as f64));
    println!("the other takes {seconds:.2} times the CPU, {nodes:.2} times the nodes (geometric means)");
    println!("equal values: {equal} of {}", ours.len());
    Ok(if equal == ours.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the figures of all boards.
fn print_line(name: &str, runs: &[SolveRun]) {
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

/// Solves the board with a number.
fn solve(options: &Options, number: u64) -> SolveRun {
    let position = random_board(options.seed, number, options.empty, options.largest);
    let start = process_time();
    let table = Table::for_empty(position.empty(), options.mib << 20);
    let mut solver = Solver::new(position.values(), &table, || false);
    let value = solver.solve(&position, |_, _| ()).expect("nothing stops it").value;
    let nodes = solver.nodes();
    drop(table);
    SolveRun { value, nodes, seconds: (process_time() - start).as_secs_f64() }
}

/// Runs a program on the board with a number.
fn run_program(program: &Path, options: &Options, number: u64) -> Result<SolveRun> {
    let mut command = Command::new(program);
    command.arg("squirrels-solve-times");
    let words = [("--empty", u64::from(options.empty)), ("--mib", options.mib as u64), ("--seed", options.seed)];
    for (name, value) in words.into_iter().chain(options.largest.map(|largest| ("--largest", largest.into()))) {
        command.args([name, &value.to_string()]);
    }
    let output = command.args(["--only", &number.to_string()]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = || Some((words.first()?.parse().ok()?, words.get(1)?.parse().ok()?, words.get(2)?.parse().ok()?));
    let (value, nodes, seconds) =
        read().with_context(|| format!("expected value, nodes and seconds, found '{text}'"))?;
    Ok(SolveRun { value, nodes, seconds })
}
