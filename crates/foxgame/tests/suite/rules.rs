//! Tests of the rules against known perft counts, a slow second implementation, and the conformance
//! suite; tests of every rule that ends the game, and of the order in which these are checked.

use crate::slow::{Pieces, Place, SlowGame};
use engine::conformance::{Effort, check_perft, check_perft_table, suite};
use engine::{Game, Outcome, Protocol, Side};
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

#[test]
fn perft_from_the_start_is_the_rules_page_s_and_the_slow_generator_s() {
    check_perft_table::<Position>(include_str!("../../../../expected/foxgame/perft.txt"));
    let (start, slow) = (Position::initial(), SlowGame::start());
    (1..=4).for_each(|depth| check_perft(&start, depth, slow.perft(depth)));
    assert_eq!(slow_of(&start), slow);
}

/// What tells games apart after one move: the start of the piece that moved, the board, the number
/// of earlier boards, the result.
type Next = (Place, Pieces, usize, Option<char>);

/// Asserts that all moves of both implementations lead to the same games, each over the same number
/// of paths. Returns the games of the slow implementation.
fn compare(position: &Position, slow: &SlowGame) -> Vec<(Next, SlowGame)> {
    assert_eq!(slow_of(position), *slow, "{}", position.picture(None));
    let games: Vec<(Next, SlowGame)> = slow
        .moves()
        .into_iter()
        .map(|(from, game)| {
            let pieces = (game.foxes.clone(), game.sheep.clone());
            ((from, pieces, game.earlier.len(), game.result), game)
        })
        .collect();
    let mut expected: BTreeMap<&Next, u64> = BTreeMap::new();
    games.iter().for_each(|(next, _)| *expected.entry(next).or_default() += 1);
    let mut found = BTreeMap::new();
    for mv in position.legal_moves() {
        let before = found.insert(next_of(position, mv), position.perft_weight(mv));
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

/// A random move of those that `is_preferred`, or of all if there is none.
fn some_move(
    position: &Position,
    random: &mut StdRng,
    is_preferred: impl Fn(&Move) -> bool,
) -> Move {
    let moves = position.legal_moves();
    let preferred: Vec<Move> = moves.iter().copied().filter(is_preferred).collect();
    let some = if preferred.is_empty() { moves } else { preferred };
    some[random.random_range(0..some.len())]
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
            // Foxes that rarely capture make games long enough for repeated boards.
            let quiet = |mv: &Move| game % 3 == 0 || mv.captured.is_empty();
            let mv = some_move(&position, &mut random, quiet);
            let next = next_of(&position, mv);
            // The slow game goes on by its own rules; `compare` checks its history.
            slow = games.into_iter().find(|(known, _)| *known == next).unwrap().1;
            position.play(mv);
        }
        *results.entry(letter(position.outcome().unwrap())).or_default() += 1;
    }
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
    let mut compared = 0;
    for round in 0..1_000 {
        let position = scattered(&mut random, round);
        // The slow implementation enumerates every order of jumps; some boards have millions.
        if position.perft_leaves() <= 1_000 && position.outcome().is_none() {
            compare(&position, &slow_of(&position));
            compared += 1;
        }
    }
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
            let sideways = |mv: &Move| position.side_to_move() == FOX || mv.from.y() == mv.to.y();
            let mv = some_move(&position, &mut random, sideways);
            position.play(mv);
        }
    }
    assert!(longest >= 6, "{longest}");
}

/// The position after moves, of which only the last one may end the game.
#[track_caller]
fn after(mut position: Position, moves: &[&str]) -> Position {
    for text in moves {
        assert_eq!(position.ending(), None);
        let mv = position.read_move(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        position.play(mv);
    }
    position
}

#[test]
fn a_game_ends_by_each_of_the_rules() {
    let triangle = ["##...##", "##F..##", ".......", "......S", "S....S.", "##SSS##", "##SSS##"];
    let cases: [(_, _, &[&str], _, _, _); 7] = [
        // The sheep takes the last empty point beside the foxes, which block each other. Both are
        // removed, although either could step onto the other's point if that one went first.
        (
            SHEEP,
            ["##FF.##", "##SSS##", "SSSSSS.", "SSS....", ".......", "##...##", "##...##"],
            &["E 4,1 4,0"],
            Ending::NoFox,
            'S',
            "not enough foxes",
        ),
        // The fox in the pen, on 2,2, could still jump out over 2,3.
        (
            SHEEP,
            ["##SSS##", "##SSS##", ".SFS...", "..SS...", ".......", "##...##", "##...##"],
            &["E 3,3 4,2"],
            Ending::PenFull,
            'S',
            "sheep reached the goal.",
        ),
        (
            FOX,
            ["##...##", "##F..##", "..S....", ".......", "S.SSS..", "##SSS##", "##S..##"],
            &["J 2,1 2,3"],
            Ending::FewSheep,
            'F',
            "not enough sheep.",
        ),
        // The fox captures the ninth sheep and lands on the pen's last empty point.
        (
            FOX,
            ["##SSS##", "##SSS##", "..S.S..", "...S...", "...F...", "##...##", "##...##"],
            &["J 3,4 3,2"],
            Ending::Both,
            'D',
            "draw.",
        ),
        (
            FOX,
            ["##SSS##", "##SSS##", "....SSS", "...F...", ".......", "##...##", "##...##"],
            &["E 3,3 3,2"],
            Ending::NoStep,
            'F',
            "no sheep can move",
        ),
        // The fox walks round a triangle in three steps while a sheep steps aside and back: the
        // board is back after five plies, with the other side to move.
        (
            FOX,
            triangle,
            &["E 2,1 2,0", "E 0,4 1,4", "E 2,0 3,1", "E 1,4 0,4", "E 3,1 2,1"],
            Ending::Deadlock { mover: FOX },
            'S',
            "FOX caused an (avoidable) deadlock.",
        ),
        (
            FOX,
            triangle,
            &["E 2,1 2,0", "E 0,4 1,4", "E 2,0 2,1", "E 1,4 0,4"],
            Ending::Deadlock { mover: SHEEP },
            'F',
            "SHEEP caused an (avoidable) deadlock.",
        ),
    ];
    for (side, rows, moves, ending, result, reason) in cases {
        let (last, first) = moves.split_last().unwrap();
        let before = after(position(side, rows), first);
        let told = before.reason_after(before.read_move(last).unwrap());
        assert_eq!(told.as_deref(), Some(reason));
        let game = after(before, &[last]);
        assert_eq!((game.ending(), game.outcome().map(letter)), (Some(ending), Some(result)));
        assert!(game.legal_moves().is_empty());
    }
}

#[test]
fn the_deadlock_is_checked_before_the_other_ends() {
    let full = ["##SSS##", "##SSS##", "F.SSS..", ".......", ".......", "##...##", "##...##"];
    let before = ["##SSS##", "##SSS##", "F.SS.S.", ".......", ".......", "##...##", "##...##"];
    let [full, before] = [full, before].map(|rows| position(SHEEP, rows).board());
    let game = after(Position::with_history(vec![full], before, SHEEP), &["E 5,2 4,2"]);
    assert!(game.board().pen_is_full());
    assert_eq!(game.ending(), Some(Ending::Deadlock { mover: SHEEP }));
}

#[test]
fn a_fox_that_its_own_partner_pins_is_removed() {
    // The fox on 2,0 has lines to 3,0, 2,1 and 3,1, and the points behind the sheep on the last two
    // are taken. The other fox steps onto 3,0, the only way out, and could step back itself.
    let rows = ["##F..##", "##SSF##", "SSSSS.S", "SSSSS..", "SSSS...", "##...##", "##...##"];
    let free = after(position(FOX, rows), &["E 4,1 4,0", "E 6,2 5,2"]);
    assert_eq!(free.board().foxes.len(), 2);
    let pinned = after(free, &["E 4,0 3,0"]);
    assert_eq!(pinned.board().foxes.to_string(), "3,0");
    assert_eq!(pinned.outcome(), None);
}

#[test]
fn no_earlier_board_returns_after_a_capture_or_a_step_ahead() {
    let rows = ["##...##", "##F..##", ".....S.", "..S..S.", "S.....S", "##SSS##", "##SS.##"];
    let lengths = |game: &Position| (game.history().len(), game.fresh_history().len());
    let game = after(position(FOX, rows), &["E 2,1 2,2", "E 5,3 6,3"]);
    assert_eq!(lengths(&game), (2, 2));
    let game = after(game, &["J 2,2 2,4"]);
    assert_eq!(lengths(&game), (0, 0));
    assert_eq!(lengths(&after(game, &["E 6,3 6,2"])), (1, 0));
}

#[test]
fn a_chain_may_come_back_to_where_it_began() {
    // Each side of the square 2,2 - 4,2 - 4,4 - 2,4 has a sheep in its middle.
    let rows = ["##...##", "##...##", "..FS...", "..S.S..", "...S...", "##SSS##", "##SSS##"];
    let game = position(FOX, rows);
    let round = "J 2,2 4,2\nJ 4,2 4,4\nJ 4,4 2,4\nJ 2,4 2,2\n";
    let circle = game.read_move(round).unwrap();
    assert_eq!(game.read_move("J 2,2 2,4\nJ 2,4 4,4\nJ 4,4 4,2\nJ 4,2 2,2\n"), Ok(circle));
    assert_eq!((circle.from, circle.captured.len()), (circle.to, 4));
    assert_eq!(game.perft_weight(circle), 2);
    assert!(game.legal_moves().contains(&circle));
    assert!(game.perft_leaves() > game.legal_moves().len() as u64, "perft counts paths");
    assert_eq!(after(game, &[round]).board().sheep.len(), 6);
}

#[test]
fn a_chain_may_stop_early_and_a_capture_is_never_forced() {
    let rows = ["##...##", "##...##", "..FS...", "..S.S..", "S..S..S", "##SSS##", "##SSS##"];
    for text in ["J 2,2 4,2", "J 2,2 4,2\nJ 4,2 4,4", "E 2,2 2,1", "E 2,2 3,3"] {
        after(position(FOX, rows), &[text]);
    }
}
