//! What may be played on a board: the geese's steps, the foxes' steps, and the foxes' forced longest captures.

use crate::board::{Board, Cell, Cells, Direction, each, neighbours, one};

/// A move of either side. Chains of jumps that take the same geese and end on the same cell are one move; a spelling
/// is found again when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the goose or the fox stands.
    pub from: Cell,
    /// Where it ends; a chain of captures may end where it began.
    pub to: Cell,
    /// The geese taken.
    pub captured: Cells,
}

impl Move {
    /// A move that takes nothing.
    #[must_use]
    pub const fn step(from: Cell, to: Cell) -> Move {
        Move { from, to, captured: 0 }
    }

    /// The same move in the mirror image.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        use crate::board::{mirror, mirror_cell};
        Move { from: mirror_cell(self.from), to: mirror_cell(self.to), captured: mirror(self.captured) }
    }
}

impl Board {
    /// The board after a move of the geese.
    #[inline]
    #[must_use]
    pub const fn after_goose(self, mv: Move) -> Board {
        Board { geese: self.geese ^ one(mv.from) ^ one(mv.to), foxes: self.foxes }
    }

    /// The board after a move of the foxes.
    #[inline]
    #[must_use]
    pub const fn after_fox(self, mv: Move) -> Board {
        Board { geese: self.geese & !mv.captured, foxes: self.foxes & !one(mv.from) | one(mv.to) }
    }

    /// The geese that have a step.
    #[inline]
    #[must_use]
    pub fn geese_that_can_move(self) -> Cells {
        let empty = self.empty();
        Direction::OF_GEESE.into_iter().fold(0, |movers, way| movers | (way.back().shift(empty) & self.geese))
    }

    /// Calls a function with each move of the geese, goose by goose in reading order.
    #[inline]
    pub fn each_goose_move(self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in each(self.geese_that_can_move()) {
            for way in Direction::OF_GEESE {
                let to = way.shift(one(from)) & empty;
                if to != 0 {
                    visit(Move::step(from, to.trailing_zeros() as Cell));
                }
            }
        }
    }

    /// Calls a function with each move of the foxes: the longest captures if there are any, otherwise the steps; the
    /// fox that comes first in reading order first.
    #[inline]
    pub fn each_fox_move(self, mut visit: impl FnMut(Move)) {
        if self.foxes_can_jump() {
            longest_captures(self).into_iter().for_each(visit);
            return;
        }
        let empty = self.empty();
        for from in each(self.foxes) {
            for to in each(neighbours(one(from)) & empty) {
                visit(Move::step(from, to));
            }
        }
    }
}

/// The chains that take the most geese, over both foxes; each pair of end cell and captured set once for each fox.
#[must_use]
pub fn longest_captures(board: Board) -> Vec<Move> {
    let mut search = Captures { found: Vec::with_capacity(8), most: 1, from: 0 };
    for from in each(board.foxes) {
        search.from = from;
        let others = board.foxes & !one(from);
        search.extend(board.geese, others, from, 0);
    }
    search.found
}

struct Captures {
    found: Vec<Move>,
    /// Geese taken by each move found; a capture takes at least one.
    most: u32,
    from: Cell,
}

impl Captures {
    /// Follows every chain of the fox that has come to `at`. Jumped geese are gone at once.
    fn extend(&mut self, geese: Cells, other_fox: Cells, at: Cell, captured: Cells) {
        let taken = captured.count_ones();
        if taken > self.most {
            self.most = taken;
            self.found.clear();
        }
        if taken == self.most {
            let mv = Move { from: self.from, to: at, captured };
            if !self.found.contains(&mv) {
                self.found.push(mv);
            }
        }
        for way in Direction::ALL {
            let over = way.shift(one(at)) & geese;
            let landing = way.shift(over) & !geese & !other_fox;
            if landing != 0 {
                self.extend(geese & !over, other_fox, landing.trailing_zeros() as Cell, captured | over);
            }
        }
    }
}
