//! The attempts to run a submission's program: by several interpreters or compilers, and with
//! several forms of arguments. The one that gets most right on the same cases is kept.

use crate::build::compile::{Failure, last_lines_of};
use crate::build::python_syntax::SyntaxError;
use crate::find::build_plan::BuildPlan;
use crate::preflight::advice::OTHER_TASK;
use crate::submission::{State, Submission};
use crate::take_in::trial::Trial;
use arena::result::Termination;

pub(crate) struct Attempt<'p> {
    pub plan: &'p BuildPlan<'p>,
    pub submission: Submission,
    pub command: String,
    /// The arguments that the intake has added.
    pub arguments: String,
    /// Whether the sources read arguments, and there are some; or neither.
    pub fits: bool,
    pub trial: Trial,
    /// The error that the interpreter finds before it runs the sources, if nothing was answered.
    pub syntax_error: Option<SyntaxError>,
}

#[derive(Default)]
pub(crate) struct Attempts<'p> {
    pub list: Vec<Attempt<'p>>,
    pub best: usize,
}

impl<'p> Attempts<'p> {
    pub(crate) fn add(&mut self, attempt: Attempt<'p>) {
        let is_better = |best: &Attempt| match attempt.plan.alternative {
            true => attempt.trial.rank(0) > best.trial.rank(0),
            false => attempt.rank() > best.rank(),
        };
        if self.best().is_some_and(is_better) {
            self.best = self.list.len();
        }
        self.list.push(attempt);
    }

    pub(crate) fn best(&self) -> Option<&Attempt<'p>> {
        self.list.get(self.best)
    }

    /// Returns whether a plan has its turn. Interpreters have it after any failure, compilers after
    /// a crash, and a plan in the same language where an attempt has shown the plan's sign.
    pub(crate) fn are_followed_by(&self, plan: &BuildPlan) -> bool {
        let Some(best) = self.best() else { return true };
        let name = &plan.language.name;
        let is_same = |attempt: &&Attempt| {
            let other = attempt.plan;
            let is_source = || other.folder.join(&other.main) == plan.folder.join(&plan.main);
            other.language.name == *name
                && other.alternative == plan.alternative
                && (!plan.alternative || is_source())
        };
        let mut same = self.list.iter().filter(is_same);
        let is_turn = match plan.retry_sign {
            Some(sign) => same.any(|attempt| attempt.trial.said.to_lowercase().contains(sign)),
            None => {
                let may_follow = plan.alternative || plan.language.build.is_none();
                same.next().is_none() && (may_follow || best.has_crashed())
            }
        };
        is_turn && !best.trial.is_perfect()
    }

    /// Returns the best submission, which says how the attempts went and which interpreters could
    /// not be tried, for their `failures`; `None` without an attempt.
    pub(crate) fn into_best(self, failures: &[(&BuildPlan, Failure)]) -> Option<Submission> {
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
                .reduce(|one, other| if other.rank() > one.rank() { other } else { one })?;
            let how = if failed.has_crashed() { "crashes" } else { "fails" };
            let why = match &failed.syntax_error {
                Some(error) if best.syntax_error.is_none() => {
                    format!("{} cannot be parsed", error.shown())
                }
                _ => failed.trial.why(),
            };
            let main = failed.plan.main.display();
            mended.push(format!("{main} {how} as {before} ({why}): run as {name}"));
        }
        let tried = (tried.len() > 1).then(|| format!("tried: {}", tried.join("; ")));
        let mut submission = best.submission.clone();
        let place = if self.best == 0 { &mut submission.remarks } else { &mut mended };
        place.extend(tried);
        submission.mended.extend(mended);
        if submission.command.is_some() {
            submission.state =
                if submission.mended.is_empty() { State::Ready } else { State::Mended };
        }
        submission.remarks.extend(best.trial.remark.clone());
        if let Some(fault) = &best.trial.fault {
            submission.state = State::DoesNotPlay;
            submission.needs = Some(fault.reason.to_string());
            submission.remarks.extend(best.trial.advice.clone());
            if !best.trial.hides_said {
                submission.last_words = last_lines_of(&best.trial.said);
            }
        }
        best.add_remedies(&mut submission, failures);
        if best.trial.run > 1 && best.trial.answered == 0 && !submission.lacks_module() {
            submission.remarks.push(format!("{} cases:{OTHER_TASK}", best.trial.run));
        }
        Some(submission)
    }
}

impl Attempt<'_> {
    /// Returns what attempts are compared by: what they got right, and whether the sources are
    /// written for them, so that a failure says more.
    fn rank(&self) -> ((usize, usize), bool, bool) {
        (self.trial.rank(0), self.syntax_error.is_none(), self.fits)
    }

    fn has_crashed(&self) -> bool {
        self.trial.fault.as_ref().is_some_and(|fault| fault.termination == Termination::Crash)
    }

    fn shown(&self) -> String {
        let Trial { run, right, fault, .. } = &self.trial;
        let how = match fault {
            Some(fault) if *run == 1 => fault.termination.word().to_string(),
            _ => format!("{right} of {run} right"),
        };
        format!("`{}`: {how}", self.command)
    }

    fn add_remedies(&self, submission: &mut Submission, failures: &[(&BuildPlan, Failure)]) {
        // In several cases wrong answers may be those of another version.
        let fails = self.trial.run > 1 && !self.trial.is_perfect();
        let may_be_other = self.has_crashed() || fails;
        let error = self.syntax_error.as_ref();
        let fact = error.and_then(|error| Some((error.shown(), error.of_python_2()?)));
        // What is wrong in both versions is a slip.
        let is_slip = error.is_some() && fact.is_none();
        for (plan, Failure { why, .. }) in failures {
            let name = &plan.language.name;
            if plan.language.after != submission.language {
                continue;
            }
            if let (Some((line, fact)), Some(needs)) = (&fact, &mut submission.needs) {
                *needs = format!("it is written in {name} ({line} has {fact}): {why}; {needs}");
            } else if may_be_other && !is_slip {
                submission.remarks.push(format!("it was not tried as {name}: {why}"));
            }
        }
    }
}
