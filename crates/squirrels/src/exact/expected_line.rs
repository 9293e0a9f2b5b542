//! The expected line of play, found by short searches with the learned evaluation. The solver
//! solves its positions first, from the last on: the better the line, the closer is each first
//! bound.

use crate::board::{SQUARES, Square};
use crate::evaluate::Evaluation;
use crate::rules::Position;
use engine::Game;
use engine::search::{Limits, Mode, Searcher};

/// The least number of empty squares with which a short search saves more than it costs.
const LEAST: u32 = 14;
/// The node limit with 20 empty squares. The solver visits some hundred times as many.
const NODES_AT_20: u64 = 20_000;
/// Four times as many gained nothing with 18 and 20 empty squares.
const MOST_NODES: u64 = 80_000;
/// The factor of each further empty square, about the same as for the solver's nodes.
const GROWTH: u64 = 3;
const TABLE_BYTES: usize = 1 << 20;

/// The squares that both sides are expected to take, by the empty squares before the move. The
/// searches end early when `stop` stops the solver.
pub(super) fn find(
    position: &Position,
    stop: &mut impl FnMut(u64, u32) -> bool,
) -> [Option<Square>; SQUARES + 1] {
    let mut line = [None; SQUARES + 1];
    let mut position = position.clone();
    let mut searcher = Searcher::new(Evaluation::Learned, Mode::Selective, TABLE_BYTES);
    while position.empty().len() >= LEAST {
        let empty = position.empty().len();
        let nodes = if empty < 20 {
            NODES_AT_20 / GROWTH.pow(20 - empty)
        } else {
            NODES_AT_20 * GROWTH.pow(empty - 20)
        };
        let limits = Limits { nodes: nodes.min(MOST_NODES), ..Limits::default() };
        let Some(report) = searcher.run(&position, limits, &mut || stop(0, empty)) else { break };
        line[empty as usize] = Some(report.best.0);
        position.play(report.best);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Squares, Values};
    use crate::rules::X;
    use std::sync::Arc;

    #[test]
    fn the_line_takes_empty_squares_one_after_the_other_and_ends_where_it_is_to_stop() {
        let values = Values::new(std::array::from_fn(|index| (index as u16 * 37) % 99 + 1));
        let pieces = [0b1_0001, 0b11_0000_0100].map(Squares::from_bits);
        let position = Position::new(Arc::new(values), pieces, X);
        let run = |stop: bool| {
            let mut asked = 0;
            let found = find(&position, &mut |_, _| {
                asked += 1;
                stop
            });
            (found, asked)
        };
        let (expected, asked) = run(false);
        let squares: Squares = expected.into_iter().flatten().collect();
        let empty = position.empty();
        assert!(squares.is_within(empty) && squares.len() == empty.len() + 1 - LEAST);
        let known = expected.map(|square| square.is_some());
        assert!((0..).zip(known).all(|(n, known)| known == (LEAST..=empty.len()).contains(&n)));
        // Searches that are stopped at once still return moves.
        let (at_once, asked_less) = run(true);
        assert_eq!(at_once.map(|square| square.is_some()), known);
        assert!(asked_less < asked, "{asked_less} < {asked}");
    }
}
