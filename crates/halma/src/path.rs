//! The path of a move: a step, or the shortest chain of jumps.

use crate::board::{NEIGHBOURS, Square, Squares};
use crate::rules::{Move, Position};
use engine::Game;

/// The way of a piece from the start to the end of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// One step.
    Step,
    /// One or more jumps.
    Jumps {
        /// Every square the piece touches, its start and its end included.
        squares: Vec<Square>,
        /// Whether the chain jumps out of the opposing camp on its way, as does every other chain to the same square.
        leaves_target: bool,
    },
}

/// The path of a legal move that is not a pass: a step where one will do, else the shortest chain that does not jump
/// out of the opposing camp, else the shortest of all.
#[must_use]
pub fn path(position: &Position, mv: Move) -> Path {
    if NEIGHBOURS[mv.from.index()].contains(mv.to) {
        return Path::Step;
    }
    let target = Position::target(position.side_to_move());
    let chain = |confined: Squares| shortest_chain(position, mv, confined);
    match chain(target) {
        Some(squares) => Path::Jumps { squares, leaves_target: false },
        None => {
            let squares = chain(Squares::EMPTY).unwrap_or_else(|| vec![mv.from, mv.to]);
            Path::Jumps { squares, leaves_target: true }
        }
    }
}

/// The squares of the shortest chain of jumps that makes a move, both ends included; `None` if there is none. No jump
/// of it leaves the `confined` squares.
pub(crate) fn shortest_chain(position: &Position, mv: Move, confined: Squares) -> Option<Vec<Square>> {
    let mut came_from = [None; 256];
    let mut queue = vec![mv.from];
    let mut next = 0;
    while came_from[mv.to.index()].is_none() {
        let square = *queue.get(next)?;
        next += 1;
        for landing in position.jumps().single(mv.from, square) {
            let leaves = confined.contains(square) && !confined.contains(landing);
            if landing != mv.from && came_from[landing.index()].is_none() && !leaves {
                came_from[landing.index()] = Some(square);
                queue.push(landing);
            }
        }
    }
    let mut squares = vec![mv.to];
    while let Some(before) = came_from[squares.last()?.index()] {
        squares.push(before);
    }
    squares.reverse();
    Some(squares)
}
