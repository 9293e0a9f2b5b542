//! What the solver keeps of a position: only what bears on the rest of the game.
//!
//! A piece without an empty neighbour has changed sides for the last time: its value is booked and it is forgotten.
//! Three more identities make different positions one state; each leaves the value of the rest as it is.
//!
//! - *Own pieces of one square*: the pieces whose only empty neighbour is `e`. If both colours are among them, `e` is
//!   *mixed*: whoever takes `e` raids and gets all, so only that they are mixed counts. One of them, the first beside `e`,
//!   is given to the side that moves with an even number of empty squares, and the rest to the other.
//! - *Lone squares*: `e` has no empty neighbour and all its pieces are its own. If they are of one colour, nothing will
//!   ever flip them: they are booked like the pieces without empty neighbours.
//! - The side to move is always "own", so the colours' names do not matter either.

use crate::board::{ALL, Square, Squares, around, around_once_and_twice, first_beside, flips};
use crate::sums::{Sum, Sums};

/// The rest of a game, from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Pieces of the side to move that still count.
    pub own: Squares,
    /// Pieces of the other side that still count. `own` and `empty` determine them.
    pub opp: Squares,
    /// The empty squares.
    pub empty: Squares,
}

impl State {
    /// The state of a position, and what is booked already for the side to move: the position's value is the sum of that
    /// and the state's value.
    #[must_use]
    pub fn new<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares) -> (State, i32) {
        let empty = ALL - (own | opp);
        let (state, booked) = settle(values, opp, own, empty, empty.len().is_multiple_of(2));
        (state, -booked)
    }

    /// The state after the side to move has taken a square, and what is booked by that for the side that moved.
    #[inline]
    #[must_use]
    pub fn after<N: Sum>(self, values: &Sums<N>, square: Square) -> (State, i32) {
        let flips = flips(self.own, self.opp, square);
        let own = (self.own | flips).with(square);
        // Counted before the move, so that the count is the same for all moves of a state.
        let even = !self.empty.len().is_multiple_of(2);
        settle(values, own, self.opp - flips, self.empty.without(square), even)
    }

    /// The state after the side to move has taken a square, with all that is settled still in it.
    #[inline]
    #[must_use]
    pub(super) fn after_plainly(self, square: Square) -> State {
        let flips = flips(self.own, self.opp, square);
        State { own: self.opp - flips, opp: (self.own | flips).with(square), empty: self.empty.without(square) }
    }

    /// A key of 50 bits that no two states share.
    #[must_use]
    pub fn key(self) -> u64 {
        self.empty.bits() << 25 | self.own.bits()
    }
}

/// Books and forgets what is settled, and brings the rest into its one form. `moved` are the pieces of the side that has
/// moved, `next` those of the side to move; `even` says whether the number of empty squares is even. Without a branch:
/// much of a search's work is here.
#[inline(always)]
fn settle<N: Sum>(values: &Sums<N>, moved: Squares, next: Squares, empty: Squares, even: bool) -> (State, i32) {
    let (once, twice) = around_once_and_twice(empty);
    let pieces = (moved | next) & once;
    let several = pieces & twice;
    let single = pieces - twice;
    let mixed = around(single & moved) & around(single & next) & empty;
    let lone = empty - once - around(several);
    let settled = around(lone - mixed) & single;
    let kept = once - settled;
    let booked = values.sum(moved - kept) - values.sum(next - kept);
    let groups = single & around(mixed);
    let marks = first_beside(mixed, groups);
    let (to_moved, to_next) = if even { (groups - marks, marks) } else { (marks, groups - marks) };
    let kept = kept - groups;
    (State { own: next & kept | to_next, opp: moved & kept | to_moved, empty }, booked)
}

/// Lone squares and what they are worth: `e` without empty neighbours, whose pieces are all its own. Whoever takes one
/// gains its worth, the other loses it, and nothing else changes; so the dearest is always taken first, and a move at
/// another lone square is never better (whatever happens elsewhere, swap the two).
pub(super) struct Lone {
    /// All lone squares.
    pub squares: Squares,
    /// The dearest of them, as a set.
    pub dearest: Squares,
    /// What the side to move makes of them if both sides take the dearest in turn.
    pub alternating: i32,
    /// The sum of what all lone squares are worth.
    pub total: i32,
}

impl Lone {
    #[inline]
    pub(super) fn of<N: Sum>(values: &Sums<N>, state: State) -> Lone {
        let (_, twice) = around_once_and_twice(state.empty);
        let (blocked, pieces) = (twice | state.empty, state.own | state.opp);
        // No board has more than 13 squares without a common side.
        let mut worths = [0; 16];
        let (mut squares, mut dearest) = (Squares::EMPTY, Squares::EMPTY);
        let (mut count, mut total) = (0, 0);
        for square in state.empty {
            let near = square.neighbours();
            if near.meets(blocked) {
                continue;
            }
            let worth = values.sum((near & pieces).with(square));
            squares.insert(square);
            total += worth;
            let mut at = count;
            count += 1;
            while at > 0 && worths[(at - 1) & 15] < worth {
                worths[at & 15] = worths[(at - 1) & 15];
                at -= 1;
            }
            worths[at & 15] = worth;
            if at == 0 {
                dearest = Squares::one(square);
            }
        }
        let taken = worths[..count & 15].iter().enumerate();
        let alternating = taken.map(|(turn, &worth)| if turn % 2 == 0 { worth } else { -worth }).sum();
        Lone { squares, dearest, alternating, total }
    }
}
