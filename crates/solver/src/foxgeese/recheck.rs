//! A lower bound checked again by the rules alone: the foxes' moves are those that the search has proven to hold, and
//! every move of the geese against them is followed. Nothing of the search is trusted: what it proved only says which
//! move of the foxes to look at.

use super::lower::{LEAST_KEPT, Table};
use engine::{Game, Outcome};
use foxgeese::Position;
use foxgeese::board::Board;
use foxgeese::rules::GEESE;
use std::collections::HashMap;

/// The least number of moves for which a board that was checked is remembered: most have only one move left.
const LEAST_REMEMBERED: u8 = 2;

/// The figures of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    /// Boards with the geese to move and at least two moves left to them, mirror images counted once.
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
        let packed = board.canonical().0;
        if moves == 0 || self.held.get(&packed).is_some_and(|&held| held >= moves) {
            return true;
        }
        let position = Position::lettered(board, GEESE, 0);
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play(mv);
            let answered = match after.outcome() {
                Some(Outcome::Win(GEESE)) => false,
                Some(_) => true,
                // The foxes have a move then, whatever it is, and the geese no more.
                None if moves == 1 => true,
                None => self.answer(&after, moves - 1),
            };
            if !answered {
                return false;
            }
            self.answered += 1;
        }
        if moves >= LEAST_REMEMBERED {
            self.held.insert(packed, moves);
        }
        true
    }

    /// Whether the foxes, who are to move, have a move after which the geese do not win within `moves` more moves; those
    /// that the table says most of come first.
    fn answer(&mut self, after: &Position, moves: u8) -> bool {
        let mut replies: Vec<(u8, Position)> = Vec::new();
        for reply in after.legal_moves() {
            let mut next = after.clone();
            next.play(reply);
            if next.outcome().is_some() {
                // No move of the foxes wins for the geese.
                return true;
            }
            replies.push((self.table.held(next.board()), next));
        }
        replies.sort_by_key(|&(held, _)| std::cmp::Reverse(held));
        let likely = |&(held, _): &(u8, Position)| held >= moves || moves < LEAST_KEPT;
        replies.into_iter().filter(likely).any(|(_, next)| self.holds(next.board(), moves))
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
