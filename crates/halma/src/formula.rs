//! The evaluation of plain searches, such as the reference players': worths by a formula, the nearer
//! to the far corner, the more, and the cost of the holes in an almost filled camp.

use crate::board::{BLACK, CAMPS, SIZE, Square, Squares, WHITE};
use crate::worth::Worths;
use engine::Side;
use engine::search::Score;
use std::sync::{Arc, LazyLock};

/// Hundredths of a point for each row or column that a piece is away from its far corner.
const DISTANCE: i32 = 1_000;
/// Hundredths of a point for the square of the distance from the far corner: it makes the rear move
/// first.
const DISTANCE_SQUARED: i32 = 68;
/// Hundredths of a point for the square of the distance from the long diagonal.
const ASIDE_SQUARED: i32 = 24;
/// Hundredths of a point for a piece that stands in the target camp.
const ARRIVED: i32 = 609;
/// Points for each step between a hole and the nearest piece that could fill it, and for each
/// between such a piece and the nearest hole.
const APART: Score = 6;
/// Points for each hole.
const HOLE: Score = 1;
/// Points for a side most of whose pieces have arrived. The bonus exceeds the costs of holes and
/// distances that count from then on; with a smaller one the side would keep its next piece out of
/// the camp.
const LATE: Score = 268;

/// The worth of a piece by the formula, in points, by side and square: the nearer to the far
/// corner, the more.
pub static WORTH: [[i16; 256]; 2] = [worth_table(BLACK), worth_table(WHITE)];

/// Returns the formula's worths, which are the same at every root.
#[must_use]
pub fn worths() -> &'static Arc<Worths> {
    static FORMULA: LazyLock<Arc<Worths>> =
        LazyLock::new(|| Arc::new(Worths::new(WORTH, 0).by_formula()));
    &FORMULA
}

const fn worth_table(side: Side) -> [i16; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let square = Square::new(index as u8);
        // Coordinates counted from the far corner, which is the bottom right for Black.
        let (x, y) = match side {
            BLACK => (SIZE - 1 - square.x(), SIZE - 1 - square.y()),
            WHITE => (square.x(), square.y()),
        };
        let distance = (x + y) as i32;
        let aside = x as i32 - y as i32;
        let target = CAMPS[side.other().index()].contains(square);
        let hundredths = 70_000
            - DISTANCE * distance
            - DISTANCE_SQUARED * distance * distance
            - ASIDE_SQUARED * aside * aside
            + if target { ARRIVED } else { 0 };
        table[index] = (hundredths / 100) as i16;
        index += 1;
    }
    table
}

/// Returns the points that a side gets in addition to the worth of its squares once most of its army
/// has arrived: a bonus less the cost of the holes and of the distances between them and the pieces
/// outside that must fill them. Without this cost the last pieces would shuffle in front of a camp
/// whose hole is on the other side.
pub(crate) fn late_part(holes: Squares, outside: Squares) -> Score {
    let nearest = |from: Square, among: Squares| {
        let steps = among.into_iter().map(|square| steps_between(from, square));
        Score::from(steps.min().unwrap_or(0))
    };
    let to_holes: Score = outside.into_iter().map(|piece| nearest(piece, holes)).sum();
    let to_pieces: Score = holes.into_iter().map(|hole| nearest(hole, outside)).sum();
    LATE - HOLE * holes.len() as Score - APART * (to_holes + to_pieces)
}

/// Returns the number of steps between two squares: the larger of the differences in columns and in
/// rows.
#[inline]
fn steps_between(a: Square, b: Square) -> u8 {
    let (columns, rows) = a.abs_diff(b);
    columns.max(rows) as u8
}
