//! Tests that the search brings up pieces left behind among the opponent's while the front is in
//! the camp.

use engine::clock::NoClock;
use engine::think::Settings;
use engine::{Game, Protocol, Side, think};
use halma::board::Square;
use halma::{Position, Rules};
use std::fs;

/// Returns the three pieces of a side that are furthest from their target.
fn rear(position: &Position, side: Side) -> Vec<Square> {
    let mut pieces: Vec<Square> = position.pieces(side).into_iter().collect();
    pieces.sort_by_key(|square| square.x() + square.y());
    if side == Side::Second {
        pieces.reverse();
    }
    pieces.truncate(3);
    pieces
}

#[test]
fn the_move_after_20_000_nodes_fetches_a_straggler() {
    for number in 1..=7 {
        let path =
            format!("{}/../../inputs/halma/straggler-{number}.txt", env!("CARGO_MANIFEST_DIR"));
        let task =
            Position::read_task(&fs::read_to_string(&path).unwrap(), Rules::Addendum).unwrap();
        let rear = rear(&task.position, task.position.side_to_move());
        let mv = think(&task, &Settings::with_nodes(20_000), &NoClock).best;
        assert!(rear.contains(&mv.from), "{path}: {} moves, and not one of {rear:?}", mv.from);
    }
}
