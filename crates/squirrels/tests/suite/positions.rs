//! Random positions, and what the slow implementation and the exact solver make of a position.

use crate::slow::SlowBoard;
use engine::{Game, Protocol, Side, Task, TimeControl};
use rand::RngExt;
use rand::rngs::StdRng;
use squirrels::board::{ALL, MOST_VALUE, SQUARES, Squares, Values};
use squirrels::exact::{Solution, Solver, Table};
use squirrels::rules::{O, X};
use squirrels::{Move, Position};
use std::sync::Arc;
use std::time::Duration;

/// Random values. `kind` selects from eight distributions in turn, half of which have few different
/// values and so cause many ties.
pub(crate) fn random_values(random: &mut StdRng, kind: u32) -> [u16; SQUARES] {
    let few: &[u16] = match kind % 8 {
        0 => return std::array::from_fn(|_| random.random_range(1..=99)),
        1..4 => &[],
        4 => &[0, MOST_VALUE],
        5 => &[0, 100, MOST_VALUE],
        6 => &[1, 2, 3],
        _ => [&[0], &[100], &[MOST_VALUE]][random.random_range(0..3)],
    };
    std::array::from_fn(|_| match few {
        [] => random.random_range(0..=MOST_VALUE),
        few => few[random.random_range(0..few.len())],
    })
}

/// Plays random legal moves until `empty` squares are left. In every other round the colours are
/// drawn at random afterwards, or all are one, which gives the largest differences.
pub(crate) fn random_position(
    random: &mut StdRng,
    values: [u16; SQUARES],
    empty: u32,
    round: u32,
) -> Position {
    let side = Side::BOTH[random.random_range(0..2)];
    let mut position = Position::new(Arc::new(Values::new(values)), [Squares::EMPTY; 2], side);
    while position.empty().len() > empty {
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
    if round.is_multiple_of(2) {
        return position;
    }
    let taken = position.pieces(X) | position.pieces(O);
    let first = match round % 8 {
        3 => taken,
        7 => Squares::EMPTY,
        _ => taken & Squares::from_bits(random.random::<u32>().into()),
    };
    Position::new(Arc::clone(position.values()), [first, taken - first], position.side_to_move())
}

/// The first `count` squares from A1 on.
pub(crate) fn first_squares(count: usize) -> Squares {
    ALL.into_iter().take(count).collect()
}

pub(crate) fn text_of(position: &Position, control: TimeControl, seconds: u64) -> String {
    let (position, clock) = (position.clone(), Duration::from_secs(seconds));
    Position::write_task(&Task { position, control, clock })
}

pub(crate) fn slow_of(position: &Position) -> (SlowBoard, char) {
    let text = text_of(position, TimeControl::Single, 1);
    let lines: Vec<&str> = text.lines().collect();
    (SlowBoard::read(&lines[3..]), lines[1].chars().next().unwrap())
}

/// Solves a position, and checks that its best line is legal, fills the board and reaches the
/// value.
pub(crate) fn solved(position: &Position) -> Solution {
    // Tables with and without lines for sets of empty squares.
    let bytes = match position.empty().len() {
        empty @ (1 | 3 | 5 | 7 | 9) => Table::bytes_for(empty),
        _ => 2 * Table::LEAST_BYTES,
    };
    let table = Table::for_empty(position.empty(), bytes);
    let mut solver = Solver::new(position.values(), &table, |_, _| false);
    let solution = solver.solve(position, |_, _| ()).unwrap();
    let mut after = position.clone();
    for square in solver.line(position, solution).unwrap() {
        assert!(after.is_legal(Move(square)));
        after.play(Move(square));
    }
    assert!(after.empty().is_empty());
    assert_eq!(after.difference(position.side_to_move()), solution.value, "{position:?}");
    solution
}
