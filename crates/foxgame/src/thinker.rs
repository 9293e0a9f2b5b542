//! Searches that run beside the conversation with a monitor: on a wall clock, on several threads, and on the opponent's
//! time. Threads, table and all other memory last for the whole connection and are there before the first turn; an
//! answer can be had at any moment without waiting for a thread that may not have the processor.

use crate::evaluate::Evaluation;
use crate::promptness::be_modest;
use crate::rules::{Play, Position};
use engine::Game;
use engine::score::outcome_score;
use engine::search::{Control, Knowledge, Limits, Mode, NO_PLAY, NoControl, Report, Score, Searcher, Table};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

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

/// The best answer yet, to be read and written without waiting: a lock could be held by a thread that does not run.
struct Slot {
    /// The codes of play and reply, in one word so that they belong together.
    plays: AtomicU64,
    /// Score and depth. These and the nodes are only told, and may be those of the next answer already.
    merit: AtomicU64,
    nodes: AtomicU64,
}

impl Slot {
    fn new(position: &Position, answer: &Answer) -> Slot {
        let slot = Slot { plays: AtomicU64::new(0), merit: AtomicU64::new(0), nodes: AtomicU64::new(0) };
        slot.store(position, answer);
        slot
    }

    fn store(&self, position: &Position, answer: &Answer) {
        let mut after = position.clone();
        after.play(answer.play);
        let reply = answer.reply.map_or(NO_PLAY, |reply| after.encode(reply));
        self.plays.store(u64::from(position.encode(answer.play)) | u64::from(reply) << 32, Release);
        self.merit.store(u64::from(answer.score as u32) << 32 | u64::from(answer.depth), Relaxed);
        self.nodes.store(answer.nodes, Relaxed);
    }

    fn load(&self, position: &Position) -> Answer {
        let (plays, merit) = (self.plays.load(Acquire), self.merit.load(Relaxed));
        let play = position.decode(plays as u32).expect("only legal plays are stored");
        let mut after = position.clone();
        after.play(play);
        Answer {
            play,
            reply: after.decode((plays >> 32) as u32),
            score: (merit >> 32) as u32 as Score,
            depth: merit as u32,
            nodes: self.nodes.load(Relaxed),
        }
    }
}

/// What the threads of a search share.
struct Job {
    position: Position,
    origin: Instant,
    /// When it has to end, in microseconds since the origin; may be set while it runs.
    deadline: AtomicU64,
    answer: Slot,
    /// It has ended.
    over: AtomicBool,
    /// It has ended by itself.
    settled: AtomicBool,
}

impl Job {
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
    /// The search has to end at this moment.
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

    /// The best play so far. Never waits.
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

/// Searches positions, one at a time, all over one table.
pub struct Thinker {
    /// One channel for each thread.
    answering: Vec<Sender<Arc<Job>>>,
    /// Threads of the lowest priority; none if there is no thinking on the opponent's time.
    pondering: Vec<Sender<Arc<Job>>>,
}

impl Thinker {
    /// Searches on so many threads, at least one, over a table of so many bytes; with as many others for the opponent's
    /// time, if asked to ponder. When a search has ended, `finished` is called, from another thread. Comes
    /// back when all memory has been touched.
    #[must_use]
    pub fn new(
        threads: usize,
        hash_bytes: usize,
        ponder: bool,
        finished: impl Fn() + Clone + Send + 'static,
    ) -> Thinker {
        let table = Arc::new(Table::new(hash_bytes));
        table.touch();
        let (ready, all_ready) = channel();
        let start = |helper: usize, modest: bool| {
            let (sender, orders) = channel();
            let (table, ready, finished) = (table.clone(), ready.clone(), finished.clone());
            thread::spawn(move || {
                let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table);
                // Touches the searcher's own memory, and the program's.
                let warm_up = Limits { depth: 6, ..Limits::default() };
                searcher.run(&Position::initial(), warm_up, &mut NoControl);
                drop(ready);
                if modest {
                    be_modest();
                }
                work(&mut searcher, &orders, helper, finished);
            });
            sender
        };
        let threads = threads.max(1);
        let answering = (0..threads).map(|helper| start(helper, false)).collect();
        let pondering = (0..if ponder { threads } else { 0 }).map(|helper| start(helper, true)).collect();
        drop(ready);
        // Ends when the last thread has let go of its sender.
        let _: Result<(), _> = all_ready.recv();
        Thinker { answering, pondering }
    }

    /// Searches a position that is not finished, until it is told to end or has a proven result. What is known of it
    /// already stands until something deeper is found.
    pub fn answer(&self, position: &Position, known: Option<Answer>) -> Search {
        let job = self.job(position, known);
        hand_over(&self.answering, &job);
        Search(job)
    }

    /// The same on the opponent's time; `None` if that is not used.
    pub fn ponder(&self, position: &Position) -> Option<Search> {
        if self.pondering.is_empty() {
            return None;
        }
        let job = self.job(position, None);
        hand_over(&self.pondering, &job);
        Some(Search(job))
    }

    fn job(&self, position: &Position, known: Option<Answer>) -> Arc<Job> {
        let answer = known.unwrap_or_else(|| at_sight(position));
        Arc::new(Job {
            position: position.clone(),
            origin: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            answer: Slot::new(position, &answer),
            over: AtomicBool::new(false),
            settled: AtomicBool::new(false),
        })
    }
}

fn hand_over(workers: &[Sender<Arc<Job>>], job: &Arc<Job>) {
    for worker in workers {
        // Without its thread the answer at sight stands.
        let _ = worker.send(job.clone());
    }
}

/// The life of a thread: one search after the other. The first thread of each kind finds the answers; helpers fill the
/// shared table, from a slightly different order of plays so that they do not walk in step.
fn work(
    searcher: &mut Searcher<Position, Evaluation>,
    orders: &Receiver<Arc<Job>>,
    helper: usize,
    finished: impl Fn(),
) {
    while let Ok(job) = orders.recv() {
        if job.must_end() {
            continue;
        }
        if helper > 0 {
            let mut plays = job.position.legal_moves();
            let by = helper % plays.len().max(1);
            plays.rotate_left(by);
            searcher.run_among(&job.position, &plays, Limits::default(), &mut Watch { job: &job, finds: false });
            continue;
        }
        let found = searcher.run(&job.position, Limits::default(), &mut Watch { job: &job, finds: true });
        if let Some(report) = found {
            keep(&job, &report);
        }
        job.settled.store(!job.must_end(), Release);
        // The helpers have nothing left to help with.
        job.end();
        job.over.store(true, Release);
        finished();
    }
}

struct Watch<'a> {
    job: &'a Job,
    /// Whether this thread finds the answer.
    finds: bool,
}

impl Control<Play> for Watch<'_> {
    fn stop_now(&mut self) -> bool {
        self.job.must_end()
    }

    fn stop_after(&mut self, report: &Report<Play>) -> bool {
        if self.finds {
            keep(self.job, report);
        }
        self.job.must_end()
    }
}

/// Keeps what was found, unless something deeper is known.
fn keep(job: &Job, report: &Report<Play>) {
    if report.depth == 0 || report.depth < job.answer.merit.load(Relaxed) as u32 {
        return;
    }
    let answer = Answer {
        play: report.best,
        reply: report.line.get(1).copied(),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
    };
    job.answer.store(&job.position, &answer);
}

/// The play that looks best one ply ahead, in a position that is not finished.
#[must_use]
pub fn at_sight(position: &Position) -> Answer {
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
