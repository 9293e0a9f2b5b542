//! Solves the last four empty squares without a table. All values are gains over the present
//! difference of the sums, so that the pieces need not be summed at each node.

use super::state::State;
use crate::board::{self, Square, Squares};
use crate::features::heat;
use crate::sums::{Sum, Sums};

pub(super) const MOST_EMPTY: u32 = 4;

/// A bound on the value of a state with at most four empty squares, which is at least `beta`
/// exactly if the value is.
#[inline]
pub(super) fn bound<N: Sum>(values: &Sums<N>, state: State, beta: i32) -> i32 {
    let State { own, opp, empty } = state;
    let now = values.sum(own) - values.sum(opp);
    let two = |own, opp, empty, _| gain_of_two(values, own, opp, empty);
    let three = |own, opp, empty, beta| best_gain(values, (own, opp, empty), beta, two);
    now + match empty.len() {
        0 => 0,
        1 => empty.first().map_or(0, |square| take(values, own, opp, square).0),
        2 => two(own, opp, empty, 0),
        3 => three(own, opp, empty, beta - now),
        _ => best_gain(values, (own, opp, empty), beta - now, three),
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

/// A bound on the gain of the side to move, which is at least `beta` exactly if the gain is. `rest`
/// bounds the other side's gain from the squares that a move leaves. The square with the largest
/// [`heat`] is tried first, the others in order of index.
#[inline]
fn best_gain<N: Sum>(
    values: &Sums<N>,
    (own, opp, empty): (Squares, Squares, Squares),
    beta: i32,
    rest: impl Fn(Squares, Squares, Squares, i32) -> i32,
) -> i32 {
    let hottest = empty.into_iter().max_by_key(|&square| heat(values, own, opp, square));
    let others = hottest.map_or(empty, |square| empty.without(square));
    let mut best = i32::MIN;
    for square in hottest.into_iter().chain(others) {
        let (gain, own, opp) = take(values, own, opp, square);
        best = best.max(gain - rest(opp, own, empty.without(square), gain - beta + 1));
        if best >= beta {
            break;
        }
    }
    best
}

/// The swing of a move, and the pieces of both sides after it.
#[inline]
fn take<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    square: Square,
) -> (i32, Squares, Squares) {
    let (own_after, opp_after) = board::take(own, opp, square);
    (values.of(square) + 2 * values.sum(opp - opp_after), own_after, opp_after)
}
