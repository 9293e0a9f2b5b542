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
    /// The number of positions with the geese to move, mirror images counted once. The strategy has
    /// no others.
    pub positions: usize,
    /// The number of moves of the foxes from these positions; each leads to a position of the
    /// strategy.
    pub replies: u64,
    /// The number of the geese's moves in the longest line.
    pub longest: u8,
    /// The fewest geese left in any line.
    pub fewest_geese: u32,
    /// The number of moves of the geese that win by leaving the foxes no move.
    pub blocked: u64,
    /// The number of moves of the geese that win by filling the upper square.
    pub filled: u64,
}

/// The reason why a strategy does not win. A picture shows the position where it fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A position that can arise is not in the strategy.
    #[error("no move is given in this position:\n{0}")]
    Unanswered(String),
    /// The move of a position is illegal.
    #[error("the move of this position is not legal:\n{0}")]
    Illegal(String),
    /// The foxes win a line.
    #[error("the foxes have won in this position:\n{0}")]
    Lost(String),
    /// The number of moves to the end is not one more than the largest of the positions that
    /// follow, so that lines could go in circles.
    #[error(
        "{given} moves to the end are given where the lines have {found} in this position:\n{picture}"
    )]
    Distance {
        /// The number in the strategy.
        given: u8,
        /// The number that follows from the next positions.
        found: u32,
        /// The picture of the position.
        picture: String,
    },
    /// The longest line takes more moves than the rules allow.
    #[error("the longest line takes {0} moves of the geese, and the rules allow {MOST_MOVES}")]
    TooLong(u8),
    /// The strategy contains positions that never arise.
    #[error("{0} positions of the strategy never arise")]
    Unused(usize),
}

/// Follows every line from a position with the geese to move in which they have made no move yet.
/// Every move of the foxes must be answered by a legal move of the geese, and the number of moves
/// to the end must fall along every line.
pub fn check(strategy: Strategy, start: &Position) -> Result<Proof, Flaw> {
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
            Some(_) => return Err(Flaw::Lost(after.plain_picture())),
            None => {
                for reply in after.legal_moves() {
                    let next = after.after(reply);
                    if next.outcome().is_some() {
                        return Err(Flaw::Lost(next.plain_picture()));
                    }
                    let win = strategy
                        .get(next.board())
                        .ok_or_else(|| Flaw::Unanswered(next.plain_picture()))?;
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
            let picture = Position::lettered(board, GEESE, 0).plain_picture();
            return Err(Flaw::Distance { given, found: longest + 1, picture });
        }
        proof.longest = proof.longest.max(given);
    }
    if proof.longest > MOST_MOVES {
        return Err(Flaw::TooLong(proof.longest));
    }
    match strategy.len() - proof.positions.min(strategy.len()) {
        0 => Ok(proof),
        unused => Err(Flaw::Unused(unused)),
    }
}

/// The position after the strategy's move. The position's own count of moves stays 0; the longest
/// line from the start is compared with the limit instead.
fn after_move(strategy: Strategy, board: Board) -> Result<Position, Flaw> {
    let mut position = Position::lettered(board, GEESE, 0);
    let win = strategy.get(board).ok_or_else(|| Flaw::Unanswered(position.plain_picture()))?;
    if position.outcome().is_some() {
        return Err(Flaw::Lost(position.plain_picture()));
    }
    // The move must also be legal when it is written to a file and read back.
    let legal = position.legal_moves().contains(&win.mv)
        && position.read_move(&position.write_move(win.mv)).is_ok();
    if !legal {
        return Err(Flaw::Illegal(position.plain_picture()));
    }
    position.play(win.mv);
    Ok(position)
}
