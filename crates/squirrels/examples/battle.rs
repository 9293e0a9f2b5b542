//! A table of results between players, over empty boards with random values; each board is played twice, sides swapped.
//! `cargo run --release -p squirrels --example battle -- BOARDS SEED PLAYER PLAYER ...`, with players such as `greedy`,
//! `alphabeta:5`, `iterative:20000` and `iterative:20000:15` (solved from 15 empty squares on).

use engine::Side;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::battle::{Player, pairs};
use squirrels::board::Values;
use std::sync::Arc;

fn main() {
    const USAGE: &str = "BOARDS SEED PLAYER PLAYER ...";
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok()).expect(USAGE);
    let (boards, seed) = (number(0), number(1));
    let players: Vec<Player> = words[2..].iter().map(|word| word.parse().expect(USAGE)).collect();
    let mut random = StdRng::seed_from_u64(seed);
    let positions: Vec<Position> = (0..boards)
        .map(|_| {
            let values = Values::new(std::array::from_fn(|_| random.random_range(1..=99)));
            Position::new(Arc::new(values), [0; 2], Side::First)
        })
        .collect();
    println!(
        "{boards} boards, seed {seed}, a game with each side: won drawn lost, mean difference, for the player named first"
    );
    for (index, &one) in players.iter().enumerate() {
        for &other in &players[index + 1..] {
            let score = pairs(&positions, [one, other]);
            let [won, drawn, lost] = score.games;
            let mean = score.difference as f64 / f64::from(won + drawn + lost);
            println!("{one} against {other}: {won} {drawn} {lost}, {mean:+.1}");
        }
    }
}
