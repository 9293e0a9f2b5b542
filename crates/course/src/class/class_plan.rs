//! What a class is graded by: the tests of a game's scheme, or a homework, which is one test.

use crate::grade::scheme::plan::{GradingPlan, digest};
use anyhow::Result;
use arena::plain::counted;
use arena::player::blame::{Blame, NoTurn};
use arena::player::spec::EngineSpec;
use arena::record::{Header, VERSION};
use arena::terms::{Bounds, Shape};
use homework::{CaseRuns, CaseTerms, Homework, LateRule};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use terminal::interrupt;

pub(super) enum Assigned<'h> {
    Games(Box<GradingPlan>),
    Homework(HomeworkTest<'h>),
}

pub(super) struct HomeworkTest<'h> {
    pub homework: &'h Homework,
    /// CPU seconds for cases that name none.
    pub seconds: f64,
    pub stops_early: bool,
    /// See [`HomeworkTest::earlier_digest`].
    pub earlier: OnceLock<String>,
}

pub(super) struct ClassPlan<'h> {
    pub assigned: Assigned<'h>,
    pub title: String,
    /// In words.
    pub scheme: String,
    /// Of everything that decides about points but the rule for late submissions.
    pub digest: String,
    /// Of what decides about the results of tests: the points can be counted anew.
    pub games_digest: String,
    pub most: f64,
    pub late: Option<LateRule>,
    pub bounds: Bounds,
}

/// The results of a homework in a record, with the [`ClassPlan::games_digest`] of their run.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordedCases {
    pub digest: String,
    #[serde(flatten)]
    pub runs: CaseRuns,
}

impl<'h> ClassPlan<'h> {
    pub(super) fn of_games(plan: GradingPlan) -> ClassPlan<'h> {
        ClassPlan {
            title: plan.game.title.to_string(),
            scheme: plan.words.clone(),
            digest: plan.digest.clone(),
            games_digest: plan.games_digest.clone(),
            most: plan.most(),
            late: plan.late.clone(),
            bounds: plan.bounds.clone(),
            assigned: Assigned::Games(Box::new(plan)),
        }
    }

    pub(super) fn of_homework(test: HomeworkTest<'h>, bounds: Bounds) -> Result<ClassPlan<'h>> {
        let HomeworkTest { homework, seconds: time, stops_early, .. } = test;
        let Homework { cases, name, .. } = homework;
        let count = cases.len();
        let early = if stops_early { "" } else { " early-stop=no" };
        let [games_digest, digest_of_points] = homework.digests(&format!("{time}{early}"))?;
        Ok(ClassPlan {
            title: homework.title.clone(),
            scheme: match homework.is_plain() {
                true => format!("homework of {count} cases, {time} s of CPU each"),
                false => format!("homework {name}, {count} cases"),
            },
            digest: digest_of_points,
            games_digest,
            most: homework.points(&[]).most,
            late: homework.late.clone(),
            bounds,
            assigned: Assigned::Homework(test),
        })
    }

    pub(super) fn games(&self) -> Option<&GradingPlan> {
        match &self.assigned {
            Assigned::Games(plan) => Some(plan),
            Assigned::Homework(_) => None,
        }
    }

    /// The number of tests of each submission.
    pub(super) fn tests(&self) -> usize {
        self.games().map_or(1, |plan| plan.tests.len())
    }

    pub(super) fn test_name(&self, index: usize) -> &str {
        self.games().map_or("homework", |plan| &plan.tests[index].name)
    }

    /// The side of each test in which a crash counts towards [`super::queue::MAX_CRASHES`].
    pub(super) fn sides(&self) -> Vec<Option<usize>> {
        let Some(plan) = self.games() else { return vec![None] };
        // Who fails in single positions, and counts moves in files, may play all games.
        let may_count = plan.game.may_count_moves();
        let sides = plan.tests.iter();
        sides.map(|test| (!(test.single && may_count)).then(|| test.side.index())).collect()
    }

    pub(super) fn announcement(&self, workers: usize, programs: usize) -> String {
        let (homework, seconds) = match &self.assigned {
            Assigned::Games(plan) => return plan.announcement(workers, programs),
            Assigned::Homework(test) => (test.homework, test.seconds),
        };
        let most = homework.most_time(seconds) * programs as f64;
        format!(
            "{} with {} each, {workers} at a time: {:.0} min if all use all of their time",
            counted(programs, "submission", "submissions"),
            counted(homework.cases.len(), "case", "cases"),
            (most / 60.0 / workers as f64).ceil()
        )
    }

    pub(super) fn header(&self) -> Header {
        match &self.assigned {
            Assigned::Games(plan) => plan.header(),
            Assigned::Homework(HomeworkTest { homework, .. }) => Header {
                version: VERSION,
                game: homework.name.clone(),
                shape: Shape::Gauntlet,
                bounds: self.bounds.clone(),
                ..Header::default()
            },
        }
    }
}

impl HomeworkTest<'_> {
    /// The digest of the homework in records of earlier versions: all its files are read for it,
    /// once.
    pub(super) fn earlier_digest(&self) -> Result<&str> {
        if let Some(known) = self.earlier.get() {
            return Ok(known);
        }
        let contents = self.homework.contents()?;
        let earlier = digest([self.seconds.to_string().into_bytes(), contents].concat());
        Ok(self.earlier.get_or_init(|| earlier))
    }

    /// Runs a program on the cases; `None` if ^C ends the run. Errors: the checker or the machine
    /// fails.
    pub(super) fn run(
        &self,
        player: &EngineSpec,
        bounds: &Bounds,
        tell: &mut dyn FnMut(&CaseRuns) -> Result<()>,
    ) -> Result<Option<CaseRuns>> {
        let HomeworkTest { homework, seconds, stops_early, .. } = *self;
        let terms = CaseTerms { bounds, seconds, stops_early, interrupted: interrupt::asked };
        let runs = homework.run_cases(homework.cases.iter(), player, &terms, |_, runs| {
            tell(runs)?;
            Ok(true)
        })?;
        match &runs.unjudged {
            Some(why) => Err(NoTurn { blame: Blame::Rules, reason: why.clone() }.into()),
            None => Ok((!runs.is_interrupted).then_some(runs)),
        }
    }
}
