//! Tests of the rules: perft figures, a slow second generator, and the conformance suite.

use crate::slow::{SlowBoard, SlowMove};
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, Outcome, Side};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use wolves::board::{ALL, Square, Squares};
use wolves::rules::{Layout, Position, SHEEP, WOLVES};

fn slow_of(position: &Position) -> SlowBoard {
    let cell = |x, y| match Square::new(x, y) {
        here if position.wolves().contains(here) => 'W',
        here if position.sheep().contains(here) => 'S',
        _ => '.',
    };
    SlowBoard {
        rows: (0..5).map(|y| (0..5).map(|x| cell(x, y)).collect()).collect(),
        wolves_turn: position.side_to_move() == WOLVES,
    }
}

fn fast_moves(position: &Position) -> Vec<SlowMove> {
    let point = |square: Square| (square.x() as i32, square.y() as i32);
    let moves = position.legal_moves().into_iter();
    let mut moves: Vec<_> = moves.map(|mv| (mv.eats(), point(mv.from), point(mv.to))).collect();
    moves.sort_unstable();
    moves
}

fn scattered(random: &mut StdRng, wolves: usize, sheep: usize, side: Side) -> Position {
    let mut squares: Vec<Square> = ALL.into_iter().collect();
    squares.shuffle(random);
    let set = |part: &[Square]| part.iter().copied().collect();
    Position::new(set(&squares[..wolves]), set(&squares[wolves..wolves + sheep]), side)
}

#[test]
fn perft_from_figure_1_is_the_rules_page_s() {
    check_perft_table::<Position>(include_str!("../../../../expected/wolves/perft.txt"));
}

#[test]
fn the_slow_generator_counts_the_same_lines() {
    for layout in [Layout::Figure1, Layout::Question2a, Layout::Question2b] {
        let position = Position::layout(layout);
        for depth in 1..=5 {
            check_perft(&position, depth, slow_of(&position).perft(depth));
        }
    }
}

#[test]
fn the_slow_generator_lists_the_same_moves_and_ends_on_scattered_boards() {
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..20_000 {
        let wolves = random.random_range(1..=3);
        let sheep = random.random_range(0..=15);
        let position = scattered(&mut random, wolves, sheep, Side::BOTH[round % 2]);
        let slow = slow_of(&position);
        let winner = position.outcome().map(|outcome| match outcome {
            Outcome::Win(WOLVES) => 'W',
            Outcome::Win(SHEEP) => 'S',
            _ => panic!("{position:?}"),
        });
        assert_eq!(winner, slow.winner(), "{position:?}");
        assert_eq!(fast_moves(&position), slow.moves(), "{position:?}");
    }
}

#[test]
fn a_crowded_board_can_leave_sheep_without_a_move() {
    // Three wolves cut the empty corner off from the sheep.
    let [wolves, corner]: [Squares; 2] =
        ["2,0 1,1 0,2", "0,0 1,0 0,1"].map(|names| names.parse().unwrap());
    let position = Position::new(wolves, ALL - wolves - corner, SHEEP);
    assert_eq!(position.outcome(), Some(Outcome::Win(WOLVES)));
    assert_eq!(slow_of(&position).winner(), Some('W'));
}

#[test]
fn wolves_and_sheep_keep_the_engine_s_promises() {
    let mut starts: Vec<Position> =
        [Layout::Figure1, Layout::Question2a, Layout::Question2b].map(Position::layout).to_vec();
    let mut random = StdRng::seed_from_u64(2);
    for round in 0..24 {
        let wolves = round % 3 + 1;
        let sheep = random.random_range(3..=15);
        starts.push(scattered(&mut random, wolves, sheep, Side::BOTH[round / 3 % 2]));
    }
    starts.retain(|position| position.outcome().is_none());
    suite(&starts, Effort { games: 3, plies: 60, searches: 6, tree: 30_000 }, 3);
}

#[test]
fn symmetries_keep_the_rules() {
    let mut random = StdRng::seed_from_u64(4);
    for round in 0..500 {
        let sheep = random.random_range(3..=15);
        let position = scattered(&mut random, round % 3 + 1, sheep, Side::BOTH[round % 2]);
        for symmetry in 0..wolves::board::SYMMETRIES {
            let turned = position.image(symmetry);
            let mut expected: Vec<_> =
                position.legal_moves().iter().map(|mv| mv.image(symmetry)).collect();
            let mut found = turned.legal_moves();
            expected.sort_by_key(|mv| (mv.from, mv.to));
            found.sort_by_key(|mv| (mv.from, mv.to));
            assert_eq!(found, expected);
            assert_eq!(turned.outcome(), position.outcome());
        }
    }
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
