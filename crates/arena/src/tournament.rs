//! Plays the games of a schedule, several at a time, and keeps their record.

use crate::game::AnyGame;
use crate::openings::Book;
use crate::pool::{Next, work_off};
use crate::random::{self, Purpose};
use crate::ratings::{Sprt, Verdict};
use crate::record::{End, Event, GameRecord, Header, Record, Recorder};
use crate::referee::GameOrder;
use crate::schedule::{Slot, slots};
use crate::standings::Duel;
use crate::swiss;
use crate::terms::Shape;
use anyhow::{Context, Result};
use engine::Side;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The way to run a tournament: workers, early ends, listeners.
pub struct Running<'a> {
    /// Games at a time.
    pub concurrency: usize,
    /// Ends the run when it has a verdict; for two engines.
    pub sprt: Option<Sprt>,
    /// Says whether to begin no other game.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Takes in each game that is over, with the ends of all games so far, that one included.
    pub finished: &'a mut (dyn FnMut(&End, &BTreeMap<u32, End>) + Send),
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All games were played, or the SPRT has its verdict.
    Complete,
    /// It was interrupted and can be resumed.
    Interrupted,
}

/// Plays all games of the record's schedule that are not over yet. Gives the ends of all of them, by number.
pub fn run(game: &AnyGame, record: &Record, recorder: Recorder, running: Running) -> Result<(Vec<End>, Finish)> {
    let Running { concurrency, sprt, stop, finished } = running;
    let header = &record.header;
    let book = Book::open(&header.openings, header.seed, game.random_opening)?;
    let total = count(header, game.first);
    let rounds = if header.shape == Shape::Swiss { swiss::rounds(header) } else { 1 };
    let recorder = Mutex::new(recorder);
    let append = |event: Event| recorder.lock().unwrap_or_else(PoisonError::into_inner).append(&event);
    let mut ends: BTreeMap<u32, End> =
        record.games.iter().map(|(&number, GameRecord { end, .. })| (number, end.clone())).collect();
    let mut decided = is_decided(header, &ends, sprt.as_ref());
    for round in 0..rounds {
        let mut waiting = match header.shape {
            Shape::Swiss => swiss::round(header, round, game.first, &ends),
            Shape::Roundrobin | Shape::Gauntlet => slots(header, game.first),
        };
        waiting.retain(|slot| !ends.contains_key(&slot.game));
        if decided || stop() {
            break;
        }
        let workers = concurrency.min(waiting.len());
        let play = |slot: Slot| {
            let order = order(header, slot, &book)?;
            (game.play)(&order, &mut |event| append(event))
        };
        let expected = ends.len() + waiting.len();
        work_off(waiting.into_iter(), workers, stop, play, |end: End| {
            ends.insert(end.game, end.clone());
            finished(&end, &ends);
            decided = is_decided(header, &ends, sprt.as_ref());
            Ok(if decided { Next::Stop } else { Next::GoOn })
        })?;
        // The next round hangs on all results of this one.
        if ends.len() < expected {
            break;
        }
    }
    let finish = if ends.len() == total || decided { Finish::Complete } else { Finish::Interrupted };
    Ok((ends.into_values().collect(), finish))
}

/// The number of games of a header's schedule, or of its part of it.
#[must_use]
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
        adjudication: header.adjudication,
    })
}

/// Whether the SPRT has its verdict.
fn is_decided(header: &Header, ends: &BTreeMap<u32, End>, sprt: Option<&Sprt>) -> bool {
    sprt.is_some_and(|sprt| {
        Duel::new(header, ends.values()).is_some_and(|duel| sprt.verdict(duel.ratio(sprt)) != Verdict::Open)
    })
}
