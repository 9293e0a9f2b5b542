//! The check of random positions by the code that agents use: the value of each must follow from
//! those of its successors.

use super::extent::Extent;
use super::successors::{Successor, value_of_successors};
use crate::layer_files::{SHOWN, part_of};
use anyhow::Result;
use engine::{Game, Side};
use foxgame::board::{BOARD, Board, PointSet};
use foxgame::endings::advice::ends_leg;
use foxgame::endings::index::Layer;
use foxgame::endings::store::Endings;
use foxgame::rules::Position;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::Path;

/// Checks random positions, all stored flocks and both sides to move being equally likely. Returns
/// the number of wrong positions.
pub(crate) fn check(directory: &Path, extent: Extent, positions: u64, seed: u64) -> Result<u64> {
    let endings = Endings::new(directory.to_owned(), |error| eprintln!("{error}"));
    let layers: Vec<Layer> = extent.layers().collect();
    let total: usize = layers.iter().map(Layer::len).sum();
    let mut random = StdRng::seed_from_u64(seed);
    let (mut wrong, mut over) = (0, 0u64);
    for _ in 0..positions {
        let (layer, number) = part_of(layers.iter().map(Layer::len), random.random_range(0..total));
        let sheep = layers[layer].sheep(number);
        let empty = BOARD - sheep;
        let mut foxes = empty.into_iter();
        let fox = foxes.nth(random.random_range(0..empty.len()) as usize).expect("as many points");
        let side = Side::BOTH[usize::from(random.random::<bool>())];
        let position = Position::new(Board { foxes: PointSet::one(fox), sheep }, side);
        over += u64::from(position.outcome().is_some());
        if !is_right(&position, &endings) {
            if wrong < SHOWN {
                let board = position.board();
                eprintln!("wrong: {board:?} {side:?}: {:?}", endings.value(board, side));
            }
            wrong += 1;
        }
    }
    println!(
        "{positions} random positions checked by the rules (seed {seed}, {over} of them finished), {wrong} wrong"
    );
    Ok(wrong)
}

/// Whether the stored value of a position follows from the stored values of its successors.
fn is_right(position: &Position, endings: &Endings) -> bool {
    let (board, side) = (position.board(), position.side_to_move());
    let Some(stored) = endings.value(board, side) else { return false };
    if let Some(outcome) = position.outcome() {
        return stored.map(|value| value.winner) == outcome.winner();
    }
    let mut complete = true;
    let successors = position.legal_moves().into_iter().map(|mv| {
        let after = position.after(mv);
        if let Some(outcome) = after.outcome() {
            return Successor::Ended(outcome.winner());
        }
        let value = endings.value(after.board(), after.side_to_move());
        complete &= value.is_some();
        let value = value.flatten();
        if ends_leg(side, mv) {
            Successor::Ended(value.map(|value| value.winner))
        } else {
            Successor::On(value)
        }
    });
    let expected = value_of_successors(side, successors);
    complete && expected == stored
}
