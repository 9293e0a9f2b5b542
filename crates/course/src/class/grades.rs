//! The grade of each submission of a class, by what is finished of its tests, its report, and the
//! page of all.

use super::alike;
use super::class_plan::{Assigned, HomeworkTest};
use super::class_run::ClassRun;
use super::csv::GradeLine;
use super::output::{file_stem, line};
use super::page::ClassPage;
use super::queue::{MAX_CRASHES, Queue, TestIndex};
use crate::grade::case_report::CaseReport;
use crate::grade::play_test::{count_together, graded_test};
use crate::grade::report::{ReportFormat, write};
use crate::grade::result::{FinishedTest, Grade, LEFT_OUT, UNFINISHED};
use crate::grade::scheme::plan::GradingPlan;
use anyhow::Result;
use arena::record::Record;
use homework::CaseRuns;

impl ClassRun<'_> {
    pub(super) fn write_page(&self, grades: Vec<Grade>) -> Result<()> {
        let Some(path) = &self.options.page else { return Ok(()) };
        let stems = self.students.iter().map(|student| file_stem(&student.name));
        let record = self.plan.games().map(|_| Record::read(&self.record)).transpose()?;
        let alike = alike::section(&self.options.directory, &self.students)?;
        let (title, scheme) = (&*self.plan.title, &*self.plan.scheme);
        ClassPage { path, title, scheme, record: record.as_ref(), alike }
            .write(&stems.zip(grades).collect::<Vec<_>>())
    }

    pub(super) fn finish(&self, queue: &Queue, student: usize) -> Result<GradeLine> {
        let grade = self.grade(queue, student);
        let (name, format) = (&self.students[student].name, self.options.report);
        let line = line(name, &grade, &self.plan.scheme, &self.plan.digest);
        let of_cases = match &self.plan.assigned {
            Assigned::Games(_) => None,
            Assigned::Homework(test) => {
                self.case_report(test, student, &queue.runs(student)).plain(format)
            }
        };
        // The platform hides tests itself.
        let is_hiding = format == ReportFormat::Gradescope;
        let told = || if is_hiding { grade } else { grade.without_hidden() };
        let report = of_cases.unwrap_or_else(|| write(&told(), format));
        self.options.write_report(name, &report)?;
        Ok(line)
    }

    pub(super) fn grade(&self, queue: &Queue, place: usize) -> Grade {
        let mut grade = match &self.plan.assigned {
            Assigned::Games(plan) => self.games_grade(plan, queue, place),
            Assigned::Homework(test) => self.case_report(test, place, &queue.runs(place)).grade(),
        };
        if let (Some(rule), Some(lateness)) = (&self.plan.late, self.students[place].lateness) {
            grade.take_off(rule.cut(lateness, grade.points().0));
        }
        if let Assigned::Games(plan) = &self.plan.assigned {
            grade.note_machine_and_games(plan.game);
        }
        grade
    }

    pub(super) fn case_report<'a>(
        &'a self,
        HomeworkTest { homework, .. }: &'a HomeworkTest<'_>,
        place: usize,
        run: &'a CaseRuns,
    ) -> CaseReport<'a> {
        let student = &self.students[place];
        let (agent, layers, notes) = (&student.name, self.layers.as_deref(), &student.notes[..]);
        CaseReport { homework, run, agent, layers, notes, not_run: student.not_run() }
    }

    fn games_grade(&self, plan: &GradingPlan, queue: &Queue, place: usize) -> Grade {
        let student = &self.students[place];
        let (done, counting) = queue.results(place);
        let mut tests = Vec::new();
        let sandbox_layers = done.iter().flatten().find_map(|done| done.sandbox_layers.clone());
        if student.not_run().is_none() {
            for (index, (test, done)) in plan.tests.iter().zip(done).enumerate() {
                let game = self.game_number(TestIndex { student: place, test: index });
                let done = if index >= counting {
                    let reason = format!(
                        "left out after {MAX_CRASHES} crashes, stalls or time forfeits in a row, up to test {counting}"
                    );
                    FinishedTest::unplayed(LEFT_OUT, reason)
                } else {
                    let reason = "the time was over before this test".to_string();
                    done.unwrap_or_else(|| FinishedTest::unplayed(UNFINISHED, reason))
                };
                tests.push(graded_test(plan, test, game, done));
            }
            count_together(plan, &mut tests);
        }
        Grade {
            title: plan.game.title.to_string(),
            agent: student.name.clone(),
            sandbox_layers,
            // The sum of nothing is -0.
            wall: tests.iter().map(|test| test.done.wall).sum::<f64>() + 0.0,
            tests,
            most: plan.most(),
            bonus: self.bonuses.get().and_then(|bonuses| bonuses[place].clone()),
            late: None,
            not_run: student.not_run().cloned(),
            notes: student.notes.clone(),
        }
    }
}
