//! The evaluation, and what else the search knows of FoxGame beyond the rules.
//!
//! The estimate is a sum of features, each with two weights: one for a game that begins, one for a flock that has
//! arrived. The weights are fitted to results of games against itself (`examples/tune.rs`).

use crate::board::{BOARD, Board, CROSSINGS, PEN, Point, PointSet, STRAIGHT, TABLE, WAYS_OF_SHEEP, shift};
use crate::endings::store::Endings;
use crate::feature::{self, PLACES, Weights};
use crate::rules::{FOX, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use crate::weights::WEIGHTS;
use engine::score::MAX_ESTIMATE;
use engine::search::{Knowledge, LateMoves, Score, Selectivity};
use engine::{Game, Side};

/// The points of a score that is worth odds of e to 1.
pub const POINTS_PER_LOGIT: f32 = 200.0;

/// The number of the place that each point belongs to.
static PLACE: [u8; TABLE] = {
    let mut places = [0; TABLE];
    let mut next = 0;
    let mut index = 0;
    while index < TABLE {
        if let Some(point) = Point::from_index(index) {
            if point.x() <= 3 {
                places[index] = next;
                next += 1;
            } else {
                places[index] = places[8 * point.y() + 6 - point.x()];
            }
        }
        index += 1;
    }
    assert!(next as usize == PLACES);
    places
};

/// The sum of the sheep's rows from which a game counts as beginning, and the one at which the flock has arrived.
const ROWS: (u32, u32) = (80, 20);

/// The part of a game that is still ahead of the flock, from 0 to [`PHASES`].
#[must_use]
pub fn phase(board: Board) -> i32 {
    (sum_of_rows(board.sheep).clamp(ROWS.1, ROWS.0) - ROWS.1) as i32
}

/// The largest [`phase`].
pub const PHASES: i32 = (ROWS.0 - ROWS.1) as i32;

/// The points that the foxes could walk to if the sheep stood still, their own included.
#[must_use]
pub fn region(board: Board) -> PointSet {
    let empty = board.empty().bits();
    let mut region = board.foxes.bits();
    loop {
        let straight = region | region << 8 | region >> 8 | region << 1 | region >> 1;
        let crossed = region & CROSSINGS.bits();
        let wider = region | empty & (straight | crossed << 9 | crossed >> 9 | crossed << 7 | crossed >> 7);
        if wider == region {
            return PointSet::from_bits(region);
        }
        region = wider;
    }
}

/// The sheep that have open points, empty or under a fox, on two opposite sides along a line; and of those, the ones
/// that a fox in the region could jump.
fn open_sheep(board: Board, region: PointSet) -> (PointSet, PointSet) {
    let open = BOARD - board.sheep;
    let (mut all, mut reached) = (PointSet::EMPTY, PointSet::EMPTY);
    // Opposite ways: up and down, left and right, and the diagonals.
    for (way, opposite) in [(0, 3), (1, 2), (4, 7), (5, 6)] {
        let (here, there) = (shift(open, way), shift(open, opposite));
        all |= here & there;
        reached |= (shift(region, way) & there) | (here & shift(region, opposite));
    }
    (all & board.sheep, reached & all & board.sheep)
}

/// The sheep that the foxes could jump at once.
pub(crate) fn hanging_sheep(board: Board) -> PointSet {
    let empty = board.empty();
    let jumps = board.foxes.into_iter().flat_map(Point::jumps);
    jumps.filter(|jump| board.sheep.contains(jump.over) && empty.contains(jump.to)).map(|jump| jump.over).collect()
}

/// Names every feature that is not 0 with its amount.
#[inline]
pub fn measure(board: Board, side: Side, mut add: impl FnMut(usize, i32)) {
    let count = |points: PointSet| points.len() as i32;
    for point in board.sheep {
        add(feature::SHEEP + PLACE[point.index()] as usize, 1);
    }
    let empty = board.empty();
    let mut steps = 0;
    for fox in board.foxes {
        add(feature::FOX + PLACE[fox.index()] as usize, 1);
        let own = count(fox.neighbours() & empty);
        steps += own;
        add(feature::CRAMPED, i32::from(own <= 1));
    }
    let lost = MOST_SHEEP as i32 - count(board.sheep);
    add(feature::LOST, lost * lost);
    add(feature::ALONE, i32::from(count(board.foxes) == 1));
    let region = region(board);
    let (open, reached) = open_sheep(board, region);
    let hanging = count(hanging_sheep(board));
    add(feature::OPEN, count(open));
    add(feature::REACHED, count(reached));
    add(feature::HANGING, hanging);
    add(feature::FORK, i32::from(hanging > 1));
    add(feature::REGION, count(region));
    add(feature::REGION_IN_PEN, count(region & PEN));
    add(feature::FOX_STEPS, steps);
    for way in WAYS_OF_SHEEP {
        let kind = if way >= STRAIGHT { 2 } else { usize::from(way != 0) };
        add(feature::SHEEP_STEPS + kind, count(shift(board.sheep, way) & empty));
    }
    add(feature::TURN, i32::from(side == SHEEP));
    add(feature::CONSTANT, 1);
}

/// The evaluation that the FoxGame agent plays with.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    weights: &'static Weights,
    /// The tables of endings, if there are any.
    endings: Option<&'static Endings>,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { weights: &WEIGHTS, endings: None }
    }
}

/// The estimate of a position that is won by the tables of endings; all sums of features are far smaller.
const KNOWN_WIN: Score = 300_000;
/// What each ply that is left of the leg takes from it.
const KNOWN_PLY: Score = 100;
/// The most that the sum of features adds to it or takes from it.
const KNOWN_MARGIN: Score = 50_000;

impl Evaluation {
    /// An evaluation with other weights.
    #[must_use]
    pub const fn with(weights: &'static Weights) -> Evaluation {
        Evaluation { weights, endings: None }
    }

    /// The usual evaluation, with these tables of endings: who wins by them is rated above every estimate. That is an
    /// estimate, too, for the tables know no earlier boards.
    #[must_use]
    pub fn knowing(endings: Option<&'static Endings>) -> Evaluation {
        Evaluation { endings, ..Evaluation::default() }
    }

    /// The tables of endings, if there are any.
    #[must_use]
    pub fn endings(&self) -> Option<&'static Endings> {
        self.endings
    }

    /// The estimate of the sum of features, for SHEEP.
    fn estimate(&self, position: &Position) -> Score {
        let board = position.board();
        let (mut early, mut late) = (0, 0);
        measure(board, position.side_to_move(), |feature, amount| {
            early += i32::from(self.weights[feature][0]) * amount;
            late += i32::from(self.weights[feature][1]) * amount;
        });
        let phase = phase(board);
        (early * phase + late * (PHASES - phase)) / PHASES
    }

    /// The estimate for SHEEP of a position that the tables of endings decide.
    fn known(&self, position: &Position) -> Option<Score> {
        let value = self.endings?.value(position.board(), position.side_to_move())??;
        let sign = if value.winner == SHEEP { 1 } else { -1 };
        let hurry = KNOWN_PLY * Score::from(value.plies);
        Some(sign * (KNOWN_WIN - hurry) + self.estimate(position).clamp(-KNOWN_MARGIN, KNOWN_MARGIN))
    }
}

/// The malus in the order of moves for a sheep's step to where a fox can jump it.
const INTO_DANGER: i32 = 3_000;
/// The bonus in the order of moves for a sheep's step ahead, for each row.
const AHEAD: i32 = 300;
/// The bonus in the order of moves for each sheep that is taken; more than any history score.
const CAPTURE: i32 = 20_000;

impl Knowledge<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> Score {
        let sheep = self.known(position).unwrap_or_else(|| self.estimate(position)).clamp(-MAX_ESTIMATE, MAX_ESTIMATE);
        if position.side_to_move() == SHEEP { sheep } else { -sheep }
    }

    fn order(&self, position: &Position, mv: Move) -> i32 {
        match position.side_to_move() {
            FOX => CAPTURE * mv.captured.len() as i32,
            SHEEP => {
                let ahead = (mv.from.y() - mv.to.y()) as i32 * AHEAD;
                if is_in_danger(position.board(), mv) { ahead - INTO_DANGER } else { ahead }
            }
        }
    }

    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        if position.side_to_move() == FOX {
            position.board().captures(out);
        }
    }

    fn moves_left(&self, position: &Position) -> u32 {
        10 + sum_of_rows(position.board().sheep)
    }

    fn selectivity(&self, searches: Side) -> Selectivity {
        // FOX lives by the faults of others: to look further along few lines finds more of them than to look at all.
        let late_moves = match searches {
            FOX => LateMoves { least_depth: 3, full_moves: 1, base: 1.0, divisor: 1.25 },
            SHEEP => LateMoves { least_depth: 3, full_moves: 3, base: 0.5, divisor: 2.0 },
        };
        Selectivity { late_moves: Some(late_moves), ..Selectivity::NONE }
    }
}

/// Whether a fox beside the end of a sheep's step could jump it there.
fn is_in_danger(board: Board, mv: Move) -> bool {
    let empty = board.empty().with(mv.from);
    let mut foxes = (mv.to.neighbours() & board.foxes).into_iter();
    foxes.any(|fox| fox.jumps().iter().any(|jump| jump.over == mv.to && empty.contains(jump.to)))
}
