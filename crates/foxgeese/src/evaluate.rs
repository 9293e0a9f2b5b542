//! The evaluation of Foxes and Geese: how far the geese have come, and how much room and prey the foxes have.

use crate::board::{BOARD, Board, Cell, Cells};
use crate::rules::{FOXES, GEESE, MOST_MOVES, Move, Position};
use engine::search::{Knowledge, Score, Selectivity};
use engine::{Game, Side};

/// The numbers of the evaluation, in points for the geese.
mod tunable {
    /// Points for a goose.
    pub(crate) const GOOSE: i32 = 120;
    /// Points for each goose and direction in which it could be jumped from the region that the foxes can reach.
    pub(crate) const THREAT: i32 = -60;
    /// Points for each cell that the foxes can reach, by its row from the top. Geese never step down: a fox below them
    /// is out of reach.
    pub(crate) const ROOM: [i32; 7] = [-12, -12, -12, -16, -40, -70, -70];
    /// Points for a goose, by its row from the top.
    pub(crate) const ROW: [i32; 7] = [30, 30, 28, 22, 14, 7, 0];
    /// Points for a goose in a side arm, by its row from the top: the arms should be filled first.
    pub(crate) const ARM: [i32; 7] = [0, 0, 8, 8, 0, 0, 0];
}

/// Cells by their worth for a goose: sets of cells, and the points for each of their geese.
const WORTH: [(Cells, i32); 12] = {
    let mut worth = [(Cells::EMPTY, 0); 12];
    let mut row = 0;
    while row < 7 {
        let cells = BOARD.and(Cells::from_bits(0xFF << (8 * row)));
        let arm = cells.and(Cells::from_bits(0x63 << (8 * row)));
        worth[row] = (cells.minus(arm), tunable::ROW[row]);
        if !arm.is_empty() {
            worth[5 + row] = (arm, tunable::ROW[row] + tunable::ARM[row]);
        }
        row += 1;
    }
    worth
};

/// The value of a board for the geese, whoever is to move.
#[inline]
#[must_use]
pub fn for_geese(board: Board) -> Score {
    let region = board.region();
    let room: i32 = tunable::ROOM.iter().enumerate().map(|(row, points)| row_count(region, row) * points).sum();
    let cells: i32 = WORTH.iter().map(|&(cells, worth)| (board.geese & cells).len() as i32 * worth).sum();
    cells + board.geese.len() as i32 * tunable::GOOSE + board.threats(region) as i32 * tunable::THREAT + room
}

/// The parts of the evaluation, for the side to move.
pub(crate) fn terms(position: &Position) -> Vec<(&'static str, Score)> {
    let board = position.board();
    let region = board.region();
    let room = tunable::ROOM.iter().enumerate().map(|(row, points)| row_count(region, row) * points).sum();
    let cells = WORTH.iter().map(|&(cells, worth)| (board.geese & cells).len() as i32 * worth).sum();
    let parts = [
        ("geese left", board.geese.len() as i32 * tunable::GOOSE - BALANCE),
        ("where the geese stand", cells),
        ("ways to jump a goose", board.threats(region) as i32 * tunable::THREAT),
        ("cells that the foxes can reach", room),
    ];
    let sign = if position.side_to_move() == GEESE { 1 } else { -1 };
    parts.into_iter().map(|(what, points)| (what, sign * points)).collect()
}

#[inline]
const fn row_count(cells: Cells, row: usize) -> i32 {
    (cells.bits() >> (8 * row) & 0xFF).count_ones() as i32
}

/// The points for a goose on a cell.
fn worth_of(cell: Cell) -> i32 {
    WORTH.iter().find(|(cells, _)| cells.contains(cell)).map_or(0, |&(_, worth)| worth)
}

/// The knowledge that the agent plays with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Knowledge<Position> for Evaluation {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let value = for_geese(position.board()) - BALANCE;
        if position.side_to_move() == GEESE { value } else { -value }
    }

    /// The order of moves: the geese's by the worth of their cells, the foxes' by the geese taken.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        match position.side_to_move() {
            GEESE => (worth_of(mv.to) - worth_of(mv.from)) * 32,
            FOXES => mv.captured.len() as i32 * 1_024,
        }
    }

    /// Appends the forced captures of the foxes: none is the end of a line.
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

/// The value of the start, so that estimates begin near 0.
const BALANCE: Score = 2_400;
