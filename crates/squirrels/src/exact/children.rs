//! The child states of a state, generated several at once.

use super::dominance::{Entries, Rank};
use super::machine::Machine;
use super::state::{State, parity, settle};
use super::table::{Table, scramble};
use crate::board::{Square, Squares, bits_around};
use crate::sums::Sums;
use engine::squares::Square as _;

/// More than the squares, so that an index of five bits needs no bounds check.
const LIST_LEN: usize = 32;
/// The number of states that are generated at once.
const BATCH: usize = 8;

/// The location of a state's proofs in the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProofLocation {
    /// The line of the set of empty squares, for tables that keep proofs by empty squares.
    pub set: u32,
    /// The rank of the own pieces ([`Entries::rank`]), for such tables.
    pub rank: Rank,
    /// The scrambled key, for proofs that are kept by key.
    pub key: u64,
}

/// A state after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub square: Square,
    pub state: State,
    pub location: ProofLocation,
    /// The change of the balance for the side that moves, from pieces that are dropped.
    pub balance: i32,
}

/// The children of a state, with the same index in all lists.
#[derive(Clone, Default)]
pub(super) struct Children {
    squares: [u8; LIST_LEN],
    own: [u32; LIST_LEN],
    opp: [u32; LIST_LEN],
    locations: [ProofLocation; LIST_LEN],
    balance: [i32; LIST_LEN],
    /// Children with higher scores are searched first.
    pub order: [i32; LIST_LEN],
}

#[derive(Default)]
struct ChildBatch {
    own: [u32; BATCH],
    opp: [u32; BATCH],
    rank: [u32; BATCH],
    frontier: [u32; BATCH],
    dropped_moved: [u32; BATCH],
    dropped_next: [u32; BATCH],
    taken: [u32; BATCH],
}

impl ChildBatch {
    /// The states after moves to some squares. `even` is the parity of the empty squares after
    /// them.
    #[inline(always)]
    fn of(own: u32, opp: u32, empty: u32, even: u32, squares: &[u8; BATCH]) -> ChildBatch {
        let mut batch = ChildBatch::default();
        for (lane, &square) in squares.iter().enumerate() {
            let bit = 1 << square;
            let near = bits_around(bit).0;
            // The pieces at stake on the square: all neighbouring pieces if both sides have some
            // there.
            let taken = if near & own != 0 && near & opp != 0 { near & (own | opp) } else { 0 };
            let flips = taken & opp;
            let settled = settle(own | flips | bit, opp & !flips, empty & !bit, even);
            batch.own[lane] = settled.own;
            batch.opp[lane] = settled.opp;
            batch.rank[lane] = settled.rank;
            batch.frontier[lane] = settled.frontier;
            batch.dropped_moved[lane] = settled.dropped_moved;
            batch.dropped_next[lane] = settled.dropped_next;
            batch.taken[lane] = taken;
        }
        batch
    }
}

impl Children {
    /// Lists the children after these moves, prefetches their table entries, and returns their
    /// number. `by_sets` says whether their proofs are kept by empty squares; `set` is the line of
    /// the state's own.
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
            self.squares[count & (LIST_LEN - 1)] = square.index() as u8;
            count += 1;
            if by_sets {
                table.prefetch_set(set ^ table.set_bit(square.index()));
            }
        }
        let [own, opp, empty] = [state.own, state.opp, state.empty].map(|set| set.bits() as u32);
        // The parity before the move is the opposite of the parity after it, and the same for all
        // moves of a state.
        let even = !parity(empty);
        for start in (0..count).step_by(BATCH) {
            let squares = self.squares[start & (LIST_LEN - BATCH)..]
                .first_chunk()
                .expect("places are enough");
            let batch = ChildBatch::of(own, opp, empty, even, squares);
            for lane in 0..BATCH {
                if start + lane == count {
                    break;
                }
                let index = (start + lane) & (LIST_LEN - 1);
                let square = usize::from(self.squares[index]);
                let sum = |bits: u32| values.sum(Squares::from_bits(bits.into()));
                let location = if by_sets {
                    let set = set ^ table.set_bit(square);
                    ProofLocation {
                        set,
                        rank: N::rank::<M>(batch.rank[lane], batch.frontier[lane]),
                        key: 0,
                    }
                } else {
                    let key =
                        scramble(u64::from(empty & !(1 << square)), u64::from(batch.own[lane]));
                    table.prefetch(key);
                    ProofLocation { set: set ^ table.set_bit(square), rank: 0, key }
                };
                self.own[index] = batch.own[lane];
                self.opp[index] = batch.opp[lane];
                self.locations[index] = location;
                self.balance[index] =
                    sum(batch.dropped_moved[lane]) - sum(batch.dropped_next[lane]);
                self.order[index] = values.of(Square::at(square)) + 2 * sum(batch.taken[lane]);
            }
        }
        count
    }

    #[inline]
    pub(super) fn square(&self, index: usize) -> Square {
        Square::at(self.squares[index & (LIST_LEN - 1)].into())
    }

    #[inline]
    pub(super) fn location_and_balance(&self, index: usize) -> (ProofLocation, i32) {
        (self.locations[index & (LIST_LEN - 1)], self.balance[index & (LIST_LEN - 1)])
    }

    #[inline]
    pub(super) fn child(&self, empty: Squares, index: usize) -> Child {
        let index = index & (LIST_LEN - 1);
        let square = self.square(index);
        let [own, opp] =
            [self.own[index], self.opp[index]].map(|bits| Squares::from_bits(bits.into()));
        let state = State { own, opp, empty: empty.without(square) };
        Child { square, state, location: self.locations[index], balance: self.balance[index] }
    }

    /// The child with the highest order score among those whose bits are set.
    #[inline]
    pub(super) fn first_of(&self, mut left: u32) -> usize {
        let mut first = left.trailing_zeros() as usize & (LIST_LEN - 1);
        left &= left.wrapping_sub(1);
        while left != 0 {
            let index = left.trailing_zeros() as usize & (LIST_LEN - 1);
            if self.order[index] > self.order[first] {
                first = index;
            }
            left &= left - 1;
        }
        first
    }
}
