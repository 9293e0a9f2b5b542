//! Solves the last four empty squares without a table and without recursion. All values here are
//! gains over the present difference of the sums, so that the pieces need not be summed at each
//! node.

use super::state::State;
use crate::board::{Square, Squares, flips};
use crate::features::heat;
use crate::sums::{Sum, Sums};

/// The most empty squares that this module solves.
pub(super) const MOST_EMPTY: u32 = 4;

/// A bound on the value of a state with at most four empty squares. It is at least `beta` exactly
/// if the value is.
#[inline]
pub(super) fn bound<N: Sum>(values: &Sums<N>, state: State, beta: i32) -> i32 {
    let State { own, opp, empty } = state;
    let now = values.sum(own) - values.sum(opp);
    now + match empty.len() {
        0 => 0,
        1 => empty.first().map_or(0, |square| take(values, own, opp, square).0),
        2 => gain_of_two(values, own, opp, empty),
        3 => gain_of_three(values, own, opp, empty, beta - now),
        _ => gain_of_four(values, own, opp, empty, beta - now),
    }
}

/// The gain of the side to move from two empty squares.
#[inline]
fn gain_of_two<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares, empty: Squares) -> i32 {
    let mut squares = empty.into_iter();
    let (Some(first), Some(second)) = (squares.next(), squares.next()) else {
        unreachable!("two squares are empty")
    };
    let in_order = |first: Square, second: Square| {
        let (gain, own, opp) = take(values, own, opp, first);
        gain - take(values, opp, own, second).0
    };
    in_order(first, second).max(in_order(second, first))
}

/// A bound on the gain of the side to move from three empty squares. It is at least `beta` exactly
/// if the gain is.
#[inline]
fn gain_of_three<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    empty: Squares,
    beta: i32,
) -> i32 {
    let mut best = i32::MIN;
    for square in hottest_first(values, own, opp, empty) {
        let (gain, own, opp) = take(values, own, opp, square);
        best = best.max(gain - gain_of_two(values, opp, own, empty.without(square)));
        if best >= beta {
            break;
        }
    }
    best
}

/// A bound on the gain of the side to move from four empty squares. It is at least `beta` exactly
/// if the gain is.
#[inline]
fn gain_of_four<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    empty: Squares,
    beta: i32,
) -> i32 {
    let mut best = i32::MIN;
    for square in hottest_first(values, own, opp, empty) {
        let (gain, own, opp) = take(values, own, opp, square);
        best = best
            .max(gain - gain_of_three(values, opp, own, empty.without(square), gain - beta + 1));
        if best >= beta {
            break;
        }
    }
    best
}

/// The empty squares: the one with the largest [`heat`] first, the others in order of index.
#[inline]
fn hottest_first<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    empty: Squares,
) -> impl Iterator<Item = Square> {
    let hottest = empty.into_iter().max_by_key(|&square| heat(values, own, opp, square));
    hottest.into_iter().chain(hottest.map_or(empty, |square| empty.without(square)))
}

/// The swing of a move, and the pieces of both sides after it.
#[inline]
fn take<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    square: Square,
) -> (i32, Squares, Squares) {
    let flips = flips(own, opp, square);
    (values.of(square) + 2 * values.sum(flips), (own | flips).with(square), opp - flips)
}
