//! Tests of the rules: perft figures of the rules page, a slow second generator, and the
//! conformance suite.

use crate::slow::{SlowBoard, SlowMove};
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, Protocol, RuleSet, Side};
use halma::board::{BLACK, CAMPS, Square, Squares, WHITE};
use halma::{Move, Position, Rules};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

fn as_slow(mv: Move) -> SlowMove {
    let [fx, fy, tx, ty] =
        [mv.from.x(), mv.from.y(), mv.to.x(), mv.to.y()].map(|coordinate| coordinate as i32);
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
    check_perft_table::<Position>(include_str!("../../../../expected/halma/perft.txt"));
}

/// Returns the moves of the crate's generator, without passes, in the form of the slow generator.
fn fast_moves(position: &Position) -> BTreeSet<SlowMove> {
    position.legal_moves().into_iter().filter(|mv| !mv.is_pass()).map(as_slow).collect()
}

/// Returns a random move. Random moves alone hardly ever leave the middle of the board, so half of
/// the moves are the best of three for going forward.
fn random_move(position: &Position, random: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    let candidates = [0; 3].map(|_| moves[random.random_range(0..moves.len())]);
    let side = position.side_to_move();
    let gain = |mv: &Move| {
        let worth = &halma::formula::WORTH[side.index()];
        worth[mv.to.index()] - worth[mv.from.index()]
    };
    if random.random() {
        candidates[0]
    } else {
        *candidates.iter().max_by_key(|mv| gain(mv)).unwrap()
    }
}

#[test]
fn the_slow_generator_lists_the_same_moves_in_random_games() {
    let mut random = StdRng::seed_from_u64(2);
    for game in 0..60 {
        let (_, rules) = Rules::ALL[game % 2];
        let mut position = Position::initial(Side::BOTH[game / 2 % 2], rules);
        for _ in 0..150 {
            assert_eq!(fast_moves(&position), slow_of(&position).moves(), "{position:?}");
            if position.outcome().is_some() {
                break;
            }
            let mv = random_move(&position, &mut random);
            position.play(mv);
        }
    }
}

#[test]
fn the_slow_generator_agrees_where_a_camp_is_nearly_full_and_where_the_addendum_forbids_moves() {
    let mut random = StdRng::seed_from_u64(5);
    // Boards with a win in one move, with an opponent in the camp that is to be filled, and with
    // moves that the addendum forbids.
    let (mut wins, mut shared, mut forbidden) = (0, 0, 0);
    for round in 0..1_000 {
        let position = if round % 2 == 0 {
            nearly_filled(&mut random, round)
        } else {
            scattered(&mut random, round)
        };
        let side = position.side_to_move();
        let slow = slow_of(&position);
        assert_eq!(fast_moves(&position), slow.moves(), "{position:?}");
        if position.outcome().is_none() && round % 10 < 2 {
            check_perft(&position, 2, slow.perft(2));
        }
        let own = if side == BLACK { 'B' } else { 'W' };
        wins += usize::from(slow.moves().iter().any(|&mv| slow.after(mv).won_by(own)));
        shared +=
            usize::from(!position.pieces(side.other()).and(CAMPS[side.other().index()]).is_empty());
        let base = SlowBoard { addendum: false, ..slow.clone() };
        forbidden += usize::from(slow.moves().len() < base.moves().len());
    }
    assert!(wins > 30 && shared > 100 && forbidden > 100, "{wins} {shared} {forbidden}");
}

/// Returns a random position in which one side has filled the camp ahead of it but for two squares
/// at most, of which the other side may hold one, and has its other pieces anywhere.
fn nearly_filled(random: &mut StdRng, round: usize) -> Position {
    let filler = Side::BOTH[round / 4 % 2];
    let mut camp: Vec<Square> = CAMPS[filler.other().index()].into_iter().collect();
    camp.shuffle(random);
    let mut pieces = [Squares::EMPTY; 2];
    let holes = random.random_range(0..=2);
    camp[holes..].iter().for_each(|&square| pieces[filler.index()].insert(square));
    if random.random() && holes > 0 {
        pieces[filler.other().index()].insert(camp[0]);
    }
    for (side, count) in [(filler, 19), (filler.other(), random.random_range(1..=6))] {
        while pieces[side.index()].len() < count {
            let square = Square::at(random.random_range(0..16), random.random_range(0..16));
            if !pieces[side.other().index()].contains(square) {
                pieces[side.index()].insert(square);
            }
        }
    }
    Position::new(pieces, Side::BOTH[round / 2 % 2], Rules::ALL[round / 8 % 2].1)
}

/// Returns a random position of 1 to 19 pieces a side, more of them near the corners than
/// elsewhere.
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
    let mut starts: Vec<Position> =
        Rules::ALL.iter().map(|(_, rules)| Position::initial(WHITE, *rules)).collect();
    let mut random = StdRng::seed_from_u64(4);
    starts.extend((0..20).map(|round| scattered(&mut random, round)));
    starts.extend((0..20).map(|round| nearly_filled(&mut random, round)));
    starts.retain(|position| position.outcome().is_none());
    suite(&starts, Effort { games: 3, plies: 60, searches: 6, tree: 30_000 }, 5);
}

#[test]
fn a_blocked_side_passes() {
    // White's only piece stands in the corner, and Black's pieces fill the two rings around it, so
    // that it can neither step nor jump.
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
        assert!(slow_of(&position).moves().is_empty());
        suite(&[position], Effort { games: 1, plies: 6, searches: 2, tree: 5_000 }, 6);
    }
}
