//! The deadlock rule: whether a line of a strategy can bring back one of its own boards.
//!
//! The number of steps to the end falls along every line, so that a board never returns with the same side to move. What
//! is left is a board that was SHEEP's to move and is FOX's to move when it returns. The row sum of the sheep and their
//! number only fall, so that all steps between are sideways and nothing is taken.

use super::board::{after_sheep, canonical, each_reply};
use super::won::{Win, Wins};
use foxgame::board::Board;
use foxgame::rules::Move;
use std::collections::HashSet;

/// Whether SHEEP, with `win` in `earlier`, may come to the board `later`, mirror images aside, by sideways steps alone
/// and with more than `least` steps to the end on the way.
pub(crate) fn leads_to(wins: &Wins, (earlier, win): (Board, Win), later: Board, least: u16) -> bool {
    let goal = canonical(later).0;
    let mut seen = HashSet::new();
    let mut open = vec![(earlier, win)];
    let mut found = false;
    while let Some((board, win)) = open.pop() {
        if win.mv.from.y() != win.mv.to.y() || !seen.insert(canonical(board).0) {
            continue;
        }
        each_reply(after_sheep(board, win.mv), |next| {
            found |= canonical(next).0 == goal;
            if next.sheep.len() == later.sheep.len()
                && let Some(win) = wins.get(next).filter(|win| win.moves > least)
            {
                open.push((next, win));
            }
        });
        if found {
            return true;
        }
    }
    false
}

/// Whether a new win would let a line come from its board to a known one whose step brings the board back.
pub(crate) fn brings_back(wins: &Wins, board: Board, win: Win) -> bool {
    let mut found = false;
    for to in board.sheep {
        for from in to.neighbours() & board.empty() {
            if from.y() != to.y() {
                continue;
            }
            let before = Board { sheep: board.sheep.without(to).with(from), ..board };
            let known = wins.get(before).filter(|known| known.mv == Move::step(from, to));
            found |=
                known.is_some_and(|known| known.moves < win.moves && leads_to(wins, (board, win), before, known.moves));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use foxgame::board::{Point, PointSet};

    fn point(text: &str) -> Point {
        text.parse().unwrap()
    }

    fn set(text: &str) -> PointSet {
        text.split(' ').map(point).collect()
    }

    /// A fox, the row of seven sheep that stand still, and two sheep.
    fn board(fox: &str, sheep: &str) -> Board {
        Board { foxes: set(fox), sheep: set(sheep) | set("0,3 1,3 2,3 3,3 4,3 5,3 6,3") }
    }

    fn win(moves: u16, from: &str, to: &str) -> Win {
        Win { moves, mv: Move::step(point(from), point(to)) }
    }

    #[test]
    fn a_fox_on_a_triangle_and_two_sheep_to_and_fro_bring_a_board_back() {
        let first = (board("2,0", "2,6 2,5"), win(40, "2,6", "3,6"));
        let mut wins = Wins::default();
        wins.insert(board("3,1", "3,6 3,5"), win(20, "3,6", "2,6"));
        wins.insert(board("2,0", "2,6 3,5"), win(10, "3,5", "2,5"));
        assert!(!brings_back(&wins, first.0, first.1), "the line has a gap");
        wins.insert(board("3,0", "3,6 2,5"), win(30, "2,5", "3,5"));
        assert!(brings_back(&wins, first.0, first.1));
        assert!(!brings_back(&wins, first.0, win(9, "2,6", "3,6")), "the numbers do not fall");
        assert!(leads_to(&wins, first, board("2,0", "2,6 3,5"), 10));
        assert!(!leads_to(&wins, first, board("0,2", "3,6 3,5"), 10), "no fox gets there in time");
    }
}
