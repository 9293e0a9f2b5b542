//! Tests of the rules and the exact solver against a second, slow implementation, and the
//! conformance suite.

use crate::slow::{self, SlowBoard};
use engine::conformance::{Effort, suite};
use engine::{Game, OneRuleSet, Protocol, Side, Task, TimeControl, perft, reference};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::board::{Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::rules::{O, X};
use squirrels::{Evaluation, Move, Position};
use std::sync::Arc;
use std::time::Duration;

/// Plays random legal moves until `empty` squares are left. Every third board has few different
/// values, which cause many ties.
fn random_position(random: &mut StdRng, empty: u32) -> Position {
    let most = [99, 99, 3][random.random_range(0..3)];
    let values = Values::new(std::array::from_fn(|_| random.random_range(1..=most)));
    let side = Side::BOTH[random.random_range(0..2)];
    let mut position = Position::new(Arc::new(values), [Squares::EMPTY; 2], side);
    while position.empty().len() > empty {
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
    position
}

/// A random position with colours drawn anew, which often no game leads to.
fn scattered_position(random: &mut StdRng, empty: u32) -> Position {
    let mut position = random_position(random, empty);
    let taken = position.pieces(X) | position.pieces(O);
    let first = taken & Squares::from_bits(random.random::<u32>().into());
    position = Position::new(
        Arc::clone(position.values()),
        [first, taken - first],
        position.side_to_move(),
    );
    position
}

fn slow_of(position: &Position) -> (SlowBoard, char) {
    let task = Task {
        position: position.clone(),
        control: TimeControl::Single,
        clock: Duration::from_secs(1),
    };
    let text = Position::write_task(&task);
    let lines: Vec<&str> = text.lines().collect();
    (SlowBoard::read(&lines[3..]), lines[1].chars().next().unwrap())
}

#[test]
fn perft_and_moves_are_the_slow_generator_s() {
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..300 {
        let empty = 1 + round % 25;
        let position = if round % 2 == 0 {
            random_position(&mut random, empty)
        } else {
            scattered_position(&mut random, empty)
        };
        let (board, player) = slow_of(&position);
        let moves = position.legal_moves();
        assert_eq!(moves.len(), board.empty().len());
        for (Move(square), (row, column)) in moves.into_iter().zip(board.empty()) {
            assert_eq!(
                position.write_move(Move(square)),
                slow::output(&board, player, row, column)
            );
        }
        for depth in 1..=3.min(empty) {
            assert_eq!(perft(&mut position.clone(), depth), board.perft(player, depth));
        }
    }
}

#[test]
fn squirrels_keeps_the_engine_s_promises() {
    let mut random = StdRng::seed_from_u64(2);
    let mut starts = vec![Position::start(OneRuleSet)];
    starts.extend([20, 12, 7, 5, 2, 1].map(|empty| random_position(&mut random, empty)));
    starts.extend([9, 6, 4].map(|empty| scattered_position(&mut random, empty)));
    suite(&starts, Effort { games: 4, plies: 25, searches: 8, tree: 20_000 }, 3);
}

#[test]
fn the_exact_solver_equals_plain_minimax_to_the_end() {
    let mut random = StdRng::seed_from_u64(4);
    for round in 0..1_000 {
        // Plain minimax visits 10^6 nodes with nine empty squares, so most rounds have fewer.
        let empty = match round % 50 {
            0 => 9,
            1..5 => 8,
            _ => 1 + round % 7,
        };
        let position = if round % 3 == 0 {
            scattered_position(&mut random, empty)
        } else {
            random_position(&mut random, empty)
        };
        // Tables with and without lines for sets of empty squares.
        let bytes = if round % 4 == 0 {
            Table::LEAST_BYTES
        } else {
            Table::bytes_for(position.empty().len())
        };
        let table = Table::for_empty(position.empty(), bytes);
        let mut solver = Solver::new(position.values(), &table, |_, _| false);
        let solution = solver.solve(&position, |_, _| ()).unwrap();
        let evaluate = |_: &Position| unreachable!("every line is followed to its end");
        let expected = reference::minimax(&position, 25, evaluate, &mut ()).value;
        assert_eq!(solution.value, expected, "{position:?}");
        if empty < 7 {
            let (board, player) = slow_of(&position);
            assert_eq!(solution.value, board.value(player), "{position:?}");
        }
        check_line(&position, &mut solver, solution);
    }
}

/// Checks that the best line is legal, fills the board and reaches the value.
fn check_line(
    position: &Position,
    solver: &mut Solver<'_, impl FnMut(u64, u32) -> bool>,
    solution: squirrels::exact::Solution,
) {
    let side = position.side_to_move();
    let mut after = position.clone();
    for square in solver.line(position, solution).unwrap() {
        assert!(after.is_legal(Move(square)));
        after.play(Move(square));
    }
    assert!(after.empty().is_empty());
    assert_eq!(after.difference(side), solution.value, "{position:?}");
}

#[test]
fn the_exact_solver_equals_alpha_beta_to_the_end_on_longer_rests() {
    let mut random = StdRng::seed_from_u64(5);
    for round in 0..40 {
        let position = random_position(&mut random, 10 + round % 3);
        let table = Table::for_empty(position.empty(), 2 * Table::LEAST_BYTES);
        let mut solver = Solver::new(position.values(), &table, |_, _| false);
        let solution = solver.solve(&position, |_, _| ()).unwrap();
        let mut full = engine::search::Searcher::new(
            Evaluation::Difference,
            engine::search::Mode::FullWidth,
            1 << 22,
        );
        let report = full.run(&position, engine::search::Limits::default(), &mut ()).unwrap();
        assert!(report.proven);
        assert_eq!(solution.value, report.score, "{position:?}");
        check_line(&position, &mut solver, solution);
    }
}

#[test]
fn a_stopped_solver_says_so() {
    let position = Position::start(OneRuleSet);
    let table = Table::new(Table::LEAST_BYTES);
    assert_eq!(
        Solver::new(position.values(), &table, |_, _| true).solve(&position, |_, _| ()),
        None
    );
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
