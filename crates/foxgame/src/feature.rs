//! The features of a position that the evaluation weighs, numbered in the order of the weights.

/// The places of a board: points that are each other's mirror image share one and its weights. They are those of the
/// board's left half with its middle column, row by row ([`ROWS_OF_PLACES`]).
pub const PLACES: usize = 20;

/// Places in each row, from the top.
pub const ROWS_OF_PLACES: [usize; 7] = [2, 2, 4, 4, 4, 2, 2];

/// The sheep on each place.
pub const SHEEP: usize = 0;
/// The foxes on each place.
pub const FOX: usize = SHEEP + PLACES;
/// The number of sheep that are gone, squared.
pub const LOST: usize = FOX + PLACES;
/// Whether only one fox is left.
pub const ALONE: usize = LOST + 1;
/// Sheep with open points on two opposite sides: a fox could jump them.
pub const OPEN: usize = ALONE + 1;
/// [`OPEN`] sheep that a fox can walk to.
pub const REACHED: usize = OPEN + 1;
/// Sheep that a fox stands beside, with the point behind empty.
pub const HANGING: usize = REACHED + 1;
/// Whether there is more than one [`HANGING`] sheep.
pub const FORK: usize = HANGING + 1;
/// Points that the foxes can walk to.
pub const REGION: usize = FORK + 1;
/// Points of the pen that the foxes can walk to.
pub const REGION_IN_PEN: usize = REGION + 1;
/// Steps that the foxes can make.
pub const FOX_STEPS: usize = REGION_IN_PEN + 1;
/// Foxes with one step at most.
pub const CRAMPED: usize = FOX_STEPS + 1;
/// Steps that the sheep can make, by way: ahead, sideways, diagonal.
pub const SHEEP_STEPS: usize = CRAMPED + 1;
/// Whether it is the sheep's turn.
pub const TURN: usize = SHEEP_STEPS + 3;
/// One, in every position: what the other weights cannot say.
pub const CONSTANT: usize = TURN + 1;
/// The number of features.
pub const COUNT: usize = CONSTANT + 1;

/// The features' names in this file, with the first number that each has.
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

/// A weight for the beginning and one for the end, for each feature; points for the sheep.
pub type Weights = [[i16; 2]; COUNT];
