//! Moves of all foxes at once: what one fox can do from each of a set of points.

use super::known::{Found, Known};
use foxgame::board::{BOARD, PEN, Point, PointSet, STRAIGHT, WAYS, WAYS_OF_SHEEP, shift};
use foxgame::rules::LEAST_SHEEP;

/// The points that are one step from those of a set.
#[inline]
pub(crate) fn beside(points: PointSet) -> PointSet {
    (0..WAYS.len()).fold(PointSet::EMPTY, |found, way| found | shift(points, way))
}

/// The points of the fox on which the pen is full, beside a flock.
#[inline]
pub(crate) fn filling_pen(sheep: PointSet) -> PointSet {
    let open = PEN - sheep;
    match open.len() {
        0 => BOARD - sheep,
        1 => open,
        _ => PointSet::EMPTY,
    }
}

/// The way back of one of [`WAYS`].
const fn opposite(way: usize) -> usize {
    if way < STRAIGHT { STRAIGHT - 1 - way } else { WAYS.len() + STRAIGHT - 1 - way }
}

/// What captures are worth to a fox on each empty point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Captures {
    /// The points from which one chain of jumps or another leads to a win of FOX.
    pub winning: PointSet,
    /// The points from which one does not lead to a win of SHEEP.
    pub safe: PointSet,
}

/// What captures are worth, with a flock, by the values of smaller ones.
pub(crate) fn captures(sheep: PointSet, lower: &Known) -> Captures {
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
                let (from, to) = (shift(one, opposite(way)), shift(one, way));
                let to = to.into_iter().next().expect("the sheep is between two points");
                let (wins, safe) = landing(rest, to, value, lower);
                found.winning |= if wins { from } else { PointSet::EMPTY };
                found.safe |= if safe { from } else { PointSet::EMPTY };
            }
        }
    }
    found
}

/// Whether a fox that has landed on a point, with the flock that is left, wins for FOX, by stopping there or by jumping on,
/// and whether it keeps SHEEP from winning. `value` are the winners of the flock that is left, as far as it is not too
/// small.
fn landing(sheep: PointSet, at: Point, value: Option<Found>, lower: &Known) -> (bool, bool) {
    let (mut wins, mut safe) = match value {
        Some(value) => {
            let (fox, sheep) = value.winners(at);
            (fox, !sheep)
        }
        None => {
            debug_assert!(sheep.len() < LEAST_SHEEP);
            (!filling_pen(sheep).contains(at), true)
        }
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

/// Calls a function with the flock after each sideways step of a sheep, and the point where it ends. Steps can be taken
/// back the same way.
#[inline]
pub(crate) fn each_sideways(sheep: PointSet, mut visit: impl FnMut(PointSet, PointSet)) {
    for way in [1, 2] {
        each_step(sheep, way, &mut visit);
    }
}

/// Calls a function with the flock after each step ahead of a sheep, and the point where it ends.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_way_leads_back() {
        for (way, step) in WAYS.into_iter().enumerate() {
            assert_eq!(WAYS[opposite(way)], -step);
        }
    }
}
