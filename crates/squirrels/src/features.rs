//! The features of the learned evaluation: sums of values that describe a position.

use crate::board::{ALL, Square, Squares, around, around_once_and_twice, take};
use crate::sums::{Sum, Sums};
use std::cmp::Reverse;

/// The number of features.
pub const FEATURES: usize = 21;

/// The names of the features. A feature is the named sum for the side to move minus the same sum
/// for the other side, unless the name says otherwise.
pub const NAMES: [&str; FEATURES] = [
    "pieces with one empty neighbour",
    "pieces with two empty neighbours or more",
    "pieces that the other side can take now",
    "pieces that the other side can take now by two squares or more",
    "empty squares that only this side can raid",
    "pieces to be had by raids, each counted for every square that takes it",
    "empty squares that both sides can raid, for the side to move",
    "empty squares that nobody can raid, for the side to move",
    "the mean of all empty squares, for the side to move",
    "the largest gain of the side to move",
    "the second largest gain of the side to move",
    "the largest gain of the other side",
    "the second largest gain of the other side",
    "the hottest square, for the side to move",
    "the second hottest square, for the side to move",
    "the third hottest square, for the side to move",
    "the fourth hottest square, for the side to move",
    "all further squares taken in turn by heat, for the side to move",
    "pieces that only lone squares touch, if there are two colours at them, for the side to move",
    "pieces that only one square touches and that the other side can take now",
    "the end if both sides always take the hottest square, less the present difference",
];

/// The features of a position from the view of the side to move.
#[inline]
pub fn features<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares) -> [i32; FEATURES] {
    let empty = ALL - (own | opp);
    let (once, twice) = around_once_and_twice(empty);
    let (near_own, near_opp) = (around(own) & empty, around(opp) & empty);
    let (by_own, by_own_twice) = around_once_and_twice(near_own);
    let (by_opp, by_opp_twice) = around_once_and_twice(near_opp);
    let difference = |own: Squares, opp: Squares| values.sum(own) - values.sum(opp);
    let single = once - twice;
    let mut found = [0; FEATURES];
    found[0] = difference(own & single, opp & single);
    found[1] = difference(own & twice, opp & twice);
    found[2] = difference(own & by_opp, opp & by_own);
    found[3] = difference(own & by_opp_twice, opp & by_own_twice);
    found[4] = difference(near_own - near_opp, near_opp - near_own);
    found[6] = values.sum(near_own & near_opp);
    found[7] = values.sum(empty - near_own - near_opp);
    found[8] = values.sum(empty) / (empty.len() as i32).max(1);
    found[19] = difference(own & single & by_opp, opp & single & by_own);
    add_square_features(values, own, opp, &mut found);
    found[20] = difference_by_heat(values, own, opp) - difference(own, opp);
    found
}

/// The features that need a loop over the empty squares.
#[inline]
fn add_square_features<N: Sum>(
    values: &Sums<N>,
    own: Squares,
    opp: Squares,
    found: &mut [i32; FEATURES],
) {
    let empty = ALL - (own | opp);
    let mut heats = [0; 32];
    let mut count = 0;
    let (mut ours, mut theirs) = ([0; 2], [0; 2]);
    for square in empty {
        let near = square.neighbours();
        let value = values.of(square);
        let (near_own, near_opp) = (near & own, near & opp);
        let (gain, loss) = if near_own.is_empty() || near_opp.is_empty() {
            (0, 0)
        } else {
            (values.sum(near_opp), values.sum(near_own))
        };
        found[5] += gain - loss;
        if !near.meets(empty) && gain > 0 {
            found[18] += gain + loss;
        }
        update_two_largest(&mut ours, value + 2 * gain);
        update_two_largest(&mut theirs, value + 2 * loss);
        let heat = value + gain + loss;
        let mut at = count;
        count += 1;
        while at > 0 && heats[(at - 1) & 31] < heat {
            heats[at & 31] = heats[(at - 1) & 31];
            at -= 1;
        }
        heats[at & 31] = heat;
    }
    [found[9], found[10]] = ours;
    [found[11], found[12]] = theirs;
    found[13..17].copy_from_slice(&heats[..4]);
    let others = heats[4..count.max(4) & 31].iter().enumerate();
    found[17] = others.map(|(turn, &heat)| if turn % 2 == 0 { heat } else { -heat }).sum();
}

#[inline]
fn update_two_largest(largest: &mut [i32; 2], gain: i32) {
    if gain > largest[0] {
        *largest = [gain, largest[0]];
    } else if gain > largest[1] {
        largest[1] = gain;
    }
}

/// The final difference for the side to move if both sides always take the hottest square.
#[inline]
fn difference_by_heat<N: Sum>(values: &Sums<N>, mut own: Squares, mut opp: Squares) -> i32 {
    let mut empty = ALL - (own | opp);
    let even = empty.len().is_multiple_of(2);
    while let Some((_, Reverse(square))) =
        empty.into_iter().map(|square| (heat(values, own, opp, square), Reverse(square))).max()
    {
        empty.remove(square);
        (opp, own) = take(own, opp, square);
    }
    let end = values.sum(own) - values.sum(opp);
    if even { end } else { -end }
}

/// What is at stake on a square, whichever side takes it: its value, and those of all neighbouring
/// pieces if both sides have some there.
#[inline]
pub fn heat<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares, square: Square) -> i32 {
    let near = square.neighbours();
    let taken =
        if near.meets(own) && near.meets(opp) { near & (own | opp) } else { Squares::EMPTY };
    values.of(square) + values.sum(taken)
}
