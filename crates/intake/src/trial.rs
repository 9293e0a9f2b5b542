//! A trial of a built program: one command on the cases of a homework, or for the first turn of a
//! game. Trials of the same program by several interpreters and with several forms of arguments are
//! compared by what they get right.

use super::first_runs::{FirstFault, FirstRun};
use anyhow::{Context, Result};
use arena::plain;
use arena::player::exit::Program;
use arena::result::Termination;
use homework::{CaseResult, Homework};
use std::time::Duration;

/// The CPU time of a case.
const CLOCK: Duration = Duration::from_secs(30);
/// The CPU seconds of all cases of a trial, after which the remaining ones are left out.
const MOST_CPU: f64 = 60.0;

/// The result of a trial.
#[derive(Default)]
pub(crate) struct Trial {
    /// The cases that were run; a first turn is one case.
    pub run: usize,
    /// The cases with the right answer; a legal move is one.
    pub right: usize,
    /// The cases with an answer, right or wrong.
    pub answered: usize,
    /// The first difference from the expected files, where the first case has an answer.
    pub remark: Option<String>,
    /// Why there is no answer to the first case.
    pub fault: Option<FirstFault>,
    /// What the program said where it failed first.
    pub said: String,
}

impl Trial {
    pub(crate) fn of_turn(fault: Option<FirstFault>) -> Trial {
        let right = usize::from(fault.is_none());
        let none = |fault: &FirstFault| {
            [Termination::Crash, Termination::NoOutput].contains(&fault.termination)
        };
        let answered = usize::from(!fault.as_ref().is_some_and(none));
        let said = fault.as_ref().map(|fault| fault.stderr.clone()).unwrap_or_default();
        Trial { run: 1, right, answered, remark: None, fault, said }
    }

    /// Returns what trials are compared by, if there are this many more cases that may all be
    /// right.
    fn rank(&self, more: usize) -> (usize, usize) {
        (self.right + more, self.answered + more)
    }

    /// Returns whether the program got more right than in another trial, or as much and answered
    /// more.
    pub(crate) fn is_better_than(&self, other: &Trial) -> bool {
        self.rank(0) > other.rank(0)
    }

    /// Returns the first failure in words; empty if there is none.
    pub(crate) fn why(&self) -> &str {
        self.fault
            .as_ref()
            .map(|fault| &fault.why)
            .or(self.remark.as_ref())
            .map_or("", String::as_str)
    }

    /// Returns whether all was right.
    pub(crate) fn is_perfect(&self) -> bool {
        self.right == self.run
    }
}

impl Trial {
    /// Runs a program on the first `most` cases. A trial ends where it cannot become better than
    /// `best` any more.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(crate) fn of_cases(
        run: &FirstRun,
        homework: &Homework,
        most: usize,
        best: Option<&Trial>,
    ) -> Result<Trial> {
        let spec = run.keys().engine(run.game)?;
        let program = Program::of(&spec.kind).context("a submission is a program of its own")?;
        let (mut trial, mut cpu) = (Trial::default(), 0.0);
        for case in homework.cases.iter().take(most) {
            let mut result = homework.run(case, &program, run.bounds, CLOCK)?;
            let unjudged = result.unjudged.take().map(|why| format!("the checker: {why}"));
            result.wrong = result.wrong.or(unjudged);
            cpu += result.cpu;
            let used_up = result.used_up || cpu > MOST_CPU;
            trial.add(result);
            let more = most - trial.run;
            if used_up || best.is_some_and(|best| trial.rank(more) <= best.rank(0)) {
                break;
            }
        }
        Ok(trial)
    }

    /// Counts a case, and keeps the first failure.
    fn add(&mut self, result: CaseResult) {
        let is_first = self.run == 0;
        self.run += 1;
        self.right += usize::from(result.wrong.is_none());
        self.answered += usize::from(!result.unanswered);
        let Some(wrong) = result.wrong.filter(|_| self.right + 1 == self.run) else { return };
        let which = if is_first { "first case, " } else { "case " };
        let line = format!("{which}{}: {}", result.name, plain::shown(&wrong));
        self.said.clone_from(&result.said);
        if result.unanswered && is_first {
            let termination =
                if result.fault.is_some() { Termination::Crash } else { Termination::NoOutput };
            self.fault =
                Some(FirstFault { termination, why: line, advice: None, stderr: result.said });
        } else {
            self.remark = Some(line);
        }
    }
}
