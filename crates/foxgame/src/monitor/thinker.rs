//! Background searches of a monitor game: limited by wall time, on several threads, and pondering
//! on the opponent's time. All memory is allocated before the first turn.
//!
//! The threads that talk to the monitor never wait for a searching thread, which may be descheduled
//! for long: the two share no lock, not even the allocator's. Answers are published in atomics,
//! positions are handed over in a linked list, and the talking threads free the memory of both.

use crate::endings::advice::advise;
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use clock::priority::{be_modest, leave_the_first_place};
use engine::reference::greedy;
use engine::search::{
    Knowledge, Limits, Mode, NO_MOVE, Observer, Report, Score, Searcher, TranspositionTable,
};
use engine::{Advice, Game};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Instant;

/// The best move that a search has found so far.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best move. It is always legal.
    pub mv: Move,
    /// The expected reply, if any.
    pub reply: Option<Move>,
    /// The score of the move, for the side to move.
    pub score: Score,
    /// The last completed depth, in plies; 0 for a move that was not found by search.
    pub depth: u32,
    /// The nodes visited by the leading thread.
    pub nodes: u64,
}

/// A lock-free cell with the best answer so far.
#[derive(Default)]
struct AnswerCell {
    /// The codes of move (low half) and reply (high half), which belong together.
    moves: AtomicU64,
    /// The depth (low half) and the score (high half). A reader may see this and `nodes` from a
    /// later answer than `moves`; they are only displayed.
    merit: AtomicU64,
    nodes: AtomicU64,
}

impl AnswerCell {
    fn store(&self, position: &Position, answer: &Answer) {
        let after = position.after(answer.mv);
        let reply = answer.reply.map_or(NO_MOVE, |reply| after.encode(reply));
        self.moves.store(u64::from(position.encode(answer.mv)) | u64::from(reply) << 32, Release);
        self.merit.store(u64::from(answer.score as u32) << 32 | u64::from(answer.depth), Relaxed);
        self.nodes.store(answer.nodes, Relaxed);
    }

    fn load(&self, position: &Position) -> Answer {
        let (moves, merit) = (self.moves.load(Acquire), self.merit.load(Relaxed));
        let mv = position.decode(moves as u32).expect("only legal moves are stored");
        let after = position.after(mv);
        Answer {
            mv,
            reply: after.decode((moves >> 32) as u32),
            score: (merit >> 32) as u32 as Score,
            depth: merit as u32,
            nodes: self.nodes.load(Relaxed),
        }
    }
}

struct Job {
    position: Position,
    origin: Instant,
    /// The deadline of the search, in microseconds since `origin`. It may change during the search.
    deadline: AtomicU64,
    answer: AnswerCell,
    over: AtomicBool,
    /// Whether the search has ended by itself, before its deadline.
    settled: AtomicBool,
    /// The next search of the same group of threads.
    next: OnceLock<Arc<Job>>,
}

impl Job {
    fn new(position: &Position, known: &Answer) -> Arc<Job> {
        let answer = AnswerCell::default();
        answer.store(position, known);
        Arc::new(Job {
            position: position.clone(),
            origin: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            answer,
            over: AtomicBool::new(false),
            settled: AtomicBool::new(false),
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

/// A handle of a background search, running or ended. Dropping it ends the search.
pub struct Search(Arc<Job>);

impl Search {
    /// Sets the deadline of the search.
    pub fn end_at(&self, moment: Instant) {
        let left = moment.saturating_duration_since(self.0.origin);
        self.0.deadline.store(left.as_micros() as u64, Relaxed);
    }

    /// Whether the search has ended, by itself or at its deadline.
    pub fn is_over(&self) -> bool {
        self.0.over.load(Acquire)
    }

    /// Whether the search has ended by itself, with nothing left to find.
    pub fn is_settled(&self) -> bool {
        self.0.settled.load(Acquire)
    }

    /// The best answer so far. Never blocks.
    pub fn answer(&self) -> Answer {
        self.0.answer.load(&self.0.position)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Two groups of search threads over one transposition table: one for the own turns, one for
/// pondering. Each group searches one position at a time.
pub struct Thinker {
    answering: SearchThreads,
    /// Threads of the lowest priority; `None` without pondering.
    pondering: Option<SearchThreads>,
    /// Whether the threads leave the processor of the first place (see [`leave_the_first_place`]).
    makes_room: Arc<AtomicBool>,
}

impl Thinker {
    /// Starts search threads over a transposition table of `hash_bytes` bytes, and as many again
    /// for pondering if `ponder`. `finished` is called from a search thread whenever a search has
    /// ended. Returns when all memory has been touched, so that no page faults fall into a turn.
    pub fn new(
        threads: usize,
        hash_bytes: usize,
        ponder: bool,
        evaluation: Evaluation,
        finished: impl Fn() + Clone + Send + 'static,
    ) -> Thinker {
        let table = Arc::new(TranspositionTable::new(hash_bytes));
        table.touch();
        let makes_room = Arc::new(AtomicBool::new(false));
        let start = |low_priority| {
            SearchThreads::new(threads, low_priority, evaluation, &table, &makes_room, &finished)
        };
        let (answering, pondering) = (start(false), ponder.then(|| start(true)));
        Thinker { answering, pondering, makes_room }
    }

    /// Lets the threads leave a processor to those that talk to the monitor, from their next search
    /// on.
    pub fn make_room(&self) {
        self.makes_room.store(true, Relaxed);
    }

    /// Starts a search of an unfinished position. The `known` answer stands until a deeper one is
    /// found.
    pub fn answer(&mut self, position: &Position, known: Option<Answer>) -> Search {
        self.answering.search(position, known)
    }

    /// Starts a pondering search of an unfinished position; `None` if pondering is off.
    pub fn ponder(&mut self, position: &Position) -> Option<Search> {
        self.pondering.as_mut().map(|threads| threads.search(position, None))
    }
}

struct SearchThreads {
    /// The searches, the newest last. The owner drops searches from the front once no thread refers
    /// to them.
    jobs: VecDeque<Arc<Job>>,
    threads: Vec<Thread>,
    dismissed: Arc<AtomicBool>,
}

impl SearchThreads {
    fn new(
        count: usize,
        low_priority: bool,
        evaluation: Evaluation,
        table: &Arc<TranspositionTable>,
        makes_room: &Arc<AtomicBool>,
        finished: &(impl Fn() + Clone + Send + 'static),
    ) -> SearchThreads {
        let start = Position::initial();
        let first = Job::new(&start, &one_ply_move(&start));
        first.end();
        let dismissed = Arc::new(AtomicBool::new(false));
        let (ready, all_ready) = channel();
        let start = |number| {
            let mut searcher = Searcher::with_table(evaluation, Mode::Selective, table.clone());
            let (ready, finished) = (ready.clone(), finished.clone());
            let (mut job, dismissed, makes_room) =
                (first.clone(), dismissed.clone(), makes_room.clone());
            let thread = thread::spawn(move || {
                // A shallow search touches the searcher's memory and the program's code pages.
                let warm_up = Limits { depth: 6, ..Limits::default() };
                searcher.run(&job.position, warm_up, &mut ());
                drop(ready);
                if low_priority {
                    be_modest();
                }
                while let Some(next) = newest_after(&job, &dismissed) {
                    job = next;
                    if makes_room.load(Relaxed) {
                        leave_the_first_place();
                    }
                    run_job(&mut searcher, evaluation, &job, number == 0, &finished);
                }
            });
            thread.thread().clone()
        };
        let threads = (0..count).map(start).collect();
        drop(ready);
        // Blocks until the last thread has dropped its sender.
        let _: Result<(), _> = all_ready.recv();
        SearchThreads { jobs: VecDeque::from([first]), threads, dismissed }
    }

    fn search(&mut self, position: &Position, known: Option<Answer>) -> Search {
        let job = Job::new(position, &known.unwrap_or_else(|| one_ply_move(position)));
        let last = self.jobs.back().expect("there is always one");
        let set = last.next.set(job.clone());
        debug_assert!(set.is_ok(), "only the owner continues the list");
        self.jobs.push_back(job.clone());
        self.threads.iter().for_each(Thread::unpark);
        // A count of 1 is this list's own reference: no thread or handle has another.
        while self.jobs.len() > 1 && Arc::strong_count(&self.jobs[0]) == 1 {
            self.jobs.pop_front();
        }
        Search(job)
    }
}

impl Drop for SearchThreads {
    fn drop(&mut self) {
        self.jobs.iter().for_each(|job| job.end());
        self.dismissed.store(true, Relaxed);
        self.threads.iter().for_each(Thread::unpark);
    }
}

/// Waits for a search after `job` and returns the newest one; `None` once the group is dismissed.
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

/// Runs one thread's part of a search. The leading thread has the answer, and asks the endgame
/// tables first. The others only fill the transposition table, and stop when it does.
fn run_job(
    searcher: &mut Searcher<Position, Evaluation>,
    evaluation: Evaluation,
    job: &Job,
    leads: bool,
    finished: &impl Fn(),
) {
    if job.must_end() {
        return;
    }
    if let Some(answer) = leads.then(|| known_win(job, evaluation)).flatten() {
        job.answer.store(&job.position, &answer);
    } else {
        let found = searcher.run(&job.position, Limits::default(), &mut JobObserver { job, leads });
        if let Some(report) = found.filter(|_| leads) {
            publish(job, &report);
        }
    }
    if leads {
        if !job.must_end() {
            job.settled.store(true, Release);
            job.end();
        }
        job.over.store(true, Release);
        finished();
    }
}

fn known_win(job: &Job, evaluation: Evaluation) -> Option<Answer> {
    let advice = advise(&job.position, evaluation.endings?);
    let Advice::Move(mv, _) = advice else { return None };
    Some(Answer { mv, reply: None, score: evaluation.evaluate(&job.position), depth: 0, nodes: 0 })
}

/// Stops one thread's search at the job's deadline, and publishes each completed depth.
struct JobObserver<'a> {
    job: &'a Job,
    leads: bool,
}

impl Observer<Move> for JobObserver<'_> {
    fn iteration(&mut self, report: &Report<Move>) {
        if self.leads {
            publish(self.job, report);
        }
    }

    fn wants_stop(&mut self) -> bool {
        self.job.must_end()
    }
}

/// Publishes the leading thread's report as the answer, unless it completed no depth or the known
/// answer is deeper.
fn publish(job: &Job, report: &Report<Move>) {
    if report.depth == 0 || report.depth < job.answer.merit.load(Relaxed) as u32 {
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

/// The best move of an unfinished position by a one-ply search.
pub fn one_ply_move(position: &Position) -> Answer {
    let found = greedy(position, |after| Evaluation::default().evaluate(after));
    let mv = found.best.expect("a position that is not finished has a move");
    Answer { mv, reply: None, score: found.value, depth: 0, nodes: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Protocol;

    #[test]
    fn a_search_of_several_threads_that_has_proven_a_win_says_so_once_it_is_over() {
        let task = include_str!("../../../../inputs/foxgame/few-sheep.txt");
        let position = Position::read_task(task, engine::OneRuleSet).unwrap().position;
        let (sender, finished) = channel();
        let mut thinker = Thinker::new(3, 1 << 20, false, Evaluation::default(), move || {
            let _ = sender.send(());
        });
        let search = thinker.answer(&position, None);
        finished.recv().unwrap();
        let answer = search.answer();
        assert!(search.is_over() && search.is_settled() && position.is_legal(answer.mv));
        assert!(engine::score::distance_to_end(answer.score).is_some(), "{answer:?}");
    }
}
