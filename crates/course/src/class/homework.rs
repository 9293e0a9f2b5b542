//! `judge grade-all` with a homework: grades a class by its cases. A
//! finished submission is kept in the CSV file, from which `--resume` continues.

use super::class_options::{ClassOptions, check_csv};
use super::csv::{self, GradeLine};
use super::output::table;
use super::students::Student;
use crate::grade::case_report::CaseReport;
use crate::grade::case_runs::CaseRuns;
use crate::grade::points::number;
use crate::grade::report::ReportFormat;
use crate::grade::result::NotRun;
use anygame::AnyGame;
use anyhow::{Result, bail};
use arena::plain;
use arena::player::sandbox_layers::layers;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::terms::Bounds;
use homework::{CaseResult, Homework, Points};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

/// The terms by which all submissions are graded.
struct HomeworkGrading<'a> {
    options: &'a ClassOptions,
    homework: &'static Homework,
    clock: Duration,
    bounds: Bounds,
    /// The digest of the homework and of the clock.
    digest: String,
}

/// The end of the grading of a submission.
enum Outcome {
    Graded(GradeLine),
    /// The user has interrupted it: it is graded anew.
    Interrupted,
    /// The checker has failed, and why: the submission is graded anew.
    Unjudged(String),
}

/// Grades a class by a homework.
pub(super) fn grade_homework(
    options: &ClassOptions,
    game: &'static AnyGame,
    homework: &'static Homework,
) -> Result<u8> {
    if !(options.case_time > 0.0 && options.case_time < 1e6) {
        bail!("--case-time: expected a positive number of seconds, found {}", options.case_time);
    }
    options.report.of_cases()?;
    options.scheme.refuse_keys_of_games()?;
    if options.record.is_some() || options.pin || options.page.is_some() {
        bail!("--record, --pin, --page: not with a homework");
    }
    let bounds = options.scheme.boxes.bounds()?;
    let digest = format!(
        "{:08x}",
        crc32fast::hash(format!("{}{}", options.case_time, homework.contents()?).as_bytes())
    );
    let finished = check_csv(options)?.map(csv::read).transpose()?.unwrap_or_default();
    let finished: BTreeMap<_, _> =
        finished.into_iter().map(|line| (line.digest.clone(), line)).collect();
    let (grade_book, students) = options.open_class(game, &bounds, false)?;
    let clock = Duration::from_secs_f64(options.case_time);
    let grading = HomeworkGrading { options, homework, clock, bounds, digest };
    options.make_reports()?;
    let (lines, unjudged) = grading.grade_all(&students, &finished)?;
    print(&table(&lines));
    if interrupt::asked() {
        eprintln!("interrupted; the same command with --resume continues it");
        return Ok(interrupt::EXIT_CODE);
    }
    if !unjudged.is_empty() {
        bail!(
            "{} not graded, since the checker failed; nobody has lost points by that:\n  {}\n\
             correct the homework; the same command with --resume goes on",
            plain::counted(unjudged.len(), "submission was", "submissions were"),
            unjudged.join("\n  ")
        );
    }
    options.write_feedback(&students)?;
    let most = homework.points(&[]).most;
    Ok(u8::from(!grade_book.fill(&lines, &students, most)?))
}

impl HomeworkGrading<'_> {
    /// Grades all submissions that are not finished. Returns the lines of the finished ones, in the
    /// order of the class, and the others with what the checker failed by.
    fn grade_all(
        &self,
        students: &[Student],
        finished: &BTreeMap<String, GradeLine>,
    ) -> Result<(Vec<GradeLine>, Vec<String>)> {
        let bar = Progress::of(students.len(), "submissions");
        let mut done: Vec<(u32, GradeLine)> = Vec::new();
        let mut unjudged = Vec::new();
        let worked = work_off(
            students.iter(),
            self.options.scheme.concurrency as usize,
            interrupt::asked,
            |student| {
                let digest = self.digest_of(student);
                let outcome = match finished.get(&digest) {
                    Some(line) if !student.digest.is_empty() => {
                        let submission = student.name.clone();
                        Outcome::Graded(GradeLine { submission, ..line.clone() })
                    }
                    _ => self.grade(student, digest)?,
                };
                Ok((student, outcome))
            },
            |(student, outcome): (&Student, Outcome)| {
                let line = match outcome {
                    Outcome::Graded(line) => line,
                    Outcome::Interrupted => return Ok(Next::GoOn),
                    Outcome::Unjudged(why) => {
                        unjudged.push(format!("{}: {why}", student.name));
                        return Ok(Next::GoOn);
                    }
                };
                let place = student.place;
                bar.done(
                    done.len() + 1,
                    &format!("{}: {} of {}", line.submission, line.points, line.of),
                );
                bar.set(done.len() + 1);
                done.push((place, line));
                done.sort_by_key(|(place, _)| *place);
                self.options.write_csv(done.iter().map(|(_, line)| line))?;
                Ok(Next::GoOn)
            },
        );
        bar.finish();
        worked?;
        Ok((done.into_iter().map(|(_, line)| line).collect(), unjudged))
    }

    /// Returns the digest of a submission with the homework.
    fn digest_of(&self, student: &Student) -> String {
        format!("{}{:08x}{}", self.digest, crc32fast::hash(student.name.as_bytes()), student.digest)
    }

    /// Grades a submission, and writes its report.
    fn grade(&self, student: &Student, digest: String) -> Result<Outcome> {
        let count = self.homework.cases.len();
        let mut run = CaseRuns::default();
        let (lost_by, reason, report);
        match &student.player {
            Err(not_run) => {
                lost_by = format!("not run: {}", first_line(&not_run.why));
                reason = lost_by.clone();
                report = self.report_not_run(student, not_run);
            }
            Ok(spec) => {
                let (bounds, early) = (&self.bounds, !self.options.no_early_stop);
                let silent = &mut |_: &CaseResult| {};
                run = CaseRuns::of(self.homework, spec, bounds, self.clock, early, silent)?;
                if run.is_interrupted {
                    return Ok(Outcome::Interrupted);
                }
                if let Some(why) = run.unjudged {
                    return Ok(Outcome::Unjudged(why));
                }
                let results = &run.results;
                let first = results
                    .iter()
                    .find_map(|case| Some(format!("{}: {}", case.name, case.wrong.as_ref()?)));
                reason = first.unwrap_or_default();
                let wrong = results.iter().filter(|case| case.wrong.is_some()).count();
                let is_partial = |case: &&CaseResult| case.wrong.is_none() && case.score < 1.0;
                let counted = [
                    (wrong, "wrong"),
                    (results.iter().filter(is_partial).count(), "with a part of the points"),
                    (count - results.len(), "not run"),
                ];
                let lost = counted
                    .iter()
                    .filter(|(some, _)| *some > 0)
                    .map(|(some, word)| format!("{some} {word}"));
                lost_by = lost.collect::<Vec<_>>().join(", ");
                report = self.report(student, spec, &run)?;
            }
        }
        self.options.write_report(&student.name, &report)?;
        let cpu = run.results.iter().fold(0.0, |sum, case| sum + case.cpu);
        let Points { points, most, .. } = self.homework.points(&run.results);
        let scheme = match self.homework.is_plain {
            true => {
                format!("homework of {count} cases, {} s of CPU each", self.clock.as_secs_f64())
            }
            false => format!("homework {}, {count} cases", self.homework.name),
        };
        Ok(Outcome::Graded(GradeLine {
            submission: student.name.clone(),
            points: number(points),
            of: number(most),
            cpu: format!("{cpu:.2}"),
            lost_by,
            reason,
            late: String::new(),
            scheme,
            digest,
        }))
    }

    /// Returns the report of a submission.
    fn report(&self, student: &Student, spec: &EngineSpec, run: &CaseRuns) -> Result<String> {
        let layers = layers(&self.bounds)?.to_string();
        let report = CaseReport {
            homework: self.homework,
            run,
            agent: &spec.name,
            layers: Some(&layers),
            notes: &student.notes,
        };
        Ok(if self.options.report == ReportFormat::Json { report.json() } else { report.text() })
    }

    /// Returns the report of a submission that cannot be run.
    fn report_not_run(&self, student: &Student, not_run: &NotRun) -> String {
        let (count, name) = (self.homework.cases.len(), &student.name);
        let NotRun { why, remedy } = not_run;
        if self.options.report == ReportFormat::Json {
            let report = json!({
                "game": self.homework.title, "agent": name, "not_run": why, "remedy": remedy, "right": 0, "count": count,
                "notes": student.notes,
            });
            return format!("{report:#}\n");
        }
        let notes = student.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        format!("{notes}{name}: 0 of {count} cases right\nNot run: {why}\n{remedy}\n")
    }
}

fn first_line(text: &str) -> String {
    plain::shown(text.lines().next().unwrap_or_default())
}
