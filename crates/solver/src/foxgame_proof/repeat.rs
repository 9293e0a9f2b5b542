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
