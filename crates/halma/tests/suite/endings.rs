//! Tests of the end of the game: race plans are shortest, and every game ends even if the opponent
//! leaves pieces behind.

use engine::clock::NoClock;
use engine::think::Settings;
use engine::{Game, Protocol, Side, Task, TimeControl, think};
use halma::board::{BLACK, CAMPS, PIECES, Square, Squares, WHITE};
use halma::{Move, Position, Rules, race};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::fs;
use std::time::Duration;

/// The number of late positions to play out; the environment variable `LATE_POSITIONS` overrides
/// it.
const LATE_POSITIONS: usize = 12;

fn agent_move(position: &Position) -> Move {
    let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(1_500) };
    let task = Task {
        position: position.clone(),
        control: TimeControl::Game,
        clock: Duration::from_secs(1),
    };
    think(&task, &settings, &NoClock).best
}

/// Plays a game and returns its winner and the number of plies; panics if nobody has won within
/// `most` plies.
fn play_out(
    mut position: Position,
    most: u32,
    mut chooser: impl FnMut(&Position) -> Move,
) -> (Side, u32) {
    let start = position.clone();
    for ply in 0..most {
        if let Some(outcome) = position.outcome() {
            return (outcome.winner().unwrap(), ply);
        }
        let mv = chooser(&position);
        assert!(position.is_legal(mv));
        position.play(mv);
    }
    panic!("no end after {most} plies from {start:?} to {position:?}");
}

/// Returns the squares within `reach` rows plus columns of a side's own corner, the corner
/// included.
fn around(side: Side, reach: usize) -> Vec<Square> {
    let from_corner = |square: Square| {
        let sum = square.x() + square.y();
        if side == BLACK { sum } else { 30 - sum }
    };
    Square::all().filter(|&square| from_corner(square) <= reach).collect()
}

/// Returns a random position with both armies in front of their targets or in them, and up to three
/// stray pieces each.
fn late_position(random: &mut StdRng) -> Position {
    loop {
        let mut taken = Squares::EMPTY;
        let pieces = Side::BOTH.map(|side| {
            let near = around(side.other(), random.random_range(7..13));
            let anywhere = around(side.other(), 22);
            let astray = random.random_range(0..4);
            let mut own = Squares::EMPTY;
            while (own.len() as usize) < PIECES {
                let from = if (own.len() as usize) < astray { &anywhere } else { &near };
                let square = *from.choose(random).unwrap();
                if !taken.contains(square) && !CAMPS[side.index()].contains(square) {
                    own.insert(square);
                    taken.insert(square);
                }
            }
            own
        });
        let position =
            Position::new(pieces, Side::BOTH[random.random_range(0..2)], Rules::Addendum);
        if Side::BOTH.into_iter().all(|side| !position.has_filled(side)) {
            return position;
        }
    }
}

#[test]
fn every_late_position_is_played_to_an_end() {
    let count =
        std::env::var("LATE_POSITIONS").map_or(LATE_POSITIONS, |text| text.parse().unwrap());
    let mut random = StdRng::seed_from_u64(1_000);
    let mut longest = 0;
    for _ in 0..count {
        let position = late_position(&mut random);
        let (_, plies) = play_out(position, 160, agent_move);
        longest = longest.max(plies);
    }
    println!("{count} late positions ended, the longest after {longest} plies");
}

/// Returns the positions of `tests/positions` whose files' names begin so.
fn positions_of(name: &str) -> Vec<Position> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/positions");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.file_name().unwrap().to_str().unwrap().starts_with(name));
    files.sort();
    let read = |file| {
        Position::read_task(&fs::read_to_string(file).unwrap(), Rules::Addendum).unwrap().position
    };
    files.into_iter().map(read).collect()
}

#[test]
fn a_won_game_goes_home_in_the_fewest_moves_although_the_clock_is_out() {
    let positions = positions_of("nearly-home");
    assert!(positions.len() > 10);
    for start in positions {
        let side = start.side_to_move();
        let fewest = race::plan(&start, |_| false).unwrap().moves.len() as u32;
        let (winner, plies) = play_out(start, 2 * fewest, |position| {
            if position.side_to_move() != side {
                return agent_move(position);
            }
            let clock = Duration::from_micros(500);
            let task = Task { position: position.clone(), control: TimeControl::Game, clock };
            think(&task, &Settings { hash_mib: Some(1), ..Settings::default() }, &NoClock).best
        });
        assert_eq!((winner, plies), (side, 2 * fewest - 1));
    }
}

#[test]
fn the_rest_of_a_plan_is_kept_and_no_longer_one_is_made() {
    let [start] = &positions_of("race")[..] else { panic!("one race") };
    let plan = race::plan(start, |_| false).unwrap();
    assert_eq!(plan.moves.len(), 7);
    let short_of_time =
        |known: &[Move]| race::plan_no_longer_than(start, known, 1, |found| found).unwrap().moves;
    assert!(short_of_time(&[]).len() > 7, "the first plan is not the shortest");
    assert_eq!(short_of_time(&plan.moves), plan.moves);
    // Moves that are no plan are no help, and do no harm.
    for known in [&plan.moves[..6], &plan.moves[1..], &[Move::PASS]] {
        assert_eq!(short_of_time(known), short_of_time(&[]));
    }
}

/// Returns a random move, of a piece outside `stay` if there is one.
fn stalling_move(position: &Position, stay: Squares, random: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    let others: Vec<Move> = moves.iter().copied().filter(|mv| !stay.contains(mv.from)).collect();
    *others.choose(random).unwrap_or_else(|| moves.choose(random).unwrap())
}

/// Returns the position as the agent reads it, with the addendum for both sides: the agent cannot
/// know that the opponent does not keep to it.
fn as_read(position: &Position) -> Position {
    Side::BOTH
        .into_iter()
        .fold(position.clone(), |position, side| position.with_rules(side, Rules::Addendum))
}

#[test]
fn pieces_that_never_leave_their_camp_do_not_save_the_opponent() {
    let mut random = StdRng::seed_from_u64(3);
    for agent in Side::BOTH {
        for reach in [0, 1, 2, 3] {
            let stay: Squares = around(agent.other(), reach).into_iter().collect();
            let start = Position::initial(WHITE, Rules::Base);
            let (winner, _) = play_out(start, 400, |position| {
                if position.side_to_move() == agent {
                    agent_move(&as_read(position))
                } else {
                    stalling_move(position, stay, &mut random)
                }
            });
            assert_eq!(winner, agent, "{} pieces stayed", stay.len());
        }
    }
}

#[test]
fn the_last_hole_is_filled_although_the_opponent_never_leaves_its_camp() {
    // By the addendum Black would have to move its piece on 4,1; a search that relies on this waits
    // for ever.
    let text =
        "SINGLE\nWHITE\n2\nWWWWW...........\nWWWWB...........\nWWWW.W..........\nWW....W.........\nWW..............\n"
            .to_string()
            + &"................\n".repeat(5)
            + "...............B\n...........BBBB.\n...........BB.BB\n..........BB..BB\n..........BB...B\n...........BB...\n";
    let start = Position::read_task(&text, Rules::Base).unwrap().position;
    let mut random = StdRng::seed_from_u64(4);
    let (winner, _) = play_out(start, 30, |position| match position.side_to_move() {
        WHITE => agent_move(&as_read(position)),
        BLACK => stalling_move(position, CAMPS[0], &mut random),
    });
    assert_eq!(winner, WHITE);
}

/// Returns the fewest moves that fill the target while the opponent stands still, by breadth-first
/// search over all own moves; `None` if there are more than `most`.
fn fewest_moves(position: &Position, most: usize) -> Option<usize> {
    let side = position.side_to_move();
    let mut layer = HashSet::from([position.pieces(side)]);
    for moves in 1..=most {
        let mut next = HashSet::new();
        for &own in &layer {
            let mut pieces = [position.pieces(BLACK), position.pieces(WHITE)];
            pieces[side.index()] = own;
            let position = Position::new(pieces, side, position.rules(side));
            for mv in position.legal_moves() {
                let after = position.after(mv);
                if after.outcome().is_some() {
                    return Some(moves);
                }
                next.insert(after.pieces(side));
            }
        }
        layer = next;
    }
    None
}

#[test]
fn planned_races_are_as_short_as_brute_force_finds() {
    let mut random = StdRng::seed_from_u64(5);
    let mut proven = 0;
    for number in 0..40 {
        let side = Side::BOTH[number % 2];
        let target: Vec<Square> = CAMPS[side.other().index()].into_iter().collect();
        let outside: Vec<Square> =
            around(side.other(), 9).into_iter().filter(|square| !target.contains(square)).collect();
        let holes = random.random_range(1..3);
        let mut own: Squares = target.iter().copied().collect();
        let mut other = Squares::EMPTY;
        for hole in target.sample(&mut random, holes) {
            own.toggle(*hole);
        }
        for square in outside.sample(&mut random, holes) {
            own.insert(*square);
        }
        // The opponent's pieces are behind the army already.
        CAMPS[side.index()].into_iter().take(5).for_each(|square| other.insert(square));
        let pieces = if side == BLACK { [own, other] } else { [other, own] };
        let position = Position::new(pieces, side, Rules::Addendum);
        assert!(race::has_begun(&position));
        let plan = race::plan(&position, |_| false).expect("a race has an end");
        if let Some(fewest) = fewest_moves(&position, 4) {
            assert_eq!(plan.moves.len(), fewest, "{position:?}");
            assert!(plan.shortest);
            proven += 1;
        } else {
            assert!(plan.moves.len() > 4);
        }
    }
    assert!(proven >= 10, "{proven} races were short enough to compare");
}
