//! Move generation.

use crate::board::{Board, Cell, Cells, Direction, mirror, neighbours};

/// A move of either side. All chains of jumps of a fox that take the same geese and end on the same
/// cell are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The cell where the piece starts.
    pub from: Cell,
    /// The cell where it ends. A chain of captures can end where it began.
    pub to: Cell,
    /// The geese that are taken.
    pub captured: Cells,
}

impl Move {
    /// A move that takes nothing.
    pub const fn step(from: Cell, to: Cell) -> Move {
        Move { from, to, captured: Cells::EMPTY }
    }

    /// The same move on the mirror image of the board.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        Move { from: self.from.mirrored(), to: self.to.mirrored(), captured: mirror(self.captured) }
    }
}

impl Board {
    /// The board after a move of the geese.
    #[inline]
    #[must_use]
    pub fn after_goose(self, mv: Move) -> Board {
        Board { geese: self.geese.without(mv.from).with(mv.to), foxes: self.foxes }
    }

    /// The board after a move of the foxes.
    #[inline]
    #[must_use]
    pub fn after_fox(self, mv: Move) -> Board {
        Board { geese: self.geese - mv.captured, foxes: self.foxes.without(mv.from).with(mv.to) }
    }

    /// The geese that have at least one move.
    #[inline]
    pub fn geese_that_can_move(self) -> Cells {
        let empty = self.empty();
        Direction::OF_GEESE
            .into_iter()
            .fold(Cells::EMPTY, |movers, way| movers | way.back().shift(empty) & self.geese)
    }

    /// Calls `visit` with each move of the geese, goose by goose in reading order.
    #[inline]
    pub fn each_goose_move(self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in self.geese_that_can_move() {
            for way in Direction::OF_GEESE {
                if let Some(to) = (way.shift(Cells::one(from)) & empty).first() {
                    visit(Move::step(from, to));
                }
            }
        }
    }

    /// Calls `visit` with each move of the foxes: the longest captures if there are any, otherwise
    /// the steps.
    #[inline]
    pub fn each_fox_move(self, mut visit: impl FnMut(Move)) {
        if self.foxes_can_jump() {
            longest_captures(self).into_iter().for_each(visit);
            return;
        }
        let empty = self.empty();
        for from in self.foxes {
            (neighbours(Cells::one(from)) & empty)
                .into_iter()
                .for_each(|to| visit(Move::step(from, to)));
        }
    }
}

/// The captures that take the most geese, over both foxes.
pub fn longest_captures(board: Board) -> Vec<Move> {
    let mut search = CaptureSearch { found: Vec::with_capacity(8), most: 1, from: Cell::FIRST };
    for from in board.foxes {
        search.from = from;
        search.extend(board.geese, board.foxes.without(from), from, Cells::EMPTY);
    }
    search.found
}

struct CaptureSearch {
    found: Vec<Move>,
    /// The number of geese that each of the found moves takes, or 1.
    most: u32,
    from: Cell,
}

impl CaptureSearch {
    /// Follows every chain of the fox that is now on `at`. Jumped geese are removed at once.
    fn extend(&mut self, geese: Cells, other_fox: Cells, at: Cell, captured: Cells) {
        let taken = captured.len();
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
            let over = way.shift(Cells::one(at)) & geese;
            if let Some(landing) = (way.shift(over) - geese - other_fox).first() {
                self.extend(geese - over, other_fox, landing, captured | over);
            }
        }
    }
}
