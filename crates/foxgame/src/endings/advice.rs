//! The move that the endgame tables advise, verified against the game's history.
//!
//! The tables do not know the earlier boards, which must not come back (the deadlock rule). No
//! board from before a sheep's step ahead or a capture can come back after it, so that history
//! matters only until the end of the present leg (see `code.rs`). A winning move is verified by an
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

/// The remaining budget of a verification.
struct Budget {
    positions: u32,
    /// The plies that the search may still go down from the present position.
    plies: u32,
}

/// The result of verifying a winning move against the earlier boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            // Neither side wins by the tables, and the deadlock rule decides the game: only losing
            // moves are ruled out.
            let mut after = position.clone();
            let keeps = |mv: &Move| {
                let undo = after.play(*mv);
                let winner = match after.outcome() {
                    Some(outcome) => outcome.winner(),
                    None => endings
                        .value(after.board(), side.other())
                        .flatten()
                        .map(|value| value.winner),
                };
                after.undo(*mv, undo);
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
    let mut budget = Budget { positions: MOST_POSITIONS, plies: MOST_PLIES };
    let mut at = position.clone();
    let holds = |found| (found == Verification::Holds).then_some(());
    if position.side_to_move() != winner {
        holds(verify_leg(&mut at, endings, winner, &mut budget))?;
        return Some((winner, None));
    }
    winning_moves(&mut at.clone(), endings).into_iter().find_map(|mv| {
        holds(verify_move(&mut at, mv, endings, winner, &mut budget))?;
        Some((winner, Some(mv)))
    })
}

/// The first winning move that [`Verification::Holds`], or else the first that is
/// [`Verification::Open`].
fn winning_move(position: &Position, endings: &Endings, value: Value) -> Advice<Move> {
    let mut position = position.clone();
    let side = position.side_to_move();
    let mut budget = Budget { positions: MOST_POSITIONS, plies: MOST_PLIES };
    let mut open = None;
    for mv in winning_moves(&mut position, endings) {
        match verify_move(&mut position, mv, endings, side, &mut budget) {
            Verification::Holds => {
                return Advice::Move(mv, format!("known: won, leg of {} plies", value.plies));
            }
            Verification::Open => open = open.or(Some(mv)),
            Verification::Fails => {}
        }
    }
    match open {
        Some(mv) => Advice::Move(
            mv,
            format!("known: won but for earlier boards, leg of {} plies", value.plies),
        ),
        None => Advice::Nothing,
    }
}

/// The moves after which the side to move still wins by the tables and the rules. Moves that end
/// the game come first, then those that end the leg, then those after which the leg is shortest.
fn winning_moves(position: &mut Position, endings: &Endings) -> Vec<Move> {
    let side = position.side_to_move();
    let mut found: Vec<(u32, Move)> = Vec::new();
    for mv in position.legal_moves() {
        let undo = position.play(mv);
        let rank = match position.outcome() {
            Some(outcome) => (outcome.winner() == Some(side)).then_some(0),
            None => {
                let value = endings.value(position.board(), side.other()).flatten();
                let plies =
                    value.filter(|value| value.winner == side).map(|value| u32::from(value.plies));
                plies.map(|plies| if ends_leg(side, mv) { 1 } else { 2 + plies })
            }
        };
        position.undo(mv, undo);
        found.extend(rank.map(|rank| (rank, mv)));
    }
    found.sort_by_key(|&(rank, _)| rank);
    found.into_iter().map(|(_, mv)| mv).collect()
}

/// Whether a move ends the leg: it is irreversible, so that no earlier board can follow it.
pub fn ends_leg(side: Side, mv: Move) -> bool {
    !mv.captured.is_empty() || (side == SHEEP && mv.from.y() != mv.to.y())
}

/// Verifies that `winner`, who wins by the tables, also wins the rest of the leg after a move under
/// the full rules.
fn verify_move(
    position: &mut Position,
    mv: Move,
    endings: &Endings,
    winner: Side,
    budget: &mut Budget,
) -> Verification {
    let mover = position.side_to_move();
    let undo = position.play(mv);
    let verification = match position.outcome() {
        Some(outcome) if outcome.winner() == Some(winner) => Verification::Holds,
        Some(_) => Verification::Fails,
        None if ends_leg(mover, mv) => Verification::Holds,
        None if budget.positions == 0 || budget.plies == 0 => Verification::Open,
        None => {
            budget.positions -= 1;
            budget.plies -= 1;
            let verification = verify_leg(position, endings, winner, budget);
            budget.plies += 1;
            verification
        }
    };
    position.undo(mv, undo);
    verification
}

/// Verifies the rest of the leg from a position: one move of the winner must hold, or all moves of
/// the loser.
fn verify_leg(
    position: &mut Position,
    endings: &Endings,
    winner: Side,
    budget: &mut Budget,
) -> Verification {
    if position.side_to_move() == winner {
        let mut best = Verification::Fails;
        for mv in winning_moves(position, endings) {
            match verify_move(position, mv, endings, winner, budget) {
                Verification::Holds => return Verification::Holds,
                Verification::Open => best = Verification::Open,
                Verification::Fails => {}
            }
        }
        return best;
    }
    let mut worst = Verification::Holds;
    for mv in position.legal_moves() {
        match verify_move(position, mv, endings, winner, budget) {
            Verification::Fails => return Verification::Fails,
            Verification::Open => worst = Verification::Open,
            Verification::Holds => {}
        }
    }
    worst
}
