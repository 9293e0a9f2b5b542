//! The exact values in tables: the winner with best play, and the plies to the end.

use crate::rules::{Position, SHEEP};
use engine::{Game, Outcome, Side};

/// The value of a position with best play: the winner takes the shortest way, the loser the
/// longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Neither side can force a win.
    Draw,
    /// One side can force a win.
    Win {
        /// The winner.
        side: Side,
        /// The plies to the end.
        plies: u32,
    },
}

/// A value in one byte: 0 for a draw, else the plies to the end plus 1. An odd number of plies is a
/// win of the side to move, since the winner makes the last move.
pub type Code = u8;

/// The code of a draw, or of a value not yet known.
pub const DRAW: Code = 0;
/// A win of the sheep with the sheep to move and no ply to go: the one value whose parity would be
/// wrong. No game reaches such a position.
pub const TRAPPED: Code = 255;
/// The most plies to the end that a code can hold.
pub const MOST_PLIES: u32 = 253;

/// The winner of a position that is not drawn, by the plies to the end.
#[inline]
pub const fn winner(to_move: Side, plies: u32) -> Side {
    if plies % 2 == 1 { to_move } else { to_move.other() }
}

impl Value {
    /// The value of a code in a position with this side to move.
    pub const fn decode(code: Code, to_move: Side) -> Value {
        match code {
            DRAW => Value::Draw,
            TRAPPED => Value::Win { side: SHEEP, plies: 0 },
            _ => {
                let plies = code as u32 - 1;
                Value::Win { side: winner(to_move, plies), plies }
            }
        }
    }

    /// The value of a finished game; `None` while it goes on.
    pub fn of_end(position: &Position) -> Option<Value> {
        let winner = position.outcome()?.winner();
        Some(winner.map_or(Value::Draw, |side| Value::Win { side, plies: 0 }))
    }

    /// The outcome without the distance.
    pub const fn outcome(self) -> Outcome {
        match self {
            Value::Draw => Outcome::Draw,
            Value::Win { side, .. } => Outcome::Win(side),
        }
    }

    /// Larger for what is better for a side: wins before draws before losses, shorter wins and
    /// longer losses first.
    pub const fn rank_for(self, view: Side) -> i32 {
        match self {
            Value::Draw => 0,
            Value::Win { side, plies } if side.index() == view.index() => 1_000_000 - plies as i32,
            Value::Win { plies, .. } => plies as i32 - 1_000_000,
        }
    }

    /// The value of a position: the best of its successors for the side to move.
    pub fn of_successors(to_move: Side, successors: impl Iterator<Item = Value>) -> Option<Value> {
        let before = |value| match value {
            Value::Draw => Value::Draw,
            Value::Win { side, plies } => Value::Win { side, plies: plies + 1 },
        };
        successors.map(before).max_by_key(|value| value.rank_for(to_move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::WOLVES;

    #[test]
    fn a_code_names_the_winner_by_parity() {
        for (code, to_move, side, plies) in [
            (2, WOLVES, WOLVES, 1),
            (2, SHEEP, SHEEP, 1),
            (3, WOLVES, SHEEP, 2),
            (1, WOLVES, SHEEP, 0),
            (TRAPPED, SHEEP, SHEEP, 0),
        ] {
            assert_eq!(Value::decode(code, to_move), Value::Win { side, plies });
        }
        assert_eq!(Value::decode(DRAW, WOLVES), Value::Draw);
    }

    #[test]
    fn a_side_prefers_short_wins_then_draws_then_long_losses() {
        let win = |side, plies| Value::Win { side, plies };
        let (own, other) = (SHEEP, WOLVES);
        let best_first = [win(own, 3), win(own, 5), Value::Draw, win(other, 8), win(other, 2)];
        assert!(best_first.is_sorted_by_key(|value| -value.rank_for(own)));
        assert_eq!(
            Value::of_successors(own, [Value::Draw, win(own, 4)].into_iter()),
            Some(win(own, 5))
        );
    }
}
