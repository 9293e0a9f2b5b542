//! Checks that the embedded strategy wins by the rules alone, and that a strategy with any change
//! is refused.

use engine::Game;
use foxgeese::Position;
use foxgeese::check::{Flaw, Proof, check};
use foxgeese::rules::GEESE;
use foxgeese::strategy::{Damage, Strategy, Win, write};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn check_embedded() -> Proof {
    let strategy = Strategy::new(Strategy::embedded_bytes()).unwrap();
    check(strategy, &Position::initial()).unwrap_or_else(|flaw| panic!("{flaw}"))
}

#[test]
fn the_embedded_strategy_answers_every_move_of_the_foxes_and_wins_in_time() {
    let proof = check_embedded();
    println!("{proof:?}");
    assert_eq!(proof.positions, Strategy::embedded().len());
    assert!(proof.longest <= 100 && proof.fewest_geese > 8 && proof.replies > 0);
    let start = Strategy::embedded().get(Position::initial().board()).unwrap();
    assert_eq!(start.moves, proof.longest);
}

#[test]
fn another_file_and_a_part_of_one_are_refused() {
    assert_eq!(Strategy::new(b"something else entirely").unwrap_err(), Damage::Magic);
    assert_eq!(Strategy::new(&Strategy::embedded_bytes()[..15]).unwrap_err(), Damage::Length);
}

/// Checks the embedded strategy with one position changed, written with a correct checksum.
fn changed(index: usize, change: impl FnOnce(&mut Win)) -> Result<Proof, Flaw> {
    let mut positions: Vec<(u64, Win)> = Strategy::embedded().entries().collect();
    change(&mut positions[index].1);
    let bytes = write(&positions);
    check(Strategy::new(&bytes).unwrap(), &Position::initial())
}

#[test]
fn a_changed_move_or_distance_is_refused_even_with_a_right_checksum() {
    let mut random = StdRng::seed_from_u64(2);
    let positions: Vec<(u64, Win)> = Strategy::embedded().entries().collect();
    for _ in 0..4 {
        let index = random.random_range(0..positions.len());
        let (packed, win) = positions[index];
        let board = foxgeese::board::Board::unpack(packed).unwrap();
        let moves = Position::lettered(board, GEESE, 0).legal_moves();
        if let Some(&other) = moves.iter().find(|&&mv| mv != win.mv) {
            assert!(changed(index, |win| win.mv = other).is_err(), "{board:?} {other:?}");
        }
        assert!(matches!(changed(index, |win| win.moves += 1), Err(Flaw::Distance { .. })));
        let nonsense = foxgeese::Move::step(win.mv.to, win.mv.to);
        assert!(matches!(changed(index, |win| win.mv = nonsense), Err(Flaw::Illegal(_))));
    }
}

#[test]
fn a_position_left_out_or_added_is_refused() {
    let mut positions: Vec<(u64, Win)> = Strategy::embedded().entries().collect();
    let middle = positions.len() / 2;
    let (packed, win) = positions.remove(middle);
    let bytes = write(&positions);
    let flaw = check(Strategy::new(&bytes).unwrap(), &Position::initial()).unwrap_err();
    assert!(matches!(flaw, Flaw::Unanswered(_)), "{flaw}");
    positions.insert(middle, (packed, win));
    let last = positions.last().unwrap().0;
    positions.push((last + 1, win));
    let bytes = write(&positions);
    assert_eq!(check(Strategy::new(&bytes).unwrap(), &Position::initial()), Err(Flaw::Unused(1)));
}
