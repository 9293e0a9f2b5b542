//! `judge grade-all --homework`: grades a class by the cases of a homework. Each case is a point; a
//! finished submission is kept in the CSV file, from which `--resume` continues.

use super::class_options::{ClassOptions, check_csv};
use super::csv::GradeLine;
use super::output::table;
use super::students::Student;
use crate::grade::cases::{as_json, as_text};
use crate::grade::report::ReportFormat;
use crate::grade::result::NotRun;
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::player::case::CasePlayer;
use arena::player::sandbox_layers::layers;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::terms::Bounds;
use csv::StringRecord;
use intake::cases::{CaseResult, Cases, program_of};
use intake::spreadsheet::unguarded;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

/// The cases in a row that use up their time, after which the remaining ones are not run. Crashes
/// and missing files do not count: they cost no time, and a homework may be handed in with some of
/// its tasks alone.
const IN_A_ROW: usize = 3;

/// The terms by which all submissions are graded.
struct Homework<'a> {
    options: &'a ClassOptions,
    game: &'static AnyGame,
    cases: Cases,
    clock: Duration,
    bounds: Bounds,
    /// The digest of the cases and of the clock.
    digest: String,
}

/// Grades a class by the cases in a folder.
pub(super) fn grade_homework(options: &ClassOptions, folder: &Path) -> Result<u8> {
    if !(options.case_time > 0.0 && options.case_time < 1e6) {
        bail!("--case-time: expected a positive number of seconds, found {}", options.case_time);
    }
    if !matches!(options.report, ReportFormat::Text | ReportFormat::Json) {
        bail!("--report: expected text or json with --homework");
    }
    let game = options.scheme.game()?;
    let bounds = options.scheme.boxes.bounds()?;
    let cases = Cases::list(folder, game.files.input)?;
    let digest = format!(
        "{:08x}",
        crc32fast::hash(format!("{}{}", options.case_time, cases.contents()?).as_bytes())
    );
    let finished = check_csv(options)?.map(read_finished).transpose()?.unwrap_or_default();
    let (grade_book, students) = options.open_class(game, &bounds, false)?;
    let clock = Duration::from_secs_f64(options.case_time);
    let homework = Homework { options, game, cases, clock, bounds, digest };
    options.make_reports()?;
    let lines = homework.grade_all(&students, &finished)?;
    print(&table(&lines));
    if interrupt::asked() {
        eprintln!("interrupted; the same command with --resume continues it");
        return Ok(interrupt::EXIT_CODE);
    }
    let ids = students.iter().map(|student| (student.name.clone(), student.id.clone())).collect();
    let points: Vec<(&str, &str)> =
        lines.iter().map(|line| (line.submission.as_str(), line.points.as_str())).collect();
    Ok(u8::from(!grade_book.fill(&points, &ids, homework.cases.folders.len() as f64)?))
}

impl Homework<'_> {
    /// Grades all submissions that are not finished. Returns the lines of the finished ones, in the
    /// order of the class.
    fn grade_all(
        &self,
        students: &[Student],
        finished: &BTreeMap<String, GradeLine>,
    ) -> Result<Vec<GradeLine>> {
        let bar = Progress::of(students.len(), "submissions");
        let mut done: Vec<(u32, GradeLine)> = Vec::new();
        let worked = work_off(
            students.iter(),
            self.options.scheme.concurrency as usize,
            interrupt::asked,
            |student| {
                let digest = self.digest_of(student);
                match finished.get(&digest) {
                    Some(line) if !student.digest.is_empty() => {
                        Ok(Some(GradeLine { submission: student.name.clone(), ..line.clone() }))
                    }
                    _ => self.grade(student, digest),
                }
                .map(|line| (student.place, line))
            },
            |(place, line): (u32, Option<GradeLine>)| {
                // A submission that was interrupted is graded anew.
                let Some(line) = line else { return Ok(Next::GoOn) };
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
        Ok(done.into_iter().map(|(_, line)| line).collect())
    }

    /// Returns the digest of a submission with the homework.
    fn digest_of(&self, student: &Student) -> String {
        format!("{}{:08x}{}", self.digest, crc32fast::hash(student.name.as_bytes()), student.digest)
    }

    /// Grades a submission, and writes its report. Returns nothing if that was interrupted.
    fn grade(&self, student: &Student, digest: String) -> Result<Option<GradeLine>> {
        let count = self.cases.folders.len();
        let mut results = Vec::new();
        let (lost_by, reason, report);
        match &student.player {
            Err(not_run) => {
                lost_by = format!("not run: {}", first_line(&not_run.why));
                reason = lost_by.clone();
                report = self.report_not_run(student, not_run);
            }
            Ok(spec) => {
                let Some(run) = self.run_cases(spec)? else { return Ok(None) };
                results = run;
                let first = results
                    .iter()
                    .find_map(|case| Some(format!("{}: {}", case.name, case.wrong.as_ref()?)));
                reason = first.unwrap_or_default();
                let wrong = results.iter().filter(|case| case.wrong.is_some()).count();
                let counted = [(wrong, "wrong"), (count - results.len(), "not run")];
                let lost = counted
                    .iter()
                    .filter(|(some, _)| *some > 0)
                    .map(|(some, word)| format!("{some} {word}"));
                lost_by = lost.collect::<Vec<_>>().join(", ");
                report = self.report(student, spec, &results)?;
            }
        }
        self.options.write_report(&student.name, &report)?;
        let right = results.iter().filter(|case| case.wrong.is_none()).count();
        let cpu = results.iter().fold(0.0, |sum, case| sum + case.cpu);
        Ok(Some(GradeLine {
            submission: student.name.clone(),
            points: right.to_string(),
            of: count.to_string(),
            cpu: format!("{cpu:.2}"),
            lost_by,
            reason,
            late: String::new(),
            scheme: format!(
                "homework of {count} cases, {} s of CPU each",
                self.clock.as_secs_f64()
            ),
            digest,
        }))
    }

    /// Runs the cases of a submission; those after some that use up their time are left out.
    /// Returns nothing if the user interrupts it.
    fn run_cases(&self, spec: &EngineSpec) -> Result<Option<Vec<CaseResult>>> {
        let Some(program) = program_of(&spec.kind) else {
            bail!("{}: a reference player has no cases", spec.name);
        };
        let (mut results, mut slow) = (Vec::new(), 0);
        for folder in &self.cases.folders {
            if interrupt::asked() {
                return Ok(None);
            }
            if !self.options.no_early_stop && slow == IN_A_ROW {
                break;
            }
            let player = CasePlayer::new(&program, self.game.files, &self.bounds)?;
            let result = self.cases.run(folder, &player, self.clock)?;
            slow = if result.used_up { slow + 1 } else { 0 };
            results.push(result);
        }
        Ok(Some(results))
    }

    /// Returns the report of a submission.
    fn report(
        &self,
        student: &Student,
        spec: &EngineSpec,
        results: &[CaseResult],
    ) -> Result<String> {
        let count = self.cases.folders.len();
        let layers = layers(&self.bounds)?.to_string();
        let (title, layers) = (self.game.title, Some(layers.as_str()));
        if self.options.report == ReportFormat::Json {
            return Ok(as_json(results, count, &spec.name, title, layers, &student.notes));
        }
        let mut text = student.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        text += &as_text(results, count, &spec.name, title, layers);
        if results.len() < count {
            let not_run = count - results.len();
            text += &format!(
                "Not run: {not_run}, after {IN_A_ROW} cases in a row that used up their time\n"
            );
        }
        Ok(text)
    }

    /// Returns the report of a submission that cannot be run.
    fn report_not_run(&self, student: &Student, not_run: &NotRun) -> String {
        let (count, name) = (self.cases.folders.len(), &student.name);
        let NotRun { why, remedy } = not_run;
        if self.options.report == ReportFormat::Json {
            let report = json!({
                "game": self.game.title, "agent": name, "not_run": why, "remedy": remedy, "right": 0, "count": count,
                "notes": student.notes,
            });
            return format!("{report:#}\n");
        }
        let notes = student.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        format!("{notes}{name}: 0 of {count} cases right\nNot run: {why}\n{remedy}\n")
    }
}

fn first_line(text: &str) -> String {
    arena::plain::shown(text.lines().next().unwrap_or_default())
}

/// Reads the finished submissions of a CSV file, by their digests.
fn read_finished(csv: &Path) -> Result<BTreeMap<String, GradeLine>> {
    let within = || format!("{}: cannot be continued", csv.display());
    let mut lines = BTreeMap::new();
    for row in ::csv::Reader::from_path(csv).with_context(within)?.records() {
        let row = row.with_context(within)?;
        let row: StringRecord = row.iter().map(unguarded).collect();
        let line: GradeLine = row.deserialize(None).with_context(within)?;
        lines.insert(line.digest.clone(), line);
    }
    Ok(lines)
}
