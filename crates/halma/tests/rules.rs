//! The rules against the reference figures of the rules page, a slow second generator, and the conformance suite.

#[allow(unreachable_pub)]
mod slow;

use engine::conformance::{Effort, suite};
use engine::{Game, Protocol, RuleSet, Side, perft};
use halma::board::{BLACK, Square, Squares, WHITE};
use halma::{Move, Position, Rules};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use slow::{SlowBoard, SlowPlay};
use std::path::{Path, PathBuf};

/// Positions of the shared pages: read there, not copied. Empty where the pages are not beside the repository.
fn course_cases() -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/halma-cases");
    let Ok(entries) = std::fs::read_dir(&directory) else {
        eprintln!("no course cases: {} is not there", directory.display());
        return Vec::new();
    };
    let mut cases: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    cases.sort();
    cases
}

fn as_slow(mv: Move) -> SlowPlay {
    let [fx, fy, tx, ty] = [mv.from.x(), mv.from.y(), mv.to.x(), mv.to.y()].map(|coordinate| coordinate as i32);
    (fx, fy, tx, ty)
}

fn slow_of(position: &Position) -> SlowBoard {
    let mut cells = [['.'; 16]; 16];
    for (side, symbol) in [(BLACK, 'B'), (WHITE, 'W')] {
        for (y, row) in cells.iter_mut().enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                if position.pieces(side).contains(Square::at(x, y)) {
                    *cell = symbol;
                }
            }
        }
    }
    let turn = if position.side_to_move() == BLACK { 'B' } else { 'W' };
    SlowBoard { cells, turn, addendum: position.rules(position.side_to_move()) == Rules::Addendum }
}

#[test]
fn perft_from_the_start_is_the_rules_page_s() {
    let count = |rules, depth| perft(&mut Position::initial(WHITE, rules), depth);
    assert_eq!([1, 2, 3, 4].map(|depth| count(Rules::Base, depth)), [40, 1_600, 85_440, 4_562_496]);
    assert_eq!([1, 2, 3].map(|depth| count(Rules::Addendum, depth)), [40, 1_600, 62_240]);
}

#[test]
fn perft_of_the_course_cases_is_the_slow_generator_s() {
    for (path, text) in course_cases() {
        for (name, rules) in Rules::ALL {
            let task = Position::read_task(&text, *rules).unwrap();
            let slow = SlowBoard::read(&text, *rules == Rules::Addendum);
            for depth in 1..=2 {
                let fast = perft(&mut task.position.clone(), depth);
                assert_eq!(fast, slow.perft(depth), "{} {name} depth {depth}", path.display());
            }
        }
    }
}

/// Random move alone hardly leaves the middle of the board, so half of the moves here go forward.
fn random_move(position: &Position, random: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    let candidates = [0; 3].map(|_| moves[random.random_range(0..moves.len())]);
    let side = position.side_to_move();
    let gain = |mv: &Move| {
        let worth = &halma::worth::WORTH[side.index()];
        worth[mv.to.index()] - worth[mv.from.index()]
    };
    if random.random() { candidates[0] } else { *candidates.iter().max_by_key(|mv| gain(mv)).unwrap() }
}

#[test]
fn the_slow_generator_lists_the_same_moves_in_random_games() {
    let mut random = StdRng::seed_from_u64(2);
    for game in 0..60 {
        let (_, rules) = Rules::ALL[game % 2];
        let mut position = Position::initial(Side::BOTH[game / 2 % 2], rules);
        for _ in 0..150 {
            let mut fast: Vec<SlowPlay> =
                position.legal_moves().into_iter().filter(|mv| !mv.is_pass()).map(as_slow).collect();
            fast.sort_unstable();
            let slow: Vec<SlowPlay> = slow_of(&position).plays().into_iter().collect();
            assert_eq!(fast, slow, "{position:?}");
            if position.outcome().is_some() {
                break;
            }
            let mv = random_move(&position, &mut random);
            position.play(mv);
        }
    }
}

#[test]
fn the_slow_generator_lists_the_same_moves_on_scattered_boards() {
    let mut random = StdRng::seed_from_u64(3);
    for round in 0..2_000 {
        let position = scattered(&mut random, round);
        let slow: Vec<SlowPlay> = slow_of(&position).plays().into_iter().collect();
        let mut fast: Vec<SlowPlay> =
            position.legal_moves().into_iter().filter(|mv| !mv.is_pass()).map(as_slow).collect();
        fast.sort_unstable();
        assert_eq!(fast, slow, "{position:?}");
    }
}

/// 1 to 19 pieces a side, more of them in the corners than elsewhere.
fn scattered(random: &mut StdRng, round: usize) -> Position {
    let mut pieces = [Squares::EMPTY; 2];
    for own in 0..2 {
        let wanted = random.random_range(1..=19);
        while pieces[own].len() < wanted {
            let mut coordinate = || {
                let value: usize = random.random_range(0..16);
                if random.random() { value % 6 + random.random_range(0..2) * 10 } else { value }
            };
            let here = Square::at(coordinate(), coordinate());
            if !pieces[1 - own].contains(here) {
                pieces[own].insert(here);
            }
        }
    }
    Position::new(pieces, Side::BOTH[round % 2], Rules::ALL[round / 2 % 2].1)
}

#[test]
fn halma_keeps_the_engine_s_promises() {
    let mut starts: Vec<Position> = Rules::ALL.iter().map(|(_, rules)| Position::initial(WHITE, *rules)).collect();
    for (_, text) in course_cases() {
        starts.extend(Rules::ALL.iter().map(|(_, rules)| Position::read_task(&text, *rules).unwrap().position));
    }
    let mut random = StdRng::seed_from_u64(4);
    starts.extend((0..6).map(|round| scattered(&mut random, round)).filter(|position| position.outcome().is_none()));
    suite(&starts, Effort { games: 3, plies: 60, searches: 6, tree: 30_000 }, 5);
}

#[test]
fn a_blocked_side_passes() {
    // White's only piece stands in the corner; Black's pieces fill the two rings around it, so that it can neither
    // step nor jump.
    let mut black = Squares::EMPTY;
    for (x, y) in (0..3).flat_map(|x| (0..3).map(move |y| (x, y))).filter(|&at| at != (0, 0)) {
        black.insert(Square::at(x, y));
    }
    let white = Squares::one(Square::at(0, 0));
    for (_, rules) in Rules::ALL {
        let position = Position::new([black, white], WHITE, *rules);
        assert_eq!(position.legal_moves(), [Move::PASS]);
        assert_eq!(position.write_move(Move::PASS), "");
        assert_eq!(position.read_move("\n"), Ok(Move::PASS));
        assert!(slow_of(&position).plays().is_empty());
        suite(&[position], Effort { games: 1, plies: 6, searches: 2, tree: 5_000 }, 6);
    }
}
