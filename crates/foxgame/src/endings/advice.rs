//! The move that the endgame tables advise, verified against the game's history.
//!
//! The tables do not know the earlier boards, which must not come back (the deadlock rule). They
//! matter only until the end of the present leg (see `code.rs`). A winning move is verified by an
//! AND/OR search of the rest of the leg under the full rules: winning moves of the winner, every
//! move of the loser.

use super::code::Value;
use super::store::Endings;
use crate::rules::{Move, Position, SHEEP};
use engine::{Advice, Game, Side};

/// The most positions visited to verify the winning moves of one position; they take some
/// milliseconds.
const MOST_POSITIONS: u32 = 4_000;

/// The deepest verification, in plies; the longest leg with 10 sheep has 59.
const MOST_PLIES: u32 = 200;

/// The result of verifying a win against the earlier boards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verification {
    /// The leg ends as the tables say against every defence.
    Holds,
    /// Some defence reaches an earlier board that spoils the win.
    Fails,
    /// The budget ran out.
    Open,
}

/// The tables' advice for an unfinished position: a winning move, the moves that do not lose, or
/// nothing.
pub fn advise(position: &Position, endings: &Endings) -> Advice<Move> {
    let (board, side) = (position.board(), position.side_to_move());
    let Some(value) = endings.value(board, side) else { return Advice::Nothing };
    match value {
        Some(value) if value.winner == side => winning_move(position, endings, value),
        Some(_) => Advice::Nothing,
        None => {
            // The deadlock rule decides the game: only losing moves are ruled out.
            let keeps = |mv: &Move| {
                let after = position.after(*mv);
                let stored = || endings.value(after.board(), side.other()).flatten();
                let winner = after
                    .outcome()
                    .map_or_else(|| stored().map(|value| value.winner), |outcome| outcome.winner());
                winner != Some(side.other())
            };
            let kept: Vec<Move> = position.legal_moves().into_iter().filter(keeps).collect();
            if kept.is_empty() { Advice::Nothing } else { Advice::Among(kept) }
        }
    }
}

/// The winner of a position by the tables, and a move of the winner's that keeps the win if it is
/// to move; `None` where the tables do not know, or the earlier boards may spoil the win.
pub fn proven(position: &Position, endings: &Endings) -> Option<(Side, Option<Move>)> {
    let winner = endings.value(position.board(), position.side_to_move())??.winner;
    let mut verifier = Verifier::new(position, endings, winner);
    if position.side_to_move() != winner {
        return (verifier.verify_leg() == Verification::Holds).then_some((winner, None));
    }
    let best = verifier
        .winning_moves()
        .into_iter()
        .find(|&mv| verifier.verify_move(mv) == Verification::Holds)?;
    Some((winner, Some(best)))
}

/// The first winning move that [`Verification::Holds`], or else the first that is
/// [`Verification::Open`].
fn winning_move(position: &Position, endings: &Endings, value: Value) -> Advice<Move> {
    let mut verifier = Verifier::new(position, endings, value.winner);
    let plies = value.plies;
    let mut open = None;
    for mv in verifier.winning_moves() {
        match verifier.verify_move(mv) {
            Verification::Holds => {
                return Advice::Move(mv, format!("known: won, leg of {plies} plies"));
            }
            Verification::Open => open = open.or(Some(mv)),
            Verification::Fails => {}
        }
    }
    open.map_or(Advice::Nothing, |mv| {
        Advice::Move(mv, format!("known: won but for earlier boards, leg of {plies} plies"))
    })
}

/// Whether a move ends the leg: it is irreversible, so that no earlier board can follow it.
pub fn ends_leg(side: Side, mv: Move) -> bool {
    !mv.captured.is_empty() || (side == SHEEP && mv.from.y() != mv.to.y())
}

/// A search of the rest of the leg by the full rules, for a win that the tables know.
struct Verifier<'a> {
    position: Position,
    endings: &'a Endings,
    winner: Side,
    positions: u32,
    /// The plies that the search may still go down from the present position.
    plies: u32,
}

impl Verifier<'_> {
    fn new<'a>(position: &Position, endings: &'a Endings, winner: Side) -> Verifier<'a> {
        let (positions, plies) = (MOST_POSITIONS, MOST_PLIES);
        Verifier { position: position.clone(), endings, winner, positions, plies }
    }

    /// The moves after which the side to move still wins by the tables and the rules. Moves that
    /// end the game come first, then those that end the leg, then those after which the leg is
    /// shortest.
    fn winning_moves(&mut self) -> Vec<Move> {
        let side = self.position.side_to_move();
        let mut found: Vec<(u32, Move)> = Vec::new();
        for mv in self.position.legal_moves() {
            let undo = self.position.play(mv);
            let rank = match self.position.outcome() {
                Some(outcome) => (outcome.winner() == Some(side)).then_some(0),
                None => {
                    let value = self.endings.value(self.position.board(), side.other()).flatten();
                    value.filter(|value| value.winner == side).map(|value| {
                        if ends_leg(side, mv) { 1 } else { 2 + u32::from(value.plies) }
                    })
                }
            };
            self.position.undo(mv, undo);
            found.extend(rank.map(|rank| (rank, mv)));
        }
        found.sort_by_key(|&(rank, _)| rank);
        found.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Verifies that the winner also wins the rest of the leg after a move.
    fn verify_move(&mut self, mv: Move) -> Verification {
        let mover = self.position.side_to_move();
        let undo = self.position.play(mv);
        let verification = match self.position.outcome() {
            Some(outcome) if outcome.winner() == Some(self.winner) => Verification::Holds,
            Some(_) => Verification::Fails,
            None if ends_leg(mover, mv) => Verification::Holds,
            None if self.positions == 0 || self.plies == 0 => Verification::Open,
            None => {
                self.positions -= 1;
                self.plies -= 1;
                let verification = self.verify_leg();
                self.plies += 1;
                verification
            }
        };
        self.position.undo(mv, undo);
        verification
    }

    /// Verifies the rest of the leg: one move of the winner must hold, or all moves of the loser.
    fn verify_leg(&mut self) -> Verification {
        let wins = self.position.side_to_move() == self.winner;
        let (moves, decisive, mut found) = if wins {
            (self.winning_moves(), Verification::Holds, Verification::Fails)
        } else {
            (self.position.legal_moves(), Verification::Fails, Verification::Holds)
        };
        for mv in moves {
            match self.verify_move(mv) {
                verification if verification == decisive => return decisive,
                Verification::Open => found = Verification::Open,
                _ => {}
            }
        }
        found
    }
}
