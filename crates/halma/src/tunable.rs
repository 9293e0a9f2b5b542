//! The numbers of the evaluation and of the selective search that were tuned by games.

use engine::search::{LateMoves, LatePruning, Score};

/// Hundredths of a point for each row or column that a piece is away from its far corner.
pub(crate) const DISTANCE: i32 = 1_000;
/// Hundredths of a point for the square of the distance from the far corner: it makes the rear move
/// first.
pub(crate) const DISTANCE_SQUARED: i32 = 68;
/// Hundredths of a point for the square of the distance from the long diagonal.
pub(crate) const ASIDE_SQUARED: i32 = 24;
/// Hundredths of a point for a piece that stands in the target camp.
pub(crate) const ARRIVED: i32 = 609;

/// Points for each step between a hole and the nearest piece that could fill it, and for each
/// between such a piece and the nearest hole.
pub(crate) const APART: Score = 6;
/// Points for each hole.
pub(crate) const HOLE: Score = 1;
/// Points for a side most of whose pieces have arrived. The bonus exceeds the costs of holes and
/// distances that count from then on; with a smaller one the side would keep its next piece out of
/// the camp.
pub(crate) const LATE: Score = 268;

/// The units of history score that a point of the learned worths counts in move ordering.
pub(crate) const ORDER: i32 = 40;
/// The hundredths of a stage's tempo that count.
pub(crate) const TEMPO: i32 = 100;
/// Half the width of the first aspiration window, in points.
pub(crate) const ASPIRATION: Score = 300;

/// The reduction of late moves.
pub(crate) const LATE_MOVES: LateMoves =
    LateMoves { least_depth: 3, full_moves: 4, base: 0.5, divisor: 2.0 };
/// The pruning of late moves. Of the hundred moves of a middle-game position, most go sideways or
/// back.
pub(crate) const LATE_PRUNING: LatePruning = LatePruning { most_depth: 6, base: 4, factor: 1 };
