//! The null-window search of a node.

use super::children::{Child, Children, ProofLocation};
use super::dominance::Entries;
use super::last_squares;
use super::machine::{Machine, Work};
use super::packing::Proof;
use super::state::{LoneSquares, State};
use super::table::{Table, scramble};
use crate::board::{SQUARES, Square};
use crate::sums::Sums;
use std::marker::PhantomData;

const LEAST_STORED: u32 = last_squares::MOST_EMPTY;
/// The most empty squares with which proofs are kept by empty squares, if the table can. With more,
/// each set has few states, and best moves are worth storing, too.
pub(super) const MOST_BY_SETS: u32 = 11;
/// The least number of empty squares with which threads share the children of a node.
const LEAST_SHARED: u32 = 10;
const NODES_BETWEEN_POLLS: u64 = 1_024;
/// Above all other order scores.
const HASH_MOVE_ORDER: i32 = 1 << 24;

/// The expected type of a node. Threads share the children of an all-node, and all search the first
/// child of a cut-node first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    /// Most often an all-node. Its best move is needed, so a table entry without one does not
    /// answer it.
    Root,
    /// All children are searched.
    All,
    /// One child is expected to reach `beta`.
    Cut,
}

impl NodeKind {
    fn of_children(self) -> NodeKind {
        if self == NodeKind::Cut { NodeKind::All } else { NodeKind::Cut }
    }
}

/// The search of a [`Solver`](super::Solver), over sums of one width, on one kind of processor.
pub(super) struct Search<'a, N, T, M> {
    pub(super) values: &'a Sums<N>,
    pub(super) table: &'a Table,
    pub(super) stop: T,
    /// The empty squares of the state that is being solved.
    pub(super) solving: u32,
    /// The children of the nodes on the current line, by the number of empty squares.
    pub(super) children: Box<[Children; SQUARES + 1]>,
    /// The most empty squares with which proofs are kept by empty squares; 0 if the table keeps
    /// none so.
    pub(super) most_by_sets: u32,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// The expected line from the position, by the empty squares before the move.
    pub(super) expected: [Option<Square>; SQUARES + 1],
    machine: PhantomData<M>,
}

/// The search of a node, as [`Work`] for a [`Machine`].
struct NodeSearch<'s, 'a, N, T, M> {
    search: &'s mut Search<'a, N, T, M>,
    state: State,
    location: ProofLocation,
    beta: i32,
    kind: NodeKind,
}

impl<N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> Work for NodeSearch<'_, '_, N, T, M> {
    type Output = (i32, Option<Square>);

    #[inline(always)]
    fn run(self) -> (i32, Option<Square>) {
        self.search.search_node(self.state, self.location, self.beta, self.kind)
    }
}

impl<'a, N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> Search<'a, N, T, M> {
    pub(super) fn new(values: &'a Sums<N>, table: &'a Table, stop: T) -> Self {
        let children = Box::new(std::array::from_fn(|_| Children::default()));
        Search {
            values,
            table,
            stop,
            solving: 0,
            children,
            most_by_sets: 0,
            nodes: 0,
            stopped: false,
            expected: [None; SQUARES + 1],
            machine: PhantomData,
        }
    }

    /// Searches the root of a test, whose best move is needed.
    pub(super) fn search_root(
        &mut self,
        state: State,
        location: ProofLocation,
        beta: i32,
    ) -> (i32, Option<Square>) {
        M::run(NodeSearch { search: self, state, location, beta, kind: NodeKind::Root })
    }

    pub(super) fn location(&self, state: State) -> ProofLocation {
        let set = self.table.set_index(state.empty).unwrap_or(0);
        let key = scramble(state.empty.bits(), state.own.bits());
        let (own, frontier) = state.rank();
        let rank =
            if state.empty.len() <= self.most_by_sets { N::rank::<M>(own, frontier) } else { 0 };
        ProofLocation { set, rank, key }
    }

    #[inline(always)]
    pub(super) fn proof(&self, empty: u32, location: ProofLocation) -> Proof {
        if empty <= self.most_by_sets {
            let (lower, upper) = N::bounds::<M>(self.table.line(location.set), location.rank);
            Proof { lower, upper, mv: None }
        } else {
            self.table.probe::<N>(location.key).unwrap_or(N::NONE)
        }
    }

    /// Lists the moves to search: all, but of the lone squares only the dearest.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        state: State,
        location: ProofLocation,
        lone: &LoneSquares,
    ) -> usize {
        let moves = (state.empty - lone.squares) | lone.dearest;
        let by_sets = state.empty.len() <= self.most_by_sets + 1 && self.most_by_sets > 0;
        self.children[state.empty.len() as usize].list::<N, M>(
            (self.values, self.table),
            (state, location.set),
            moves,
            by_sets,
        )
    }

    /// Searches a node (fail-soft): a bound on its value, which is at least `beta` exactly if the
    /// value is, and a best move. For [`NodeKind::Root`] the move is always present if the bound is
    /// at least `beta`. The result is meaningless once `self.stopped` is set.
    #[inline(always)]
    fn search_node(
        &mut self,
        state: State,
        location: ProofLocation,
        beta: i32,
        kind: NodeKind,
    ) -> (i32, Option<Square>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && (self.stop)(self.nodes, self.solving) {
            self.stopped = true;
        }
        let empty = state.empty.len();
        if self.stopped {
            return (0, None);
        }
        let stored = empty >= LEAST_STORED;
        let known = if stored { self.proof(empty, location) } else { N::NONE };
        if known.lower >= beta && (kind != NodeKind::Root || known.mv.is_some()) {
            return (known.lower, known.mv);
        }
        if known.upper < beta {
            return (known.upper, known.mv);
        }
        if empty <= last_squares::MOST_EMPTY && kind != NodeKind::Root {
            let value = last_squares::bound(self.values, state, beta);
            if stored {
                self.store(state, location, known, beta, (value, None));
            }
            return (value, None);
        }
        let lone = LoneSquares::of(self.values, state);
        if kind != NodeKind::Root
            && let Some(bound) = self.static_bound(state, &lone, beta)
        {
            return (bound, None);
        }
        let count = self.list(state, location, &lone);
        let found = self.search_children(state, location, known, beta, kind, count);
        if stored && !self.stopped {
            self.store(state, location, known, beta, found);
        }
        found
    }

    /// A bound that decides whether the value reaches `beta`, if what is still open is small
    /// enough.
    #[inline(always)]
    fn static_bound(&self, state: State, lone: &LoneSquares, beta: i32) -> Option<i32> {
        if lone.squares == state.empty {
            return Some(lone.alternating);
        }
        // A side that answers moves at lone squares with lone squares, and other moves with other
        // moves, gets at least `alternating` from the lone squares; the sum of all else that is
        // open bounds the rest.
        let open = self.values.sum(state.own | state.opp | state.empty) - lone.total;
        let (least, most) = (lone.alternating - open, lone.alternating + open);
        if most < beta { Some(most) } else { (least >= beta).then_some(least) }
    }

    /// The value and the square of the best child, or of the first one that reaches `beta`.
    #[inline(always)]
    fn search_children(
        &mut self,
        state: State,
        location: ProofLocation,
        known: Proof,
        beta: i32,
        kind: NodeKind,
        count: usize,
    ) -> (i32, Option<Square>) {
        let empty = state.empty.len();
        let slot = empty as usize;
        let (mut best, mut best_square) = (i32::MIN, None);
        let mut left = 0_u32;
        // Enhanced transposition cut-off: the stored bounds of a child can end the node before any
        // child is searched.
        for index in 0..count {
            let (child_location, balance) = self.children[slot].location_and_balance(index);
            let proof =
                if empty > LEAST_STORED { self.proof(empty - 1, child_location) } else { N::NONE };
            let (least, most) = (balance - proof.upper, balance - proof.lower);
            if least >= beta {
                return (least, Some(self.children[slot].square(index)));
            }
            if most >= beta {
                left |= 1 << index;
            } else if most > best {
                (best, best_square) = (most, Some(self.children[slot].square(index)));
            }
        }
        let is_hash_move = |&index: &usize| Some(self.children[slot].square(index)) == known.mv;
        if let Some(index) = (0..count).find(is_hash_move) {
            self.children[slot].order[index] += HASH_MOVE_ORDER;
        }
        let shared = empty >= LEAST_SHARED;
        // Deferred children (simplified ABDADA): a child that another thread is searching comes
        // last.
        let (mut deferred, mut wait, mut first) = (0, shared, true);
        while left | deferred != 0 {
            if left == 0 {
                (left, deferred, wait) = (deferred, 0, false);
            }
            let index = self.children[slot].first_of(left);
            left &= !(1 << index);
            let Child { square, state: after, location: child_location, balance } =
                self.children[slot].child(state.empty, index);
            let hash = if shared { state_hash(after) } else { 0 };
            // In a cut-node all threads search the first child together.
            if wait && !(first && kind == NodeKind::Cut) && self.table.under_search.contains(hash) {
                deferred |= 1 << index;
                continue;
            }
            first = false;
            if shared {
                // Another thread may have proven enough meanwhile.
                if kind != NodeKind::Root {
                    let known = self.proof(empty, location);
                    if known.upper < beta {
                        return (known.upper, None);
                    }
                    if known.lower >= beta {
                        return (known.lower, known.mv);
                    }
                }
                self.table.under_search.insert(hash);
            }
            let task = NodeSearch {
                search: self,
                state: after,
                location: child_location,
                beta: balance - beta + 1,
                kind: kind.of_children(),
            };
            let value = balance - M::run(task).0;
            if shared {
                self.table.under_search.remove(hash);
            }
            if self.stopped {
                return (0, None);
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

    #[inline(always)]
    fn store(
        &mut self,
        state: State,
        location: ProofLocation,
        known: Proof,
        beta: i32,
        (found, square): (i32, Option<Square>),
    ) {
        let empty = state.empty.len();
        if empty <= self.most_by_sets {
            let line = self.table.line(location.set);
            if found >= beta {
                N::keep_lower(line, location.rank, found);
            } else {
                N::keep_upper(line, location.rank, found);
            }
            return;
        }
        let proof = if found >= beta {
            Proof { lower: found.max(known.lower), mv: square, ..known }
        } else {
            Proof { upper: found.min(known.upper), ..known }
        };
        self.table.store::<N>(location.key, empty, proof);
    }
}

/// The hash of a state in the set of those that threads are searching; never 0.
fn state_hash(state: State) -> u64 {
    engine::split_mix(state.key()) | 1
}
