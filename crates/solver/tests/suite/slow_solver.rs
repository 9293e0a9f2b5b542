//! A slow reference solver of FoxGame endings, by the rules that agents use, without layers,
//! classes, mirror images or bit operations.

use engine::{Game, Side};
use foxgame::board::{BOARD, Board, PointSet};
use foxgame::rules::{FOX, Move, Position};
use std::collections::HashMap;

pub(crate) type Plain = Option<(Side, u32)>;

enum Next {
    Over(Option<Side>),
    /// An unfinished position: its number, and whether the leg goes on.
    Number(usize, bool),
}

impl Next {
    fn winner(&self, winners: &[Option<Side>]) -> Option<Side> {
        match *self {
            Next::Over(winner) => winner,
            Next::Number(number, _) => winners[number],
        }
    }
}

/// The values of all unfinished positions with flocks of these kinds: a number of sheep and the
/// largest sum of rows. No move may lead out of them.
pub(crate) fn solve(kinds: &[(u32, usize)]) -> HashMap<(Board, Side), Plain> {
    let positions = positions(kinds);
    let numbers: HashMap<(Board, Side), usize> =
        positions.iter().enumerate().map(|(number, &position)| (position, number)).collect();
    let next = |position: &Position, mv: Move| {
        let after = position.after(mv);
        let fox_moved = position.side_to_move() == FOX;
        let goes_on = mv.captured.is_empty() && (fox_moved || mv.from.y() == mv.to.y());
        match after.outcome() {
            Some(outcome) => Next::Over(outcome.winner()),
            None => Next::Number(numbers[&(after.board(), after.side_to_move())], goes_on),
        }
    };
    let successors = |&(board, side): &(Board, Side)| {
        let position = Position::new(board, side);
        position.legal_moves().into_iter().map(|mv| next(&position, mv)).collect()
    };
    let successors: Vec<Vec<Next>> = positions.iter().map(successors).collect();
    let winners = winners(&positions, &successors);
    let legs = legs(&positions, &successors, &winners);
    positions
        .into_iter()
        .zip(winners.into_iter().zip(legs))
        .map(|(position, (winner, plies))| {
            (position, winner.map(|winner| (winner, plies.expect("a won leg ends"))))
        })
        .collect()
}

fn positions(kinds: &[(u32, usize)]) -> Vec<(Board, Side)> {
    let mut found = Vec::new();
    for &(sheep, most_rows) in kinds {
        let mut flocks = Vec::new();
        let points: Vec<_> = BOARD.into_iter().collect();
        choose(&points, sheep, most_rows as i32, PointSet::EMPTY, &mut flocks);
        for sheep in flocks {
            for fox in BOARD - sheep {
                for side in Side::BOTH {
                    let board = Board { foxes: PointSet::one(fox), sheep };
                    if Position::new(board, side).outcome().is_none() {
                        found.push((board, side));
                    }
                }
            }
        }
    }
    found
}

/// Appends all flocks of `sheep` more sheep on the given points, with a sum of rows of at most
/// `rows`.
fn choose(
    points: &[foxgame::board::Point],
    sheep: u32,
    rows: i32,
    begun: PointSet,
    found: &mut Vec<PointSet>,
) {
    if sheep == 0 {
        return found.push(begun);
    }
    for (at, &point) in points.iter().enumerate() {
        // The points come row by row: no later sheep has a smaller row.
        if point.y() as i32 * sheep as i32 > rows {
            break;
        }
        choose(&points[at + 1..], sheep - 1, rows - point.y() as i32, begun.with(point), found);
    }
}

fn winners(positions: &[(Board, Side)], successors: &[Vec<Next>]) -> Vec<Option<Side>> {
    let mut winners: Vec<Option<Side>> = vec![None; positions.len()];
    loop {
        let mut changed = false;
        for (number, &(_, side)) in positions.iter().enumerate() {
            if winners[number].is_some() {
                continue;
            }
            let after: Vec<Option<Side>> =
                successors[number].iter().map(|next| next.winner(&winners)).collect();
            let wins = after.contains(&Some(side));
            if wins || after.iter().all(|&winner| winner == Some(side.other())) {
                winners[number] = Some(if wins { side } else { side.other() });
                changed = true;
            }
        }
        if !changed {
            return winners;
        }
    }
}

/// The plies to the end of the leg for each decided position.
fn legs(
    positions: &[(Board, Side)],
    successors: &[Vec<Next>],
    winners: &[Option<Side>],
) -> Vec<Option<u32>> {
    let mut legs: Vec<Option<u32>> = vec![None; positions.len()];
    for ply in 0.. {
        let mut now = Vec::new();
        for (number, &(_, side)) in positions.iter().enumerate() {
            let (Some(winner), None) = (winners[number], legs[number]) else { continue };
            let ends = |next: &Next| matches!(*next, Next::Over(_) | Next::Number(_, false));
            let known =
                |next: &Next| matches!(*next, Next::Number(number, true) if legs[number].is_some());
            let mut next = successors[number].iter();
            let decided = if winner == side {
                next.any(|next| {
                    let keeps = next.winner(winners) == Some(winner);
                    keeps && (known(next) || (ply == 1 && ends(next)))
                })
            } else {
                next.all(|next| ends(next) || known(next))
            };
            if decided && (ply > 0 || winner != side) {
                now.push(number);
            }
        }
        if now.is_empty() && ply > 1 {
            return legs;
        }
        now.into_iter().for_each(|number| legs[number] = Some(ply));
    }
    unreachable!("a leg has an end")
}
