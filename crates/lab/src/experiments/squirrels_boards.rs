//! Random boards of Squirrels.

use engine::{Game, split_mix};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::board::{Squares, Values};
use squirrels::rules::X;
use std::sync::Arc;

/// Returns the random position of a seed and a number: random values from 0 to `largest`, or without it from 1 to 99, and
/// random legal moves until `empty` squares are empty.
pub(crate) fn random_board(seed: u64, number: u64, empty: u32, largest: Option<u16>) -> Position {
    let mut random = StdRng::seed_from_u64(split_mix(seed) ^ number);
    let values = Arc::new(Values::new(std::array::from_fn(|_| match largest {
        Some(largest) => random.random_range(0..=largest),
        None => random.random_range(1..=99_u8).into(),
    })));
    let mut position = Position::new(values, [Squares::EMPTY; 2], X);
    while position.empty().len() > empty {
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
    position
}
