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

use crate::board::{ALL, Squares, around, around_once_and_twice, bits_around, bits_first_beside};
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
        let [own, opp, free] = [own, opp, empty].map(|set| set.bits() as u32);
        let settled = settle(opp, own, free, parity(free));
        let [own, opp, gone_moved, gone_next] = [settled.own, settled.opp, settled.gone_moved, settled.gone_next]
            .map(|bits| Squares::from_bits(bits.into()));
        (State { own, opp, empty }, values.sum(gone_next) - values.sum(gone_moved))
    }

    /// A key of 50 bits that no two states share.
    #[must_use]
    pub fn key(self) -> u64 {
        self.empty.bits() << 25 | self.own.bits()
    }

    /// The own pieces as proofs for the same empty squares compare them (see [`Settled::rank`]), and the squares that they
    /// can be on.
    pub(super) fn rank(self) -> (u32, u32) {
        let [own, opp, empty] = [self.own, self.opp, self.empty].map(|set| set.bits() as u32);
        let settled = settle(opp, own, empty, parity(empty));
        (settled.rank, settled.frontier)
    }
}

/// All ones for an even number of squares, else zero.
#[inline(always)]
pub(super) const fn parity(set: u32) -> u32 {
    if set.count_ones().is_multiple_of(2) { u32::MAX } else { 0 }
}

/// A state, and what has been booked on the way to it, as bits of squares.
#[derive(Clone, Copy)]
pub(super) struct Settled {
    pub own: u32,
    pub opp: u32,
    /// The own pieces, and in the place of pieces that are booked beside lone squares a pattern that no state has in which
    /// they are not. Of two states with the same empty squares, the one whose `rank` includes the other's is worth at least as
    /// much (`dominance.rs`).
    pub rank: u32,
    /// The squares on which [`Settled::rank`] may have bits: those beside empty ones. The empty squares determine them.
    pub frontier: u32,
    /// Pieces that are booked for the side that has moved.
    pub gone_moved: u32,
    /// Pieces that are booked for the side to move.
    pub gone_next: u32,
}

/// Forgets what is settled, and brings the rest into its one form. `moved` are the pieces of the side that has
/// moved, `next` those of the side to move; `even` is the [`parity`] of the empty squares. Without a branch, so that
/// a compiler can do it for several states at once: much of a search's work is here.
#[inline(always)]
pub(super) const fn settle(moved: u32, next: u32, empty: u32, even: u32) -> Settled {
    let (once, twice) = bits_around(empty);
    let pieces = (moved | next) & once;
    let several = pieces & twice;
    let single = pieces & !twice;
    let mixed = bits_around(single & moved).0 & bits_around(single & next).0 & empty;
    let lone = empty & !once & !bits_around(several).0;
    let unmixed = lone & !mixed;
    let beside_unmixed = bits_around(unmixed).0;
    let kept = once & !(beside_unmixed & single);
    let groups = single & bits_around(mixed).0;
    let frontier = once & !empty;
    let booked = beside_unmixed & frontier;
    let marks = bits_first_beside(mixed | unmixed, groups | booked);
    let to_next = groups & !(marks ^ even);
    let pattern = booked & (marks ^ even);
    let kept_apart = kept & !groups;
    let own = next & kept_apart | to_next;
    Settled {
        own,
        opp: moved & kept_apart | groups & !to_next,
        rank: own | pattern,
        frontier,
        gone_moved: moved & !kept,
        gone_next: next & !kept,
    }
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
        for square in state.empty - around(blocked) {
            let near = square.neighbours();
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
