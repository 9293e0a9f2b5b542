//! Tests of the rules against known perft counts, a slow second implementation, and the conformance
//! suite; tests of every rule that ends the game, and of the order in which these are checked.

use crate::slow::{Pieces, Place, SlowGame};
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, OneRuleSet, Outcome, Protocol, Side};
use foxgame::board::{BOARD, Board, Point, PointSet};
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Ending, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn place(point: Point) -> Place {
    (point.x() as i32 + 1, point.y() as i32 + 1)
}

fn places(points: PointSet) -> BTreeSet<Place> {
    points.into_iter().map(place).collect()
}

fn sets(board: Board) -> Pieces {
    (places(board.foxes), places(board.sheep))
}

/// Parses a set of points.
fn points(names: &str) -> PointSet {
    names.parse().unwrap()
}

fn slow_of(position: &Position) -> SlowGame {
    let (foxes, sheep) = sets(position.board());
    let result = position.outcome().map(letter);
    let earlier = position.history().iter().map(|&board| Rc::new(sets(board))).collect();
    SlowGame { foxes, sheep, fox_to_move: position.side_to_move() == FOX, earlier, result }
}

fn letter(outcome: Outcome) -> char {
    match outcome.winner() {
        Some(FOX) => 'F',
        Some(SHEEP) => 'S',
        None => 'D',
    }
}

/// A position from seven rows of `F`, `S`, `.` and `#`.
fn position(side: Side, rows: [&str; 7]) -> Position {
    let set = |wanted: u8| {
        BOARD.into_iter().filter(|here| rows[here.y()].as_bytes()[here.x()] == wanted).collect()
    };
    Position::new(Board { foxes: set(b'F'), sheep: set(b'S') }, side)
}

fn play(position: &mut Position, text: &str) {
    let mv = position
        .read_move(text)
        .unwrap_or_else(|violation| panic!("{text}: {violation}\n{position:?}"));
    position.play(mv);
}

#[test]
fn perft_from_the_start_is_the_rules_page_s_and_the_slow_generator_s() {
    check_perft_table::<Position>(include_str!("../../../../expected/foxgame/perft.txt"));
    let (start, slow) = (Position::initial(), SlowGame::start());
    (1..=4).for_each(|depth| check_perft(&start, depth, slow.perft(depth)));
    assert_eq!(slow_of(&start), slow);
}

/// The identity of a game after one move: the start of the piece that moved, the board, the number
/// of earlier boards, the result.
type Next = (Place, Pieces, usize, Option<char>);

/// Asserts that all moves of both implementations lead to the same games, each over the same number
/// of paths. Returns the games of the slow implementation.
fn compare(position: &Position, slow: &SlowGame) -> Vec<(Next, SlowGame)> {
    assert_eq!(slow_of(position), *slow, "{}", position.picture(None));
    let games: Vec<(Next, SlowGame)> = slow
        .moves()
        .into_iter()
        .map(|(path, game)| {
            (
                (
                    path[0],
                    (game.foxes.clone(), game.sheep.clone()),
                    game.earlier.len(),
                    game.result,
                ),
                game,
            )
        })
        .collect();
    let mut expected: BTreeMap<&Next, u64> = BTreeMap::new();
    games.iter().for_each(|(next, _)| *expected.entry(next).or_default() += 1);
    let mut found = BTreeMap::new();
    for mv in position.legal_moves() {
        let paths = position.perft_weight(mv);
        let before = found.insert(next_of(position, mv), paths);
        assert_eq!(before, None, "{mv:?} is listed twice");
    }
    assert!(
        found.iter().eq(expected.iter().map(|(next, paths)| (*next, paths))),
        "{}",
        position.picture(None)
    );
    games
}

fn next_of(position: &Position, mv: Move) -> Next {
    let after = position.after(mv);
    (place(mv.from), sets(after.board()), after.history().len(), after.outcome().map(letter))
}

#[test]
fn the_slow_rules_agree_in_random_games() {
    let mut random = StdRng::seed_from_u64(1);
    let mut results: BTreeMap<char, u32> = BTreeMap::new();
    for game in 0..60 {
        let mut position = Position::initial();
        let mut slow = SlowGame::start();
        while position.outcome().is_none() {
            let games = compare(&position, &slow);
            let moves = position.legal_moves();
            // Foxes that rarely capture make games long enough for repeated boards.
            let quiet: Vec<Move> =
                moves.iter().copied().filter(|mv| mv.captured.is_empty()).collect();
            let some = if game % 3 > 0 && !quiet.is_empty() { &quiet } else { &moves };
            let mv = some[random.random_range(0..some.len())];
            let next = next_of(&position, mv);
            // The slow game continues by its own rules; `compare` checks its history against the
            // next position's.
            slow = games
                .into_iter()
                .find(|(known, _)| *known == next)
                .expect("the games were compared")
                .1;
            position.play(mv);
        }
        *results.entry(letter(position.outcome().unwrap())).or_default() += 1;
    }
    println!("{results:?}");
    assert!(results.contains_key(&'F') && results.contains_key(&'S'));
}

fn scattered(random: &mut StdRng, round: usize) -> Position {
    let cells: Vec<Point> = BOARD.into_iter().collect();
    let mut board = Board::default();
    let foxes = random.random_range(1..=2);
    while board.foxes.len() < foxes {
        board.foxes.insert(cells[random.random_range(0..cells.len())]);
    }
    let sheep = random.random_range(9..=20);
    while board.sheep.len() < sheep {
        board.sheep.insert(cells[random.random_range(0..cells.len())]);
        board.sheep -= board.foxes;
    }
    Position::new(board, Side::BOTH[round % 2])
}

#[test]
fn the_slow_rules_agree_on_scattered_boards() {
    let mut random = StdRng::seed_from_u64(2);
    let (mut compared, mut left_out) = (0, 0);
    for round in 0..1_000 {
        let position = scattered(&mut random, round);
        // The slow implementation enumerates every order of jumps; some boards have millions.
        if position.perft_leaves() > 1_000 {
            left_out += 1;
        } else if position.outcome().is_none() {
            compare(&position, &slow_of(&position));
            compared += 1;
        }
    }
    println!("{compared} boards compared, {left_out} left out");
    assert!(compared > 700);
}

#[test]
fn foxgame_keeps_the_engine_s_promises() {
    let mut random = StdRng::seed_from_u64(3);
    let mut starts = vec![Position::initial()];
    starts.extend(
        (0..40)
            .map(|round| scattered(&mut random, round))
            .filter(|position| {
                position.outcome().is_none() && (1..200).contains(&position.perft_leaves())
            })
            .take(8),
    );
    // Closed boards, where sheep and foxes can only move back and forth, so that boards repeat
    // soon.
    starts.push(position(
        FOX,
        ["##FS.##", "##.SS##", "S.SSS..", "SS.SS.S", "S...S..", "##...##", "##...##"],
    ));
    starts.push(position(
        SHEEP,
        ["##F.F##", "##SSS##", "SSS.SSS", "S.....S", "...S...", "##...##", "##...##"],
    ));
    suite(&starts, Effort { games: 2, plies: 40, searches: 5, tree: 8_000 }, 4);
}

#[test]
fn repeated_boards_count_where_a_search_sees_them() {
    // The fox has little room, and the sheep walk sideways: the search must distinguish positions
    // by their earlier boards. Every position of a long random walk is compared with plain minimax.
    let mut random = StdRng::seed_from_u64(5);
    let start = position(
        FOX,
        ["##F..##", "##SSS##", "SSSSSSS", "SS.SSS.", ".......", "##...##", "##...##"],
    );
    let mut longest = 0;
    for _ in 0..12 {
        let mut position = start.clone();
        while position.outcome().is_none() {
            engine::conformance::check_search(&position, &foxgame::Evaluation::default(), 3_000);
            longest = longest.max(position.fresh_history().len());
            // Sideways steps where possible, after which every earlier board can still come back.
            let moves = position.legal_moves();
            let sideways: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| position.side_to_move() == FOX || mv.from.y() == mv.to.y())
                .collect();
            let some = if sideways.is_empty() { &moves } else { &sideways };
            position.play(some[random.random_range(0..some.len())]);
        }
    }
    assert!(longest >= 6, "{longest}");
}

#[test]
fn a_fox_that_its_own_partner_pins_is_removed() {
    // The fox on 2,0 has lines to 3,0, 2,1 and 3,1, and the points behind the sheep on the last two
    // are taken. The other fox steps onto 3,0, the only way out, and could step back itself.
    let rows = ["##F..##", "##SSF##", "SSSSS.S", "SSSSS..", "SSSS...", "##...##", "##...##"];
    let mut game = position(FOX, rows);
    play(&mut game, "E 4,1 4,0");
    assert_eq!(game.board().foxes.len(), 2, "3,0 is still free");
    play(&mut game, "E 6,2 5,2");
    play(&mut game, "E 4,0 3,0");
    assert_eq!(game.board().foxes, points("3,0"));
    assert_eq!(game.outcome(), None);
}

#[test]
fn foxes_that_pin_each_other_are_judged_on_the_same_board() {
    // The sheep takes the last empty point beside the foxes, which block each other. Both are
    // removed, although either could step onto the other's point if that one were removed first.
    let rows = ["##FF.##", "##SSS##", "SSSSSS.", "SSS....", ".......", "##...##", "##...##"];
    let mut game = position(SHEEP, rows);
    assert_eq!(game.board().stuck_foxes(), points("2,0"));
    play(&mut game, "E 4,1 4,0");
    assert_eq!(game.board().foxes, PointSet::EMPTY);
    assert_eq!(game.ending(), Some(Ending::NoFox));
    assert_eq!(game.outcome(), Some(Outcome::Win(SHEEP)));
}

#[test]
fn a_pen_filled_with_a_fox_in_it_is_won_by_the_sheep() {
    // The fox on 2,2 could still jump out over 2,3.
    let rows = ["##SSS##", "##SSS##", ".SFS...", "..SS...", ".......", "##...##", "##...##"];
    let mut game = position(SHEEP, rows);
    play(&mut game, "E 3,3 4,2");
    assert_eq!(game.board().foxes, points("2,2"));
    assert_eq!(game.ending(), Some(Ending::PenFull));
    assert_eq!(game.outcome(), Some(Outcome::Win(SHEEP)));
}

#[test]
fn the_foxes_win_when_the_ninth_sheep_is_taken() {
    let mut game = position(
        FOX,
        ["##...##", "##F..##", "..S....", ".......", "S.SSS..", "##SSS##", "##S..##"],
    );
    assert_eq!(game.board().sheep.len(), 9);
    play(&mut game, "J 2,1 2,3\n");
    assert_eq!(game.ending(), Some(Ending::FewSheep));
    assert_eq!(game.outcome(), Some(Outcome::Win(FOX)));
}

#[test]
fn both_goals_at_once_are_a_draw() {
    // The fox captures the ninth sheep and lands on the pen's last empty point.
    let rows = ["##SSS##", "##SSS##", "..S.S..", "...S...", "...F...", "##...##", "##...##"];
    let mut game = position(FOX, rows);
    assert_eq!(game.board().sheep.len(), 9);
    play(&mut game, "J 3,4 3,2");
    assert!(game.board().pen_is_full() && game.board().sheep.len() == 8);
    assert_eq!((game.ending(), game.outcome()), (Some(Ending::Both), Some(Outcome::Draw)));
}

#[test]
fn the_mover_loses_when_it_brings_back_a_board_whoever_is_to_move() {
    // The fox walks round a triangle in three steps while a sheep steps aside and back: the
    // starting board is back after five plies, with the other side to move.
    let rows = ["##...##", "##F..##", ".......", ".......", "S......", "##SSS##", "##SSS##"];
    let mut board = position(FOX, rows).board();
    board.sheep |= points("5,4 6,3");
    assert_eq!(board.sheep.len(), 9);
    let mut game = Position::new(board, FOX);
    for text in ["E 2,1 2,0", "E 0,4 1,4", "E 2,0 3,1", "E 1,4 0,4"] {
        play(&mut game, text);
        assert_eq!(game.ending(), None);
    }
    assert_eq!(game.side_to_move(), FOX);
    play(&mut game, "E 3,1 2,1");
    assert_eq!((game.board(), game.side_to_move()), (board, SHEEP));
    assert_eq!(game.ending(), Some(Ending::Deadlock { mover: FOX }));
    assert_eq!(game.outcome(), Some(Outcome::Win(SHEEP)));
    // Now SHEEP is the side that brings the board back.
    let mut game = Position::new(board, FOX);
    for text in ["E 2,1 2,0", "E 0,4 1,4", "E 2,0 2,1"] {
        play(&mut game, text);
        assert_eq!(game.ending(), None);
    }
    play(&mut game, "E 1,4 0,4");
    assert_eq!(game.ending(), Some(Ending::Deadlock { mover: SHEEP }));
    assert_eq!(game.outcome(), Some(Outcome::Win(FOX)));
}

#[test]
fn a_capture_makes_every_board_fresh_again() {
    let rows = ["##...##", "##F..##", ".....S.", "..S..S.", "S.....S", "##SSS##", "##SS.##"];
    let mut game = position(FOX, rows);
    for text in ["E 2,1 2,2", "E 5,3 6,3"] {
        play(&mut game, text);
    }
    assert_eq!((game.history().len(), game.fresh_history().len()), (2, 2));
    play(&mut game, "J 2,2 2,4");
    assert!(game.history().is_empty() && game.fresh_history().is_empty());
    play(&mut game, "E 6,3 6,2");
    assert_eq!(
        (game.history().len(), game.fresh_history().len()),
        (1, 0),
        "nor can a board before a step ahead return"
    );
}

#[test]
fn the_deadlock_is_checked_before_the_other_ends() {
    // The history holds the board that the sheep's last step makes, in which the pen is full.
    let full = position(
        SHEEP,
        ["##SSS##", "##SSS##", "F.SSS..", ".......", ".......", "##...##", "##...##"],
    )
    .board();
    let mut before = full;
    before.sheep ^= points("4,2 5,2");
    let mut game = Position::with_history(vec![full], before, SHEEP);
    play(&mut game, "E 5,2 4,2");
    assert!(game.board().pen_is_full());
    assert_eq!(game.ending(), Some(Ending::Deadlock { mover: SHEEP }));
}

#[test]
fn a_chain_may_come_back_to_where_it_began() {
    // Each side of the square 2,2 - 4,2 - 4,4 - 2,4 has a sheep in its middle.
    let mut game = position(
        FOX,
        ["##...##", "##...##", "..FS...", "..S.S..", "...S...", "##SSS##", "##SSS##"],
    );
    let round = "J 2,2 4,2\nJ 4,2 4,4\nJ 4,4 2,4\nJ 2,4 2,2\n";
    let other_way = "J 2,2 2,4\nJ 2,4 4,4\nJ 4,4 4,2\nJ 4,2 2,2\n";
    let circle = game.read_move(round).unwrap();
    assert_eq!(game.read_move(other_way), Ok(circle), "two ways, one effect");
    assert_eq!((circle.from, circle.captured.len()), (circle.to, 4));
    assert_eq!(game.perft_weight(circle), 2);
    assert!(game.is_legal(circle) && game.legal_moves().contains(&circle));
    let moves = game.legal_moves().len() as u64;
    assert!(game.perft_leaves() > moves, "perft counts paths");
    play(&mut game, round);
    assert_eq!(game.board().sheep.len(), 6);
    assert_eq!(game.outcome().map(letter), Some('F'));
}

#[test]
fn a_chain_may_stop_early_and_a_capture_is_never_forced() {
    let game = position(
        FOX,
        ["##...##", "##...##", "..FS...", "..S.S..", "S..S..S", "##SSS##", "##SSS##"],
    );
    for text in ["J 2,2 4,2", "J 2,2 4,2\nJ 4,2 4,4", "E 2,2 2,1", "E 2,2 3,3"] {
        assert!(game.read_move(text).is_ok(), "{text}");
    }
}

#[test]
fn sheep_without_a_step_lose() {
    let rows = ["##SSS##", "##SSS##", "....SSS", "...F...", ".......", "##...##", "##...##"];
    let mut game = position(FOX, rows);
    play(&mut game, "E 3,3 3,2");
    assert_eq!(game.ending(), Some(Ending::NoStep));
    assert_eq!(game.outcome(), Some(Outcome::Win(FOX)));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn reading_a_position_twice_gives_the_same_game() {
    let mut random = StdRng::seed_from_u64(8);
    let mut position = Position::initial();
    while position.outcome().is_none() {
        let task = engine::Task::single(position.clone());
        let read = Position::read_task(&Position::write_task(&task), OneRuleSet).unwrap();
        assert_eq!(read.position.history(), position.history());
        assert_eq!(read.position.key(), position.key());
        assert_eq!(read.position.key_within(9), position.key_within(9));
        let moves = position.legal_moves();
        position.play(moves[random.random_range(0..moves.len())]);
    }
}
