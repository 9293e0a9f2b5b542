//! The verification of a lower bound by the rules alone. It follows every move of the geese; its moves of the foxes are
//! those that the search's table suggests. A wrong entry of the table can make the check fail, but never pass.

use super::lower_bound::{BoundsTable, LEAST_KEPT};
use foxgeese::board::{Board, SQUARE, neighbours};
use foxgeese::rules::LOST_GEESE;
use std::collections::HashMap;

/// The least number of moves for which a checked board is remembered; with fewer, checking again is cheaper.
const LEAST_REMEMBERED: u8 = 3;

/// The figures of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CheckFigures {
    /// The number of boards with the geese to move and at least three moves left to them, mirror images counted once.
    pub boards: usize,
    /// The number of moves of the geese that were answered.
    pub answered: u64,
}

/// A check of a lower bound, with the boards checked so far.
pub(crate) struct LowerBoundCheck<'a> {
    table: &'a BoundsTable,
    /// The boards checked, each with the number of moves within which the geese are confirmed not to win.
    held: HashMap<u64, u8>,
    answered: u64,
}

impl<'a> LowerBoundCheck<'a> {
    /// Creates a check that takes the moves of the foxes from a table.
    pub(crate) fn new(table: &'a BoundsTable) -> LowerBoundCheck<'a> {
        LowerBoundCheck { table, held: HashMap::new(), answered: 0 }
    }

    /// Returns the figures so far.
    pub(crate) fn figures(&self) -> CheckFigures {
        CheckFigures { boards: self.held.len(), answered: self.answered }
    }

    /// Returns whether the geese, who are to move, do not win within `moves` of their moves if the foxes play by the table.
    pub(crate) fn holds(&mut self, board: Board, moves: u8) -> bool {
        // One move fills one cell. While two cells are open beside the foxes and two in the square, no move ends the game.
        let open = (neighbours(board.foxes) & board.empty()).len();
        let too_far = moves == 1 && open > 1 && (SQUARE - board.geese).len() > 1;
        if moves == 0 || too_far || board.geese.len() <= LOST_GEESE {
            return true;
        }
        let packed = board.canonical().0;
        if moves >= LEAST_REMEMBERED && self.held.get(&packed).is_some_and(|&held| held >= moves) {
            return true;
        }
        let mut all = true;
        board.each_goose_move(|mv| {
            let after = board.after_goose(mv);
            all = all && !after.square_is_full() && !after.foxes_are_blocked() && self.answer(after, moves - 1);
            self.answered += u64::from(all);
        });
        if all && moves >= LEAST_REMEMBERED {
            self.held.insert(packed, moves);
        }
        all
    }

    /// Returns whether the foxes, who are to move and not blocked, have a move after which the geese do not win within
    /// `moves` more moves. Moves with the largest bounds in the table are tried first.
    fn answer(&mut self, after: Board, moves: u8) -> bool {
        if moves < LEAST_KEPT {
            let mut answered = moves == 0;
            after.each_fox_move(|reply| answered = answered || self.holds(after.after_fox(reply), moves));
            return answered;
        }
        let mut replies: Vec<(u8, Board)> = Vec::with_capacity(12);
        after.each_fox_move(|reply| {
            let next = after.after_fox(reply);
            let held = self.table.held(next);
            if held >= moves || next.geese.len() <= LOST_GEESE {
                replies.push((held, next));
            }
        });
        replies.sort_by_key(|&(held, _)| std::cmp::Reverse(held));
        replies.into_iter().any(|(_, next)| self.holds(next, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower_bound::LowerBoundSearch;
    use super::*;

    #[test]
    fn a_proof_is_checked_and_more_than_was_proven_is_not_believed() {
        let mut search = LowerBoundSearch::new(1);
        assert_eq!(search.holds(Board::START, 6), Ok(true));
        let mut check = LowerBoundCheck::new(&search.table);
        assert!(check.holds(Board::START, 6));
        assert!(check.figures().boards > 100 && check.figures().answered > 1_000, "{:?}", check.figures());
        assert!(!check.holds(Board::START, 7), "the table says nothing of seven moves");
        assert!(
            !LowerBoundCheck::new(&LowerBoundSearch::new(1).table).holds(Board::START, 6),
            "an empty table names no move"
        );
    }
}
