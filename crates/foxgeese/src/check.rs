//! Proves by the rules alone that a strategy of the geese wins from a position, whatever the foxes
//! do.

use crate::board::Board;
use crate::rules::{GEESE, MOST_MOVES, Position};
use crate::strategy::Strategy;
use engine::{Game, Outcome, Protocol};
use std::collections::HashSet;

/// The figures of a strategy that wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The number of positions with the geese to move, mirror images counted once.
    pub positions: usize,
    /// The number of replies of the foxes; each leads to a position of the strategy.
    pub replies: u64,
    /// The number of the geese's moves in the longest line.
    pub longest: u8,
    /// The fewest geese left in any line.
    pub fewest_geese: u32,
    /// The number of moves that win by leaving the foxes no move.
    pub blocked: u64,
    /// The number of moves that win by filling the upper square.
    pub filled: u64,
}

const UNANSWERED: &str = "no move is given";
const LOST: &str = "the foxes have won";

/// A reason that ends with the picture of the position where the strategy fails.
fn flaw(reason: &str, position: &Position) -> String {
    format!("{reason} in this position:\n{}", position.plain_picture())
}

/// Follows every line from a position with the geese to move in which they have made no move yet.
/// Every move of the foxes must have a legal answer, and the moves to the end must fall along every
/// line. The error says why the strategy does not win.
pub fn check(strategy: Strategy, start: &Position) -> Result<Proof, String> {
    let mut proof = Proof { fewest_geese: u32::MAX, ..Proof::default() };
    let mut seen = HashSet::with_capacity(strategy.len());
    let mut open = vec![start.board()];
    seen.insert(start.board().canonical().0);
    while let Some(board) = open.pop() {
        let after = after_move(strategy, board)?;
        proof.positions += 1;
        proof.fewest_geese = proof.fewest_geese.min(board.geese.len());
        let mut longest = 0;
        match after.outcome() {
            Some(Outcome::Win(GEESE)) if after.board().square_is_full() => proof.filled += 1,
            Some(Outcome::Win(GEESE)) => proof.blocked += 1,
            Some(_) => return Err(flaw(LOST, &after)),
            None => {
                for reply in after.legal_moves() {
                    let next = after.after(reply);
                    if next.outcome().is_some() {
                        return Err(flaw(LOST, &next));
                    }
                    let win = strategy.get(next.board());
                    let win = win.ok_or_else(|| flaw(UNANSWERED, &next))?;
                    longest = longest.max(u32::from(win.moves));
                    proof.replies += 1;
                    if seen.insert(next.board().canonical().0) {
                        open.push(next.board());
                    }
                }
            }
        }
        let given = strategy.get(board).map_or(0, |win| win.moves);
        if u32::from(given) != longest + 1 {
            let reason =
                format!("{given} moves to the end are given where the lines have {}", longest + 1);
            return Err(flaw(&reason, &Position::lettered(board, GEESE, 0)));
        }
        proof.longest = proof.longest.max(given);
    }
    if proof.longest > MOST_MOVES {
        let longest = proof.longest;
        return Err(format!(
            "the longest line takes {longest} moves of the geese, and the rules allow {MOST_MOVES}"
        ));
    }
    match strategy.len().saturating_sub(proof.positions) {
        0 => Ok(proof),
        unused => Err(format!("{unused} positions of the strategy never arise")),
    }
}

/// The position after the strategy's move, with a count of moves from 0.
fn after_move(strategy: Strategy, board: Board) -> Result<Position, String> {
    let mut position = Position::lettered(board, GEESE, 0);
    let win = strategy.get(board).ok_or_else(|| flaw(UNANSWERED, &position))?;
    if position.outcome().is_some() {
        return Err(flaw(LOST, &position));
    }
    // The move must also be legal when it is written to a file and read back.
    let legal = position.legal_moves().contains(&win.mv)
        && position.read_move(&position.write_move(win.mv)).is_ok();
    if !legal {
        return Err(flaw("the move is not legal", &position));
    }
    position.play(win.mv);
    Ok(position)
}
