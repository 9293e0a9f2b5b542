//! Tests that the agent's geese win from the start against all kinds of foxes, and that its foxes
//! delay the loss as long as possible.

use engine::reference::greedy;
use engine::search::{Knowledge, Limits, Mode, Searcher};
use engine::{Game, Outcome};
use foxgeese::rules::{FOXES, GEESE};
use foxgeese::strategy::Strategy;
use foxgeese::{Evaluation, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn known(position: &Position) -> Option<Move> {
    foxgeese::known_move(position).map(|(mv, _)| mv)
}

/// Plays a game from the start, the geese by the strategy alone. Returns the number of moves that
/// the geese needed to win.
fn moves_to_win(mut foxes: impl FnMut(&Position) -> Move) -> u8 {
    let mut position = Position::initial();
    while position.outcome().is_none() {
        let mv = match position.side_to_move() {
            GEESE => known(&position).expect("the strategy knows every position that it leads to"),
            FOXES => foxes(&position),
        };
        assert!(position.is_legal(mv));
        position.play(mv);
    }
    assert_eq!(position.outcome(), Some(Outcome::Win(GEESE)));
    position.moves_made()
}

/// The length of the longest of 100 games against foxes that play at random once in `one_in` moves.
fn longest_of_100(one_in: u32, mut foxes: impl FnMut(&Position) -> Move) -> u8 {
    let games = (0..100).map(|seed| {
        let mut random = StdRng::seed_from_u64(seed);
        moves_to_win(|position| {
            let moves = position.legal_moves();
            let any = moves[random.random_range(0..moves.len())];
            if random.random_range(0..one_in) == 0 { any } else { foxes(position) }
        })
    });
    games.max().unwrap()
}

#[test]
fn the_geese_win_100_of_100_against_random_greedy_and_searching_foxes() {
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, 8 << 20);
    let mut search = |position: &Position| {
        let limits = Limits { depth: 4, ..Limits::default() };
        searcher.run(position, limits, &mut ()).unwrap().best
    };
    let greedy = |position: &Position| {
        greedy(position, |position: &Position| Evaluation.evaluate(position)).best.unwrap()
    };
    for longest in
        [longest_of_100(1, greedy), longest_of_100(10, greedy), longest_of_100(10, &mut search)]
    {
        assert!(longest <= 100);
    }
}

#[test]
fn the_foxes_defence_by_the_same_strategy_lasts_exactly_as_long_as_its_longest_line() {
    let start = Strategy::embedded().get(Position::initial().board()).unwrap();
    assert_eq!(moves_to_win(|position| known(position).unwrap()), start.moves);
}
