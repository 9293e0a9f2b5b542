//! The attempts to run a submission's program: by several interpreters or compilers, and with
//! several forms of arguments. The one that gets most right on the same cases is kept, and the
//! submission says which one and why.

use super::build::{Failure, last_lines_of};
use super::build_plan::BuildPlan;
use super::python_syntax::SyntaxError;
use super::trial::Trial;
use crate::submission::{State, Submission};
use arena::result::Termination;

/// A built program and the trial of one command that starts it.
pub(crate) struct Attempt<'p> {
    /// The plan that built it.
    pub plan: &'p BuildPlan<'p>,
    /// The submission with this program.
    pub submission: Submission,
    /// The command, with its arguments.
    pub command: String,
    /// The arguments that the intake has added.
    pub arguments: String,
    /// Whether the sources read arguments, and there are some; or neither.
    pub fits: bool,
    pub trial: Trial,
    /// The error that the interpreter finds in the sources before it runs them, if nothing was
    /// answered.
    pub syntax_error: Option<SyntaxError>,
}

/// All attempts of a submission, in their order.
#[derive(Default)]
pub(crate) struct Attempts<'p> {
    pub list: Vec<Attempt<'p>>,
    /// The index of the best one.
    pub best: usize,
}

impl<'p> Attempts<'p> {
    pub(crate) fn add(&mut self, attempt: Attempt<'p>) {
        if self.best().is_some_and(|best| attempt.is_better_than(best)) {
            self.best = self.list.len();
        }
        self.list.push(attempt);
    }

    pub(crate) fn best(&self) -> Option<&Attempt<'p>> {
        self.list.get(self.best)
    }

    /// Returns whether a plan has its turn after these attempts. Interpreters have it after any
    /// failure, compilers after a crash, and a plan in the same language where an attempt has shown
    /// the plan's sign.
    pub(crate) fn are_followed_by(&self, plan: &BuildPlan) -> bool {
        let Some(best) = self.best() else { return true };
        let same: Vec<&Attempt> = self
            .list
            .iter()
            .filter(|attempt| attempt.plan.language.name == plan.language.name)
            .collect();
        let is_turn = match plan.retry_sign {
            Some(sign) => {
                same.iter().any(|attempt| attempt.trial.said.to_lowercase().contains(sign))
            }
            None => same.is_empty() && (plan.language.build.is_none() || best.has_crashed()),
        };
        is_turn && !best.trial.is_perfect()
    }

    /// Returns the best attempt, whose submission says how it went; `None` without an attempt.
    pub(crate) fn into_best(self) -> Option<Attempt<'p>> {
        let tried: Vec<String> = self.list.iter().map(Attempt::shown).collect();
        let (first, best) = (self.list.first()?, self.best()?);
        let mut mended = Vec::new();
        if !best.arguments.is_empty() {
            mended.push(format!("it is started with {}", best.arguments));
        }
        let (before, name) = (&first.plan.language.name, &best.plan.language.name);
        if before != name {
            let of_first = self.list.iter().filter(|attempt| attempt.plan.language.name == *before);
            let failed = of_first
                .reduce(|one, other| if other.is_better_than(one) { other } else { one })?;
            let how = if failed.has_crashed() { "crashes" } else { "fails" };
            let why = match &failed.syntax_error {
                Some(error) if best.syntax_error.is_none() => {
                    format!("{} cannot be parsed", error.shown())
                }
                _ => failed.trial.why().to_string(),
            };
            mended.push(format!(
                "{} {how} as {before} ({why}): run as {name}",
                failed.plan.main.display()
            ));
        }
        let tried = (tried.len() > 1).then(|| format!("tried: {}", tried.join("; ")));
        let is_first = self.best == 0;
        let mut best = self.list.into_iter().nth(self.best)?;
        let submission = &mut best.submission;
        match is_first {
            true => submission.remarks.extend(tried),
            false => mended.extend(tried),
        }
        submission.mended.extend(mended);
        if submission.command.is_some() {
            submission.state =
                if submission.mended.is_empty() { State::Ready } else { State::Mended };
        }
        submission.remarks.extend(best.trial.remark.clone());
        if let Some(fault) = &best.trial.fault {
            submission.state = State::DoesNotPlay;
            submission.needs = Some(fault.why.clone());
            submission.remarks.extend(fault.advice.clone());
            submission.last_words = last_lines_of(&fault.stderr);
        }
        Some(best)
    }
}

impl Attempt<'_> {
    /// Returns whether this attempt is kept rather than another one: by what it got right, and
    /// among equals one that the sources are written for, whose failure says more.
    fn is_better_than(&self, other: &Attempt) -> bool {
        let suits = |one: &Attempt| (one.syntax_error.is_none(), one.fits);
        let is_equal =
            !self.trial.is_better_than(&other.trial) && !other.trial.is_better_than(&self.trial);
        self.trial.is_better_than(&other.trial) || is_equal && suits(self) > suits(other)
    }

    /// Returns whether the program crashed in its first case.
    fn has_crashed(&self) -> bool {
        self.trial.fault.as_ref().is_some_and(|fault| fault.termination == Termination::Crash)
    }

    /// Returns the command and what it got right.
    fn shown(&self) -> String {
        let Trial { run, right, fault, .. } = &self.trial;
        let how = match fault {
            Some(fault) if *run == 1 => fault.termination.word().to_string(),
            _ => format!("{right} of {run} right"),
        };
        format!("`{}`: {how}", self.command)
    }

    /// Returns the submission, with the interpreters that could not be tried.
    pub(crate) fn with_remedies(self, failures: &[(&BuildPlan, Failure)]) -> Submission {
        // In several cases wrong answers may be those of another version.
        let fails = self.trial.run > 1 && !self.trial.is_perfect();
        let may_be_other = self.has_crashed() || fails;
        let Attempt { mut submission, syntax_error, .. } = self;
        // What is wrong in both versions is a slip.
        let is_slip = syntax_error.as_ref().is_some_and(|error| error.of_python_2().is_none());
        let fact = syntax_error
            .and_then(|error| Some(format!("{} has {}", error.shown(), error.of_python_2()?)));
        for (plan, failure) in
            failures.iter().filter(|(plan, _)| plan.language.after == submission.language)
        {
            let (name, why) = (&plan.language.name, &failure.why);
            if let (Some(fact), Some(needs)) = (&fact, &mut submission.needs) {
                *needs = format!("it is written in {name} ({fact}): {why}; {needs}");
            } else if may_be_other && !is_slip {
                submission.remarks.push(format!("it was not tried as {name}: {why}"));
            }
        }
        submission
    }
}
