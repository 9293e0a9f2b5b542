//! `judge grade-all` with a homework. `--resume` continues from the results in the record.

use super::alike;
use super::class_options::{ClassOptions, check_csv};
use super::csv::GradeLine;
use super::output::{file_stem, line, read_text, table};
use super::page::ClassPage;
use super::students::{Student, check_none_waits};
use crate::grade::case_report::CaseReport;
use crate::grade::report::ReportFormat;
use crate::grade::result::Grade;
use crate::grade::scheme::plan::digest;
use anygame::AnyGame;
use anyhow::{Result, bail};
use arena::plain;
use arena::player::sandbox_layers::layers;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::record::Recorder;
use arena::terms::Bounds;
use clock::lock;
use homework::{CaseResult, CaseRuns, CaseTerms, Homework};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

struct HomeworkGrading<'a> {
    options: &'a ClassOptions,
    homework: &'static Homework,
    bounds: Bounds,
    layers: String,
    /// Of the homework and of the time of its cases.
    digest: String,
    recorder: Mutex<Recorder>,
}

/// The digest is that of the submission with the homework.
#[derive(Deserialize)]
struct Finished {
    digest: String,
    runs: CaseRuns,
}

enum Outcome {
    Graded(Box<(GradeLine, Grade)>),
    /// The submission is graded anew.
    Interrupted,
    /// The submission waits for what the intake has found to run it.
    Waits(u32),
    /// Why the checker has failed: the submission is graded anew.
    Unjudged(String),
}

pub(super) fn grade_homework(
    options: &ClassOptions,
    game: &'static AnyGame,
    homework: &'static Homework,
) -> Result<u8> {
    options.scheme.refuse_keys_of_games()?;
    if options.pin {
        bail!("--pin: not with a homework");
    }
    let (mut bounds, graded_with) = options.scheme.prepare(Some(homework))?;
    let digest =
        digest([options.case_time.to_string().into_bytes(), homework.contents()?].concat());
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
    let layers = layers(&bounds)?.to_string();
    let recorder = Mutex::new(recorder);
    let grading = HomeworkGrading { options, homework, bounds, layers, digest, recorder };
    options.make_reports()?;
    let (mut unjudged, mut waiting) = (Vec::new(), Vec::new());
    let graded = grading.grade_all(&students, &finished, &mut unjudged, &mut waiting)?;
    let (lines, grades): (Vec<_>, Vec<_>) = graded.into_values().unzip();
    print(&table(&lines));
    if interrupt::asked() {
        eprintln!("interrupted; the same command with --resume continues it");
        return Ok(interrupt::EXIT_CODE);
    }
    check_none_waits(students.iter().filter(|student| waiting.contains(&student.place)))?;
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
        let stems = lines.iter().map(|line| file_stem(&line.submission));
        let grades: Vec<_> = stems.zip(grades).collect();
        let alike = alike::section(&options.directory, &students)?;
        ClassPage { path, title, scheme, record: None, alike }.write(&grades)?;
    }
    Ok(u8::from(!grade_book.fill(&lines, &students, homework.points(&[]).most)?))
}

impl HomeworkGrading<'_> {
    /// Grades what is not finished, and returns all by their places in the class. `unjudged` gets
    /// the submissions at which the checker fails, and why; `waiting` the places of those that wait.
    fn grade_all(
        &self,
        students: &[Student],
        finished: &BTreeMap<String, CaseRuns>,
        unjudged: &mut Vec<String>,
        waiting: &mut Vec<u32>,
    ) -> Result<BTreeMap<u32, (GradeLine, Grade)>> {
        let workers = self.options.scheme.concurrency as usize;
        let count = students.iter().filter(|student| student.waits.is_none()).count();
        let most = self.homework.most_time(self.options.case_time) * count as f64;
        eprintln!(
            "{} with {} each, {workers} at a time: {:.0} min if all use all of their time",
            plain::counted(count, "submission", "submissions"),
            plain::counted(self.homework.cases.len(), "case", "cases"),
            (most / 60.0 / workers as f64).ceil()
        );
        let bar = Progress::of(students.len(), "submissions");
        let mut graded = BTreeMap::new();
        let worked = work_off(
            students.iter(),
            workers,
            interrupt::asked,
            |student| {
                let digest = format!("{}{}{}", self.digest, digest(&student.name), student.digest);
                let known = finished.get(&digest).filter(|_| !student.digest.is_empty());
                Ok((student, self.grade(student, digest, known)?))
            },
            |(student, outcome): (&Student, Outcome)| {
                match outcome {
                    Outcome::Graded(done) => {
                        let GradeLine { submission, points, of, .. } = &done.0;
                        bar.done(graded.len() + 1, &format!("{submission}: {points} of {of}"));
                        graded.insert(student.place, *done);
                        self.options.write_csv(graded.values().map(|(line, _)| line))?;
                    }
                    Outcome::Interrupted => {}
                    Outcome::Waits(place) => waiting.push(place),
                    Outcome::Unjudged(why) => unjudged.push(format!("{}: {why}", student.name)),
                }
                Ok(Next::GoOn)
            },
        );
        bar.finish();
        worked?;
        Ok(graded)
    }

    /// Grades a submission, unless its results are `known`, and writes its report.
    fn grade(
        &self,
        student: &Student,
        digest: String,
        known: Option<&CaseRuns>,
    ) -> Result<Outcome> {
        if student.waits.is_some() && known.is_none() {
            return Ok(Outcome::Waits(student.place));
        }
        let (fresh, not_run) = match (&student.player, known) {
            (_, Some(_)) => (CaseRuns::default(), None),
            (Err(not_run), None) => (CaseRuns::default(), Some(not_run)),
            (Ok(spec), None) => (self.run(student, spec)?, None),
        };
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
        let report = CaseReport { not_run, ..self.report(student, run) };
        self.options.write_report(&student.name, &report.write(self.options.report))?;
        let grade = report.grade();
        let line = line(&student.name, &grade, &self.scheme(), &digest);
        let (lost_by, reason) = match not_run {
            Some(_) => (line.lost_by.clone(), line.lost_by),
            None => (lost_by(self.homework, &run.results), first_wrong(&run.results)),
        };
        let cpu = format!("{:.2}", grade.cpu());
        Ok(Outcome::Graded(Box::new((GradeLine { cpu, lost_by, reason, ..line }, grade))))
    }

    fn run(&self, student: &Student, spec: &EngineSpec) -> Result<CaseRuns> {
        let ClassOptions { case_time, no_early_stop, report, .. } = *self.options;
        let (bounds, interrupted) = (&self.bounds, interrupt::asked as fn() -> bool);
        let stops_early = !no_early_stop;
        let terms = CaseTerms { bounds, seconds: case_time, stops_early, interrupted };
        self.homework.run_cases(self.homework.cases.iter(), spec, &terms, |_, runs| {
            if report == ReportFormat::Gradescope && runs.unjudged.is_none() {
                let text = self.report(student, runs).write(report);
                self.options.write_report(&student.name, &text)?;
            }
            Ok(true)
        })
    }

    fn report<'a>(&'a self, student: &'a Student, run: &'a CaseRuns) -> CaseReport<'a> {
        let (agent, layers, notes) = (&student.name, Some(&*self.layers), &student.notes[..]);
        CaseReport { homework: self.homework, run, agent, layers, notes, not_run: None }
    }

    fn scheme(&self) -> String {
        let Homework { cases, name, is_plain, .. } = self.homework;
        let (count, time) = (cases.len(), self.options.case_time);
        match is_plain {
            true => format!("homework of {count} cases, {time} s of CPU each"),
            false => format!("homework {name}, {count} cases"),
        }
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
    let mut found = BTreeMap::new();
    for (line, number) in read_text(record)?.lines().zip(1..).skip(1) {
        match serde_json::from_str::<Finished>(line) {
            Ok(finished) => found.insert(finished.digest, finished.runs),
            // A run that was killed has left half a line.
            Err(error) if error.is_eof() => None,
            Err(error) => bail!("{}: line {number}: {error}", record.display()),
        };
    }
    Ok(found)
}
