//! Moves from all points of the fox at once, by operations on sets of points.

use super::solved_tables::{SolvedTables, StoredFlock};
use foxgame::board::{BOARD, PEN, Point, PointSet, WAYS, WAYS_OF_SHEEP, opposite, shift};

/// The points that are one step from a point of the set.
#[inline]
pub(crate) fn beside(points: PointSet) -> PointSet {
    (0..WAYS.len()).fold(PointSet::EMPTY, |found, way| found | shift(points, way))
}

/// The points of the fox on which it fills the pen together with a flock; all points if the flock
/// fills it alone.
#[inline]
pub(crate) fn filling_pen(sheep: PointSet) -> PointSet {
    let open = PEN - sheep;
    match open.len() {
        0 => BOARD - sheep,
        1 => open,
        _ => PointSet::EMPTY,
    }
}

/// The results of captures for a fox on each empty point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Captures {
    /// The points from which some chain of jumps leads to a win of FOX.
    pub winning: PointSet,
    /// The points from which some chain of jumps does not lead to a win of SHEEP.
    pub safe: PointSet,
}

pub(crate) fn captures(sheep: PointSet, lower: &SolvedTables) -> Captures {
    let empty = BOARD - sheep;
    let mut found = Captures::default();
    let over: [PointSet; WAYS.len()] =
        std::array::from_fn(|way| shift(empty, way) & sheep & shift(empty, opposite(way)));
    for taken in over.into_iter().fold(PointSet::EMPTY, |all, over| all | over) {
        let rest = sheep.without(taken);
        let value = lower.find(rest);
        for (way, &over) in over.iter().enumerate() {
            if over.contains(taken) {
                let one = PointSet::one(taken);
                let from = shift(one, opposite(way));
                let to = shift(one, way).first().expect("the sheep is between two points");
                let (wins, safe) = landing(rest, to, value, lower);
                found.winning |= if wins { from } else { PointSet::EMPTY };
                found.safe |= if safe { from } else { PointSet::EMPTY };
            }
        }
    }
    found
}

/// Whether FOX can win, and whether it can keep SHEEP from winning, after its fox has landed on a
/// point: by stopping there or by jumping on. `value` has the stored values of the flock that is
/// left; `None` if it is so small that FOX has won.
fn landing(
    sheep: PointSet,
    at: Point,
    value: Option<StoredFlock>,
    lower: &SolvedTables,
) -> (bool, bool) {
    let (mut wins, mut safe) = match value {
        Some(value) => {
            let (fox, sheep) = value.winners(at);
            (fox, !sheep)
        }
        None => (!filling_pen(sheep).contains(at), true),
    };
    for jump in at.jumps() {
        if wins {
            break;
        }
        if sheep.contains(jump.over) && !sheep.contains(jump.to) {
            let rest = sheep.without(jump.over);
            let (wins_there, safe_there) = landing(rest, jump.to, lower.find(rest), lower);
            wins |= wins_there;
            safe |= safe_there;
        }
    }
    (wins, safe || wins)
}

/// Calls `visit` with the flock after each sideways step of a sheep, and the end point of the step.
/// As sideways steps can be taken back, these are also the flocks before such a step.
#[inline]
pub(crate) fn each_sideways(sheep: PointSet, mut visit: impl FnMut(PointSet, PointSet)) {
    for way in [1, 2] {
        each_step(sheep, way, &mut visit);
    }
}

/// Calls `visit` with the flock after each step ahead of a sheep, and the end point of the step.
#[inline]
pub(crate) fn each_ahead(sheep: PointSet, mut visit: impl FnMut(PointSet, PointSet)) {
    for way in WAYS_OF_SHEEP.into_iter().filter(|way| WAYS[*way] < -1) {
        each_step(sheep, way, &mut visit);
    }
}

#[inline]
fn each_step(sheep: PointSet, way: usize, visit: &mut impl FnMut(PointSet, PointSet)) {
    for end in shift(sheep, way) - sheep {
        let end = PointSet::one(end);
        let begin = shift(end, opposite(way));
        visit((sheep - begin) | end, end);
    }
}
