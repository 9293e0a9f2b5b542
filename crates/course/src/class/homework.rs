//! `judge grade-all` with a homework. `--resume` continues from the results in the record.

use super::class_options::{ClassOptions, check_csv};
use super::csv::GradeLine;
use super::output::{file_stem, table};
use super::page::ClassPage;
use super::students::Student;
use crate::grade::case_report::CaseReport;
use crate::grade::case_runs::CaseRuns;
use crate::grade::points::number;
use crate::grade::report::{ReportFormat, write};
use crate::grade::result::{Grade, NotRun};
use crate::grade::scheme::plan::digest;
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::plain;
use arena::player::sandbox_layers::layers;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::record::Recorder;
use arena::terms::Bounds;
use clock::lock;
use homework::{CaseResult, Homework, Points};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

struct HomeworkGrading<'a> {
    options: &'a ClassOptions,
    homework: &'static Homework,
    clock: Duration,
    bounds: Bounds,
    layers: String,
    /// Of the homework and of the clock.
    digest: String,
    recorder: Mutex<Recorder>,
}

#[derive(Deserialize)]
struct Finished {
    digest: String,
    runs: CaseRuns,
}

enum Outcome {
    /// The line, and the grade if the page needs it.
    Graded(Box<(GradeLine, Option<Grade>)>),
    /// By the user: the submission is graded anew.
    Interrupted,
    /// The checker has failed, and why: the submission is graded anew.
    Unjudged(String),
}

pub(super) fn grade_homework(
    options: &ClassOptions,
    game: &'static AnyGame,
    homework: &'static Homework,
) -> Result<u8> {
    if !(options.case_time > 0.0 && options.case_time < 1e6) {
        bail!("--case-time: expected a positive number of seconds, found {}", options.case_time);
    }
    options.scheme.refuse_keys_of_games()?;
    if options.pin {
        bail!("--pin: not with a homework");
    }
    let (mut bounds, graded_with) = options.scheme.prepare(Some(homework))?;
    let digest = digest(&format!("{}{}", options.case_time, homework.contents()?));
    check_csv(options)?;
    let (grade_book, mut students) = options.open_class(game, &mut bounds, false)?;
    students.iter_mut().for_each(|student| student.notes.extend(graded_with.clone()));
    let beside = options.csv.as_ref().map(|csv| csv.with_extension("jsonl"));
    let record = options.record.clone().or(beside);
    let known = record.as_deref().filter(|path| options.resume && path.exists());
    let finished = known.map(read_finished).transpose()?.unwrap_or_default();
    // `judge merge` joins the records of one homework.
    let header = json!({ "class": { "homework": homework.name } });
    let recorder = match &record {
        Some(path) if known.is_some() => Recorder::resume(path)?,
        Some(path) => Recorder::create(path, &header)?,
        None => Recorder::nowhere(),
    };
    let grading = HomeworkGrading {
        options,
        homework,
        clock: Duration::from_secs_f64(options.case_time),
        layers: layers(&bounds)?.to_string(),
        bounds,
        digest,
        recorder: Mutex::new(recorder),
    };
    options.make_reports()?;
    let (lines, grades, unjudged) = grading.grade_all(&students, &finished)?;
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
    if let Some(path) = &options.page {
        let (title, scheme) = (&homework.title, &grading.scheme());
        ClassPage { path, title, scheme, record: None }.write(&grades)?;
    }
    Ok(u8::from(!grade_book.fill(&lines, &students, homework.points(&[]).most)?))
}

/// Lines; grades by the stems of their files; what the checker failed by.
type Results = (Vec<GradeLine>, Vec<(String, Grade)>, Vec<String>);

impl HomeworkGrading<'_> {
    /// Grades what is not finished, and returns all in the order of the class.
    fn grade_all(
        &self,
        students: &[Student],
        finished: &BTreeMap<String, CaseRuns>,
    ) -> Result<Results> {
        let bar = Progress::of(students.len(), "submissions");
        let mut done: Vec<(u32, GradeLine)> = Vec::new();
        let (mut grades, mut unjudged) = (BTreeMap::new(), Vec::new());
        let worked = work_off(
            students.iter(),
            self.options.scheme.concurrency as usize,
            interrupt::asked,
            |student| {
                let digest = self.digest_of(student);
                let known = finished.get(&digest).filter(|_| !student.digest.is_empty());
                Ok((student, self.grade(student, digest, known)?))
            },
            |(student, outcome): (&Student, Outcome)| {
                let place = student.place;
                let line = match outcome {
                    Outcome::Graded(graded) => {
                        let (line, grade) = *graded;
                        let stem = file_stem(&student.name);
                        grades.extend(grade.map(|grade| (place, (stem, grade))));
                        line
                    }
                    Outcome::Interrupted => return Ok(Next::GoOn),
                    Outcome::Unjudged(why) => {
                        unjudged.push(format!("{}: {why}", student.name));
                        return Ok(Next::GoOn);
                    }
                };
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
        let lines = done.into_iter().map(|(_, line)| line).collect();
        Ok((lines, grades.into_values().collect(), unjudged))
    }

    fn digest_of(&self, student: &Student) -> String {
        format!("{}{}{}", self.digest, digest(&student.name), student.digest)
    }

    /// Grades a submission, unless its results are `known`, and writes its report.
    fn grade(
        &self,
        student: &Student,
        digest: String,
        known: Option<&CaseRuns>,
    ) -> Result<Outcome> {
        let homework = self.homework;
        let fresh = match (&student.player, known) {
            (Err(_), _) | (_, Some(_)) => CaseRuns::default(),
            (Ok(spec), None) => self.run(student, spec)?,
        };
        let not_run = student.player.as_ref().err().filter(|_| known.is_none());
        let run = known.unwrap_or(&fresh);
        if run.is_interrupted {
            return Ok(Outcome::Interrupted);
        }
        if let Some(why) = &run.unjudged {
            return Ok(Outcome::Unjudged(why.clone()));
        }
        if not_run.is_none() && known.is_none() {
            let line = json!({ "submission": student.name, "digest": digest, "runs": run });
            lock(&self.recorder).append(&line)?;
        }
        let report = self.report(student, run);
        let written = match (not_run, self.options.report) {
            (Some(not_run), ReportFormat::Text | ReportFormat::Json) if homework.is_plain => {
                self.plain_report_not_run(student, not_run)
            }
            (Some(not_run), format) => write(&report.grade(Some(not_run.clone())), format),
            (None, format) => report.write(format),
        };
        self.options.write_report(&student.name, &written)?;
        let results = &run.results;
        let (lost_by, reason) = match not_run {
            Some(not_run) => {
                let why = not_run.why.lines().next().unwrap_or_default();
                let words = format!("not run: {}", plain::shown(why));
                (words.clone(), words)
            }
            None => (lost_by(homework, results), first_wrong(results)),
        };
        let Points { points, most, .. } = homework.points(results);
        let line = GradeLine {
            submission: student.name.clone(),
            points: number(points),
            of: number(most),
            cpu: format!("{:.2}", results.iter().fold(0.0, |sum, case| sum + case.cpu)),
            lost_by,
            reason,
            late: String::new(),
            scheme: self.scheme(),
            digest,
        };
        let for_page = self.options.page.as_ref().map(|_| report.grade(not_run.cloned()));
        Ok(Outcome::Graded(Box::new((line, for_page))))
    }

    /// Runs a submission. Its report for Gradescope is written after each case.
    fn run(&self, student: &Student, spec: &EngineSpec) -> Result<CaseRuns> {
        let early = !self.options.no_early_stop;
        let is_published = self.options.report == ReportFormat::Gradescope;
        CaseRuns::of(self.homework, spec, &self.bounds, self.clock, early, &mut |runs| {
            if !is_published || runs.unjudged.is_some() {
                return Ok(());
            }
            let report = self.report(student, runs).write(self.options.report);
            self.options.write_report(&student.name, &report)
        })
    }

    fn report<'a>(&'a self, student: &'a Student, run: &'a CaseRuns) -> CaseReport<'a> {
        let (homework, notes) = (self.homework, &student.notes[..]);
        CaseReport { homework, run, agent: &student.name, layers: Some(&self.layers), notes }
    }

    fn scheme(&self) -> String {
        let count = self.homework.cases.len();
        match self.homework.is_plain {
            true => {
                format!("homework of {count} cases, {} s of CPU each", self.clock.as_secs_f64())
            }
            false => format!("homework {}, {count} cases", self.homework.name),
        }
    }

    /// The report on a submission that cannot be run, without a `homework.toml`.
    fn plain_report_not_run(&self, student: &Student, not_run: &NotRun) -> String {
        let (count, name) = (self.homework.cases.len(), &student.name);
        let NotRun { why, remedy } = not_run;
        if self.options.report == ReportFormat::Json {
            let report = json!({
                "game": self.homework.title, "agent": name, "not_run": why, "remedy": remedy,
                "right": 0, "count": count, "notes": student.notes,
            });
            return format!("{report:#}\n");
        }
        let notes = student.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        format!("{notes}{name}: 0 of {count} cases right\nNot run: {why}\n{remedy}\n")
    }
}

fn lost_by(homework: &Homework, results: &[CaseResult]) -> String {
    let is_partial = |case: &&CaseResult| case.wrong.is_none() && case.score < 1.0;
    let counted = [
        (results.iter().filter(|case| case.wrong.is_some()).count(), "wrong"),
        (results.iter().filter(is_partial).count(), "with a part of the points"),
        (homework.cases.len() - results.len(), "not run"),
    ];
    let lost = counted.iter().filter(|(some, _)| *some > 0);
    lost.map(|(some, word)| format!("{some} {word}")).collect::<Vec<_>>().join(", ")
}

fn first_wrong(results: &[CaseResult]) -> String {
    let wrong = |case: &CaseResult| Some(format!("{}: {}", case.name, case.wrong.as_ref()?));
    results.iter().find_map(wrong).unwrap_or_default()
}

fn read_finished(record: &Path) -> Result<BTreeMap<String, CaseRuns>> {
    let within = || format!("{}: cannot be continued", record.display());
    let text = fs::read_to_string(record).with_context(within)?;
    let mut found = BTreeMap::new();
    for (line, number) in text.lines().zip(1..).skip(1) {
        match serde_json::from_str::<Finished>(line) {
            Ok(finished) => found.insert(finished.digest, finished.runs),
            // A run that was killed has left half a line.
            Err(error) if error.is_eof() => None,
            Err(error) => bail!("{}: line {number}: {error}", within()),
        };
    }
    Ok(found)
}
