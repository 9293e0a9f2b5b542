//! The move that the tables of endings advise, checked against the history that they do not know.
//!
//! The tables take no notice of earlier boards, which must not come back (the deadlock rule). What stood before a step
//! ahead or a capture cannot come back after it, so that only the rest of the present leg (`code.rs`) can go wrong. It is
//! played through by the rules, with every move of the loser, before a winning move is believed.

use super::code::Value;
use super::store::Endings;
use crate::rules::{Move, Position, SHEEP};
use engine::{Advice, Game, Side};

/// The positions that may be looked at to check the winning moves of one: some milliseconds.
const MOST_POSITIONS: u32 = 4_000;

/// The plies that a leg may have to be played through; the longest with 10 sheep has 59.
const MOST_PLIES: u32 = 200;

/// What may still be looked at.
struct Budget {
    positions: u32,
    /// The plies below the present position.
    plies: u32,
}

/// What is known of a winning move, with the earlier boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checked {
    /// The leg ends as the tables say, whatever the loser plays.
    Holds,
    /// An earlier board stands in the way.
    Fails,
    /// There are more lines than may be looked at.
    Open,
}

/// The advice for a position that is not finished.
#[must_use]
pub fn advise(position: &Position, endings: &Endings) -> Advice<Move> {
    let (board, side) = (position.board(), position.side_to_move());
    let Some(value) = endings.value(board, side) else { return Advice::Nothing };
    match value {
        Some(value) if value.winner == side => winning_move(position, endings, value),
        Some(_) => Advice::Nothing,
        None => {
            // What is kept so neither side wins by the tables; with earlier boards somebody will have to give way.
            let mut after = position.clone();
            let keeps = |mv: &Move| {
                let undo = after.play(*mv);
                let winner = match after.outcome() {
                    Some(outcome) => outcome.winner(),
                    None => endings.value(after.board(), side.other()).flatten().map(|value| value.winner),
                };
                after.undo(*mv, undo);
                winner != Some(side.other())
            };
            let kept: Vec<Move> = position.legal_moves().into_iter().filter(keeps).collect();
            if kept.is_empty() { Advice::Nothing } else { Advice::Among(kept) }
        }
    }
}

/// The first winning move that holds; else the first that is open.
fn winning_move(position: &Position, endings: &Endings, value: Value) -> Advice<Move> {
    let mut position = position.clone();
    let side = position.side_to_move();
    let mut left = Budget { positions: MOST_POSITIONS, plies: MOST_PLIES };
    let mut open = None;
    for mv in winning_moves(&mut position, endings) {
        match after(&mut position, mv, endings, side, &mut left) {
            Checked::Holds => return Advice::Move(mv, format!("known: won, leg of {} plies", value.plies)),
            Checked::Open => open = open.or(Some(mv)),
            Checked::Fails => {}
        }
    }
    match open {
        Some(mv) => Advice::Move(mv, format!("known: won but for earlier boards, leg of {} plies", value.plies)),
        None => Advice::Nothing,
    }
}

/// The moves after which the side to move still wins by the tables and the rules, those that make progress first.
fn winning_moves(position: &mut Position, endings: &Endings) -> Vec<Move> {
    let side = position.side_to_move();
    let mut found: Vec<(u32, Move)> = Vec::new();
    for mv in position.legal_moves() {
        let undo = position.play(mv);
        let rank = match position.outcome() {
            Some(outcome) => (outcome.winner() == Some(side)).then_some(0),
            None => {
                let value = endings.value(position.board(), side.other()).flatten();
                let plies = value.filter(|value| value.winner == side).map(|value| u32::from(value.plies));
                plies.map(|plies| if ends_leg(side, mv) { 1 } else { 2 + plies })
            }
        };
        position.undo(mv, undo);
        found.extend(rank.map(|rank| (rank, mv)));
    }
    found.sort_by_key(|&(rank, _)| rank);
    found.into_iter().map(|(_, mv)| mv).collect()
}

/// Whether a move cannot be taken back, so that no earlier board can follow it.
fn ends_leg(side: Side, mv: Move) -> bool {
    !mv.captured.is_empty() || (side == SHEEP && mv.from.y() != mv.to.y())
}

/// Whether the rest of the leg after a move is won by a side, who wins it by the tables.
fn after(position: &mut Position, mv: Move, endings: &Endings, winner: Side, left: &mut Budget) -> Checked {
    let mover = position.side_to_move();
    let undo = position.play(mv);
    let checked = match position.outcome() {
        Some(outcome) if outcome.winner() == Some(winner) => Checked::Holds,
        Some(_) => Checked::Fails,
        None if ends_leg(mover, mv) => Checked::Holds,
        None if left.positions == 0 || left.plies == 0 => Checked::Open,
        None => {
            left.positions -= 1;
            left.plies -= 1;
            let checked = rest_of_leg(position, endings, winner, left);
            left.plies += 1;
            checked
        }
    };
    position.undo(mv, undo);
    checked
}

fn rest_of_leg(position: &mut Position, endings: &Endings, winner: Side, left: &mut Budget) -> Checked {
    if position.side_to_move() == winner {
        let mut best = Checked::Fails;
        for mv in winning_moves(position, endings) {
            match after(position, mv, endings, winner, left) {
                Checked::Holds => return Checked::Holds,
                Checked::Open => best = Checked::Open,
                Checked::Fails => {}
            }
        }
        return best;
    }
    let mut worst = Checked::Holds;
    for mv in position.legal_moves() {
        match after(position, mv, endings, winner, left) {
            Checked::Fails => return Checked::Fails,
            Checked::Open => worst = Checked::Open,
            Checked::Holds => {}
        }
    }
    worst
}
