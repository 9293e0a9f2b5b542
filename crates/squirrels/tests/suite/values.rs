//! Tests with values from 0 to 10,000: the exact solver, the search, and the competition's files
//! through the real binary.

use crate::positions::{first_squares, random_position, random_values, slow_of, solved, text_of};
use crate::slow;
use engine::conformance::AgentUnderTest;
use engine::search::{Limits, Mode, Searcher};
use engine::{Game, Protocol, TimeControl, reference};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::board::{MOST_VALUE, SQUARES, Square, Squares, Values};
use squirrels::exact::Table;
use squirrels::full_solve;
use squirrels::rules::{O, X};
use squirrels::{Evaluation, Move, Position};
use std::sync::Arc;

#[test]
fn the_exact_solver_equals_plain_minimax_to_the_end() {
    let mut random = StdRng::seed_from_u64(21);
    for round in 0..1_000 {
        // Plain minimax visits 10^6 nodes with nine empty squares, so most rounds have fewer.
        let empty = match round % 50 {
            0 => 9,
            1..5 => 8,
            _ => 1 + round % 7,
        };
        let values = random_values(&mut random, round / 7);
        let position = random_position(&mut random, values, empty, round);
        let value = solved(&position).value;
        let evaluate = |_: &Position| unreachable!("every line is followed to its end");
        let found = reference::minimax(&position, 25, evaluate, &mut ());
        assert_eq!(value, found.value, "{position:?}");
        if empty < 7 {
            let (board, player) = slow_of(&position);
            assert_eq!(value, board.value(player), "{position:?}");
        }
    }
}

#[test]
fn the_exact_solver_equals_alpha_beta_to_the_end_on_longer_rests() {
    let mut random = StdRng::seed_from_u64(22);
    for round in 0..30 {
        let values = random_values(&mut random, round);
        let position = random_position(&mut random, values, 10 + round % 3, round);
        let mut full = Searcher::new(Evaluation::Difference, Mode::FullWidth, 1 << 22);
        let report = full.run(&position, Limits::default(), &mut ()).unwrap();
        assert!(report.proven);
        assert_eq!(solved(&position).value, report.score, "{position:?}");
    }
}

#[test]
fn values_times_a_number_are_worth_that_number_of_times_as_much_in_every_width() {
    let mut random = StdRng::seed_from_u64(23);
    for round in 0..12 {
        let small: [u16; SQUARES] = std::array::from_fn(|_| random.random_range(0..=99));
        let position = random_position(&mut random, small, 14, round);
        let pieces = position.pieces_of_both();
        let value = solved(&position).value;
        for times in [2, 3, 10, 100, 101] {
            let values = Values::new(small.map(|value| value * times));
            let position = Position::new(Arc::new(values), pieces, position.side_to_move());
            assert_eq!(solved(&position).value, value * i32::from(times), "{position:?}");
        }
    }
}

#[test]
fn boards_at_the_limits_of_the_narrow_width_are_solved() {
    let mut random = StdRng::seed_from_u64(24);
    // The sums are 4,094 and 4,095, or the largest values 255 and 256 with small sums.
    let of_sum = |last| std::array::from_fn(|square| if square == 24 { last } else { 164 });
    let of_one = |one| std::array::from_fn(|square| if square % 6 == 0 { one } else { 3 });
    for (values, narrow) in
        [(of_sum(158), true), (of_sum(159), false), (of_one(255), true), (of_one(256), false)]
    {
        assert_eq!(Values::new(values).narrow().is_some(), narrow);
        for round in 0..40 {
            let position = random_position(&mut random, values, 1 + round % 7, round);
            let (board, player) = slow_of(&position);
            assert_eq!(solved(&position).value, board.value(player), "{position:?}");
        }
    }
    // Positions in which one side has all the value of the board.
    for (values, all) in [(of_sum(158), 4_094), ([MOST_VALUE; SQUARES], 250_000)] {
        let values = Arc::new(Values::new(values));
        let position = Position::new(values.clone(), [first_squares(24), Squares::EMPTY], X);
        assert_eq!(solved(&position).value, all);
        let position = Position::new(values, [Squares::EMPTY, first_squares(20)], O);
        assert_eq!(solved(&position).value, slow_of(&position).0.value('O'));
    }
}

#[test]
fn threads_that_share_a_table_find_the_same_value() {
    let mut random = StdRng::seed_from_u64(25);
    for round in 0..4 {
        let values = random_values(&mut random, round);
        let position = random_position(&mut random, values, 15, 0);
        let found = full_solve::solve(&position, 3, Table::LEAST_BYTES, &|_| ());
        assert_eq!(found.solution.value, solved(&position).value, "{position:?}");
    }
}

/// Runs the real binary on an input. Returns its output file and its standard error.
fn run(input: &str, arguments: &[&str]) -> (String, String) {
    let agent = AgentUnderTest::new(env!("CARGO_BIN_EXE_squirrels"), input.to_string());
    let (directory, run) = agent.run(input, arguments);
    run.succeeds();
    (std::fs::read_to_string(directory.path().join("output.txt")).unwrap(), run.stderr)
}

#[test]
fn the_competition_s_move_is_a_best_one_by_plain_minimax() {
    let mut random = StdRng::seed_from_u64(28);
    for round in 0..48 {
        let values = random_values(&mut random, round);
        let position = random_position(&mut random, values, 1 + round % 7, round / 2);
        let (board, player) = slow_of(&position);
        let (squares, value) = slow::best_squares(&board, player);
        let output = |(row, column)| slow::output(&board, player, row, column);
        let best: Vec<String> = squares.into_iter().map(output).collect();
        let control = [TimeControl::Single, TimeControl::Game][round as usize % 2];
        let input = text_of(&position, control, 20);
        let (solved, stderr) = run(&input, &["--verbose"]);
        assert!(best.contains(&solved), "{solved}for\n{input}");
        // A single legal move is played without a search.
        let has_choice = round % 7 > 0;
        let proven = format!("proven final difference {value:+},");
        assert!(stderr.contains(&proven) || !has_choice, "{value} is not\n{stderr}");
        let (searched, stderr) = run(&input, &["--verbose", "--nodes", "200000"]);
        assert!(best.contains(&searched), "{searched}for\n{input}");
        let last = stderr.lines().last().unwrap_or_default();
        assert!(last.contains(&format!(" score {value:+} ")) || !has_choice, "{value}: {last}");
    }
}

#[test]
fn a_difference_of_points_is_never_told_as_a_win_in_so_many_plies() {
    let values = Arc::new(Values::new([MOST_VALUE; SQUARES]));
    let pieces = [first_squares(24) - first_squares(12), Squares::EMPTY];
    let input = text_of(&Position::new(values, pieces, X), TimeControl::Single, 1);
    for arguments in [
        &["--algorithm", "greedy"][..],
        &["--algorithm", "minimax", "--depth", "2"],
        &["--algorithm", "alphabeta", "--depth", "4"],
        &["--depth", "5"],
        &["--depth", "5", "--full-width"],
    ] {
        let (_, stderr) = run(&input, &[&["--verbose"], arguments].concat());
        assert!(stderr.contains("score +1") && !stderr.contains("win"), "{stderr}");
    }
}

#[test]
fn long_values_stand_in_columns() {
    let mut values = [7; SQUARES];
    for (largest, width) in [(999, 7), (1_000, 8), (10_000, 9)] {
        values[12] = largest;
        let pieces = [first_squares(1), first_squares(2) - first_squares(1)];
        let position = Position::new(Arc::new(Values::new(values)), pieces, X);
        let picture = position.picture(Some(Move(Square::from_index(12).unwrap())));
        let lines: Vec<&str> = picture.lines().collect();
        for (column, letter) in "ABCDE".chars().enumerate() {
            assert_eq!(lines[0].find(letter), Some(4 + width * column + 3), "{picture}");
        }
        assert!(lines[1..6].iter().all(|line| line.len() == 4 + 5 * width), "{picture}");
        assert!(lines[3].contains(&format!("[*{largest}]")), "{picture}");
    }
}
