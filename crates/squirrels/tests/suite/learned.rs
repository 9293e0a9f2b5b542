//! Tests of the learned evaluation, and of the share of the clock that searches before the exact
//! part may use.

use crate::positions;
use engine::charges::Charges;
use engine::clock::Budget;
use engine::search::Knowledge;
use engine::think::LimitKind;
use engine::{Game, Playable, Task, TimeControl};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::board::{ALL, MOST_VALUE, SIZE, SQUARES, Square, Squares, Values};
use squirrels::rules::{O, X};
use squirrels::{Evaluation, Position};
use std::sync::Arc;
use std::time::Duration;

/// A position after random moves on a board of random values up to `most`.
fn random_position(seed: u64, empty: u32, most: u16) -> Position {
    let mut random = StdRng::seed_from_u64(seed);
    let values = std::array::from_fn(|_| random.random_range(0..=most));
    positions::random_position(&mut random, values, empty, 0)
}

fn many_positions() -> impl Iterator<Item = Position> {
    (0..200).map(|seed| {
        random_position(seed, (seed % 26) as u32, [99, MOST_VALUE][seed as usize / 26 % 2])
    })
}

#[test]
fn an_estimate_is_within_what_the_board_is_worth_and_exact_at_the_end() {
    for position in many_positions() {
        let estimate = Evaluation::Learned.evaluate(&position);
        assert!(estimate.abs() <= position.values().sum(ALL), "{position:?}");
        if position.empty().is_empty() {
            assert_eq!(estimate, position.difference(position.side_to_move()));
        }
    }
}

#[test]
fn an_estimate_is_the_same_for_the_board_turned_over_and_for_the_other_names_of_the_sides() {
    let turned =
        |square: Square| Square::from_index(square.column() * SIZE + square.row()).unwrap();
    let turn = |squares: Squares| squares.into_iter().map(turned).collect::<Squares>();
    // Of equally hot squares the first is taken first, and transposing the board changes which one
    // that is. Among values as large as these there are no ties.
    for position in (0..100).map(|seed| random_position(seed, (seed % 25) as u32, MOST_VALUE)) {
        let old = position.values();
        let mut values = [0; SQUARES];
        ALL.into_iter().for_each(|square| values[turned(square).index()] = old.of(square) as u16);
        let [first, second] = [X, O].map(|side| turn(position.pieces(side)));
        let side = position.side_to_move().other();
        let other = Position::new(Arc::new(Values::new(values)), [second, first], side);
        let [other, same] = [&other, &position].map(|one| Evaluation::Learned.evaluate(one));
        assert_eq!(other, same, "{position:?}");
    }
}

#[test]
fn one_ply_above_the_leaves_the_best_estimate_after_a_move_counts() {
    for position in many_positions().filter(|position| !position.empty().is_empty()) {
        let after = |mv| -Evaluation::Learned.evaluate(&position.after(mv));
        let (score, mv) = Evaluation::Learned.frontier(&position, -1_000_000, 1_000_000).unwrap();
        let best = position.legal_moves().into_iter().map(after).max();
        assert_eq!((Some(score), after(mv)), (best, score), "{position:?}");
    }
}

#[test]
fn searches_by_the_clock_use_what_was_learned_and_others_the_difference() {
    let knowledge = [LimitKind::Clock, LimitKind::Count].map(|kind| Position::knowledge(&(), kind));
    assert_eq!(knowledge, [Evaluation::Learned, Evaluation::Difference]);
}

#[test]
fn searches_leave_to_the_exact_part_what_it_needs_and_use_the_rest() {
    let shares = |control, seconds, empty: u32| {
        let (position, clock) = (random_position(1, empty, 99), Duration::from_secs(seconds));
        let (moves, charges) = (empty.div_ceil(2), Charges::default());
        let usual = Budget::new(control, clock, moves, Duration::ZERO, charges, 1 << 20);
        let task = Task { position, control, clock };
        (usual, Position::share(&task, usual))
    };
    for (seconds, empty) in [(2, 25), (2, 22), (10, 25), (10, 23), (60, 24)] {
        let (usual, share) = shares(TimeControl::Game, seconds, empty);
        assert!(share.hard >= usual.hard && share.soft >= usual.soft && share.end == usual.end);
        // No search gets most of the clock, and each gets more than the usual share.
        assert!(
            share.hard > usual.soft && share.hard < usual.end.mul_f64(0.8),
            "{seconds} s, {empty} empty: {share:?}"
        );
    }
    let (usual, share) = shares(TimeControl::Single, 10, 25);
    assert_eq!(share, usual);
}
