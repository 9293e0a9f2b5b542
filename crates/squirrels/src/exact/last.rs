//! The last two and three squares, without a search: every order of moves is tried.

use super::state::State;
use crate::board::{Square, Squares};
use crate::sums::{Sum, Sums};

/// The exact value of a state with two empty squares.
#[inline]
pub(super) fn value_of_two<N: Sum>(values: &Sums<N>, state: State) -> i32 {
    let mut squares = state.empty.into_iter();
    let (Some(first), Some(second)) = (squares.next(), squares.next()) else { unreachable!("two squares are empty") };
    let in_order = |first: Square, second: Square| {
        let (gain, own, opp) = take(values, state.own, state.opp, first);
        let (lost, ..) = take(values, opp, own, second);
        gain - lost
    };
    let now = values.sum(state.own) - values.sum(state.opp);
    now + in_order(first, second).max(in_order(second, first))
}

/// The exact value of a state with three empty squares.
#[inline]
pub(super) fn value_of_three<N: Sum>(values: &Sums<N>, state: State) -> i32 {
    let after = |square| {
        let (_, own, opp) = take(values, state.own, state.opp, square);
        -value_of_two(values, State { own: opp, opp: own, empty: state.empty.without(square) })
    };
    state.empty.into_iter().map(after).max().unwrap_or(0)
}

/// By how much a move swings the difference, and the pieces of both sides after it.
#[inline]
fn take<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares, square: Square) -> (i32, Squares, Squares) {
    let near = square.neighbours();
    let flips = if near.meets(own) { near & opp } else { Squares::EMPTY };
    (values.of(square) + 2 * values.sum(flips), (own | flips).with(square), opp - flips)
}
