//! A sequence of null-window tests encloses the value of a position from both sides.

use super::Solution;
use super::children::{Child, ProofLocation};
use super::dominance::Entries;
use super::expected_line;
use super::machine::Machine;
use super::search::{MOST_BY_SETS, Search};
use super::state::{LoneSquares, State};
use crate::board::{ALL, Square};
use crate::rules::{Move, Position};
use engine::Game;

/// The first step of the window when nothing is known of the value, in points of a typical board.
/// It doubles until the value is enclosed.
const LARGE_STEP: i32 = 64;
/// The first step when the value of a good move is known.
const SMALL_STEP: i32 = 8;
/// The least number of empty squares with which the state after the best-looking move is solved
/// first for a guess. With fewer, the difference of the pieces is good enough.
const LEAST_GUESSED: u32 = 8;

/// A search, independent of the width of the sums and of the processor.
pub(super) trait AnySearch {
    fn nodes(&self) -> u64;
    fn solve(&mut self, position: &Position, report: &mut dyn FnMut(i32, i32)) -> Option<Solution>;
    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>>;
}

impl<N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> AnySearch for Search<'_, N, T, M> {
    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn solve(&mut self, position: &Position, report: &mut dyn FnMut(i32, i32)) -> Option<Solution> {
        let (state, balance) = self.state(position);
        self.most_by_sets = self.table.set_index(position.empty()).map_or(0, |_| MOST_BY_SETS);
        self.expected = expected_line::find(position, &mut self.stop);
        let (value, best) =
            self.enclose(state, &mut |lower, upper| report(lower + balance, upper + balance))?;
        Some(Solution { value: value + balance, best })
    }

    fn line(&mut self, position: &Position, solution: Solution) -> Option<Vec<Square>> {
        let (mut position, mut line) = (position.clone(), Vec::new());
        let Solution { mut value, mut best } = solution;
        loop {
            line.push(best);
            position.play(Move(best));
            if position.empty().is_empty() {
                return Some(line);
            }
            value = -value;
            let (state, balance) = self.state(&position);
            let (reached, square) = self.test_root(state, value - balance)?;
            debug_assert!(reached + balance == value);
            best = square?;
        }
    }
}

impl<N: Entries, T: FnMut(u64, u32) -> bool, M: Machine> Search<'_, N, T, M> {
    /// A position's state and the balance of the pieces that it drops.
    fn state(&self, position: &Position) -> (State, i32) {
        let side = position.side_to_move();
        State::new(self.values, position.pieces(side), position.pieces(side.other()))
    }

    /// The value of a state and a move that reaches it. First solves the state after the
    /// best-looking move in the same way. If that move is best, a single test proves it.
    fn enclose(&mut self, state: State, report: &mut dyn FnMut(i32, i32)) -> Option<(i32, Square)> {
        // 1 on typical boards, whose values are 50 on average, more where they are larger.
        let unit = (self.values.sum(ALL) / 1_250).max(1);
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
                (lower, best) = (value, square);
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

    /// Tests whether a state is worth at least `beta`: a bound on that side of `beta`, and a move
    /// that proves it if the value reaches `beta`. `None` if the search was stopped.
    fn test_root(&mut self, state: State, beta: i32) -> Option<(i32, Option<Square>)> {
        self.stopped = false;
        self.solving = state.empty.len();
        let found = self.search_root(state, self.location(state), beta);
        (!self.stopped).then_some(found)
    }

    /// The child after the expected move, the table's, or the first in the move order.
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
