//! The null-window search.

use super::Solution;
use super::expected;
use super::last;
use super::packing::{Proof, Width};
use super::state::{Lone, State};
use super::table::{Table, scramble};
use super::tree::Tree;
use crate::board::{ALL, SQUARES, Square, Squares};
use crate::rules::Position;
use crate::sums::Sums;
use engine::Game;

/// The least number of empty squares with which a state is worth the table's memory.
const LEAST_STORED: u32 = last::FIRST_BEFORE;
/// The least number of empty squares with which the table is asked about all children before the first is searched:
/// with fewer it stores none of them.
const LEAST_ENHANCED: u32 = LEAST_STORED + 1;
/// The least number of empty squares with which it pays that threads share the children.
const LEAST_SHARED: u32 = 10;
/// The sum of all values of a usual board: values from 1 to 99, 50 on average.
const USUAL_SUM: i32 = 1_250;
/// The first step from a guess of the value to the next, in points of a usual board, where nothing is known of it; it
/// doubles until the value is enclosed.
const LARGE_STEP: i32 = 64;
/// The first step where a good move's value is known, in the same points.
const SMALL_STEP: i32 = 8;
/// The least number of empty squares with which a first guess is searched for; with fewer, the sums of the pieces are
/// guess enough.
const LEAST_GUESSED: u32 = 8;
/// The number of nodes between two questions whether to stop.
const NODES_BETWEEN_POLLS: u64 = 1_024;
/// The number of plies below a test's root whose finished children are reported to the tree.
const NEAR_ROOT: u32 = 6;
/// An order below every other: the table says that this child is not better.
const REFUTED: i32 = i32::MIN;

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

#[derive(Clone, Copy, Default)]
struct Child {
    state: State,
    booked: i32,
    order: i32,
    key: u64,
    square: Square,
}

/// The search of a [`Solver`](super::Solver), over sums of one width.
pub(super) struct Search<'a, N, T> {
    values: &'a Sums<N>,
    table: &'a Table,
    tree: T,
    /// The thread's number: 0 searches in the best order, others take nodes without a cut-off from other ends.
    thread: u32,
    /// The children of the nodes on the line that is searched, by the number of empty squares.
    children: Box<[[Child; SQUARES]; SQUARES + 1]>,
    nodes: u64,
    /// The empty squares of the state that is tested.
    test_empty: u32,
    stopped: bool,
    /// What steps are counted in: 1 on boards of the usual sums.
    unit: i32,
    /// The moves that are expected in the position to be solved and in those that follow, by the number of empty squares.
    expected: [Option<Square>; SQUARES + 1],
}

impl<'a, N: Width, T: Tree> Search<'a, N, T> {
    pub(super) fn new(values: &'a Sums<N>, table: &'a Table, thread: u32, tree: T) -> Self {
        let children = Box::new([[Child::default(); SQUARES]; SQUARES + 1]);
        let unit = (values.sum(ALL) / USUAL_SUM).max(1);
        Search {
            values,
            table,
            tree,
            thread,
            children,
            nodes: 0,
            test_empty: 0,
            stopped: false,
            unit,
            expected: [None; SQUARES + 1],
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn solve(&mut self, position: &Position, mut tell: impl FnMut(i32, i32)) -> Option<Solution> {
        let side = position.side_to_move();
        let (state, booked) = State::new(self.values, position.pieces(side), position.pieces(side.other()));
        self.expected = expected::line(position, &mut self.tree);
        let (value, best) = self.close_in(state, &mut |lower, upper| tell(lower + booked, upper + booked))?;
        Some(Solution { value: value + booked, best })
    }

    /// The value of a state and a move that reaches it. First the state after the move that looks best is solved in the
    /// same way; if that move is best, a single test remains. Otherwise the value is closed in from both sides.
    fn close_in(&mut self, state: State, tell: &mut dyn FnMut(i32, i32)) -> Option<(i32, Square)> {
        // No final difference lies beyond the sum of all that counts.
        let total = self.values.sum(state.own | state.opp | state.empty);
        let (mut lower, mut upper, mut best) = (-total, total, None);
        let (mut guess, mut step) = (self.values.sum(state.own) - self.values.sum(state.opp), LARGE_STEP * self.unit);
        if state.empty.len() >= LEAST_GUESSED {
            let known = || self.table.probe::<N>(scramble(state)).and_then(|proof| proof.mv);
            let mv = self.expected[state.empty.len() as usize].or_else(known);
            let count = self.generate(state, &Lone::of(self.values, state));
            self.rank(state, count, mv, Kind::Cut);
            let first = self.next_child(state.empty.len() as usize, 0, count);
            let (value, _) = self.close_in(first.state, &mut |_, _| ())?;
            (lower, best) = (first.booked - value, Some(first.square));
            (guess, step) = (lower + 1, SMALL_STEP * self.unit);
        }
        while lower < upper || best.is_none() {
            let beta = guess.clamp((lower + 1).min(upper), upper);
            let (value, square) = self.test_root(state, beta)?;
            if value >= beta {
                lower = value;
                best = square;
            } else {
                upper = value;
            }
            let enclosed = upper - lower <= 2 * step;
            guess = match value >= beta {
                _ if enclosed => (lower + upper + 1).div_euclid(2),
                true => value + step,
                false => value - step,
            };
            step *= 2;
            tell(lower, upper);
        }
        best.map(|best| (lower, best))
    }

    pub(super) fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut value = solution.value;
        let mut best = solution.best;
        loop {
            line.push(best);
            position.play(crate::rules::Move(best));
            if position.empty().is_empty() {
                return Some(line);
            }
            value = -value;
            let side = position.side_to_move();
            let (state, booked) = State::new(self.values, position.pieces(side), position.pieces(side.other()));
            let (reached, square) = self.test_root(state, value - booked)?;
            debug_assert!(reached + booked == value);
            best = square?;
        }
    }

    /// Whether a state is worth at least `beta`: a bound on that side of it, and a move that proves it if it is.
    fn test_root(&mut self, state: State, beta: i32) -> Option<(i32, Option<Square>)> {
        self.test_empty = state.empty.len();
        self.stopped = false;
        self.tree.begin(self.test_empty);
        let found = self.children_of(state, beta, &Lone::of(self.values, state), Kind::Root);
        (!self.stopped).then_some(found)
    }

    /// A bound on the value of a state: at least `beta` if the value is, less than `beta` if it is not. Meaningless once
    /// `self.stopped`.
    fn node(&mut self, state: State, beta: i32, kind: Kind) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) && self.tree.stop(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        if state.empty.len() < last::FIRST_BEFORE {
            return last::bound(self.values, state, beta);
        }
        let lone = Lone::of(self.values, state);
        if lone.squares == state.empty {
            return lone.alternating;
        }
        // A side that answers the other's moves at lone squares there, and moves elsewhere otherwise, gets at least this
        // of them; all else that is open bounds the rest.
        let open = self.values.sum(state.own | state.opp | state.empty) - lone.total;
        if lone.alternating + open < beta {
            return lone.alternating + open;
        }
        if lone.alternating - open >= beta {
            return lone.alternating - open;
        }
        self.children_of(state, beta, &lone, kind).0
    }

    /// [`Search::node`] once the bounds have not settled it; and the best move.
    fn children_of(&mut self, state: State, beta: i32, lone: &Lone, kind: Kind) -> (i32, Option<Square>) {
        let empty = state.empty.len();
        let stored = empty >= LEAST_STORED;
        let key = scramble(state);
        let known = if stored { self.table.probe::<N>(key).unwrap_or(N::NONE) } else { N::NONE };
        if known.lower >= beta && (kind != Kind::Root || known.mv.is_some()) {
            return (known.lower, known.mv);
        }
        if known.upper < beta {
            return (known.upper, known.mv);
        }
        let count = self.generate(state, lone);
        let slot = empty as usize;
        let (mut best, mut best_square) = (i32::MIN, None);
        if empty >= LEAST_ENHANCED {
            // Enhanced transposition cut-off: a child whose proof is enough ends the node before any is searched.
            for index in 0..count {
                let child = &mut self.children[slot][index];
                let Some(proof) = self.table.probe::<N>(child.key) else { continue };
                let (least, most) = (child.booked - proof.upper, child.booked - proof.lower);
                if least >= beta {
                    let square = Some(child.square);
                    self.store(state, key, empty, Proof { lower: least.max(known.lower), mv: square, ..known });
                    return (least, square);
                }
                if most < beta {
                    child.order = REFUTED;
                    if most > best {
                        (best, best_square) = (most, Some(child.square));
                    }
                }
            }
        }
        self.rank(state, count, known.mv, kind);
        for number in 0..count {
            let child = self.next_child(slot, number, count);
            if child.order == REFUTED {
                break;
            }
            let value = child.booked - self.node(child.state, child.booked - beta + 1, kind.of_children());
            if self.stopped {
                return (0, None);
            }
            if empty + NEAR_ROOT >= self.test_empty {
                self.tree.child_done(empty, number + 1, count);
            }
            if value > best {
                (best, best_square) = (value, Some(child.square));
                if best >= beta {
                    break;
                }
            }
        }
        if stored {
            let proof = if best >= beta {
                Proof { lower: best.max(known.lower), mv: best_square, ..known }
            } else {
                Proof { upper: best.min(known.upper), ..known }
            };
            self.store(state, key, empty, proof);
        }
        (best, best_square)
    }

    #[inline]
    fn store(&mut self, state: State, key: u64, empty: u32, proof: Proof) {
        self.table.store::<N>(key, empty, proof);
        if empty >= super::LEAST_SAVED {
            self.tree.proven(state, proof);
        }
    }

    /// Lists the moves worth trying: all, but of the lone squares only the dearest.
    #[inline]
    fn generate(&mut self, state: State, lone: &Lone) -> usize {
        let values = self.values;
        let empty = state.empty.len();
        let list = &mut self.children[empty as usize];
        let mut count = 0;
        // What is not asked for in the table needs neither its one form nor its key.
        let asked = empty >= LEAST_ENHANCED;
        for square in (state.empty - lone.squares) | lone.dearest {
            let (after, booked) = if asked { state.after(values, square) } else { (state.after_plainly(square), 0) };
            let key = if asked { scramble(after) } else { 0 };
            if asked {
                self.table.prefetch(key);
            }
            list[count] = Child { state: after, booked, order: 0, key, square };
            count += 1;
        }
        count
    }

    /// Puts the children that the table has not refuted in order: the higher, the sooner a child is searched.
    #[inline]
    fn rank(&mut self, state: State, count: usize, table_move: Option<Square>, kind: Kind) {
        let values = self.values;
        let empty = state.empty.len();
        for child in &mut self.children[empty as usize][..count] {
            if child.order == REFUTED {
                continue;
            }
            let near = child.square.neighbours();
            // What taking the square swings for us, and what it would swing for the other side.
            let both = near.meets(state.own) && near.meets(state.opp);
            let taken = if both { near & (state.own | state.opp) } else { Squares::EMPTY };
            child.order = values.of(child.square) + 2 * values.sum(taken);
            if Some(child.square) == table_move {
                child.order += 1 << 20;
            }
            if self.thread != 0 && kind != Kind::Cut && empty >= LEAST_SHARED {
                child.order = match self.thread {
                    1 => -child.order,
                    thread => {
                        let number = u64::from(thread) << 50 ^ child.square.index() as u64;
                        (engine::split_mix(state.key() ^ number) >> 40) as i32
                    }
                };
            }
        }
    }

    /// The best of the children from `number` on; the child of that number takes its place in the list.
    #[inline]
    fn next_child(&mut self, slot: usize, number: usize, count: usize) -> Child {
        let list = &mut self.children[slot][..count];
        let mut first = number;
        for index in number + 1..count {
            if list[index].order > list[first].order {
                first = index;
            }
        }
        let child = list[first];
        list[first] = list[number];
        child
    }
}
