//! The end of the game: races are planned shortest, and every game ends, whatever the opponent leaves lying about.

use engine::clock::NoClock;
use engine::think::Settings;
use engine::{Game, Protocol, Side, Task, TimeControl, think};
use halma::board::{BLACK, CAMPS, PIECES, Square, Squares, WHITE};
use halma::{Move, Position, Rules, race};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::time::Duration;

/// Late positions to play out; the environment variable `LATE_POSITIONS` asks for another number.
const LATE_POSITIONS: usize = 12;

fn agent_move(position: &Position) -> Move {
    let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(1_500) };
    let task = Task { position: position.clone(), control: TimeControl::Game, clock: Duration::from_secs(1) };
    think(&task, &settings, &NoClock).best
}

/// Plies until a side has won; panics if nobody has within `most`.
fn play_out(mut position: Position, most: u32, mut chooser: impl FnMut(&Position) -> Move) -> (Side, u32) {
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

/// Squares within a few rows and columns of a camp's corner, the camp's own included.
fn around(side: Side, reach: usize) -> Vec<Square> {
    let from_corner = |square: Square| {
        let sum = square.x() + square.y();
        if side == BLACK { sum } else { 30 - sum }
    };
    Square::all().filter(|&square| from_corner(square) <= reach).collect()
}

/// Both armies in front of their targets or in them, some pieces astray between.
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
        let position = Position::new(pieces, Side::BOTH[random.random_range(0..2)], Rules::Addendum);
        if Side::BOTH.into_iter().all(|side| !position.has_filled(side)) {
            return position;
        }
    }
}

#[test]
fn every_late_position_is_played_to_an_end() {
    let count = std::env::var("LATE_POSITIONS").map_or(LATE_POSITIONS, |text| text.parse().unwrap());
    let mut random = StdRng::seed_from_u64(1_000);
    let mut longest = 0;
    for _ in 0..count {
        let position = late_position(&mut random);
        let (_, plies) = play_out(position, 160, agent_move);
        longest = longest.max(plies);
    }
    println!("{count} late positions ended, the longest after {longest} plies");
}

/// Plays at random, but never with the pieces in the corner of its camp if it can help it.
fn spoil(position: &Position, stay: Squares, random: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    let others: Vec<Move> = moves.iter().copied().filter(|mv| !stay.contains(mv.from)).collect();
    *others.choose(random).unwrap_or_else(|| moves.choose(random).unwrap())
}

/// The position as the agent reads it, which cannot know that the opponent does not keep the addendum.
fn as_read(position: &Position) -> Position {
    Side::BOTH.into_iter().fold(position.clone(), |position, side| position.with_rules(side, Rules::Addendum))
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
                    // The agent cannot know that the opponent does not keep the addendum.
                    let read = Side::BOTH
                        .into_iter()
                        .fold(position.clone(), |position, side| position.with_rules(side, Rules::Addendum));
                    agent_move(&read)
                } else {
                    spoil(position, stay, &mut random)
                }
            });
            assert_eq!(winner, agent, "{} pieces stayed", stay.len());
        }
    }
}

#[test]
fn the_last_hole_is_filled_although_the_opponent_never_leaves_its_camp() {
    // By the addendum Black would have to play 4,1; whoever waits for that waits for ever.
    let text =
        "SINGLE\nWHITE\n2\nWWWWW...........\nWWWWB...........\nWWWW.W..........\nWW....W.........\nWW..............\n"
            .to_string()
            + &"................\n".repeat(5)
            + "...............B\n...........BBBB.\n...........BB.BB\n..........BB..BB\n..........BB...B\n...........BB...\n";
    let start = Position::read_task(&text, Rules::Base).unwrap().position;
    let mut random = StdRng::seed_from_u64(4);
    let (winner, _) = play_out(start, 30, |position| match position.side_to_move() {
        WHITE => agent_move(&as_read(position)),
        BLACK => spoil(position, CAMPS[0], &mut random),
    });
    assert_eq!(winner, WHITE);
}

/// The fewest moves that fill the target while the opponent stands still, by breadth-first search over all own moves.
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
                let mut after = position.clone();
                after.play(mv);
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
        // The opponent has passed.
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
