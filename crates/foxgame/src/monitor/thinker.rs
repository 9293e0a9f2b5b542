//! Searches that run beside the conversation with a monitor: on a wall clock, on several threads, and on the opponent's
//! time. Threads, table and all other memory last for the whole connection and are there before the first turn.
//!
//! A thread that must be in time never waits for one that searches, for that may not have the processor for long: the two
//! share no lock, not even the allocator's. Answers lie in words that are written at once, positions are handed over in a
//! list that only grows, and what was allocated for the threads is freed by the thread that keeps the time.

use crate::endings::advice::advise;
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use engine::score::outcome_score;
use engine::search::{Control, Knowledge, Limits, Mode, NO_MOVE, NoControl, Report, Score, Searcher, Table};
use engine::{Advice, Game};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Instant;
use system::priority::be_modest;

/// The best move that a search knows so far, with what it is worth.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best move; legal from the beginning.
    pub mv: Move,
    /// The reply that is expected.
    pub reply: Option<Move>,
    /// The score of the move, for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 for a move at sight.
    pub depth: u32,
    /// The nodes that the thread which found the move had visited.
    pub nodes: u64,
}

/// The best answer yet, to be read and written without waiting: a lock could be held by a thread that does not run.
struct Slot {
    /// The codes of move and reply, in one word so that they belong together.
    moves: AtomicU64,
    /// Score and depth. These and the nodes are for people only, and may be those of the next answer already.
    merit: AtomicU64,
    nodes: AtomicU64,
}

impl Slot {
    fn new(position: &Position, answer: &Answer) -> Slot {
        let slot = Slot { moves: AtomicU64::new(0), merit: AtomicU64::new(0), nodes: AtomicU64::new(0) };
        slot.store(position, answer);
        slot
    }

    fn store(&self, position: &Position, answer: &Answer) {
        let mut after = position.clone();
        after.play(answer.mv);
        let reply = answer.reply.map_or(NO_MOVE, |reply| after.encode(reply));
        self.moves.store(u64::from(position.encode(answer.mv)) | u64::from(reply) << 32, Release);
        self.merit.store(u64::from(answer.score as u32) << 32 | u64::from(answer.depth), Relaxed);
        self.nodes.store(answer.nodes, Relaxed);
    }

    fn load(&self, position: &Position) -> Answer {
        let (moves, merit) = (self.moves.load(Acquire), self.merit.load(Relaxed));
        let mv = position.decode(moves as u32).expect("only legal moves are stored");
        let mut after = position.clone();
        after.play(mv);
        Answer {
            mv,
            reply: after.decode((moves >> 32) as u32),
            score: (merit >> 32) as u32 as Score,
            depth: merit as u32,
            nodes: self.nodes.load(Relaxed),
        }
    }
}

/// A search, as its threads share it.
struct Job {
    position: Position,
    origin: Instant,
    /// The moment at which the search has to end, in microseconds since the origin; may be set while it runs.
    deadline: AtomicU64,
    answer: Slot,
    /// Whether the search has ended.
    over: AtomicBool,
    /// Whether it has ended by itself.
    settled: AtomicBool,
    /// Held by a thread that keeps an answer; only threads that search wait for it.
    keeping: Mutex<()>,
    /// The search that came after it.
    next: OnceLock<Arc<Job>>,
}

impl Job {
    fn new(position: &Position, answer: &Answer) -> Arc<Job> {
        Arc::new(Job {
            position: position.clone(),
            origin: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            answer: Slot::new(position, answer),
            over: AtomicBool::new(false),
            settled: AtomicBool::new(false),
            keeping: Mutex::new(()),
            next: OnceLock::new(),
        })
    }

    fn must_end(&self) -> bool {
        self.origin.elapsed().as_micros() as u64 >= self.deadline.load(Relaxed)
    }

    fn end(&self) {
        self.deadline.store(0, Relaxed);
    }
}

/// A search that runs in the background, or has ended. Dropping it ends it.
pub struct Search(Arc<Job>);

impl Search {
    /// Makes the search end at this moment.
    pub fn end_at(&self, moment: Instant) {
        self.0.deadline.store(moment.saturating_duration_since(self.0.origin).as_micros() as u64, Relaxed);
    }

    /// Whether the search has ended, by itself or because it had to.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.over.load(Acquire)
    }

    /// Whether the search has ended by itself: there is nothing left to find.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.0.settled.load(Acquire)
    }

    /// The best move so far. Never waits.
    #[must_use]
    pub fn answer(&self) -> Answer {
        self.0.answer.load(&self.0.position)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A searcher of positions, one at a time, all over one table.
pub struct Thinker {
    answering: Crew,
    /// Threads of the lowest priority; none if there is no thinking on the opponent's time.
    pondering: Option<Crew>,
}

impl Thinker {
    /// A thinker with `threads` threads, at least one, over a table of `hash_bytes` bytes; with as many threads more for
    /// the opponent's time if it is to `ponder`, searching with `evaluation`. When a search has ended, `finished` is called, from another thread.
    /// Returns when all memory has been touched.
    #[must_use]
    pub fn new(
        threads: usize,
        hash_bytes: usize,
        ponder: bool,
        evaluation: Evaluation,
        finished: impl Fn() + Clone + Send + 'static,
    ) -> Thinker {
        let table = Arc::new(Table::new(hash_bytes));
        table.touch();
        let answering = Crew::new(threads.max(1), false, evaluation, &table, &finished);
        let pondering = ponder.then(|| Crew::new(threads.max(1), true, evaluation, &table, &finished));
        Thinker { answering, pondering }
    }

    /// Begins to search a position that is not finished, until [`Search::end_at`] or a proven result. What is known of
    /// it already stands until something deeper is found.
    pub fn answer(&mut self, position: &Position, known: Option<Answer>) -> Search {
        self.answering.search(position, known)
    }

    /// Begins to search a position on the opponent's time; `None` if that time is not used.
    pub fn ponder(&mut self, position: &Position) -> Option<Search> {
        self.pondering.as_mut().map(|crew| crew.search(position, None))
    }
}

/// A group of threads that search together.
struct Crew {
    /// The newest search last. Those that no thread looks at any more are forgotten from the front, by the crew's owner.
    jobs: VecDeque<Arc<Job>>,
    threads: Vec<Thread>,
    dismissed: Arc<AtomicBool>,
}

impl Crew {
    fn new(
        count: usize,
        modest: bool,
        evaluation: Evaluation,
        table: &Arc<Table>,
        finished: &(impl Fn() + Clone + Send + 'static),
    ) -> Crew {
        let start = Position::initial();
        let first = Job::new(&start, &at_sight(&start));
        first.end();
        let dismissed = Arc::new(AtomicBool::new(false));
        let (ready, all_ready) = channel();
        let start = |(number, mut searcher): (usize, Searcher<Position, Evaluation>)| {
            let (ready, finished) = (ready.clone(), finished.clone());
            let (mut job, dismissed) = (first.clone(), dismissed.clone());
            let thread = thread::spawn(move || {
                // Touches the searcher's own memory, and the program's.
                let warm_up = Limits { depth: 6, ..Limits::default() };
                searcher.run(&job.position, warm_up, &mut NoControl);
                drop(ready);
                if modest {
                    be_modest();
                }
                while let Some(next) = newest_after(&job, &dismissed) {
                    job = next;
                    work(&mut searcher, evaluation, &job, number == 0, &finished);
                }
            });
            thread.thread().clone()
        };
        let crew = Searcher::crew(&evaluation, Mode::Selective, table, count);
        let threads = crew.into_iter().enumerate().map(start).collect();
        drop(ready);
        // Ends when the last thread has let go of its sender.
        let _: Result<(), _> = all_ready.recv();
        Crew { jobs: VecDeque::from([first]), threads, dismissed }
    }

    fn search(&mut self, position: &Position, known: Option<Answer>) -> Search {
        let job = Job::new(position, &known.unwrap_or_else(|| at_sight(position)));
        let last = self.jobs.back().expect("there is always one");
        let set = last.next.set(job.clone());
        debug_assert!(set.is_ok(), "only the owner continues the list");
        self.jobs.push_back(job.clone());
        self.threads.iter().for_each(Thread::unpark);
        // One of the references is this list's, one that of the search before, which is gone.
        while self.jobs.len() > 1 && Arc::strong_count(&self.jobs[0]) == 1 {
            self.jobs.pop_front();
        }
        Search(job)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.jobs.iter().for_each(|job| job.end());
        self.dismissed.store(true, Relaxed);
        self.threads.iter().for_each(Thread::unpark);
    }
}

/// Waits for a search after this one and gives the newest; `None` when there will be no more.
fn newest_after(job: &Arc<Job>, dismissed: &AtomicBool) -> Option<Arc<Job>> {
    loop {
        if dismissed.load(Relaxed) {
            return None;
        }
        if let Some(mut newest) = job.next.get() {
            while let Some(next) = newest.next.get() {
                newest = next;
            }
            return Some(newest.clone());
        }
        thread::park();
    }
}

/// Does a thread's part of one search: the first to finish a depth gives the answer. The thread that leads the crew asks
/// the tables of endings before it searches.
fn work(
    searcher: &mut Searcher<Position, Evaluation>,
    evaluation: Evaluation,
    job: &Job,
    leads: bool,
    finished: &impl Fn(),
) {
    if job.must_end() {
        return;
    }
    if let Some(answer) = leads.then(|| known_win(&job.position, evaluation)).flatten() {
        let _one = job.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        job.answer.store(&job.position, &answer);
        job.settled.store(true, Release);
    } else {
        let found = searcher.run(&job.position, Limits::default(), &mut Watch { job, leads });
        if leads && let Some(report) = found {
            keep(job, &report, leads);
        }
    }
    let by_itself = !job.must_end();
    if by_itself {
        job.settled.store(true, Release);
        // The others have nothing left to help with.
        job.end();
    }
    if leads || by_itself {
        job.over.store(true, Release);
        finished();
    }
}

/// The winning move that the tables of endings advise, if there are any and they do.
fn known_win(position: &Position, evaluation: Evaluation) -> Option<Answer> {
    let Advice::Move(mv, _) = advise(position, evaluation.endings()?) else { return None };
    Some(Answer { mv, reply: None, score: evaluation.evaluate(position), depth: 0, nodes: 0 })
}

struct Watch<'a> {
    job: &'a Job,
    /// Whether this is the first thread of its crew.
    leads: bool,
}

impl Control<Move> for Watch<'_> {
    fn stop_now(&mut self) -> bool {
        self.job.must_end()
    }

    fn stop_after(&mut self, report: &Report<Move>) -> bool {
        keep(self.job, report, self.leads);
        self.job.must_end()
    }
}

/// Keeps what was found, unless the search is settled, something deeper is known, or something as deep and not of the first
/// thread's.
fn keep(job: &Job, report: &Report<Move>, leads: bool) {
    let _one = job.keeping.lock().unwrap_or_else(PoisonError::into_inner);
    let known = job.answer.merit.load(Relaxed) as u32;
    if job.settled.load(Acquire) || report.depth == 0 || report.depth < known || report.depth == known && !leads {
        return;
    }
    let answer = Answer {
        mv: report.best,
        reply: report.line.get(1).copied(),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
    };
    job.answer.store(&job.position, &answer);
}

/// The move that looks best one ply ahead, in a position that is not finished.
#[must_use]
pub fn at_sight(position: &Position) -> Answer {
    let side = position.side_to_move();
    let evaluation = Evaluation::default();
    let value = |mv: &Move| {
        let mut after = position.clone();
        after.play(*mv);
        after.outcome().map_or_else(|| -evaluation.evaluate(&after), |outcome| outcome_score(outcome, side, 1))
    };
    let moves = position.legal_moves();
    let mv = moves.into_iter().max_by_key(value).expect("a position that is not finished has a move");
    Answer { mv, reply: None, score: value(&mv), depth: 0, nodes: 0 }
}

#[cfg(test)]
mod tests;
