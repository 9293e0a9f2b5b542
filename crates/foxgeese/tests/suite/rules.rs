//! Tests of the rules: the example and the figures of the rules page, a second, slow generator, and
//! the conformance suite.

use crate::slow::SlowBoard;
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, OneRuleSet, Outcome, Protocol};
use foxgeese::Position;
use foxgeese::board::{BOARD, Board, Cell, Cells, START_GEESE};
use foxgeese::rules::{FOXES, GEESE};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

fn slow_of(position: &Position) -> SlowBoard {
    let foxes_turn = position.side_to_move() == FOXES;
    SlowBoard::read(&position.plain_picture(), foxes_turn, u32::from(position.moves_made()))
}

fn position_of(side: &str, moves: u32, picture: &str) -> Position {
    let text = format!("SINGLE\n{side}\n1\nMOVES {moves}\n{picture}");
    Position::read_task(&text, OneRuleSet).unwrap().position
}

/// The position after moves.
fn after(mut position: Position, moves: &[&str]) -> Position {
    for letters in moves {
        let mv = position.read_move(letters).unwrap_or_else(|why| panic!("{letters}: {why}"));
        assert_eq!(position.write_move(mv), format!("{letters}\n"));
        position.play(mv);
    }
    position
}

#[test]
fn the_example_of_the_rules_page_replays() {
    assert_eq!(
        Position::initial().plain_picture(),
        "    - - -\n    - - -\n- - X - Y - -\na b c d e f g\nh i j k l m n\n    o p q\n    r s t\n"
    );
    let position = after(Position::initial(), &["du", "Xu", "bu"]);
    assert_eq!(position.moves_made(), 2);
    let moves = position.legal_moves();
    assert_eq!((moves.len(), position.describe_move(moves[0]).as_str()), (1, "Yll"));
    assert_eq!(
        after(position, &["Yll", "el"]).plain_picture(),
        "    - - -\n    X - -\nY - - - - - -\na - c e - f g\nh i j k l m n\n    o p q\n    r s t\n"
    );
}

#[test]
fn perft_from_the_start_is_the_rules_page_s_and_the_slow_generator_s() {
    check_perft_table::<Position>(include_str!("../../../../expected/foxgeese/perft.txt"));
    let start = Position::initial();
    let slow = slow_of(&start);
    (1..=6).for_each(|depth| check_perft(&start, depth, slow.perft(depth)));
}

fn compare(position: &Position) {
    let (slow, picture) = (slow_of(position), position.plain_picture());
    let winner =
        position.outcome().map(|outcome| if outcome == Outcome::Win(GEESE) { 'G' } else { 'F' });
    assert_eq!(winner, slow.winner(), "{picture}");
    assert_eq!(position.legal_moves().len(), slow.after_plays().len(), "{picture}");
    for (spelling, board) in slow.plays() {
        let mv = position.read_move(&spelling).unwrap_or_else(|why| panic!("{spelling}: {why}"));
        assert_eq!(slow_of(&position.after(mv)), board, "{spelling}");
    }
}

#[test]
fn the_slow_generator_agrees_in_random_games() {
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..60 {
        let mut position = Position::initial();
        loop {
            compare(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
    }
}

/// A random position with nine to twenty geese and the foxes anywhere.
fn scattered(random: &mut StdRng) -> Position {
    let cells: Vec<Cell> = BOARD.into_iter().collect();
    let mut board = Board { geese: Cells::EMPTY, foxes: Cells::EMPTY };
    while board.foxes.len() < 2 {
        board.foxes.insert(cells[random.random_range(0..cells.len())]);
    }
    let geese = random.random_range(9..=20);
    while board.geese.len() < geese {
        board.geese |= Cells::one(cells[random.random_range(0..cells.len())]) - board.foxes;
    }
    let side = if random.random_range(0..3) == 0 { GEESE } else { FOXES };
    Position::lettered(board, side, random.random_range(0..=99))
}

#[test]
fn the_slow_generator_agrees_on_scattered_boards() {
    let mut random = StdRng::seed_from_u64(2);
    (0..3_000).for_each(|_| compare(&scattered(&mut random)));
}

#[test]
fn foxes_and_geese_keeps_the_engine_s_promises() {
    let mut random = StdRng::seed_from_u64(3);
    let thirteen = Board { geese: START_GEESE.into_iter().take(13).collect(), ..Board::START };
    let mut starts = vec![Position::initial(), Position::lettered(thirteen, GEESE, 0)];
    starts.extend(
        (0..60)
            .map(|_| scattered(&mut random))
            .filter(|position| position.outcome().is_none())
            .take(25),
    );
    starts.push(Position::lettered(Board::START, GEESE, 97));
    suite(&starts, Effort { games: 2, plies: 80, searches: 6, tree: 20_000 }, 4);
}

#[test]
fn the_hundredth_move_of_the_geese_ends_the_game() {
    let mut position = Position::lettered(Board::START, GEESE, 99);
    assert_eq!(position.outcome(), None);
    position.play(position.legal_moves()[0]);
    assert_eq!(position.outcome(), Some(Outcome::Win(FOXES)));
    assert!(position.legal_moves().is_empty());
}

#[test]
fn the_geese_win_by_the_square_and_by_blocking() {
    let square = "a b c\nd e f\n- - g h - X Y\n- - - - i - -\n- - - - - - -\n- - -\n- - -\n";
    let block = "X Y -\na b c\nd e f g h i j\nk l m n o p q\n- - - - - - -\n- - -\n- - -\n";
    for (made, picture, last) in [(99, square, "iu"), (3, block, "cu")] {
        let won = after(position_of("GEESE", made, picture), &[last]);
        assert_eq!(won.outcome(), Some(Outcome::Win(GEESE)), "{last}");
    }
}

#[test]
fn a_chain_that_ends_where_it_began_is_one_move_with_one_spelling() {
    // X can go around four geese in either direction.
    let position = position_of(
        "FOXES",
        1,
        "- - -\n- - -\ne - X a - f g\n- - b - c - h\n- - - d - Y i\n- - -\n- - -\n",
    );
    compare(&position);
    let moves = position.legal_moves();
    assert!(moves.iter().any(|mv| mv.from == mv.to), "{moves:?}");
    let spellings: BTreeSet<String> =
        slow_of(&position).plays().into_iter().map(|(spelling, _)| spelling).collect();
    assert!(spellings.len() > moves.len());
}

fn refusal(position: &Position, text: &str) -> String {
    position.read_move(text).expect_err(text).to_string()
}

#[test]
fn refusals_say_what_is_wrong() {
    let geese = Position::initial();
    let cases = [
        ("", "line 1: expected a goose's letter"),
        ("au\nbu", "line 2"),
        ("a", "line 1: expected a goose's letter"),
        ("Xu", "line 1: expected a goose's letter"),
        ("aur", "line 1: expected a goose's letter"),
        ("ad", "illegal move: geese never step down"),
        ("cu", "illegal move: 'cu' leads to a cell that is taken"),
        ("al", "illegal move: 'al' leads off the board"),
        ("zu", "illegal move: there is no goose 'z'"),
    ];
    for (text, expected) in cases {
        assert!(refusal(&geese, text).starts_with(expected), "{text}: {}", refusal(&geese, text));
    }
    let foxes = after(geese, &["du", "Xu", "bu"]);
    let cases = [
        ("bl", "line 1: expected X or Y"),
        ("X", "line 1: expected X or Y"),
        ("Yq", "line 1: expected X or Y"),
        ("Xd", "illegal move: takes 0 of the geese where 2 must be taken, as by Yll"),
        ("Yl", "illegal move: takes 1 of the geese where 2 must be taken, as by Yll"),
        ("Yd", "illegal move: 'd' (letter 2) has no empty cell behind the goose"),
        ("Xrr", "illegal move: 'r' (letter 2) meets no goose"),
        ("Ylll", "illegal move: 'l' (letter 4) leads off the board"),
    ];
    for (text, expected) in cases {
        assert!(refusal(&foxes, text).starts_with(expected), "{text}: {}", refusal(&foxes, text));
    }
}

#[test]
fn a_drawing_shows_named_pieces_and_the_way_of_a_chain() {
    let position = after(Position::initial(), &["du", "Xu", "bu"]);
    let capture = position.legal_moves()[0];
    let after = position.after(capture);
    let drawing = after.drawing(Some((&position, capture))).unwrap();
    assert_eq!(drawing.path, [(4, 2), (2, 2), (0, 2)]);
    assert_eq!(drawing.changed, [(1, 2), (3, 2)]);
    let shown = |place: (usize, usize)| drawing.cells[place.1 * drawing.width + place.0].clone();
    assert_eq!(shown((0, 2)).piece, Some((FOXES, 'Y')));
    assert_eq!(shown((0, 3)).piece, Some((GEESE, 'a')));
    assert!(shown((0, 0)).missing && shown((3, 1)).zone == Some(GEESE));
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(600);
}
