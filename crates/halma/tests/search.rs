//! The search on positions of real games: shortcuts near the leaves change no value.

use engine::search::{Knowledge, Limits, Mode, NoControl, Searcher};
use engine::{Game, Side, reference};
use halma::{Evaluation, Position, Rules};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A position some plies into a game of moves that tend forward: of three random ones, the best by the search's order.
fn position_of_a_game(random: &mut StdRng) -> Position {
    let rules = [Rules::Base, Rules::Addendum][random.random_range(0..2)];
    let mut position = Position::initial(Side::BOTH[random.random_range(0..2)], rules);
    for _ in 0..random.random_range(0..160) {
        let moves = position.legal_moves();
        let drawn = (0..3).map(|_| moves[random.random_range(0..moves.len())]);
        let mv = drawn.max_by_key(|&mv| Evaluation.order(&position, mv)).unwrap();
        let mut after = position.clone();
        after.play(mv);
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
        let position = position_of_a_game(&mut random);
        let expected = reference::minimax(&position, 2, |position| Evaluation.evaluate(position), &mut ()).value;
        let mut searcher = Searcher::new(Evaluation, Mode::FullWidth, 1 << 16);
        let limits = Limits { depth: 2, ..Limits::default() };
        let report = searcher.run(&position, limits, &mut NoControl).unwrap();
        assert_eq!(report.score, expected, "position {number}: {position:?}");
    }
}
