//! Plays the games of a schedule, several at a time, and keeps their record.

use crate::games::Kind;
use crate::interrupt;
use crate::progress::Progress;
use crate::ratings::{Sprt, Verdict};
use crate::record::{End, Event, GameRecord, Header, Record, Recorder};
use crate::referee::GameOrder;
use crate::schedule::{Book, Slot, slots};
use crate::standings::{self, Duel};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::thread;

/// How to run, as opposed to what.
pub struct Running {
    /// Games at a time.
    pub concurrency: usize,
    /// Ends the run when it has a verdict; for two engines.
    pub sprt: Option<Sprt>,
    /// Standings are printed after so many games; 0 for never.
    pub interval: u32,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All games were played, or the SPRT has its verdict.
    Complete,
    /// It was interrupted and can be resumed.
    Interrupted,
}

/// What the workers share.
struct State<'a> {
    waiting: VecDeque<Slot>,
    recorder: Recorder,
    ends: BTreeMap<u32, End>,
    failure: Option<anyhow::Error>,
    decided: bool,
    total: usize,
    running: &'a Running,
    header: &'a Header,
    kind: Kind,
    bar: Progress,
}

/// Plays all games of the record's schedule that are not over yet. Gives the ends of all of them.
pub fn run(kind: Kind, record: &Record, recorder: Recorder, running: &Running) -> Result<(Vec<End>, Finish)> {
    let header = &record.header;
    let book = Book::open(&header.openings, header.seed, kind.random_opening)?;
    let all = slots(header, kind.first);
    let total = all.len();
    let waiting: VecDeque<Slot> = all.into_iter().filter(|slot| !record.games.contains_key(&slot.game)).collect();
    let workers = running.concurrency.min(waiting.len());
    let ends = record.games.iter().map(|(&number, GameRecord { end, .. })| (number, end.clone())).collect();
    let bar = Progress::new(total);
    let mut state = State { waiting, recorder, ends, failure: None, decided: false, total, running, header, kind, bar };
    state.bar.set(state.ends.len());
    state.decide();
    let state = Mutex::new(state);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(&state, &book));
        }
    });
    let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    state.bar.finish();
    if let Some(error) = state.failure {
        return Err(error);
    }
    let finish = if state.ends.len() == total || state.decided { Finish::Complete } else { Finish::Interrupted };
    Ok((state.ends.into_values().collect(), finish))
}

/// Plays games until there are none left or something stops the run.
fn work(state: &Mutex<State>, book: &Book) {
    // A worker that panicked leaves the state as it was between two events, which is whole.
    let lock = || state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    loop {
        let (slot, kind, order) = {
            let mut state = lock();
            if interrupt::asked() || state.failure.is_some() || state.decided {
                return;
            }
            let Some(slot) = state.waiting.pop_front() else { return };
            match state.order(slot, book) {
                Ok(order) => (slot, state.kind, order),
                Err(error) => {
                    state.failure = Some(error);
                    return;
                }
            }
        };
        let played = (kind.play)(&order, &mut |event: Event| lock().recorder.append(&event));
        let mut state = lock();
        match played {
            Ok(end) => state.finished(slot, end),
            Err(error) => {
                state.failure.get_or_insert(error);
            }
        }
    }
}

impl State<'_> {
    fn order(&self, slot: Slot, book: &Book) -> Result<GameOrder> {
        let header = self.header;
        Ok(GameOrder {
            game: slot.game,
            engines: slot.engines.map(|index| header.engines[index].clone()),
            opening: book.opening(slot.round).with_context(|| format!("game {}", slot.game))?,
            rules: header.rules.clone(),
            single: false,
            max_plies: header.max_plies,
            at_limit: header.at_limit,
            bounds: header.bounds,
            seed: engine::split_mix(header.seed ^ u64::from(slot.game) << 20),
        })
    }

    fn finished(&mut self, slot: Slot, end: End) {
        let text = standings::game_line(&self.kind, self.total, &end);
        self.bar.print(&text);
        self.ends.insert(slot.game, end);
        self.bar.set(self.ends.len());
        let finished = self.ends.len() as u32;
        if self.running.interval > 0
            && finished.is_multiple_of(self.running.interval)
            && (finished as usize) < self.total
        {
            let ends: Vec<End> = self.ends.values().cloned().collect();
            let text = standings::summary(&self.kind, self.header, &ends, self.running.sprt.as_ref());
            self.bar.print(&text);
        }
        self.decide();
    }

    /// Stops the run when the SPRT has its verdict.
    fn decide(&mut self) {
        if let Some(sprt) = &self.running.sprt
            && let Some(duel) = Duel::new(self.header, self.ends.values())
        {
            self.decided |= sprt.verdict(duel.ratio(sprt)) != Verdict::Open;
        }
    }
}
