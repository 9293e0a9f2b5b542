//! What a search loses against exact play: on random boards, the points by which the move that it finds within a number of
//! nodes falls short of the best one, with each of the two evaluations. The same everywhere, but for the CPU seconds.
//! `cargo run --release -p menagerie-squirrels --example search_losses -- --help` has examples.

use clap::Parser;
use engine::Game;
use engine::search::{Limits, Mode, NoControl, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::board::{Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::rules::X;
use squirrels::{Evaluation, Position};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use system::cpu::process_time;

#[derive(Parser)]
#[command(after_help = "\
Example: numbers of nodes that take about the same CPU time
  search_losses --empty 17 --boards 60 --difference 400000 --learned 20000
Exit code: 0.")]
struct Options {
    /// The number of empty squares
    #[arg(long, default_value_t = 17, value_parser = clap::value_parser!(u32).range(2..=25))]
    empty: u32,

    /// The number of boards
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    boards: u64,

    /// The seed of the boards
    #[arg(long, default_value_t = 2)]
    seed: u64,

    /// Nodes of the search that looks at the difference of the sums
    #[arg(long, default_value_t = 400_000)]
    difference: u64,

    /// Nodes of the search with the learned evaluation
    #[arg(long, default_value_t = 20_000)]
    learned: u64,
}

/// The losses of one evaluation's searches, in points, and their CPU time.
#[derive(Default)]
struct Losses {
    points: Vec<f64>,
    time: Duration,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut losses = [Losses::default(), Losses::default()];
    for number in 0..options.boards {
        let position = board(&options, number);
        let best = value(&position);
        let searches = [(Evaluation::Difference, options.difference), (Evaluation::Learned, options.learned)];
        for (losses, (evaluation, nodes)) in losses.iter_mut().zip(searches) {
            let start = process_time();
            let limits = Limits { nodes, ..Limits::default() };
            let found = Searcher::new(evaluation, Mode::Selective, 1 << 24).run(&position, limits, &mut NoControl);
            losses.time += process_time() - start;
            let mut after = position.clone();
            after.play(found.expect("the board is not full").best);
            losses.points.push(f64::from(best + value(&after)));
        }
    }
    println!("{} boards with {} empty squares, seed {}", options.boards, options.empty, options.seed);
    let count = options.boards as f64;
    for (name, losses) in ["difference", "learned"].into_iter().zip(&losses) {
        let (mean, error) = mean(&losses.points);
        let best = losses.points.iter().filter(|&&points| points == 0.0).count();
        let seconds = losses.time.as_secs_f64() / count;
        println!("{name}: {mean:.1} +- {error:.1} points lost a move, {best} best moves, {seconds:.3} CPU s a move");
    }
    let pairs = losses[0].points.iter().zip(&losses[1].points);
    let (mean, error) = mean(&pairs.map(|(difference, learned)| difference - learned).collect::<Vec<_>>());
    println!("learned loses {mean:.1} +- {error:.1} points less (95 %)");
    ExitCode::SUCCESS
}

/// The random position of a number: random values, random legal moves.
fn board(options: &Options, number: u64) -> Position {
    let mut random = StdRng::seed_from_u64(engine::split_mix(options.seed) ^ number);
    let values = Arc::new(Values::new(std::array::from_fn(|_| random.random_range(1..=99_u8).into())));
    let mut position = Position::new(values, [Squares::EMPTY; 2], X);
    while position.empty().len() > options.empty {
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
    position
}

/// The exact value for the side to move.
fn value(position: &Position) -> i32 {
    let table = Table::for_empty(position.empty(), Table::bytes_for(position.empty().len()));
    let solution = Solver::new(position.values(), &table, || false).solve(position, |_, _| ());
    solution.expect("nothing stops it").value
}

/// The mean and the half width of its 95 % interval.
fn mean(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let squares: f64 = points.iter().map(|point| (point - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt())
}
