//! The null-window search of a node.

use super::children::{Child, Children, Place};
use super::dominance::Entries;
use super::last;
use super::machine::{Machine, Work};
use super::packing::Proof;
use super::state::{Lone, State};
use super::table::{Table, scramble};
use super::tree::Tree;
use crate::board::{SQUARES, Square};
use crate::sums::Sums;
use std::marker::PhantomData;

/// The least number of empty squares with which a state is worth the table's memory.
const LEAST_STORED: u32 = last::MOST;
/// The most empty squares with which proofs are kept by empty squares, where the table can. With more there are few states of each set, and
/// the best moves are worth knowing, too.
pub(super) const MOST_BY_SETS: u32 = 11;
/// The least number of empty squares with which it pays that threads share the children.
const LEAST_SHARED: u32 = 10;
/// The number of nodes between two questions whether to stop.
const NODES_BETWEEN_POLLS: u64 = 1_024;
/// The number of plies below a test's root whose finished children are reported to the tree.
const NEAR_ROOT: u32 = 6;
/// An order above every other.
const FIRST: i32 = 1 << 24;

/// The kind of node that is expected. Where all children have to be searched, threads share them; where the best one does, all
/// try the same first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The first of a test: all children, most often. The table alone does not answer it, since its move is asked for.
    Root,
    /// All children are searched.
    All,
    /// A child cuts the node off.
    Cut,
}

impl Kind {
    fn of_children(self) -> Kind {
        if self == Kind::Cut { Kind::All } else { Kind::Cut }
    }
}

/// The search of a [`Solver`](super::Solver), over sums of one width, on one kind of processor.
pub(super) struct Search<'a, N, T, M> {
    pub(super) values: &'a Sums<N>,
    pub(super) table: &'a Table,
    pub(super) tree: T,
    /// The children of the nodes on the line that is searched, by the number of empty squares.
    pub(super) children: Box<[Children; SQUARES + 1]>,
    /// The most empty squares with which proofs are kept by empty squares; 0 if none are.
    pub(super) most_by_sets: u32,
    nodes: u64,
    /// The empty squares of the state that is tested.
    pub(super) test_empty: u32,
    pub(super) stopped: bool,
    /// The moves that are expected in the position to be solved and in those that follow, by the number of empty squares.
    pub(super) expected: [Option<Square>; SQUARES + 1],
    machine: PhantomData<M>,
}

/// A node to be searched, as work for a machine.
struct Visit<'s, 'a, N, T, M> {
    search: &'s mut Search<'a, N, T, M>,
    state: State,
    place: Place,
    beta: i32,
    kind: Kind,
}

impl<N: Entries, T: Tree, M: Machine> Work for Visit<'_, '_, N, T, M> {
    type Output = (i32, Option<Square>);

    #[inline(always)]
    fn run(self) -> (i32, Option<Square>) {
        self.search.visit(self.state, self.place, self.beta, self.kind)
    }
}

impl<'a, N: Entries, T: Tree, M: Machine> Search<'a, N, T, M> {
    pub(super) fn new(values: &'a Sums<N>, table: &'a Table, tree: T) -> Self {
        let children = Box::new(std::array::from_fn(|_| Children::default()));
        Search {
            values,
            table,
            tree,
            children,
            most_by_sets: 0,
            nodes: 0,
            test_empty: 0,
            stopped: false,
            expected: [None; SQUARES + 1],
            machine: PhantomData,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches a node whose best move is asked for.
    pub(super) fn search_root(&mut self, state: State, place: Place, beta: i32) -> (i32, Option<Square>) {
        M::run(Visit { search: self, state, place, beta, kind: Kind::Root })
    }

    /// Where proofs of a state are kept.
    pub(super) fn place(&self, state: State) -> Place {
        let set = self.table.number_of_set(state.empty).unwrap_or(0);
        let key = scramble(state.empty.bits(), state.own.bits());
        let (own, frontier) = state.rank();
        let rank = if state.empty.len() <= self.most_by_sets { N::rank::<M>(own, frontier) } else { 0 };
        Place { set, rank, key }
    }

    /// What is proven of a state with so many empty squares.
    #[inline(always)]
    pub(super) fn proof(&self, empty: u32, place: Place) -> Proof {
        if empty <= self.most_by_sets {
            let (lower, upper) = N::bounds::<M>(self.table.line(place.set), place.rank);
            Proof { lower, upper, mv: None }
        } else {
            self.table.probe::<N>(place.key).unwrap_or(N::NONE)
        }
    }

    /// Lists the moves worth trying: all, but of the lone squares only the dearest.
    #[inline(always)]
    pub(super) fn list(&mut self, state: State, place: Place, lone: &Lone) -> usize {
        let moves = (state.empty - lone.squares) | lone.dearest;
        let by_sets = state.empty.len() <= self.most_by_sets + 1 && self.most_by_sets > 0;
        self.children[state.empty.len() as usize].list::<N, M>(
            (self.values, self.table),
            (state, place.set),
            moves,
            by_sets,
        )
    }

    /// Searches a node: a bound on its value, at least `beta` if the value is, less than `beta` if it is not; and the best
    /// move, which is known for [`Kind::Root`]. Meaningless once `self.stopped`.
    #[inline(always)]
    fn visit(&mut self, state: State, place: Place, beta: i32, kind: Kind) -> (i32, Option<Square>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && self.tree.stop(self.nodes) {
            self.stopped = true;
        }
        let empty = state.empty.len();
        if self.stopped {
            return (0, None);
        }
        let stored = empty >= LEAST_STORED;
        let known = if stored { self.proof(empty, place) } else { N::NONE };
        if known.lower >= beta && (kind != Kind::Root || known.mv.is_some()) {
            return (known.lower, known.mv);
        }
        if known.upper < beta {
            return (known.upper, known.mv);
        }
        if empty <= last::MOST && kind != Kind::Root {
            let value = last::bound(self.values, state, beta);
            if stored {
                self.store(state, place, known, beta, (value, None));
            }
            return (value, None);
        }
        let lone = Lone::of(self.values, state);
        if kind != Kind::Root
            && let Some(bound) = self.bound_of_open(state, &lone, beta)
        {
            return (bound, None);
        }
        let count = self.list(state, place, &lone);
        let found = self.best_child(state, place, known, beta, kind, count);
        if stored && !self.stopped {
            self.store(state, place, known, beta, found);
        }
        found
    }

    /// A bound on the value of a state that tells on which side of `beta` it lies, if what is still open is enough for one.
    #[inline(always)]
    fn bound_of_open(&self, state: State, lone: &Lone, beta: i32) -> Option<i32> {
        if lone.squares == state.empty {
            return Some(lone.alternating);
        }
        // A side that answers the other's moves at lone squares there, and moves elsewhere otherwise, gets at least this
        // of them; all else that is open bounds the rest.
        let open = self.values.sum(state.own | state.opp | state.empty) - lone.total;
        let (least, most) = (lone.alternating - open, lone.alternating + open);
        if most < beta { Some(most) } else { (least >= beta).then_some(least) }
    }

    /// The value and the square of the best child, or of one that is good enough.
    #[inline(always)]
    fn best_child(
        &mut self,
        state: State,
        place: Place,
        known: Proof,
        beta: i32,
        kind: Kind,
        count: usize,
    ) -> (i32, Option<Square>) {
        let empty = state.empty.len();
        let slot = empty as usize;
        let (mut best, mut best_square) = (i32::MIN, None);
        let mut left = 0_u32;
        // Enhanced transposition cut-off: a child whose proof is enough ends the node before any is searched.
        for index in 0..count {
            let (its_place, booked) = self.children[slot].place_and_booked(index);
            let proof = if empty > LEAST_STORED { self.proof(empty - 1, its_place) } else { N::NONE };
            let (least, most) = (booked - proof.upper, booked - proof.lower);
            if least >= beta {
                return (least, Some(self.children[slot].square(index)));
            }
            if most >= beta {
                left |= 1 << index;
            } else if most > best {
                (best, best_square) = (most, Some(self.children[slot].square(index)));
            }
        }
        if let Some(index) = known.mv.and_then(|mv| (0..count).find(|&index| self.children[slot].square(index) == mv)) {
            self.children[slot].order[index] += FIRST;
        }
        let shared = empty >= LEAST_SHARED;
        // Children that another thread is looking at come last.
        let (mut put_off, mut wait, mut first) = (0, shared, true);
        while left | put_off != 0 {
            if left == 0 {
                (left, put_off, wait) = (put_off, 0, false);
            }
            let index = self.children[slot].first_of(left);
            left &= !(1 << index);
            let Child { square, state: after, place: its_place, booked } =
                self.children[slot].child(state.empty, index);
            let name = if shared { name(after) } else { 0 };
            // Where one child is enough, all threads try the same first.
            if wait && !(first && kind == Kind::Cut) && self.table.under_search.holds(name) {
                put_off |= 1 << index;
                continue;
            }
            first = false;
            if shared {
                // What another thread has found meanwhile.
                let known = self.proof(empty, place);
                if kind != Kind::Root && known.upper < beta {
                    return (known.upper, None);
                }
                if kind != Kind::Root && known.lower >= beta {
                    return (known.lower, known.mv);
                }
                self.table.under_search.begin(name);
            }
            let visit = Visit {
                search: self,
                state: after,
                place: its_place,
                beta: booked - beta + 1,
                kind: kind.of_children(),
            };
            let value = booked - M::run(visit).0;
            if shared {
                self.table.under_search.end(name);
            }
            if self.stopped {
                return (0, None);
            }
            if empty + NEAR_ROOT >= self.test_empty {
                self.tree.child_done(empty, count - (left | put_off).count_ones() as usize, count);
            }
            if value > best {
                (best, best_square) = (value, Some(square));
                if best >= beta {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// Stores what a search of a state has found.
    #[inline(always)]
    fn store(&mut self, state: State, place: Place, known: Proof, beta: i32, (found, square): (i32, Option<Square>)) {
        let empty = state.empty.len();
        if empty <= self.most_by_sets {
            let line = self.table.line(place.set);
            if found >= beta {
                N::keep_lower(line, place.rank, found);
            } else {
                N::keep_upper(line, place.rank, found);
            }
            return;
        }
        let proof = if found >= beta {
            Proof { lower: found.max(known.lower), mv: square, ..known }
        } else {
            Proof { upper: found.min(known.upper), ..known }
        };
        self.table.store::<N>(place.key, empty, proof);
        if empty >= super::LEAST_SAVED {
            self.tree.proven(state, proof);
        }
    }
}

/// The name of a state among those that threads are looking at.
fn name(state: State) -> u64 {
    engine::split_mix(state.key()) | 1
}
