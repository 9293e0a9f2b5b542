//! The features that the evaluation weighs, numbered in the order of [`Weights`].

/// The number of places. A place is a point and its mirror image; places are numbered by the points
/// of the board's left half and its middle column, row by row.
pub const PLACES: usize = 20;

/// The first of the [`PLACES`] features that count sheep on a place.
pub const SHEEP: usize = 0;
/// The first of the [`PLACES`] features that count foxes on a place.
pub const FOX: usize = SHEEP + PLACES;
/// The square of the number of captured sheep.
pub const LOST: usize = FOX + PLACES;
/// Whether only one fox is left.
pub const ALONE: usize = LOST + 1;
/// The number of sheep with open points on two opposite sides, which a fox beside them could jump.
pub const OPEN: usize = ALONE + 1;
/// The number of [`OPEN`] sheep that a fox can walk up to.
pub const REACHED: usize = OPEN + 1;
/// The number of hanging sheep: those that a fox could jump in its next move.
pub const HANGING: usize = REACHED + 1;
/// Whether there is more than one [`HANGING`] sheep.
pub const FORK: usize = HANGING + 1;
/// The number of points that the foxes can walk to.
pub const REGION: usize = FORK + 1;
/// The number of points of the pen that the foxes can walk to.
pub const REGION_IN_PEN: usize = REGION + 1;
/// The number of steps that the foxes can make.
pub const FOX_STEPS: usize = REGION_IN_PEN + 1;
/// The number of foxes that have at most one step.
pub const CRAMPED: usize = FOX_STEPS + 1;
/// The first of three features: the number of steps that the sheep can make straight ahead,
/// sideways and diagonally.
pub const SHEEP_STEPS: usize = CRAMPED + 1;
/// Whether SHEEP is to move.
pub const TURN: usize = SHEEP_STEPS + 3;
/// 1 in every position.
pub const CONSTANT: usize = TURN + 1;
/// The number of features.
pub const COUNT: usize = CONSTANT + 1;

/// For each feature, its weight in the opening and its weight at the end, in points for SHEEP.
pub type Weights = [[i16; 2]; COUNT];
