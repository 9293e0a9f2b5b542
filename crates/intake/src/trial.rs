//! A trial of a built program: one command on the cases of a homework, or for the first turn of a
//! game.

use super::first_runs::FirstRun;
use anyhow::{Context, Result};
use arena::plain;
use arena::player::exit::Program;
use arena::result::{Fault, Termination};
use homework::{CaseResult, Homework};
use std::time::Duration;

/// The CPU time of a case, and the CPU seconds after which the remaining cases are left out.
const CLOCK: Duration = Duration::from_secs(30);
const MOST_CPU: f64 = 60.0;

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
    pub fault: Option<Fault>,
    /// What the student can do about the fault.
    pub advice: Option<String>,
    /// What the program said where it failed first.
    pub said: String,
}

impl Trial {
    /// The trial of a first turn, in which the program wrote `said` to standard error.
    pub(crate) fn of_turn(fault: Option<Fault>, advice: Option<String>, said: String) -> Trial {
        let right = usize::from(fault.is_none());
        let has_answer = |fault: &Fault| {
            !matches!(fault.termination, Termination::Crash | Termination::NoOutput)
        };
        let answered = usize::from(fault.as_ref().is_none_or(has_answer));
        let fault = fault.map(|Fault { termination, reason }| {
            let why = format!("first move: {}: {}", termination.word(), plain::shown(&reason));
            Fault::new(termination, why)
        });
        Trial { run: 1, right, answered, remark: None, fault, advice, said }
    }

    /// Returns what trials are compared by, if this many more cases may all be right.
    pub(crate) fn rank(&self, more: usize) -> (usize, usize) {
        (self.right + more, self.answered + more)
    }

    pub(crate) fn why(&self) -> &str {
        let reason = self.fault.as_ref().map(|fault| &fault.reason);
        reason.or(self.remark.as_ref()).map_or("", String::as_str)
    }

    pub(crate) fn is_perfect(&self) -> bool {
        self.right == self.run
    }

    /// Runs a program on the first `most` cases. A trial ends where it cannot become better than
    /// `best` any more. Errors: the program cannot be started.
    pub(crate) fn of_cases(
        run: &FirstRun,
        homework: &Homework,
        most: usize,
        best: Option<&Trial>,
    ) -> Result<Trial> {
        let spec = run.keys.clone().engine(run.game)?;
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

    fn add(&mut self, result: CaseResult) {
        let is_first = self.run == 0;
        self.run += 1;
        self.right += usize::from(result.wrong.is_none());
        self.answered += usize::from(!result.unanswered);
        let Some(wrong) = result.wrong.filter(|_| self.right + 1 == self.run) else { return };
        let which = if is_first { "first case, " } else { "case " };
        let line = format!("{which}{}: {}", result.name, plain::shown(&wrong));
        self.said = result.said;
        if result.unanswered && is_first {
            let crashed = result.fault.is_some();
            let how = if crashed { Termination::Crash } else { Termination::NoOutput };
            self.fault = Some(Fault::new(how, line));
        } else {
            self.remark = Some(line);
        }
    }
}
