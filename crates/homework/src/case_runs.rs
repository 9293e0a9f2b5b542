//! The one loop over the cases of a homework, for every command that runs a program on them.

use crate::case::{Case, CaseResult};
use crate::homework::Homework;
use anyhow::{Context, Result};
use arena::player::exit::Program;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// CPU seconds for a case that names none.
pub const CASE_TIME: f64 = 30.0;

/// After so many cases in a row that use up their time the others are not run. Crashes and missing
/// files do not count: a homework may be handed in with some of its tasks alone.
const IN_A_ROW: usize = 3;

/// How a program is run on cases.
pub struct CaseTerms<'a> {
    /// The limits of the program.
    pub bounds: &'a Bounds,
    /// CPU seconds for cases that name none.
    pub seconds: f64,
    /// Whether some cases in a row that use up their time are enough.
    pub stops_early: bool,
    /// Whether the user has interrupted the command.
    pub interrupted: fn() -> bool,
}

/// The results of a program on the cases of a homework.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct CaseRuns {
    /// The results of the cases that were run, in their order.
    pub results: Vec<CaseResult>,
    /// Wall seconds that passed, with those of the checker.
    #[serde(skip)]
    pub wall: f64,
    /// Why the other cases were not run.
    pub stopped: Option<String>,
    /// Whether the user has interrupted the command before all cases were run.
    #[serde(skip)]
    pub is_interrupted: bool,
    /// What the checker failed by.
    #[serde(skip)]
    pub unjudged: Option<String>,
}

impl Homework {
    /// Runs a program on cases, up to one at which the checker fails, or after which `goes_on`,
    /// which is told each result as the last one, returns false. Errors: the program is none that
    /// can be started, the machine fails, or a file of a case cannot be read.
    pub fn run_cases<'c>(
        &self,
        cases: impl Iterator<Item = &'c Case>,
        spec: &EngineSpec,
        terms: &CaseTerms,
        mut goes_on: impl FnMut(&Case, &CaseRuns) -> Result<bool>,
    ) -> Result<CaseRuns> {
        let program = Program::of(&spec.kind).with_context(|| {
            format!("{}: expected a program (cmd= or engine=), found a reference player", spec.name)
        })?;
        let clock = Duration::from_secs_f64(terms.seconds);
        let (mut runs, mut slow, mut cpu) = (CaseRuns::default(), 0, 0.0);
        let begun = Instant::now();
        for case in cases {
            runs.is_interrupted = (terms.interrupted)();
            if runs.is_interrupted || runs.unjudged.is_some() {
                break;
            }
            if let Some(most) = self.time_of_all.filter(|most| cpu > *most) {
                runs.stopped = Some(format!("all cases together have {most} s of CPU"));
                break;
            }
            if terms.stops_early && slow == IN_A_ROW {
                runs.stopped = Some(format!("{IN_A_ROW} cases in a row that used up their time"));
                break;
            }
            let result = self.run(case, &program, terms.bounds, clock)?;
            slow = if result.used_up { slow + 1 } else { 0 };
            cpu += result.cpu;
            let failed = result.unjudged.as_ref();
            runs.unjudged = failed.map(|why| format!("case {}: the checker: {why}", case.name));
            runs.results.push(result);
            // Of what secret cases take, a part of a second would tell more.
            runs.wall = (10.0 * begun.elapsed().as_secs_f64()).ceil() / 10.0;
            if !goes_on(case, &runs)? {
                break;
            }
        }
        Ok(runs)
    }
}

impl CaseRuns {
    /// The number of cases whose answer is right.
    pub fn right(&self) -> usize {
        self.results.iter().filter(|case| case.wrong.is_none() && case.unjudged.is_none()).count()
    }

    /// What the teacher alone is told, a line for each case.
    pub fn for_teacher(&self, homework: &Homework) -> Vec<String> {
        let told = homework.cases.iter().zip(&self.results);
        let told = told.map(|(case, result)| homework.told(case, result));
        let told = told.filter(|case| !case.for_teacher.is_empty());
        told.map(|case| format!("case {}: {}", case.name, case.for_teacher)).collect()
    }
}
