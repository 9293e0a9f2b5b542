//! The value of a position, closed in from both sides by tests of null windows.

use super::Solution;
use super::children::{Child, Place};
use super::dominance::Entries;
use super::expected;
use super::machine::Machine;
use super::search::{MOST_BY_SETS, Search};
use super::state::{Lone, State};
use super::tree::Tree;
use crate::board::{ALL, Square};
use crate::rules::{Move, Position};
use crate::sums::{Sum, Sums};
use engine::Game;

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

/// What steps are counted in: 1 on boards of the usual sums.
fn unit<N: Sum>(values: &Sums<N>) -> i32 {
    (values.sum(ALL) / USUAL_SUM).max(1)
}

impl<N: Entries, T: Tree, M: Machine> Search<'_, N, T, M> {
    pub(super) fn solve(&mut self, position: &Position, mut tell: impl FnMut(i32, i32)) -> Option<Solution> {
        let side = position.side_to_move();
        let (state, booked) = State::new(self.values, position.pieces(side), position.pieces(side.other()));
        self.most_by_sets = self.table.number_of_set(position.empty()).map_or(0, |_| MOST_BY_SETS);
        self.expected = expected::line(position, &mut self.tree);
        let (value, best) = self.close_in(state, &mut |lower, upper| tell(lower + booked, upper + booked))?;
        Some(Solution { value: value + booked, best })
    }

    /// The value of a state and a move that reaches it. First the state after the move that looks best is solved in the
    /// same way; if that move is best, a single test remains. Otherwise the value is closed in from both sides.
    fn close_in(&mut self, state: State, tell: &mut dyn FnMut(i32, i32)) -> Option<(i32, Square)> {
        let unit = unit(self.values);
        // No final difference lies beyond the sum of all that counts.
        let total = self.values.sum(state.own | state.opp | state.empty);
        let (mut lower, mut upper, mut best) = (-total, total, None);
        let (mut guess, mut step) = (self.values.sum(state.own) - self.values.sum(state.opp), LARGE_STEP * unit);
        if state.empty.len() >= LEAST_GUESSED {
            let place = self.place(state);
            let first = self.first_child(state, place);
            let (value, _) = self.close_in(first.state, &mut |_, _| ())?;
            (lower, best) = (first.booked - value, Some(first.square));
            (guess, step) = (lower + 1, SMALL_STEP * unit);
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
            position.play(Move(best));
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
        let place = self.place(state);
        let found = self.search_root(state, place, beta);
        (!self.stopped).then_some(found)
    }

    /// The child that looks best.
    fn first_child(&mut self, state: State, place: Place) -> Child {
        let lone = Lone::of(self.values, state);
        let known = || self.proof(state.empty.len(), place).mv;
        let mv = self.expected[state.empty.len() as usize].or_else(known);
        let count = self.list(state, place, &lone);
        let slot = state.empty.len() as usize;
        let list = &self.children[slot];
        let expected = (0..count).find(|&index| Some(list.square(index)) == mv);
        list.child(state.empty, expected.unwrap_or_else(|| list.first_of((1 << count) - 1)))
    }
}
