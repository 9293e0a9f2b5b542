//! The results of a program on the cases of a homework.

use anyhow::{Context, Result};
use arena::player::exit::Program;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use homework::{CaseResult, Homework, number};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use terminal::interrupt;

/// After so many cases in a row that use up their time the others are not run. Crashes and missing
/// files do not count: a homework may be handed in with some of its tasks alone.
const IN_A_ROW: usize = 3;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct CaseRuns {
    pub results: Vec<CaseResult>,
    /// Wall seconds that passed, with those of the checker.
    #[serde(skip)]
    pub wall: f64,
    /// Why the other cases were not run.
    pub stopped: Option<String>,
    #[serde(skip)]
    pub is_interrupted: bool,
    /// What the checker failed by.
    #[serde(skip)]
    pub unjudged: Option<String>,
}

impl CaseRuns {
    /// Runs a program on the cases, up to one at which the checker fails and, if `stops_early`, to
    /// some that use up their time. `seconds` are for cases that name none.
    pub(crate) fn of(
        homework: &Homework,
        spec: &EngineSpec,
        bounds: &Bounds,
        seconds: f64,
        stops_early: bool,
        tell: &mut dyn FnMut(&CaseRuns) -> Result<()>,
    ) -> Result<CaseRuns> {
        let program = Program::of(&spec.kind).with_context(|| {
            format!("{}: expected a program (cmd= or engine=), found a reference player", spec.name)
        })?;
        let clock = Duration::from_secs_f64(seconds);
        let (mut runs, mut slow, mut cpu) = (CaseRuns::default(), 0, 0.0);
        let begun = Instant::now();
        for case in &homework.cases {
            runs.is_interrupted = interrupt::asked();
            if runs.is_interrupted || runs.unjudged.is_some() {
                break;
            }
            if let Some(most) = homework.time_of_all.filter(|most| cpu > *most) {
                runs.stopped = Some(format!("all cases together have {} s of CPU", number(most)));
                break;
            }
            if stops_early && slow == IN_A_ROW {
                runs.stopped = Some(format!("{IN_A_ROW} cases in a row that used up their time"));
                break;
            }
            let result = homework.run(case, &program, bounds, clock)?;
            slow = if result.used_up { slow + 1 } else { 0 };
            cpu += result.cpu;
            let failed = result.unjudged.as_ref();
            runs.unjudged = failed.map(|why| format!("case {}: the checker: {why}", case.name));
            runs.results.push(result);
            // Of what secret cases take, a part of a second would tell more.
            runs.wall = (10.0 * begun.elapsed().as_secs_f64()).ceil() / 10.0;
            tell(&runs)?;
        }
        Ok(runs)
    }

    pub(crate) fn right(&self) -> usize {
        self.results.iter().filter(|case| case.wrong.is_none() && case.unjudged.is_none()).count()
    }

    /// What the teacher alone is told, a line for each case.
    pub(crate) fn for_teacher(&self, homework: &Homework) -> Vec<String> {
        let told = homework.cases.iter().zip(&self.results);
        let told = told.map(|(case, result)| homework.told(case, result));
        let told = told.filter(|case| !case.for_teacher.is_empty());
        told.map(|case| format!("case {}: {}", case.name, case.for_teacher)).collect()
    }
}
