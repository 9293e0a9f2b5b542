//! Checks that the embedded strategy wins by the rules alone, and that a strategy with any change
//! is refused.

use engine::{Game, Outcome};
use foxgeese::Position;
use foxgeese::check::check;
use foxgeese::rules::GEESE;
use foxgeese::strategy::{Strategy, Win, write};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

#[test]
fn the_embedded_strategy_answers_every_move_of_the_foxes_and_wins_in_time() {
    let strategy = Strategy::new(Strategy::embedded_bytes()).unwrap();
    let proof = check(strategy, &Position::initial()).unwrap_or_else(|flaw| panic!("{flaw}"));
    assert_eq!(proof.positions, Strategy::embedded().len());
    assert!(proof.longest <= 100 && proof.fewest_geese > 8 && proof.replies > 0);
    let start = Strategy::embedded().get(Position::initial().board()).unwrap();
    assert_eq!(start.moves, proof.longest);
}

#[test]
fn a_game_by_the_strategy_of_both_sides_is_as_long_as_its_longest_line() {
    let mut position = Position::initial();
    let start = Strategy::embedded().get(position.board()).unwrap();
    while position.outcome().is_none() {
        let (mv, _) = foxgeese::known_move(&position).expect("a position of the strategy");
        position.play(mv);
    }
    assert_eq!(position.outcome(), Some(Outcome::Win(GEESE)));
    assert_eq!(position.moves_made(), start.moves);
}

#[test]
fn another_file_and_a_part_of_one_are_refused() {
    assert!(Strategy::new(b"something else entirely").is_err());
    assert!(Strategy::new(&Strategy::embedded_bytes()[..15]).is_err());
}

/// Asserts that a strategy of these positions, with a correct checksum, is refused with a reason.
fn assert_refused(positions: &[(u64, Win)], reason: &str) {
    let bytes = write(positions);
    let found = check(Strategy::new(&bytes).unwrap(), &Position::initial()).unwrap_err();
    assert!(found.contains(reason), "{found}");
}

#[test]
fn a_changed_move_or_distance_is_refused_even_with_a_right_checksum() {
    let mut random = StdRng::seed_from_u64(2);
    let positions: Vec<(u64, Win)> = Strategy::embedded().entries().collect();
    let changed = |index: usize, change: &dyn Fn(&mut Win)| {
        let mut positions = positions.clone();
        change(&mut positions[index].1);
        positions
    };
    for _ in 0..4 {
        let index = random.random_range(0..positions.len());
        let (packed, win) = positions[index];
        let board = foxgeese::board::Board::unpack(packed).unwrap();
        let moves = Position::lettered(board, GEESE, 0).legal_moves();
        if let Some(&other) = moves.iter().find(|&&mv| mv != win.mv) {
            assert_refused(&changed(index, &|win| win.mv = other), "in this position");
        }
        assert_refused(&changed(index, &|win| win.moves += 1), "moves to the end are given");
        let nonsense = foxgeese::Move::step(win.mv.to, win.mv.to);
        assert_refused(&changed(index, &|win| win.mv = nonsense), "not legal");
    }
}

#[test]
fn a_position_left_out_or_added_is_refused() {
    let mut positions: Vec<(u64, Win)> = Strategy::embedded().entries().collect();
    let middle = positions.len() / 2;
    let (packed, win) = positions.remove(middle);
    assert_refused(&positions, "no move is given");
    positions.insert(middle, (packed, win));
    let last = positions.last().unwrap().0;
    positions.push((last + 1, win));
    assert_refused(&positions, "1 positions of the strategy never arise");
}
