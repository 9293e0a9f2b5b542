//! `lab squirrels-losses`: measures how many points a search loses against exact play. On random boards it compares the best
//! move with the move that a search with each of the two evaluations finds within a number of nodes. All figures except CPU
//! seconds are the same on every machine.

use crate::experiments::squirrels_boards::random_board;
use clap::Args;
use clock::cpu::process_time;
use engine::Game;
use engine::search::{Limits, Mode, NoControl, Searcher};
use squirrels::exact::{Solver, Table};
use squirrels::{Evaluation, Position};
use std::time::Duration;

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example: numbers of nodes that take about the same CPU time
  lab squirrels-losses --empty 17 --boards 60 --difference 400000 --learned 20000";

/// Options of `lab squirrels-losses`.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of empty squares
    #[arg(long, default_value_t = 17, value_parser = clap::value_parser!(u32).range(2..=25))]
    empty: u32,

    /// The number of boards
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    boards: u64,

    /// The seed of the boards
    #[arg(long, default_value_t = 2)]
    seed: u64,

    /// Nodes of the search that evaluates positions by the difference of the sums
    #[arg(long, default_value_t = 400_000)]
    difference: u64,

    /// Nodes of the search with the learned evaluation
    #[arg(long, default_value_t = 20_000)]
    learned: u64,
}

/// The losses of the searches with one evaluation, in points, and their CPU time.
#[derive(Default)]
struct Losses {
    points: Vec<f64>,
    time: Duration,
}

/// Runs `lab squirrels-losses`.
pub(crate) fn run(options: &Options) {
    let mut losses = [Losses::default(), Losses::default()];
    for number in 0..options.boards {
        let position = random_board(options.seed, number, options.empty, None);
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
}

/// Returns the exact value for the side to move.
fn value(position: &Position) -> i32 {
    let table = Table::for_empty(position.empty(), Table::bytes_for(position.empty().len()));
    let solution = Solver::new(position.values(), &table, || false).solve(position, |_, _| ());
    solution.expect("nothing stops it").value
}

/// Returns the mean, and the half width of its 95 % confidence interval.
fn mean(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let squares: f64 = points.iter().map(|point| (point - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt())
}
