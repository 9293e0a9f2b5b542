//! The states after the moves of a state, several at once.

use super::dominance::{Entries, Rank};
use super::machine::Machine;
use super::state::{State, parity, settle};
use super::table::{Table, scramble};
use crate::board::{Square, Squares, bits_around};
use crate::sums::Sums;
use engine::squares::Square as _;

/// The places of a list: more than there are squares, so that an index of five bits needs no check.
const PLACES: usize = 32;
/// The number of states that are made at once.
const AT_ONCE: usize = 8;

/// Where proofs of a state are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The number of its set of empty squares in a table that has lines for sets.
    pub set: u32,
    /// Its own pieces in such a line.
    pub rank: Rank,
    /// Its scrambled key, where proofs are not kept by empty squares.
    pub key: u64,
}

/// A state after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The move.
    pub square: Square,
    pub state: State,
    pub place: Place,
    /// What is booked for the side that moves.
    pub booked: i32,
}

/// The children of a state. What belongs to one of them has the same index in all lists.
#[derive(Clone, Default)]
pub(super) struct Children {
    squares: [u8; PLACES],
    own: [u32; PLACES],
    opp: [u32; PLACES],
    places: [Place; PLACES],
    booked: [i32; PLACES],
    /// The higher, the sooner a child is searched.
    pub order: [i32; PLACES],
}

/// What is made of [`AT_ONCE`] moves.
#[derive(Default)]
struct Made {
    own: [u32; AT_ONCE],
    opp: [u32; AT_ONCE],
    rank: [u32; AT_ONCE],
    frontier: [u32; AT_ONCE],
    gone_moved: [u32; AT_ONCE],
    gone_next: [u32; AT_ONCE],
    taken: [u32; AT_ONCE],
}

impl Made {
    /// The states after moves at some squares. `even` is the parity of the empty squares after them.
    #[inline(always)]
    fn of(own: u32, opp: u32, empty: u32, even: u32, squares: &[u8; AT_ONCE]) -> Made {
        let mut made = Made::default();
        for (lane, &square) in squares.iter().enumerate() {
            let bit = 1 << square;
            let near = bits_around(bit).0;
            // What hangs on the square, whoever takes it: all pieces around if both sides have some there.
            let taken = if near & own != 0 && near & opp != 0 { near & (own | opp) } else { 0 };
            let flips = taken & opp;
            let settled = settle(own | flips | bit, opp & !flips, empty & !bit, even);
            made.own[lane] = settled.own;
            made.opp[lane] = settled.opp;
            made.rank[lane] = settled.rank;
            made.frontier[lane] = settled.frontier;
            made.gone_moved[lane] = settled.gone_moved;
            made.gone_next[lane] = settled.gone_next;
            made.taken[lane] = taken;
        }
        made
    }
}

impl Children {
    /// Lists the children of a state after these moves, and says how many they are. `by_sets` says whether their proofs are
    /// kept by their empty squares; `set` is the number of the state's. The table is asked for the entries ahead of their use.
    #[inline(always)]
    pub(super) fn list<N: Entries, M: Machine>(
        &mut self,
        (values, table): (&Sums<N>, &Table),
        (state, set): (State, u32),
        moves: Squares,
        by_sets: bool,
    ) -> usize {
        let mut count = 0;
        for square in moves {
            self.squares[count & (PLACES - 1)] = square.index() as u8;
            count += 1;
            if by_sets {
                table.prefetch_set(set ^ table.set_bit(square.index()));
            }
        }
        let [own, opp, empty] = [state.own, state.opp, state.empty].map(|set| set.bits() as u32);
        // Counted before the move, so that the count is the same for all moves of a state.
        let even = !parity(empty);
        for start in (0..count).step_by(AT_ONCE) {
            let squares = self.squares[start & (PLACES - AT_ONCE)..].first_chunk().expect("places are enough");
            let made = Made::of(own, opp, empty, even, squares);
            for lane in 0..AT_ONCE {
                if start + lane == count {
                    break;
                }
                let index = (start + lane) & (PLACES - 1);
                let square = usize::from(self.squares[index]);
                let sum = |bits: u32| values.sum(Squares::from_bits(bits.into()));
                let place = if by_sets {
                    let set = set ^ table.set_bit(square);
                    Place { set, rank: N::rank::<M>(made.rank[lane], made.frontier[lane]), key: 0 }
                } else {
                    let key = scramble(u64::from(empty & !(1 << square)), u64::from(made.own[lane]));
                    table.prefetch(key);
                    Place { set: set ^ table.set_bit(square), rank: 0, key }
                };
                self.own[index] = made.own[lane];
                self.opp[index] = made.opp[lane];
                self.places[index] = place;
                self.booked[index] = sum(made.gone_moved[lane]) - sum(made.gone_next[lane]);
                self.order[index] = values.of(Square::at(square)) + 2 * sum(made.taken[lane]);
            }
        }
        count
    }

    /// The square of a child.
    #[inline]
    pub(super) fn square(&self, index: usize) -> Square {
        Square::at(self.squares[index & (PLACES - 1)].into())
    }

    /// Where proofs of a child are kept, and what is booked for the side that moves.
    #[inline]
    pub(super) fn place_and_booked(&self, index: usize) -> (Place, i32) {
        (self.places[index & (PLACES - 1)], self.booked[index & (PLACES - 1)])
    }

    /// A child of a state with these empty squares.
    #[inline]
    pub(super) fn child(&self, empty: Squares, index: usize) -> Child {
        let index = index & (PLACES - 1);
        let square = self.square(index);
        let [own, opp] = [self.own[index], self.opp[index]].map(|bits| Squares::from_bits(bits.into()));
        let state = State { own, opp, empty: empty.without(square) };
        Child { square, state, place: self.places[index], booked: self.booked[index] }
    }

    /// The child that is searched first of those whose bits are set.
    #[inline]
    pub(super) fn first_of(&self, mut left: u32) -> usize {
        let mut first = left.trailing_zeros() as usize & (PLACES - 1);
        left &= left.wrapping_sub(1);
        while left != 0 {
            let index = left.trailing_zeros() as usize & (PLACES - 1);
            if self.order[index] > self.order[first] {
                first = index;
            }
            left &= left - 1;
        }
        first
    }
}
