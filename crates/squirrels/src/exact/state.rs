//! States: what the solver keeps of a position, namely what bears on the rest of the game.
//!
//! A piece without an empty neighbour cannot change sides any more. Its value is added to the
//! balance and the piece is dropped. Three more identities map different positions to one state
//! without changing the value of the rest:
//!
//! - *Own pieces of one square*: the pieces whose only empty neighbour is `e`. If both colours are
//!   among them, `e` is *mixed*: whoever takes `e` raids and gets all of them, so their colours
//!   make no difference. The first of them beside `e` is given to the side that moves with an even
//!   number of empty squares, and the others to the other side.
//! - *Lone squares*: `e` has no empty neighbour and all its pieces are its own. If they are of one
//!   colour, they cannot change sides: they are dropped like pieces without empty neighbours.
//! - The side to move is always `own`, so a position and the one with exchanged colours are the
//!   same state.

use crate::board::{ALL, Squares, around, around_once_and_twice, bits_around, bits_first_beside};
use crate::sums::{Sum, Sums};

/// The rest of a game, from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The pieces of the side to move that can still change sides.
    pub(super) own: Squares,
    /// Those of the other side, which `own` and `empty` determine.
    pub(super) opp: Squares,
    pub(super) empty: Squares,
}

impl State {
    /// A position's state, and the balance of the dropped pieces for the side to move: together the
    /// position's value.
    pub(super) fn new<N: Sum>(values: &Sums<N>, own: Squares, opp: Squares) -> (State, i32) {
        let empty = ALL - (own | opp);
        let [own, opp, free] = [own, opp, empty].map(|set| set.bits() as u32);
        let settled = settle(opp, own, free, parity(free));
        let [own, opp, dropped_moved, dropped_next] =
            [settled.own, settled.opp, settled.dropped_moved, settled.dropped_next]
                .map(|bits| Squares::from_bits(bits.into()));
        (State { own, opp, empty }, values.sum(dropped_next) - values.sum(dropped_moved))
    }

    /// A key of 50 bits, different for different states.
    pub(super) fn key(self) -> u64 {
        self.empty.bits() << 25 | self.own.bits()
    }

    /// The [`Settled::rank`] of the state, and the squares on which it can have bits.
    pub(super) fn rank(self) -> (u32, u32) {
        let [own, opp, empty] = [self.own, self.opp, self.empty].map(|set| set.bits() as u32);
        let settled = settle(opp, own, empty, parity(empty));
        (settled.rank, settled.frontier)
    }
}

/// All bits set for an even number of squares, otherwise zero.
#[inline(always)]
pub(super) const fn parity(set: u32) -> u32 {
    if set.count_ones().is_multiple_of(2) { u32::MAX } else { 0 }
}

/// A state, with the pieces that were dropped on the way to it, as bits of squares.
#[derive(Clone, Copy)]
pub(super) struct Settled {
    pub(super) own: u32,
    pub(super) opp: u32,
    /// The own pieces, and in the place of pieces that are dropped beside lone squares a fixed
    /// pattern, which no state has where those pieces are not dropped. Of two states with the same
    /// empty squares, the one whose `rank` includes the other's is worth at least as much
    /// (`dominance.rs`).
    pub rank: u32,
    /// The squares on which `rank` can have bits: the neighbours of empty squares.
    pub frontier: u32,
    /// The dropped pieces of the side that has moved.
    pub dropped_moved: u32,
    /// The dropped pieces of the side to move.
    pub dropped_next: u32,
}

/// Drops the pieces that cannot change sides and brings the rest into its canonical form. `moved`
/// are the pieces of the side that has moved, `next` those of the other; `even` is the [`parity`]
/// of the empty squares. There are no branches, so that a compiler can vectorise it over several
/// states: much of a search's time is spent here.
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
    let beside_lone = beside_unmixed & frontier;
    let marks = bits_first_beside(mixed | unmixed, groups | beside_lone);
    let to_next = groups & !(marks ^ even);
    let pattern = beside_lone & (marks ^ even);
    let kept_apart = kept & !groups;
    let own = next & kept_apart | to_next;
    Settled {
        own,
        opp: moved & kept_apart | groups & !to_next,
        rank: own | pattern,
        frontier,
        dropped_moved: moved & !kept,
        dropped_next: next & !kept,
    }
}

/// The lone squares of a state. Whoever takes one gains its worth, the other side loses it, and
/// nothing else changes. So the dearest is always taken first: a move at another one is never
/// better, since the two can be exchanged whatever happens elsewhere.
pub(super) struct LoneSquares {
    pub squares: Squares,
    /// The one of the largest worth.
    pub dearest: Squares,
    /// The balance for the side to move if both sides take the dearest in turn.
    pub alternating: i32,
    pub total: i32,
}

impl LoneSquares {
    #[inline]
    pub(super) fn of<N: Sum>(values: &Sums<N>, state: State) -> LoneSquares {
        let (_, twice) = around_once_and_twice(state.empty);
        let (blocked, pieces) = (twice | state.empty, state.own | state.opp);
        // At most 13 squares of the board have no common side.
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
        let alternating =
            taken.map(|(turn, &worth)| if turn % 2 == 0 { worth } else { -worth }).sum();
        LoneSquares { squares, dearest, alternating, total }
    }
}
