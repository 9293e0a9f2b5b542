//! Tests of the rules against a second, slow implementation, and the conformance suite.

use crate::positions::{random_position, random_values, slow_of};
use crate::slow;
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, OneRuleSet, Protocol};
use rand::SeedableRng;
use rand::rngs::StdRng;
use squirrels::exact::{Solver, Table};
use squirrels::{Move, Position};

#[test]
fn perft_and_moves_are_the_slow_generator_s() {
    check_perft_table::<Position>(include_str!("../../../../expected/squirrels/perft.txt"));
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..300 {
        let empty = 1 + round % 25;
        let values = random_values(&mut random, round);
        let position = random_position(&mut random, values, empty, round);
        let (board, player) = slow_of(&position);
        let moves = position.legal_moves();
        assert_eq!(moves.len(), board.empty().len());
        for (Move(square), (row, column)) in moves.into_iter().zip(board.empty()) {
            let expected = slow::output(&board, player, row, column);
            assert_eq!(position.write_move(Move(square)), expected);
        }
        for depth in 1..=3.min(empty) {
            check_perft(&position, depth, board.perft(player, depth));
        }
    }
}

#[test]
fn squirrels_keeps_the_engine_s_promises() {
    let mut random = StdRng::seed_from_u64(26);
    let mut starts = vec![Position::start(OneRuleSet)];
    for (round, empty) in (0..).zip([25, 20, 12, 7, 5, 2, 1, 9, 6, 4, 10, 8, 3, 5, 11, 6]) {
        let values = random_values(&mut random, round);
        starts.push(random_position(&mut random, values, empty, round));
    }
    suite(&starts, Effort { games: 3, plies: 25, searches: 8, tree: 20_000 }, 27);
}

#[test]
fn a_stopped_solver_says_so() {
    let position = Position::start(OneRuleSet);
    let table = Table::for_empty(position.empty(), Table::LEAST_BYTES);
    let mut solver = Solver::new(position.values(), &table, |_, _| true);
    assert_eq!(solver.solve(&position, |_, _| ()), None);
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
