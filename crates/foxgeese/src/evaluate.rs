//! The evaluation: the number and the progress of the geese, and the foxes' room and targets.

use crate::board::{BOARD, Board, Cell, Cells};
use crate::rules::{FOXES, GEESE, MOST_MOVES, Move, Position};
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

/// The tuned weights of the evaluation, in points for the geese.
pub(crate) mod tunable {
    /// Points for each goose.
    pub(crate) const GOOSE: i32 = 120;
    /// Points for each jump over a goose that the foxes could walk up to.
    pub(crate) const THREAT: i32 = -60;
    /// Points for each cell that the foxes can reach, by its row from the top: a fox below the geese
    /// is out of their reach.
    pub(crate) const ROOM: [i32; 7] = [-12, -12, -12, -16, -40, -70, -70];
    /// Points for each goose, by its row from the top.
    pub(crate) const ROW: [i32; 7] = [30, 30, 28, 22, 14, 7, 0];
    /// Additional points for each goose in a side arm, which should be filled first.
    pub(crate) const ARM: [i32; 7] = [0, 0, 8, 8, 0, 0, 0];
}

/// Sets of cells, each with the points for a goose on one of its cells.
const CELL_POINTS: [(Cells, i32); 12] = {
    let mut points = [(Cells::EMPTY, 0); 12];
    let mut row = 0;
    while row < 7 {
        let cells = BOARD.and(Cells::from_bits(0xFF << (8 * row)));
        let arm = cells.and(Cells::from_bits(0x63 << (8 * row)));
        points[row] = (cells.minus(arm), tunable::ROW[row]);
        if !arm.is_empty() {
            points[5 + row] = (arm, tunable::ROW[row] + tunable::ARM[row]);
        }
        row += 1;
    }
    points
};

/// The names of the parts of the evaluation.
const PARTS: [&str; 4] = [
    "geese left",
    "where the geese stand",
    "ways to jump a goose",
    "cells that the foxes can reach",
];

/// The values of the [`PARTS`] for the geese, whichever side is to move.
#[inline]
fn parts(board: Board) -> [Score; 4] {
    let region = board.region();
    let room =
        tunable::ROOM.iter().enumerate().map(|(row, points)| row_count(region, row) * points).sum();
    let cells = CELL_POINTS
        .iter()
        .map(|&(cells, points)| (board.geese & cells).len() as i32 * points)
        .sum();
    [
        board.geese.len() as i32 * tunable::GOOSE - BALANCE,
        cells,
        board.threats(region) as i32 * tunable::THREAT,
        room,
    ]
}

/// The parts of the evaluation by name, from the view of the side to move.
pub(crate) fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
    let sign = if position.side_to_move() == GEESE { 1 } else { -1 };
    PARTS.into_iter().zip(parts(position.board()).map(|points| sign * points)).collect()
}

#[inline]
const fn row_count(cells: Cells, row: usize) -> i32 {
    (cells.bits() >> (8 * row) & 0xFF).count_ones() as i32
}

/// The points for a goose on a cell.
fn cell_points(cell: Cell) -> i32 {
    CELL_POINTS.iter().find(|(cells, _)| cells.contains(cell)).map_or(0, |&(_, points)| points)
}

/// The evaluation and the order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let [geese, cells, threats, room] = parts(position.board());
        let value = geese + cells + threats + room;
        if position.side_to_move() == GEESE { value } else { -value }
    }

    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        match position.side_to_move() {
            GEESE => (cell_points(mv.to) - cell_points(mv.from)) * 32,
            FOXES => mv.captured.len() as i32 * 1_024,
        }
    }

    /// Appends the forced captures of the foxes, so that quiescence search never stops before one.
    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        if position.side_to_move() == FOXES && position.board().foxes_can_jump() {
            position.moves(out);
        }
    }

    fn moves_left(&self, position: &Position) -> u32 {
        u32::from(MOST_MOVES - position.moves_made().min(MOST_MOVES - 1)).min(40)
    }

    fn selectivity(&self, _: Side) -> Selectivity {
        Selectivity { repetition_is_draw: false, ..Selectivity::NONE }
    }
}

/// About the value of the starting position, subtracted so that estimates begin near 0.
const BALANCE: Score = 2_400;
