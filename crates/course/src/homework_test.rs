//! `judge homework-test`: tests a homework's files, its checker, and the staff's own solutions.

use anyhow::{Context, Result};
use arena::keys::Keys;
use arena::plain;
use arena::terms::Bounds;
use clap::Args;
use homework::{
    Assignment, CASE_TIME, Case, CaseFile, CaseResult, CaseRuns, CaseTerms, Expectations, Expected,
    FILE, Files, Found, Homework, PACKAGE_FILE, number, program_files, with_time,
};
use intake::environment::Environment;
use intake::{TakenUpload, UploadLimits, take_in_upload};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terminal::games::{find_assignment, name_parser};
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

/// Example for the command's help.
pub const EXAMPLE: &str = "\
Example:
  judge homework-test ./cheap-paths
It tests the files, the checker and the staff's solutions: docs/homework.md.
A program in a language that this machine lacks is named, and costs nothing.
Exit code: 0 all is well; 1 something has to be corrected; 2 the homework cannot be read; 130 interrupted.";

/// Options of `judge homework-test`.
#[derive(Args)]
pub struct HomeworkTestOptions {
    /// The folder of the homework
    #[arg(value_parser = name_parser())]
    folder: String,

    /// Write the time of a case that follows from the accepted programs into homework.toml
    #[arg(long)]
    write_times: bool,
}

type Faults = Vec<String>;

/// What GCC and Clang say where they fail themselves, as by a limit of the machine.
const COMPILER_FAILS: &str = "internal compiler error: ";

/// Runs `judge homework-test`.
pub fn homework_test(options: &HomeworkTestOptions) -> Result<u8> {
    let assignment = find_assignment(&options.folder)?;
    let homework = assignment
        .homework()
        .with_context(|| format!("{}: no folder of a homework", options.folder))?;
    Environment::of(None, Some(homework))?;
    interrupt::catch()?;
    let most = number(homework.points(&[]).most);
    let secret = homework.cases.iter().filter(|case| case.is_secret).count();
    let (title, cases) = (&homework.title, plain::counted(homework.cases.len(), "case", "cases"));
    print(&format!("{title}: {cases}, {secret} of them secret; {most} points\n"));
    let mut faults = Faults::new();
    if homework.has_checker() {
        let bar = Progress::of(homework.cases.len(), "cases");
        test_checker(homework, &bar, &mut faults)?;
        bar.finish();
    }
    let slowest = test_solutions(&assignment, homework, &mut faults)?;
    if interrupt::asked() {
        return Ok(interrupt::EXIT_CODE);
    }
    if let Some(slowest) = slowest {
        propose_time(homework, slowest, options.write_times, &mut faults)?;
    } else if options.write_times {
        faults.push("no accepted program says what time a case needs".to_string());
    }
    if faults.is_empty() {
        print("All is well.\n");
        return Ok(0);
    }
    faults.iter().for_each(|fault| print(&format!("TO CORRECT: {fault}\n")));
    Ok(1)
}

/// Says which time of a case follows from the slowest accepted program, and writes it on demand.
fn propose_time(
    homework: &Homework,
    slowest: f64,
    writes: bool,
    faults: &mut Faults,
) -> Result<()> {
    let time = number(homework.time_after(slowest));
    let path = homework.folder.join(if homework.is_package() { PACKAGE_FILE } else { FILE });
    let shown = path.display();
    print(&format!(
        "The slowest accepted program takes {slowest:.2} s for a case: time = {time}\n"
    ));
    if !writes {
        return Ok(());
    }
    if homework.is_package() {
        let words = "a package is left as it is; its line is";
        faults.push(format!("{shown}: {words} `limits: {{time_limit: {time}}}`"));
    } else if !faults.is_empty() {
        faults.push(format!("{shown}: time is not written, since something is to be corrected"));
    } else {
        let text = fs::read_to_string(&path).with_context(|| shown.to_string())?;
        let text = with_time(&text, &time).with_context(|| shown.to_string())?;
        files::write_atomically(&path, &text).with_context(|| shown.to_string())?;
        print(&format!("{shown}: time = {time} is written\n"));
    }
    Ok(())
}

fn test_checker(homework: &Homework, bar: &Progress, faults: &mut Faults) -> Result<()> {
    let (mut taken, mut cut, mut reversed) = (0, Vec::new(), Vec::new());
    for (case, done) in homework.cases.iter().zip(0..) {
        if interrupt::asked() {
            return Ok(());
        }
        bar.set(done);
        let name = &case.name;
        let mut judged = |what: &str, files: &Files| -> Option<CaseResult> {
            let fault = |error| faults.push(format!("case {name}, {what}: {error:#}"));
            homework.judge_files(case, files).map_err(fault).ok()
        };
        let empty: Files = homework.leaves.iter().map(|name| (name.clone(), Vec::new())).collect();
        let Some(of_empty) = judged("an empty file", &empty) else { return Ok(()) };
        if case.expected.is_empty() {
            continue;
        }
        let expected = first_expected_files(case)?;
        let nothing = expected.iter().all(|(_, bytes)| bytes.trim_ascii().is_empty());
        let (Some(first), Some(again)) =
            (judged("the expected file", &expected), judged("the expected file", &expected))
        else {
            return Ok(());
        };
        for (spoil, refused) in
            [(cut_in_half as fn(&[u8]) -> _, &mut cut), (reverse_lines, &mut reversed)]
        {
            let spoilt = expected.iter().map(|(name, bytes)| (name.clone(), spoil(bytes)));
            let spoilt: Files = spoilt.collect();
            if spoilt != expected {
                let loses = |one: CaseResult| one.wrong.is_some() || one.score < 1.0;
                refused.extend(judged("a spoilt file", &spoilt).map(loses));
            }
        }
        let mut fault = |words: String| faults.push(format!("case {name}: {words}"));
        if homework.is_package() && (first.score, &first.wrong) == (again.score, &again.wrong) {
            // The answer file of a package need be no output.
            taken += usize::from(first.wrong.is_none());
            continue;
        }
        if (first.score, &first.wrong) != (again.score, &again.wrong) {
            fault("two verdicts on the expected file differ".to_string());
        }
        match &first.wrong {
            Some(wrong) => {
                let teacher = &first.for_teacher;
                let more = if teacher.is_empty() { "" } else { "; for the teacher: " };
                fault(format!("the expected file is refused: {wrong}{more}{teacher}"));
            }
            None if first.score < 1.0 => {
                fault(format!("the expected file gets {} of the points", number(first.score)));
            }
            None => taken += 1,
        }
        if of_empty.wrong.is_none() && of_empty.score > 0.0 && !nothing {
            fault("an empty file is right".to_string());
        }
    }
    for (what, refused) in [("cut in half", &cut), ("with its lines reversed", &reversed)] {
        if !homework.is_package() && !refused.is_empty() && !refused.contains(&true) {
            faults.push(format!("no case refuses its expected file {what}"));
        }
    }
    let count = |refused: &[bool]| {
        format!("{} of {}", refused.iter().filter(|one| **one).count(), refused.len())
    };
    let (cut, reversed) = (count(&cut), count(&reversed));
    bar.print(&format!(
        "The checker takes {taken} expected files; it refuses {cut} that are cut, {reversed} with reversed lines\n"
    ));
    Ok(())
}

fn first_expected_files(case: &Case) -> Result<Files> {
    let read = |(name, files): &(String, Vec<CaseFile>)| {
        Ok((name.clone(), files.first().context("no expected file")?.read()?))
    };
    case.expected.iter().map(read).collect()
}

fn cut_in_half(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

fn reverse_lines(bytes: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.trim_ascii().split(|byte| *byte == b'\n').collect();
    if lines.len() < 2 {
        return bytes.to_vec();
    }
    lines.reverse();
    let mut reversed = lines.join(&b'\n');
    reversed.push(b'\n');
    reversed
}

/// Returns the CPU seconds of the slowest case of the accepted programs, if there is one.
fn test_solutions(
    assignment: &Assignment,
    homework: &Homework,
    faults: &mut Faults,
) -> Result<Option<f64>> {
    let place = homework.folder.join("submissions");
    let expectations = Expectations::read(homework)?;
    let mut solutions = Vec::new();
    for folder in entries(&place)? {
        let verdict = plain::name(folder.file_name().unwrap_or_default());
        for solution in entries(&folder)? {
            let name = plain::name(solution.file_name().unwrap_or_default());
            solutions.push((verdict.clone(), format!("{verdict}/{name}"), solution));
        }
    }
    // The time of the others may follow from that of the accepted ones.
    solutions.sort_by_key(|(verdict, _, _)| verdict != "accepted");
    let (mut seconds, mut slowest) = (CASE_TIME, 0.0_f64);
    let mut counts = Counts::default();
    let count = solutions.len();
    for (verdict, path, solution) in solutions {
        if interrupt::asked() {
            return Ok(None);
        }
        let files = program_files(&solution)?;
        let source = |path: &PathBuf| Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned());
        let sources = files.iter().map(source).collect::<Result<Vec<_>>>()?;
        let expected = expectations.as_ref().map(|all| all.of(&path, &sources)).transpose();
        let expected = match expected {
            Ok(expected) => expected,
            Err(error) => {
                counts.differ += 1;
                faults.push(format!("{path}: {error:#}"));
                continue;
            }
        };
        if verdict != "accepted" && slowest > 0.0 && homework.lacks_time() {
            seconds = homework.time_after(slowest);
        }
        let tested = if files.is_empty() {
            Ok(Tested::NotRun("it has no files".to_string()))
        } else {
            test_solution(assignment, homework, (&solution, &files), seconds)
        };
        let (line, fault) = match tested.with_context(|| path.clone())? {
            Tested::NotRun(why) => {
                counts.not_run += 1;
                print(&format!("{path}: cannot be run: {why}\n"));
                continue;
            }
            Tested::NotBuilt(why) => {
                let takes = |all: &Expected| all.takes_compiler_error() || all.said().is_empty();
                let is_expected = expected.as_ref().is_some_and(takes);
                if !is_expected && why.contains(COMPILER_FAILS) {
                    counts.not_run += 1;
                    print(&format!("{path}: cannot be run: the compiler itself failed\n"));
                    continue;
                }
                let name = Found::CompilerError.name();
                (name.to_string(), (!is_expected).then(|| format!("{name}: {why}")))
            }
            Tested::Ran(run) => {
                if verdict == "accepted" {
                    slowest = run.results.iter().map(|case| case.cpu).fold(slowest, f64::max);
                }
                let mut line = line_of(homework, &run, seconds);
                if expected.is_some() && run.unjudged.is_none() {
                    line += &format!("; found: {}", Found::of_program(&run).name());
                }
                let fault = run.unjudged.clone().or_else(|| match &expected {
                    Some(expected) => expected.difference(homework, &run),
                    None => difference(homework, &verdict, &run),
                });
                (line, fault)
            }
        };
        let said = match expected.as_ref().map(Expected::said) {
            Some(said) if said.is_empty() => {
                counts.silent += 1;
                "; its authors say nothing of it".to_string()
            }
            said => {
                let count = if fault.is_none() { &mut counts.agree } else { &mut counts.differ };
                *count += 1;
                said.map_or(String::new(), |said| format!("; its authors say: {said}"))
            }
        };
        print(&format!("{path}: {line}{said}\n"));
        faults.extend(fault.map(|fault| format!("{path}: {fault}")));
    }
    if expectations.is_some() {
        let Counts { agree, differ, silent, not_run } = counts;
        let programs = plain::counted(count, "program", "programs");
        let others = format!("{not_run} cannot be run here; of {silent} nothing is said");
        let words = format!("{agree} get what their authors say, {differ} do not; {others}");
        print(&format!("{programs}: {words}\n"));
    }
    Ok((slowest > 0.0).then_some(slowest))
}

/// How many programs get what their authors say, and how many of the others there are.
#[derive(Default)]
struct Counts {
    agree: u32,
    differ: u32,
    silent: u32,
    not_run: u32,
}

/// What is in a folder, by name; nothing if there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = homework::entries(folder)?;
    paths.retain(|path| !plain::name(path.file_name().unwrap_or_default()).starts_with('.'));
    Ok(paths)
}

/// What came of a solution.
enum Tested {
    Ran(CaseRuns),
    NotBuilt(String),
    /// This machine lacks what it needs.
    NotRun(String),
}

fn test_solution(
    assignment: &Assignment,
    homework: &Homework,
    (solution, files): (&Path, &[PathBuf]),
    seconds: f64,
) -> Result<Tested> {
    let place = tempfile::tempdir()?;
    let (upload, out) = (place.path().join("upload"), place.path().join("out"));
    fs::create_dir(&out)?;
    let folder = if solution.is_dir() { solution } else { solution.parent().unwrap_or(solution) };
    for path in files {
        let to = upload.join(path.strip_prefix(folder)?);
        fs::create_dir_all(to.parent().unwrap_or(&upload))?;
        fs::write(&to, homework.with_constants(fs::read(path)?))?;
    }
    let mut bounds = Bounds::default();
    Environment::of(None, Some(homework))?.prepare(&mut bounds)?;
    let limits = UploadLimits {
        bounds: bounds.clone(),
        build_time: Duration::from_secs(120),
        build_mib: 2048,
        size_mib: 256,
        files: 2000,
        languages: None,
    };
    let TakenUpload { submission, program, build_log } =
        take_in_upload(assignment, &upload, &out, "staff", &limits)?;
    let Some(command) = submission.command else {
        let why = submission.needs.unwrap_or_default();
        return Ok(match submission.language.is_some() && !build_log.is_empty() {
            true => Tested::NotBuilt(format!("{why}\n{build_log}").trim_end().to_string()),
            false => Tested::NotRun(why),
        });
    };
    let is_for_2 = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("python2"))
    };
    if !command.contains("python2") && files.iter().any(is_for_2) {
        return Ok(Tested::NotRun("it is for Python 2, which is missing".to_string()));
    }
    let spec = assignment.program(Keys::of_submission(command, program, "staff", true))?;
    let (bounds, interrupted) = (&bounds, interrupt::asked as fn() -> bool);
    let terms = CaseTerms { bounds, seconds, stops_early: false, interrupted };
    let bar = Progress::of(homework.cases.len(), "cases");
    let ran = homework.run_cases(homework.cases.iter(), &spec, &terms, |_, runs| {
        bar.set(runs.results.len());
        Ok(true)
    });
    bar.finish();
    ran.map(Tested::Ran)
}

/// What a solution got, in one line. `seconds` is the time of a case that names none.
fn line_of(homework: &Homework, run: &CaseRuns, seconds: f64) -> String {
    if run.unjudged.is_some() {
        return "not judged".to_string();
    }
    let points = homework.points(&run.results);
    let longest = run.results.iter().zip(&homework.cases);
    let longest = longest.max_by(|one, other| one.0.cpu.total_cmp(&other.0.cpu));
    let longest = longest.map_or(String::new(), |(CaseResult { name, cpu, .. }, case)| {
        let limit = number(case.time.unwrap_or(seconds));
        format!("; the longest case {name} took {cpu:.2} s of {limit} s")
    });
    let (right, count) = (run.right(), homework.cases.len());
    let (got, most) = (number(points.points), number(points.most));
    format!("{right} of {count} cases right, {got} of {most} points{longest}")
}

/// Why a solution does not get what the name of its folder says, if it does not.
fn difference(homework: &Homework, verdict: &str, run: &CaseRuns) -> Option<String> {
    let points = homework.points(&run.results);
    let some = |is: fn(&CaseResult) -> bool| run.results.iter().any(is);
    let is_as_said = match verdict {
        "accepted" => run.right() == homework.cases.len() && points.points == points.most,
        "wrong_answer" => some(|case| case.wrong.is_some() && !case.unanswered),
        "time_limit_exceeded" => some(|case| case.used_up),
        "run_time_error" => some(|case| case.fault.is_some() && !case.used_up),
        "partially_accepted" => 0.0 < points.points && points.points < points.most,
        _ => {
            let words = "expected a folder accepted, wrong_answer, time_limit_exceeded, run_time_error or partially_accepted";
            return Some(words.to_string());
        }
    };
    let wrong = |case: &CaseResult| Some(format!("; case {}: {}", case.name, case.wrong.as_ref()?));
    let first = run.results.iter().find_map(wrong).unwrap_or_default();
    (!is_as_said).then(|| format!("it does not get what its folder says{first}"))
}
