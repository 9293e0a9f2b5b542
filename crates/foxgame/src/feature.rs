//! The features that the evaluation weighs, numbered in the order of [`Weights`].

/// The number of places. A place is a point and its mirror image, which share their weights. Places
/// are numbered by the points of the board's left half and its middle column, row by row: 2, 2, 4,
/// 4, 4, 2, 2.
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
/// The number of hanging sheep: those that a fox stands beside, with the point behind them empty.
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
/// The intercept: 1 in every position.
pub const CONSTANT: usize = TURN + 1;
/// The number of features.
pub const COUNT: usize = CONSTANT + 1;

/// The names of the constants above, each with the number of its first feature.
pub const NAMES: [(&str, usize); 15] = [
    ("SHEEP", SHEEP),
    ("FOX", FOX),
    ("LOST", LOST),
    ("ALONE", ALONE),
    ("OPEN", OPEN),
    ("REACHED", REACHED),
    ("HANGING", HANGING),
    ("FORK", FORK),
    ("REGION", REGION),
    ("REGION_IN_PEN", REGION_IN_PEN),
    ("FOX_STEPS", FOX_STEPS),
    ("CRAMPED", CRAMPED),
    ("SHEEP_STEPS", SHEEP_STEPS),
    ("TURN", TURN),
    ("CONSTANT", CONSTANT),
];

/// For each feature, its weight in the opening and its weight at the end, in points for SHEEP.
pub type Weights = [[i16; 2]; COUNT];
