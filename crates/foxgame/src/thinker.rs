//! Searches that run beside the conversation with a monitor: on a wall clock, on several threads, and on the opponent's
//! time.

use crate::evaluate::Evaluation;
use crate::promptness::be_patient;
use crate::rules::{Play, Position};
use engine::Game;
use engine::score::outcome_score;
use engine::search::{Control, Knowledge, Limits, Mode, Report, Score, Searcher, Table};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// When a search has to end; may be set while it runs.
struct Deadline {
    origin: Instant,
    /// Microseconds since the origin.
    at: AtomicU64,
}

impl Deadline {
    fn set(&self, at: Instant) {
        self.at.store(at.saturating_duration_since(self.origin).as_micros() as u64, Relaxed);
    }

    fn has_passed(&self) -> bool {
        self.origin.elapsed().as_micros() as u64 >= self.at.load(Relaxed)
    }
}

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best play; legal from the beginning.
    pub play: Play,
    /// The reply that is expected.
    pub reply: Option<Play>,
    /// Its score for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 for a play at sight.
    pub depth: u32,
    /// Nodes of the thread that found it.
    pub nodes: u64,
}

/// A search that runs in the background. Dropping it ends it.
pub struct Search {
    /// What is searched.
    pub position: Position,
    deadline: Arc<Deadline>,
    answer: Arc<Mutex<Answer>>,
    over: Arc<AtomicBool>,
}

impl Search {
    /// The search has to end at this moment.
    pub fn end_at(&self, moment: Instant) {
        self.deadline.set(moment);
    }

    /// Whether the search has ended by itself.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// The best play so far.
    #[must_use]
    pub fn answer(&self) -> Answer {
        lock(&self.answer).clone()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.deadline.at.store(0, Relaxed);
    }
}

/// A panic elsewhere leaves a whole answer behind.
fn lock(answer: &Mutex<Answer>) -> MutexGuard<'_, Answer> {
    answer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts searches, all over one table.
pub struct Thinker {
    table: Arc<Table>,
    threads: usize,
}

impl Thinker {
    /// Searches on so many threads, at least one, over a table of so many bytes.
    #[must_use]
    pub fn new(threads: usize, hash_bytes: usize) -> Thinker {
        Thinker { table: Arc::new(Table::new(hash_bytes)), threads: threads.max(1) }
    }

    /// Searches a position that is not finished, until it is told to end or has a proven result; then `finished` is
    /// called, from another thread.
    pub fn start(&self, position: &Position, finished: impl FnOnce() + Send + 'static) -> Search {
        let origin = Instant::now();
        let deadline = Arc::new(Deadline { origin, at: AtomicU64::new(u64::MAX) });
        let answer = Arc::new(Mutex::new(at_sight(position)));
        for helper in 1..self.threads {
            let (table, position, deadline) = (self.table.clone(), position.clone(), deadline.clone());
            thread::spawn(move || help(table, &position, helper, deadline));
        }
        let (table, copy) = (self.table.clone(), position.clone());
        let (ends, found) = (deadline.clone(), answer.clone());
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        thread::spawn(move || {
            be_patient();
            let mut control = Watch { deadline: ends.clone(), answer: Some(found.clone()) };
            let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table);
            if let Some(report) = searcher.run(&copy, Limits::default(), &mut control)
                && report.depth > 0
            {
                *lock(&found) = answer_of(&report);
            }
            // The helpers have nothing left to help with.
            ends.at.store(0, Relaxed);
            ended.store(true, Relaxed);
            finished();
        });
        Search { position: position.clone(), deadline, answer, over }
    }
}

/// Fills the shared table from a slightly different order of depths, so that the threads do not walk in step.
fn help(table: Arc<Table>, position: &Position, helper: usize, deadline: Arc<Deadline>) {
    be_patient();
    let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table);
    let mut plays = position.legal_moves();
    let by = helper % plays.len().max(1);
    plays.rotate_left(by);
    searcher.run_among(position, &plays, Limits::default(), &mut Watch { deadline, answer: None });
}

struct Watch {
    deadline: Arc<Deadline>,
    answer: Option<Arc<Mutex<Answer>>>,
}

impl Control<Play> for Watch {
    fn stop_now(&mut self) -> bool {
        self.deadline.has_passed()
    }

    fn stop_after(&mut self, report: &Report<Play>) -> bool {
        if let Some(answer) = &self.answer {
            *lock(answer) = answer_of(report);
        }
        self.deadline.has_passed()
    }
}

fn answer_of(report: &Report<Play>) -> Answer {
    Answer {
        play: report.best,
        reply: report.line.get(1).copied(),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
    }
}

/// The play that looks best one ply ahead.
fn at_sight(position: &Position) -> Answer {
    let side = position.side_to_move();
    let evaluation = Evaluation::default();
    let value = |play: &Play| {
        let mut after = position.clone();
        after.play(*play);
        after.outcome().map_or_else(|| -evaluation.evaluate(&after), |outcome| outcome_score(outcome, side, 1))
    };
    let plays = position.legal_moves();
    let play = plays.into_iter().max_by_key(value).expect("a position that is not finished has a play");
    Answer { play, reply: None, score: value(&play), depth: 0, nodes: 0 }
}

/// How much of a time slice to think: all but 10 ms and 3 %, for a machine that is busy and a network that is slow; of
/// the shortest slices a quarter.
#[must_use]
pub fn thinking_time(slice: Duration) -> Duration {
    let margin = Duration::from_millis(10) + slice.mul_f64(0.03);
    slice.saturating_sub(margin).max(slice / 4)
}
