//! Runs the games of a schedule, several at a time, and writes their record.

use crate::changed_rules;
use crate::openings::Book;
use crate::plain::counted;
use crate::player::blame::NoTurn;
use crate::player::start::was_started;
use crate::pool::{Next, work_off};
use crate::random::{self, Purpose};
use crate::ratings::{Sprt, SprtVerdict};
use crate::record::{End, Event, Header, Record, Recorder, Replayed, Withdrawn};
use crate::referee::GameOrder;
use crate::referee::play_game;
use crate::schedule::{Slot, slots};
use crate::standings::Duel;
use crate::swiss;
use crate::terms::Shape;
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use clock::lock;
use engine::Side;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Parameters of a tournament's run: workers, early ends, observers.
pub struct Running<'a> {
    /// Games at a time.
    pub concurrency: usize,
    /// A test that ends the run when it has a verdict; for two engines.
    pub sprt: Option<Sprt>,
    /// Whether moves are added to the record in memory.
    pub keep_moves: bool,
    /// Whether to start no more games.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after each game with its end, and with all ends so far.
    pub finished: &'a mut (dyn FnMut(&End, &BTreeMap<u32, End>) + Send),
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All games were played, or the SPRT has its verdict.
    Complete,
    /// The run was interrupted and can be resumed.
    Interrupted,
}

/// So many failures of the rules in a row, without a player in common, end the run.
const MAX_FAILED: usize = 5;

/// Plays the remaining games of the schedule, and returns all ends by number. If the rules of the
/// game fail among more than two players, the other games are played first.
pub fn run(
    game: &AnyGame,
    record: &mut Record,
    recorder: Recorder,
    running: Running,
) -> Result<(Vec<End>, Finish)> {
    let Running { concurrency, sprt, keep_moves, stop, finished } = running;
    let header = &record.header.clone();
    let book = Book::open(game, &header.openings, header.seed)?;
    let total = count(header, game.first);
    take_in_starts(game.sides, record);
    let mut ends: BTreeMap<u32, End> = record.ends().map(|end| (end.game, end.clone())).collect();
    let written = Mutex::new((recorder, record));
    let append = |event: Event| {
        let (recorder, record) = &mut *lock(&written);
        recorder.append(&event)?;
        if keep_moves { record.add(event) } else { Ok(()) }
    };
    let mut decided = is_decided(header, &ends, sprt.as_ref());
    let (mut failed, mut in_a_row) = (Vec::new(), Vec::<[usize; 2]>::new());
    for round in 0..rounds(header) {
        let mut waiting = round_of(header, round, game.first, &ends);
        waiting.retain(|slot| !ends.contains_key(&slot.game));
        if decided || stop() {
            break;
        }
        let workers = concurrency.min(waiting.len());
        let play = |slot: Slot| {
            let order = order(header, slot, &book)?;
            match play_game(game, &order, &mut |event| append(event)) {
                Err(error) if NoTurn::is_of_rules(&error) && header.engines.len() > 2 => {
                    Ok(Err((slot.engines, error)))
                }
                played => played.map(Ok),
            }
        };
        let expected = ends.len() + waiting.len();
        work_off(waiting.into_iter(), workers, stop, play, |played| {
            let end: End = match played {
                Ok(end) => end,
                Err((players, error)) => {
                    in_a_row.push(players);
                    failed.push(format!("{error:#}"));
                    let in_all =
                        |player: &usize| in_a_row.iter().all(|players| players.contains(player));
                    let goes_on = in_a_row.len() < MAX_FAILED || players.iter().any(in_all);
                    return if goes_on { Ok(Next::GoOn) } else { Err(error) };
                }
            };
            in_a_row.clear();
            ends.insert(end.game, end.clone());
            finished(&end, &ends);
            decided = is_decided(header, &ends, sprt.as_ref());
            Ok(if decided { Next::Stop } else { Next::GoOn })
        })?;
        // The pairings of the next round depend on all results of this one.
        if ends.len() < expected {
            break;
        }
    }
    if let Some(first) = failed.first() {
        bail!(
            "{}; --resume plays them when the rules are correct; the first: {first}",
            counted(failed.len(), "game waits", "games wait")
        );
    }
    let finish =
        if ends.len() == total || decided { Finish::Complete } else { Finish::Interrupted };
    Ok((ends.into_values().collect(), finish))
}

/// Replays the games that other rules have played. In a Swiss tournament the rounds after one with
/// another result do not count either: their pairings depend on it.
pub fn replayed(game: &AnyGame, record: &Record) -> Result<Replayed> {
    let (header, mut replayed) = (&record.header, changed_rules::replay(game));
    if game.in_records.is_none() {
        return Ok(replayed);
    }
    let book = Book::open(game, &header.openings, header.seed)?;
    let ends = record.ends().map(|end| (end.game, end.clone())).collect();
    for round in 0..rounds(header) {
        for slot in round_of(header, round, game.first, &ends) {
            if let Some(played) = record.games.get(&slot.game) {
                changed_rules::add(&mut replayed, game, &order(header, slot, &book)?, played)?;
            }
        }
        if header.shape == Shape::Swiss && !replayed.withdrawn.is_empty() {
            let why = "its pairing depends on a result that is another one";
            let later = record.games.range((round + 1) * swiss::games_of_a_round(header) + 1..);
            replayed
                .withdrawn
                .extend(later.map(|(&game, _)| Withdrawn { game, why: why.to_string() }));
            break;
        }
    }
    Ok(replayed)
}

/// Rounds whose pairings depend on earlier results.
fn rounds(header: &Header) -> u32 {
    if header.shape == Shape::Swiss { swiss::rounds(header) } else { 1 }
}

fn round_of(header: &Header, round: u32, first: Side, ends: &BTreeMap<u32, End>) -> Vec<Slot> {
    if header.shape == Shape::Swiss {
        swiss::round(header, round, first, ends)
    } else {
        slots(header, first)
    }
}

/// Notes whose programs an earlier run has started: they made a move.
fn take_in_starts(sides: [&str; 2], record: &Record) {
    for (start, moves, _) in record.all_games() {
        for (side, name) in sides.iter().zip(&start.players) {
            let player = record.header.engines.iter().find(|engine| engine.name == *name);
            if let Some(player) = player.filter(|_| moves.iter().any(|mv| mv.side == *side)) {
                was_started(&player.kind);
            }
        }
    }
}

/// The number of games in a header's schedule, or in its part of it.
pub fn count(header: &Header, first: Side) -> usize {
    match header.shape {
        Shape::Swiss => (swiss::rounds(header) * swiss::games_of_a_round(header)) as usize,
        Shape::Roundrobin | Shape::Gauntlet => slots(header, first).len(),
    }
}

fn order(header: &Header, slot: Slot, book: &Book) -> Result<GameOrder> {
    Ok(GameOrder {
        game: slot.game,
        engines: slot.engines.map(|index| header.engines[index].clone()),
        opening: book.opening(slot.round).with_context(|| format!("game {}", slot.game))?,
        rules: header.rules.clone(),
        single: false,
        max_plies: header.max_plies,
        at_limit: header.at_limit,
        bounds: header.bounds.clone(),
        seed: random::derived(header.seed, Purpose::Players, slot.game),
        random_moves: 0,
        adjudication: header.adjudication,
    })
}

fn is_decided(header: &Header, ends: &BTreeMap<u32, End>, sprt: Option<&Sprt>) -> bool {
    sprt.is_some_and(|sprt| {
        Duel::new(header, ends.values())
            .is_some_and(|duel| sprt.verdict(duel.ratio(sprt)) != SprtVerdict::Open)
    })
}
