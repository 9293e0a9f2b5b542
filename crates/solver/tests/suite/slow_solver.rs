//! A slow reference solver of FoxGame endings. It lists every position of some flocks, generates
//! moves by the rules that agents use, and spreads values until nothing changes. It has no layers,
//! classes, mirror images or bit operations.

use engine::{Game, Side};
use foxgame::board::{BOARD, Board, PointSet};
use foxgame::rules::{FOX, LEAST_SHEEP, Position, SHEEP};
use std::collections::HashMap;

/// A value: the winner, and the plies to the end of the leg.
pub(crate) type Plain = Option<(Side, u32)>;

/// A successor of a position.
enum Next {
    /// The game is over. The field is the winner.
    Over(Option<Side>),
    /// An unfinished position: its number, and whether the leg goes on.
    Number(usize, bool),
}

/// Returns the values of all unfinished positions with flocks of these kinds: a number of sheep and
/// the largest sum of rows. The kinds must be such that no move leads out of them.
pub(crate) fn solve(kinds: &[(u32, usize)]) -> HashMap<(Board, Side), Plain> {
    let positions = positions(kinds);
    let numbers: HashMap<(Board, Side), usize> =
        positions.iter().enumerate().map(|(number, &position)| (position, number)).collect();
    let successors: Vec<Vec<Next>> = positions
        .iter()
        .map(|&(board, side)| {
            let position = Position::new(board, side);
            let next = position.legal_moves().into_iter().map(|mv| {
                let after = position.after(mv);
                match after.outcome() {
                    Some(outcome) => Next::Over(outcome.winner()),
                    None => {
                        let goes_on =
                            mv.captured.is_empty() && (side == FOX || mv.from.y() == mv.to.y());
                        Next::Number(numbers[&(after.board(), after.side_to_move())], goes_on)
                    }
                }
            });
            next.collect()
        })
        .collect();
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

/// Returns all unfinished positions with flocks of these kinds.
fn positions(kinds: &[(u32, usize)]) -> Vec<(Board, Side)> {
    let mut found = Vec::new();
    for &(sheep, most_rows) in kinds {
        assert!(sheep >= LEAST_SHEEP);
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
/// `rows`, to `found`.
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

/// Returns the winner of each position, if any.
fn winners(positions: &[(Board, Side)], successors: &[Vec<Next>]) -> Vec<Option<Side>> {
    let mut winners: Vec<Option<Side>> = vec![None; positions.len()];
    loop {
        let mut changed = false;
        for (number, &(_, side)) in positions.iter().enumerate() {
            if winners[number].is_some() {
                continue;
            }
            let winner_after = |next: &Next| match *next {
                Next::Over(winner) => winner,
                Next::Number(number, _) => winners[number],
            };
            let wins = successors[number].iter().any(|next| winner_after(next) == Some(side));
            let loses =
                successors[number].iter().all(|next| winner_after(next) == Some(side.other()));
            if wins || loses {
                winners[number] = Some(if wins { side } else { side.other() });
                changed = true;
            }
        }
        if !changed {
            return winners;
        }
    }
}

/// Returns the number of plies to the end of the leg for each decided position.
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
            let keeps = |next: &Next| match *next {
                Next::Over(after) => after == Some(winner),
                Next::Number(number, _) => winners[number] == Some(winner),
            };
            let mut next = successors[number].iter();
            let decided = if winner == side {
                next.any(|next| {
                    keeps(next) && if ply == 1 { ends(next) || known(next) } else { known(next) }
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

/// Returns the name of a side, for messages.
pub(crate) fn word(side: Side) -> &'static str {
    if side == SHEEP { "SHEEP" } else { "FOX" }
}
