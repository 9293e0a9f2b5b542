//! CPU times of the exact solver on random boards: random values, random legal move to a number of empty squares.
//! `cargo run --release -p menagerie-squirrels --example solve_times -- EMPTY BOARDS MIB [SEED [LARGEST]]`: values from 0 to
//! LARGEST, or from 1 to 99.

use engine::Game;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::board::{MOST_VALUE, Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::rules::X;
use std::sync::Arc;
use system::cpu::process_time;

fn main() {
    let mut words =
        std::env::args().skip(1).map(|word| word.parse::<u64>().expect("EMPTY BOARDS MIB [SEED [LARGEST]]"));
    let (empty, boards) = (words.next().unwrap_or(17), words.next().unwrap_or(20));
    let (mib, seed) = (words.next().unwrap_or(128), words.next().unwrap_or(1));
    let largest = words.next().map(|largest| u16::try_from(largest).expect("a LARGEST of 10000 at most"));
    assert!(largest.is_none_or(|largest| largest <= MOST_VALUE), "a LARGEST of 10000 at most");
    let mut random = StdRng::seed_from_u64(seed);
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    let mut sum_of_values = 0;
    for _ in 0..boards {
        let values = Arc::new(Values::new(std::array::from_fn(|_| match largest {
            Some(largest) => random.random_range(0..=largest),
            None => random.random_range(1..=99_u8).into(),
        })));
        let mut position = Position::new(Arc::clone(&values), [Squares::EMPTY; 2], X);
        while u64::from(position.empty().len()) > empty {
            let moves = position.legal_moves();
            position.play(moves[random.random_range(0..moves.len())]);
        }
        let start = process_time();
        let table = Table::new((mib as usize) << 20);
        let mut solver = Solver::new(&values, &table, 0, || false);
        let solution = solver.solve(&position, |_, _| ()).expect("nothing stops it");
        sum_of_values += solution.value;
        nodes.push(solver.nodes());
        drop(table);
        times.push((process_time() - start).as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "empty {empty} boards {boards} seed {seed} table {mib} MiB: CPU median {median:.4} s worst {worst:.4} s, nodes \
         median {} worst {}, sum of values {sum_of_values}",
        nodes[nodes.len() / 2],
        nodes[nodes.len() - 1],
    );
}
