//! Finds the value of a position by a sequence of null-window tests, which enclose it from both
//! sides.

use super::Solution;
use super::children::{Child, ProofLocation};
use super::dominance::Entries;
use super::expected_line;
use super::machine::Machine;
use super::search::{MOST_BY_SETS, Search};
use super::state::{LoneSquares, State};
use crate::board::{ALL, Square};
use crate::rules::{Move, Position};
use crate::sums::{Sum, Sums};
use engine::Game;

/// The sum of all values of a typical board: values from 1 to 99, 50 on average.
const USUAL_SUM: i32 = 1_250;
/// The first step of the window when nothing is known of the value, in points of a typical board.
/// The step doubles until the value is enclosed.
const LARGE_STEP: i32 = 64;
/// The first step of the window when the value of a good move is known, in the same unit.
const SMALL_STEP: i32 = 8;
/// The least number of empty squares with which the state after the best-looking move is solved
/// first for a guess of the value. With fewer, the difference of the pieces is good enough.
const LEAST_GUESSED: u32 = 8;

/// The unit of steps: 1 on typical boards, more where values are larger.
fn unit<N: Sum>(values: &Sums<N>) -> i32 {
    (values.sum(ALL) / USUAL_SUM).max(1)
}

impl<N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> Search<'_, N, T, M> {
    pub(super) fn solve(
        &mut self,
        position: &Position,
        mut report: impl FnMut(i32, i32),
    ) -> Option<Solution> {
        let side = position.side_to_move();
        let (state, balance) =
            State::new(self.values, position.pieces(side), position.pieces(side.other()));
        self.most_by_sets = self.table.set_index(position.empty()).map_or(0, |_| MOST_BY_SETS);
        self.expected = expected_line::find(position, &mut self.stop);
        let (value, best) =
            self.enclose(state, &mut |lower, upper| report(lower + balance, upper + balance))?;
        Some(Solution { value: value + balance, best })
    }

    /// Finds the value of a state and a move that reaches it. First it solves the state after the
    /// best-looking move in the same way. If that move is best, a single test proves it; otherwise
    /// further tests enclose the value from both sides.
    fn enclose(&mut self, state: State, report: &mut dyn FnMut(i32, i32)) -> Option<(i32, Square)> {
        let unit = unit(self.values);
        // No final difference is larger than the sum of all that still counts.
        let total = self.values.sum(state.own | state.opp | state.empty);
        let (mut lower, mut upper, mut best) = (-total, total, None);
        let (mut guess, mut step) =
            (self.values.sum(state.own) - self.values.sum(state.opp), LARGE_STEP * unit);
        if state.empty.len() >= LEAST_GUESSED {
            let location = self.location(state);
            let first = self.first_child(state, location);
            let (value, _) = self.enclose(first.state, &mut |_, _| ())?;
            (lower, best) = (first.balance - value, Some(first.square));
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
            report(lower, upper);
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
            let (state, balance) =
                State::new(self.values, position.pieces(side), position.pieces(side.other()));
            let (reached, square) = self.test_root(state, value - balance)?;
            debug_assert!(reached + balance == value);
            best = square?;
        }
    }

    /// Tests whether a state is worth at least `beta`. Returns a bound on that side of `beta`, and
    /// a move that proves it if the value reaches `beta`. `None` if the search was stopped.
    fn test_root(&mut self, state: State, beta: i32) -> Option<(i32, Option<Square>)> {
        self.stopped = false;
        self.solving = state.empty.len();
        let location = self.location(state);
        let found = self.search_root(state, location, beta);
        (!self.stopped).then_some(found)
    }

    /// The child after the best-looking move: the expected one, the table's, or the first in the
    /// move order.
    fn first_child(&mut self, state: State, location: ProofLocation) -> Child {
        let lone = LoneSquares::of(self.values, state);
        let known = || self.proof(state.empty.len(), location).mv;
        let mv = self.expected[state.empty.len() as usize].or_else(known);
        let count = self.list(state, location, &lone);
        let slot = state.empty.len() as usize;
        let list = &self.children[slot];
        let expected = (0..count).find(|&index| Some(list.square(index)) == mv);
        list.child(state.empty, expected.unwrap_or_else(|| list.first_of((1 << count) - 1)))
    }
}
