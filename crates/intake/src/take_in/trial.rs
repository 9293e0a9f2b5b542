//! A trial of a built program: one command on the cases of a homework, or for the first turn of a
//! game.

use arena::plain;
use arena::result::{Fault, Termination};
use homework::CaseResult;

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
    /// Whether students may not see what it said, since the case is secret.
    pub hides_said: bool,
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
            let why = format!(
                "first move: {}: {}",
                termination.word(),
                plain::shown(&reason.to_string())
            );
            Fault::new(termination, why)
        });
        Trial { run: 1, right, answered, remark: None, fault, advice, said, hides_said: false }
    }

    /// Returns what trials are compared by, if this many more cases may all be right.
    pub(crate) fn rank(&self, more: usize) -> (usize, usize) {
        (self.right + more, self.answered + more)
    }

    pub(crate) fn why(&self) -> String {
        let reason = self.fault.as_ref().map(|fault| fault.reason.to_string());
        reason.or(self.remark.clone()).unwrap_or_default()
    }

    pub(crate) fn is_perfect(&self) -> bool {
        self.right == self.run
    }

    /// Adds a result, of which students are told `told`.
    pub(crate) fn add(&mut self, result: CaseResult, told: CaseResult) {
        let is_first = self.run == 0;
        self.run += 1;
        self.right += usize::from(result.wrong.is_none());
        self.answered += usize::from(!result.unanswered);
        let Some(wrong) = told.wrong.filter(|_| self.right + 1 == self.run) else { return };
        let which = if is_first { "first case, " } else { "case " };
        let line = format!("{which}{}: {}", result.name, plain::shown(&wrong));
        self.hides_said = told.said != result.said;
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
