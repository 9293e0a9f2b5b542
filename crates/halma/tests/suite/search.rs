//! Tests of the search on positions of real games: the shortcuts near the leaves do not change any
//! value.

use engine::search::{Knowledge, Limits, Mode, Searcher, TranspositionTable};
use engine::{Game, Playable, Side, reference};
use halma::board::WHITE;
use halma::learned::Tables;
use halma::network::Network;
use halma::{Evaluation, Position, Rules};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// Returns a position some plies into a game that tends forward: each move is the best by the
/// search's order of three random ones.
fn position_of_a_game(random: &mut StdRng) -> Position {
    let rules = [Rules::Base, Rules::Addendum][random.random_range(0..2)];
    let mut position = Position::initial(Side::BOTH[random.random_range(0..2)], rules);
    for _ in 0..random.random_range(0..160) {
        let moves = position.legal_moves();
        let drawn = (0..3).map(|_| moves[random.random_range(0..moves.len())]);
        let mv = drawn.max_by_key(|&mv| Evaluation.order(&position, mv)).unwrap();
        let after = position.after(mv);
        if after.outcome().is_some() {
            break;
        }
        position = after;
    }
    position
}

#[test]
fn two_plies_above_the_leaves_the_value_equals_minimax_throughout_games() {
    let mut random = StdRng::seed_from_u64(20);
    for number in 0..250 {
        // With the formula's worths, and with the worths learned for this root.
        let by_formula = position_of_a_game(&mut random);
        for position in [Position::as_searched(&by_formula), by_formula] {
            let expected =
                reference::minimax(&position, 2, |position| Evaluation.evaluate(position), &mut ())
                    .value;
            let mut searcher = Searcher::new(Evaluation, Mode::FullWidth, 1 << 16);
            let limits = Limits { depth: 2, ..Limits::default() };
            let report = searcher.run(&position, limits, &mut ()).unwrap();
            assert_eq!(report.score, expected, "position {number}: {position:?}");
        }
    }
}

#[test]
fn one_table_over_many_roots_changes_no_value() {
    let mut random = StdRng::seed_from_u64(21);
    let limits = Limits { depth: 3, ..Limits::default() };
    let table = Arc::new(TranspositionTable::new(1 << 20));
    let mut position = Position::initial(WHITE, Rules::Addendum);
    for ply in 0..30 {
        let seen = Position::as_searched(&position);
        let mut reused = Searcher::with_table(Evaluation, Mode::FullWidth, Arc::clone(&table));
        let mut fresh = Searcher::new(Evaluation, Mode::FullWidth, 1 << 20);
        let [reused, fresh] =
            [&mut reused, &mut fresh].map(|searcher| searcher.run(&seen, limits, &mut ()).unwrap());
        assert_eq!(reused.score, fresh.score, "ply {ply}: {position:?}");
        let moves = position.legal_moves();
        position.play(if ply % 5 == 0 {
            moves[random.random_range(0..moves.len())]
        } else {
            fresh.best
        });
    }
}

#[test]
fn worths_change_from_root_to_root_and_the_key_with_them() {
    let mut random = StdRng::seed_from_u64(22);
    let first = Position::initial(WHITE, Rules::Addendum);
    let worths = |position: &Position| Tables::in_use().at_root(position, Network::known());
    for _ in 0..20 {
        let later = position_of_a_game(&mut random);
        let (one, other) = (first.with_worths(worths(&first)), first.with_worths(worths(&later)));
        assert_eq!(one == other, one.key() == other.key());
        assert_eq!(one.worths() == other.worths(), worths(&first) == worths(&later));
        let mut walked = other.clone();
        for _ in 0..10 {
            let moves = walked.legal_moves();
            walked.play(moves[random.random_range(0..moves.len())]);
            assert_eq!(walked, walked.rebuilt());
        }
    }
}
