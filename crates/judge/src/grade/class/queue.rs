//! The one queue of all tests of all submissions: a worker gets the next test of the first submission that has none
//! running, so that submissions are finished one after the other and what one crash says is known before its next test.

use super::super::result::Outcome;
use arena::result::Termination;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A test that came out, in this run or in one before.
#[derive(Clone)]
pub(crate) struct Done {
    /// How.
    pub outcome: Outcome,
    /// Wall seconds.
    pub wall: f64,
    /// What an analysis says of it.
    pub analysis: Option<String>,
    /// The walls that stood around the player.
    pub walls: Option<String>,
}

impl Done {
    /// Whether it ended in a crash or in a stall of the player whose side has this index.
    fn is_crash(&self, side: usize) -> bool {
        match &self.outcome {
            Outcome::Over(end) => {
                matches!(end.termination, Termination::Crash | Termination::Stall)
                    && end.fault.as_ref().is_some_and(|fault| fault.player == side)
            }
            Outcome::Unplayed { .. } => true,
        }
    }
}

/// Stalls or crashes in a row after which the rest of a submission's tests is not played.
pub(crate) const IN_A_ROW: usize = 3;

/// One submission's tests.
struct Tests {
    done: Vec<Option<Done>>,
    begun: Vec<bool>,
    running: usize,
}

/// The tests of all submissions.
struct Board {
    students: Vec<Tests>,
    /// The side of the player in each test.
    sides: Vec<usize>,
    /// Whether tests are left out after crashes.
    stops: bool,
    /// All before are done with.
    first: usize,
}

/// The queue, which workers take tests from and put results into.
pub(crate) struct Queue(Mutex<Board>);

/// A test of a submission, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The place of the submission.
    pub student: usize,
    /// The place of the test.
    pub test: usize,
}

impl Queue {
    /// A queue of what is not done yet. `sides` are the player's in each test.
    pub(crate) fn new(done: Vec<Vec<Option<Done>>>, sides: Vec<usize>, stops: bool) -> Queue {
        let tests =
            |done: Vec<Option<Done>>| Tests { begun: done.iter().map(Option::is_some).collect(), done, running: 0 };
        Queue(Mutex::new(Board { students: done.into_iter().map(tests).collect(), sides, stops, first: 0 }))
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next test to be played; none once all are begun.
    pub(crate) fn next(&self) -> Option<Turn> {
        let mut board = self.lock();
        while board.first < board.students.len()
            && board.open(board.first).is_none()
            && board.students[board.first].running == 0
        {
            board.first += 1;
        }
        let open = |student: usize| board.open(student).map(|test| Turn { student, test });
        let places = board.first..board.students.len();
        let idle = places.clone().filter(|&student| board.students[student].running == 0).find_map(open);
        let turn = idle.or_else(|| places.into_iter().find_map(open))?;
        let tests = &mut board.students[turn.student];
        tests.begun[turn.test] = true;
        tests.running += 1;
        Some(turn)
    }

    /// Takes in a test's result. Whether the submission is complete by it.
    pub(crate) fn put(&self, turn: Turn, done: Done) -> bool {
        let mut board = self.lock();
        let tests = &mut board.students[turn.student];
        tests.done[turn.test] = Some(done);
        tests.running -= 1;
        tests.running == 0 && board.is_complete(turn.student)
    }

    /// Whether nothing more is to be played of a submission.
    pub(crate) fn is_complete(&self, student: usize) -> bool {
        self.lock().is_complete(student)
    }

    /// The results of a submission, and the number of its first tests that count: the rest is left out.
    pub(crate) fn results(&self, student: usize) -> (Vec<Option<Done>>, usize) {
        let board = self.lock();
        (board.students[student].done.clone(), board.counting(student))
    }

    /// The number of tests that are done or left out.
    pub(crate) fn finished(&self) -> usize {
        let board = self.lock();
        let of = |student: usize| {
            let counting = board.counting(student);
            board.sides.len() - counting + board.students[student].done[..counting].iter().flatten().count()
        };
        (0..board.students.len()).map(of).sum()
    }
}

impl Board {
    /// The number of a submission's first tests that count, as far as it is known: those up to the third crash in a row.
    fn counting(&self, student: usize) -> usize {
        let mut row = 0;
        for (index, done) in self.students[student].done.iter().enumerate() {
            let Some(done) = done else { break };
            row = if done.is_crash(self.sides[index]) { row + 1 } else { 0 };
            if self.stops && row == IN_A_ROW {
                return index + 1;
            }
        }
        self.sides.len()
    }

    /// The first test of a submission that is to be begun.
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

    fn done(crash: bool) -> Done {
        let over = arena::record::End {
            game: 1,
            players: ["a", "b"].map(String::from),
            winner: None,
            points: None,
            termination: Termination::DrawByMoveLimit,
            reason: String::new(),
            plies: 0,
            cpu: [0.0; 2],
            board: None,
            fault: None,
        };
        let unplayed = Outcome::Unplayed { word: "lost", reason: String::new() };
        let outcome = if crash { unplayed } else { Outcome::Over(Box::new(over)) };
        Done { outcome, wall: 0.0, analysis: None, walls: None }
    }

    #[test]
    fn submissions_are_finished_one_by_one_and_share_workers_only_at_the_end() {
        let queue = Queue::new(vec![vec![None; 2]; 2], vec![0; 2], true);
        let turn = |student, test| Some(Turn { student, test });
        assert_eq!((queue.next(), queue.next(), queue.next()), (turn(0, 0), turn(1, 0), turn(0, 1)));
        assert!(!queue.put(Turn { student: 0, test: 1 }, done(false)));
        assert!(queue.put(Turn { student: 0, test: 0 }, done(false)));
        assert_eq!((queue.next(), queue.next()), (turn(1, 1), None));
        assert_eq!(queue.finished(), 2);
    }

    #[test]
    fn after_three_crashes_in_a_row_nothing_more_is_played_and_later_results_do_not_count() {
        let crashes = [false, true, true, false, true, true, true, false];
        let results: Vec<_> = crashes.iter().map(|&crash| Some(done(crash))).collect();
        let queue = Queue::new(vec![results.clone()], vec![0; 8], true);
        assert_eq!(queue.results(0).1, 7);
        assert!(queue.is_complete(0) && queue.next().is_none());
        assert_eq!(Queue::new(vec![results], vec![0; 8], false).results(0).1, 8);
        let begun = Queue::new(vec![[vec![Some(done(true)); 2], vec![None; 6]].concat()], vec![0; 8], true);
        let turn = begun.next().unwrap();
        assert!(begun.put(turn, done(true)));
        assert!(begun.next().is_none());
        assert_eq!(begun.finished(), 8);
    }
}
