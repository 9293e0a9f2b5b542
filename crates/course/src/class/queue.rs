//! The queue of all tests. A worker gets the next test of the first submission without a running
//! test: so submissions finish one after the other, and a crash is known before the next test of
//! its submission begins.

use crate::grade::result::{FinishedTest, TestOutcome};
use arena::result::Termination;
use clock::lock;
use homework::CaseRuns;
use std::sync::Mutex;

impl FinishedTest {
    /// Returns whether the player on this side crashed, stalled, or lost on time before its first
    /// move: a player that has moved is slow, but not hopeless.
    fn is_crash(&self, side: usize) -> bool {
        let TestOutcome::Over(end) = &self.outcome else { return true };
        let counts = match end.termination {
            Termination::Crash | Termination::Stall => true,
            Termination::TimeForfeit => end.plies < 2,
            _ => false,
        };
        counts && end.fault.as_ref().is_some_and(|fault| fault.player == side)
    }
}

/// After this many crashes, stalls or time forfeits in a row the other tests are not played.
pub(crate) const MAX_CRASHES: usize = 3;

struct SubmissionTests {
    done: Vec<Option<FinishedTest>>,
    begun: Vec<bool>,
    running: usize,
}

struct QueueState {
    students: Vec<SubmissionTests>,
    /// The player's side in each test; `None` if a crash there says nothing of other tests.
    sides: Vec<Option<usize>>,
    stops: bool,
    first: usize,
}

pub(crate) struct Queue(Mutex<QueueState>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TestIndex {
    pub student: usize,
    pub test: usize,
}

impl Queue {
    pub(crate) fn new(
        done: Vec<Vec<Option<FinishedTest>>>,
        sides: Vec<Option<usize>>,
        stops: bool,
    ) -> Queue {
        let tests = |done: Vec<Option<FinishedTest>>| SubmissionTests {
            begun: done.iter().map(Option::is_some).collect(),
            done,
            running: 0,
        };
        Queue(Mutex::new(QueueState {
            students: done.into_iter().map(tests).collect(),
            sides,
            stops,
            first: 0,
        }))
    }

    /// Returns the next test to play; none if all have begun.
    pub(crate) fn next(&self) -> Option<TestIndex> {
        let mut state = lock(&self.0);
        while state.first < state.students.len()
            && state.open(state.first).is_none()
            && state.students[state.first].running == 0
        {
            state.first += 1;
        }
        let open = |student: usize| state.open(student).map(|test| TestIndex { student, test });
        let places = state.first..state.students.len();
        let idle =
            places.clone().filter(|&student| state.students[student].running == 0).find_map(open);
        let turn = idle.or_else(|| places.into_iter().find_map(open))?;
        let tests = &mut state.students[turn.student];
        tests.begun[turn.test] = true;
        tests.running += 1;
        Some(turn)
    }

    /// Stores a finished test. Returns whether its submission is complete.
    pub(crate) fn put(&self, turn: TestIndex, done: FinishedTest) -> bool {
        let mut state = lock(&self.0);
        let tests = &mut state.students[turn.student];
        tests.done[turn.test] = Some(done);
        tests.running -= 1;
        tests.running == 0 && state.is_complete(turn.student)
    }

    /// Leaves all tests of a submission that have not begun for a later run.
    pub(crate) fn hold(&self, student: usize) {
        lock(&self.0).students[student].begun.fill(true);
    }

    /// Leaves a test without a result: its submission stays incomplete in this run.
    pub(crate) fn leave(&self, turn: TestIndex) {
        lock(&self.0).students[turn.student].running -= 1;
    }

    pub(crate) fn is_complete(&self, student: usize) -> bool {
        lock(&self.0).is_complete(student)
    }

    /// Returns a submission's tests, and how many of the first ones count.
    pub(crate) fn results(&self, student: usize) -> (Vec<Option<FinishedTest>>, usize) {
        let state = lock(&self.0);
        (state.students[student].done.clone(), state.counting(student))
    }

    /// Returns the results of a submission whose one test is a homework.
    pub(crate) fn runs(&self, student: usize) -> CaseRuns {
        match &lock(&self.0).students[student].done[..] {
            [Some(FinishedTest { cases: Some(runs), .. })] => CaseRuns::clone(runs),
            [Some(FinishedTest { outcome: TestOutcome::Unplayed { reason, .. }, .. })] => {
                CaseRuns { stopped: Some(reason.clone()), ..CaseRuns::default() }
            }
            _ => CaseRuns::default(),
        }
    }

    /// The number of tests that are finished or left out.
    pub(crate) fn finished(&self) -> usize {
        let state = lock(&self.0);
        let waiting = |student: usize| {
            let done = &state.students[student].done[..state.counting(student)];
            done.iter().filter(|done| done.is_none()).count()
        };
        let students = 0..state.students.len();
        state.sides.len() * students.len() - students.map(waiting).sum::<usize>()
    }
}

impl QueueState {
    /// How many of a submission's tests count: those up to the third crash in a row.
    fn counting(&self, student: usize) -> usize {
        let mut row = 0;
        for (index, done) in self.students[student].done.iter().enumerate() {
            let Some(done) = done else { break };
            let is_crash = self.sides[index].is_some_and(|side| done.is_crash(side));
            row = if is_crash { row + 1 } else { 0 };
            if self.stops && row == MAX_CRASHES {
                return index + 1;
            }
        }
        self.sides.len()
    }

    /// The first test of a submission that has not begun.
    fn open(&self, student: usize) -> Option<usize> {
        let counting = self.counting(student);
        self.students[student].begun[..counting].iter().position(|begun| !begun)
    }

    fn is_complete(&self, student: usize) -> bool {
        self.students[student].done[..self.counting(student)].iter().all(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(crash: bool) -> FinishedTest {
        let over =
            arena::record::End { termination: Termination::DrawByMoveLimit, ..Default::default() };
        let unplayed = FinishedTest::unplayed("lost", String::new());
        let over = TestOutcome::Over(Box::new(over));
        if crash { unplayed } else { FinishedTest { outcome: over, ..unplayed } }
    }

    #[test]
    fn submissions_are_finished_one_by_one_and_share_workers_only_at_the_end() {
        let queue = Queue::new(vec![vec![None; 2]; 2], vec![Some(0); 2], true);
        let turn = |student, test| Some(TestIndex { student, test });
        assert_eq!(
            (queue.next(), queue.next(), queue.next()),
            (turn(0, 0), turn(1, 0), turn(0, 1))
        );
        assert!(!queue.put(TestIndex { student: 0, test: 1 }, done(false)));
        assert!(queue.put(TestIndex { student: 0, test: 0 }, done(false)));
        assert_eq!((queue.next(), queue.next()), (turn(1, 1), None));
        assert_eq!(queue.finished(), 2);
    }

    #[test]
    fn a_time_forfeit_counts_as_a_crash_before_the_first_move() {
        let forfeit = |plies| {
            let mut done = done(false);
            if let TestOutcome::Over(end) = &mut done.outcome {
                (end.termination, end.plies) = (Termination::TimeForfeit, plies);
                end.fault = Some(arena::record::FaultRecord { player: 1, ..Default::default() });
            }
            done
        };
        assert!(forfeit(1).is_crash(1) && !forfeit(1).is_crash(0) && !forfeit(3).is_crash(1));
    }

    #[test]
    fn after_three_crashes_in_a_row_nothing_more_is_played_and_later_results_do_not_count() {
        let crashes = [false, true, true, false, true, true, true, false];
        let results: Vec<_> = crashes.iter().map(|&crash| Some(done(crash))).collect();
        let queue = Queue::new(vec![results.clone()], vec![Some(0); 8], true);
        assert_eq!(queue.results(0).1, 7);
        assert!(queue.is_complete(0) && queue.next().is_none());
        assert_eq!(Queue::new(vec![results], vec![Some(0); 8], false).results(0).1, 8);
        let alone = Queue::new(vec![vec![Some(done(true)); 8]], vec![None; 8], true);
        assert_eq!(alone.results(0).1, 8);
        let begun = Queue::new(
            vec![[vec![Some(done(true)); 2], vec![None; 6]].concat()],
            vec![Some(0); 8],
            true,
        );
        let turn = begun.next().unwrap();
        assert!(begun.put(turn, done(true)));
        assert!(begun.next().is_none());
        assert_eq!(begun.finished(), 8);
    }
}
