//! The evaluation function, move ordering and selective options of FoxGame's search.
//!
//! The evaluation is a linear sum of features, each with one weight for the opening and one for the
//! end of the flock's way, interpolated by [`phase`]. The weights are fitted to self-play results. A
//! score of 200 points means odds of winning of e to 1.

use crate::board::{
    BOARD, Board, CROSSINGS, PEN, Point, PointSet, STRAIGHT, TABLE, WAYS_OF_SHEEP, shift,
};
use crate::endings::store::Endings;
use crate::feature::{self, PLACES};
use crate::rules::{FOX, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use crate::weights::WEIGHTS;
use engine::score::MAX_ESTIMATE;
use engine::search::{Knowledge, LateMoves, Score, Selectivity};
use engine::{Game, Side};

/// The place ([`PLACES`]) of each point, by [`Point::index`].
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

/// The sums of the sheep's rows that bound the phase: from the first on the game is in its opening,
/// down from the second the flock has arrived.
const ROWS: (u32, u32) = (80, 20);

/// The phase of the game, from [`PHASES`] in the opening to 0 when the flock has arrived.
pub fn phase(board: Board) -> i32 {
    (sum_of_rows(board.sheep).clamp(ROWS.1, ROWS.0) - ROWS.1) as i32
}

/// The largest [`phase`].
pub const PHASES: i32 = (ROWS.0 - ROWS.1) as i32;

/// The points that the foxes could reach by steps if the sheep stood still, their own included.
fn region(board: Board) -> PointSet {
    let empty = board.empty().bits();
    let mut region = board.foxes.bits();
    loop {
        let straight = region | region << 8 | region >> 8 | region << 1 | region >> 1;
        let crossed = region & CROSSINGS.bits();
        let wider =
            region | empty & (straight | crossed << 9 | crossed >> 9 | crossed << 7 | crossed >> 7);
        if wider == region {
            return PointSet::from_bits(region);
        }
        region = wider;
    }
}

/// The sheep with open points, empty or held by a fox, on two opposite sides along a line; and
/// those of them that a fox within `region` could jump.
fn open_sheep(board: Board, region: PointSet) -> (PointSet, PointSet) {
    let open = BOARD - board.sheep;
    let (mut all, mut reached) = (PointSet::EMPTY, PointSet::EMPTY);
    // Pairs of opposite directions.
    for (way, opposite) in [(0, 3), (1, 2), (4, 7), (5, 6)] {
        let (here, there) = (shift(open, way), shift(open, opposite));
        all |= here & there;
        reached |= (shift(region, way) & there) | (here & shift(region, opposite));
    }
    (all & board.sheep, reached & all & board.sheep)
}

/// The sheep that a fox could jump in its next move.
pub(crate) fn hanging_sheep(board: Board) -> PointSet {
    let empty = board.empty();
    let jumps = board.foxes.into_iter().flat_map(Point::jumps);
    jumps
        .filter(|jump| board.sheep.contains(jump.over) && empty.contains(jump.to))
        .map(|jump| jump.over)
        .collect()
}

/// Calls `add` with feature numbers and amounts. A feature's value is the sum of its amounts.
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

/// The evaluation function of the FoxGame agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation {
    /// The endgame tables, if any. A position that they say is won scores above every sum of
    /// features, yet within the range of estimates, since they do not know the earlier boards.
    pub endings: Option<&'static Endings>,
}

/// The score of a position that the endgame tables say is won.
const KNOWN_WIN: Score = 300_000;
/// The amount that each remaining ply of the leg (see [`crate::endings::code`]) subtracts from it.
const KNOWN_PLY: Score = 100;
/// The largest amount that the sum of features adds to it or subtracts from it.
const KNOWN_MARGIN: Score = 50_000;

impl Evaluation {
    /// The weighted sum of features, from SHEEP's point of view.
    fn estimate(&self, position: &Position) -> Score {
        let board = position.board();
        let (mut early, mut late) = (0, 0);
        measure(board, position.side_to_move(), |feature, amount| {
            early += i32::from(WEIGHTS[feature][0]) * amount;
            late += i32::from(WEIGHTS[feature][1]) * amount;
        });
        let phase = phase(board);
        (early * phase + late * (PHASES - phase)) / PHASES
    }

    /// The score, from SHEEP's point of view, of a position that the endgame tables decide; `None`
    /// for any other.
    fn known(&self, position: &Position) -> Option<Score> {
        let value = self.endings?.value(position.board(), position.side_to_move())??;
        let sign = if value.winner == SHEEP { 1 } else { -1 };
        let hurry = KNOWN_PLY * Score::from(value.plies);
        let estimate = self.estimate(position).clamp(-KNOWN_MARGIN, KNOWN_MARGIN);
        Some(sign * (KNOWN_WIN - hurry) + estimate)
    }
}

/// The move-ordering penalty for a sheep's step to a point where a fox can jump it.
const INTO_DANGER: i32 = 3_000;
/// The move-ordering bonus for each row that a sheep's step advances.
const AHEAD: i32 = 300;
/// The move-ordering bonus for each captured sheep; larger than any history score.
const CAPTURE: i32 = 20_000;

impl Knowledge<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> Score {
        let sheep = self
            .known(position)
            .unwrap_or_else(|| self.estimate(position))
            .clamp(-MAX_ESTIMATE, MAX_ESTIMATE);
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
        // FOX wins by exploiting mistakes, of which a deeper search of fewer lines finds more.
        let late_moves = match searches {
            FOX => LateMoves { least_depth: 3, full_moves: 1, base: 1.0, divisor: 1.25 },
            SHEEP => LateMoves { least_depth: 3, full_moves: 3, base: 0.5, divisor: 2.0 },
        };
        Selectivity { late_moves: Some(late_moves), ..Selectivity::NONE }
    }
}

/// Whether a fox next to the end of a sheep's step could jump the sheep there.
fn is_in_danger(board: Board, mv: Move) -> bool {
    let empty = board.empty().with(mv.from);
    let mut foxes = (mv.to.neighbours() & board.foxes).into_iter();
    foxes.any(|fox| fox.jumps().iter().any(|jump| jump.over == mv.to && empty.contains(jump.to)))
}
