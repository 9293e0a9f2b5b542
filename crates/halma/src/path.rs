//! The path of a move: a step, or the shortest chain of jumps.

use crate::board::{CAMPS, NEIGHBOURS, STEPS, Square, Squares};
use crate::rules::{Move, Position};
use engine::Game;
use smallvec::{SmallVec, smallvec};

/// The squares of a chain of jumps: searches ask for many, and allocate none of the usual length.
pub(crate) type Chain = SmallVec<[Square; 24]>;

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
        Some(squares) => Path::Jumps { squares: squares.into_vec(), leaves_target: false },
        None => {
            let squares = chain(Squares::EMPTY).unwrap_or_else(|| smallvec![mv.from, mv.to]);
            Path::Jumps { squares: squares.into_vec(), leaves_target: true }
        }
    }
}

/// The directions of jumps that lead out of a side's target, a bit for each, from each square of the target.
static WAYS_OUT: [[u8; 256]; 2] = [ways_out(CAMPS[1]), ways_out(CAMPS[0])];

const fn ways_out(target: Squares) -> [u8; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 * STEPS.len() {
        let (square, direction) = (Square::new((index / STEPS.len()) as u8), index % STEPS.len());
        let (columns, rows) = STEPS[direction];
        if let Some(landing) = square.moved(2 * columns, 2 * rows)
            && target.contains(square)
            && !target.contains(landing)
        {
            table[square.index()] |= 1 << direction;
        }
        index += 1;
    }
    table
}

/// Whether a jump leads out of the target of the side to move, from one of its empty squares or from the one where a piece
/// starts: if none does, no chain of that piece leaves the target.
fn may_leave_target(position: &Position, from: Square) -> bool {
    let side = position.side_to_move();
    let starts = Squares::one(from).and(Position::target(side));
    let leaves = |square: Square| position.jumps().open(square) & WAYS_OUT[side.index()][square.index()] != 0;
    position.holes(side).or(starts).into_iter().any(leaves)
}

/// Whether every chain of a legal move that is not a pass jumps out of the opposing camp on its way.
pub(crate) fn leaves_target(position: &Position, mv: Move) -> bool {
    may_leave_target(position, mv.from) && matches!(path(position, mv), Path::Jumps { leaves_target: true, .. })
}

/// The squares of the shortest chain of jumps that makes a move, both ends included; `None` if there is none. No jump
/// of it leaves the `confined` squares.
pub(crate) fn shortest_chain(position: &Position, mv: Move, confined: Squares) -> Option<Chain> {
    let mut came_from = [None; 256];
    // A chain stays on squares of one parity.
    let mut queue: SmallVec<[Square; 64]> = smallvec![mv.from];
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
    let mut squares: Chain = smallvec![mv.to];
    while let Some(before) = came_from[squares.last()?.index()] {
        squares.push(before);
    }
    squares.reverse();
    Some(squares)
}
