//! The path of a move: a step, or the shortest chain of jumps.

use crate::board::{NEIGHBOURS, Square, Squares};
use crate::parity::CAMPS_BY_PARITY;
use crate::rules::{Move, Position};
use engine::Game;
use smallvec::{SmallVec, smallvec};

/// The squares of a chain of jumps; chains of the usual length need no allocation.
pub(crate) type Chain = SmallVec<[Square; 24]>;

/// The path of a piece from the start to the end of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// One step.
    Step,
    /// One or more jumps.
    Jumps {
        /// The squares that the piece touches, the first and the last included.
        squares: Vec<Square>,
        /// Whether the chain leaves the opposing camp on its way; so does every other chain to the
        /// same square then.
        leaves_target: bool,
    },
}

/// Returns the path of a legal move that is not a pass: a step if possible, else the shortest chain
/// that does not leave the opposing camp, else the shortest chain of all.
#[must_use]
pub fn path(position: &Position, mv: Move) -> Path {
    if NEIGHBOURS[mv.from.index()].contains(mv.to) {
        return Path::Step;
    }
    let target = Position::target(position.side_to_move());
    let chain = |confined: Squares| shortest_chain(position, mv, confined);
    match chain(target) {
        Some(squares) => Path::Jumps { squares: squares.into_vec(), leaves_target: false },
        None => {
            let squares = chain(Squares::EMPTY).unwrap_or_else(|| smallvec![mv.from, mv.to]);
            Path::Jumps { squares: squares.into_vec(), leaves_target: true }
        }
    }
}

/// Returns whether every chain of a legal move that is not a pass leaves the opposing camp on its
/// way.
pub(crate) fn leaves_target(position: &Position, mv: Move) -> bool {
    let target = &CAMPS_BY_PARITY[position.side_to_move().other().index()];
    !NEIGHBOURS[mv.from.index()].contains(mv.to)
        && !position.jumps().reaches_confined(mv.from, mv.to, target)
}

/// Returns the squares of the shortest chain of jumps for a move, both ends included, found by
/// breadth-first search; `None` if there is no chain. No jump of it leaves the set `confined`.
pub(crate) fn shortest_chain(position: &Position, mv: Move, confined: Squares) -> Option<Chain> {
    let mut came_from = [None; 256];
    // A chain stays on squares of one parity, which has 64 squares.
    let mut queue: SmallVec<[Square; 64]> = smallvec![mv.from];
    let mut next = 0;
    while came_from[mv.to.index()].is_none() {
        let square = *queue.get(next)?;
        next += 1;
        for landing in position.jumps().single_jumps(mv.from, square) {
            let leaves = confined.contains(square) && !confined.contains(landing);
            if landing != mv.from && came_from[landing.index()].is_none() && !leaves {
                came_from[landing.index()] = Some(square);
                queue.push(landing);
            }
        }
    }
    let mut squares: Chain = smallvec![mv.to];
    while let Some(before) = came_from[squares.last()?.index()] {
        squares.push(before);
    }
    squares.reverse();
    Some(squares)
}
