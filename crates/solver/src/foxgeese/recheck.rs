//! A lower bound checked again by the rules alone: the foxes' moves are those that the search has proven to hold, and
//! every move of the geese against them is followed. Nothing of the search is trusted: what it proved only says which
//! move of the foxes to look at.

use super::lower::{LEAST_KEPT, Table};
use foxgeese::board::{Board, SQUARE, neighbours};
use foxgeese::rules::LOST_GEESE;
use std::collections::HashMap;

/// The least number of moves for which a board that was checked is remembered: with fewer, to look again is cheaper.
const LEAST_REMEMBERED: u8 = 3;

/// The figures of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    /// Boards with the geese to move and at least three moves left to them, mirror images counted once.
    pub boards: usize,
    /// Moves of the geese that were answered.
    pub answered: u64,
}

/// Follows every line: the boards checked, and within how many moves of the geese each is known to hold.
pub(crate) struct Check<'a> {
    table: &'a Table,
    held: HashMap<u64, u8>,
    answered: u64,
}

impl<'a> Check<'a> {
    /// A check by the moves of this table.
    pub(crate) fn new(table: &'a Table) -> Check<'a> {
        Check { table, held: HashMap::new(), answered: 0 }
    }

    /// The figures so far.
    pub(crate) fn figures(&self) -> Checked {
        Checked { boards: self.held.len(), answered: self.answered }
    }

    /// Whether the geese, who are to move, do not win within `moves` of their moves against the foxes' moves of the table.
    pub(crate) fn holds(&mut self, board: Board, moves: u8) -> bool {
        // A move fills one cell: with two cells open beside the foxes, and two of the square, none ends the game.
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

    /// Whether the foxes, who are to move and can, have a move after which the geese do not win within `moves` more moves;
    /// those that the table says most of come first.
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
    use super::super::lower::Search;
    use super::*;

    #[test]
    fn a_proof_is_checked_and_more_than_was_proven_is_not_believed() {
        let mut search = Search::new(1);
        assert_eq!(search.holds(Board::START, 6), Ok(true));
        let mut check = Check::new(&search.table);
        assert!(check.holds(Board::START, 6));
        assert!(check.figures().boards > 100 && check.figures().answered > 1_000, "{:?}", check.figures());
        assert!(!check.holds(Board::START, 7), "the table says nothing of seven moves");
        assert!(!Check::new(&Search::new(1).table).holds(Board::START, 6), "an empty table names no move");
    }
}
