//! `judge homework-test`: tests a homework's files, its checker, and the staff's own solutions.

use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::plain;
use arena::terms::Bounds;
use clap::Args;
use homework::{
    Assignment, CASE_TIME, Case, CaseFile, CaseResult, CaseTerms, Files, Homework, number,
};
use intake::environment::Environment;
use intake::{TakenUpload, UploadLimits, take_in_upload};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terminal::games::{find_assignment, name_parser};
use terminal::interrupt;
use terminal::output::print;

/// Example for the command's help.
pub const EXAMPLE: &str = "\
Example:
  judge homework-test ./cheap-paths
It tests the files, the checker and the staff's solutions: docs/homework.md.
Exit code: 0 all is well; 1 something has to be corrected; 2 the homework cannot be read; 130 interrupted.";

/// Options of `judge homework-test`.
#[derive(Args)]
pub struct HomeworkTestOptions {
    /// The folder of the homework
    #[arg(value_parser = name_parser())]
    folder: String,
}

type Faults = Vec<String>;

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
        test_checker(homework, &mut faults)?;
    }
    test_solutions(&assignment, homework, &mut faults)?;
    if interrupt::asked() {
        return Ok(interrupt::EXIT_CODE);
    }
    if faults.is_empty() {
        print("All is well.\n");
        return Ok(0);
    }
    faults.iter().for_each(|fault| print(&format!("TO CORRECT: {fault}\n")));
    Ok(1)
}

fn test_checker(homework: &Homework, faults: &mut Faults) -> Result<()> {
    let (mut taken, mut cut, mut reversed) = (0, Vec::new(), Vec::new());
    for case in &homework.cases {
        if interrupt::asked() {
            return Ok(());
        }
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
        if !refused.is_empty() && !refused.contains(&true) {
            faults.push(format!("no case refuses its expected file {what}"));
        }
    }
    let count = |refused: &[bool]| {
        format!("{} of {}", refused.iter().filter(|one| **one).count(), refused.len())
    };
    let (cut, reversed) = (count(&cut), count(&reversed));
    print(&format!(
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

fn test_solutions(assignment: &Assignment, homework: &Homework, faults: &mut Faults) -> Result<()> {
    let place = homework.folder.join("submissions");
    for folder in entries(&place)? {
        let verdict = plain::name(folder.file_name().unwrap_or_default());
        for solution in entries(&folder)? {
            if interrupt::asked() {
                return Ok(());
            }
            let name = plain::name(solution.file_name().unwrap_or_default());
            let tested = test_solution(assignment, homework, &verdict, &solution);
            let (line, fault) = tested.with_context(|| format!("{verdict}/{name}"))?;
            print(&format!("{verdict}/{name}: {line}\n"));
            faults.extend(fault.map(|fault| format!("{verdict}/{name}: {fault}")));
        }
    }
    Ok(())
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

/// What a solution got, and what is wrong with that.
fn test_solution(
    assignment: &Assignment,
    homework: &Homework,
    verdict: &str,
    solution: &Path,
) -> Result<(String, Option<String>)> {
    let place = tempfile::tempdir()?;
    let (mut upload, out) = (place.path().join("upload"), place.path().join("out"));
    fs::create_dir(&out)?;
    if solution.is_dir() {
        upload = solution.to_owned();
    } else {
        fs::create_dir(&upload)?;
        fs::copy(solution, upload.join(solution.file_name().unwrap_or_default()))?;
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
        bail!("it cannot be run: {why}\n{build_log}");
    };
    let spec = assignment.program(Keys::of_submission(command, program, "staff", true))?;
    let (bounds, interrupted) = (&bounds, interrupt::asked as fn() -> bool);
    let terms = CaseTerms { bounds, seconds: CASE_TIME, stops_early: false, interrupted };
    let run = homework.run_cases(homework.cases.iter(), &spec, &terms, |_, _| Ok(true))?;
    if let Some(why) = &run.unjudged {
        return Ok(("not judged".to_string(), Some(why.clone())));
    }
    let points = homework.points(&run.results);
    let longest = run.results.iter().zip(&homework.cases);
    let longest = longest.max_by(|one, other| one.0.cpu.total_cmp(&other.0.cpu));
    let longest = longest.map_or(String::new(), |(CaseResult { name, cpu, .. }, case)| {
        let limit = number(case.time.unwrap_or(CASE_TIME));
        format!("; the longest case {name} took {cpu:.2} s of {limit} s")
    });
    let (right, count) = (run.right(), homework.cases.len());
    let (got, most) = (number(points.points), number(points.most));
    let line = format!("{right} of {count} cases right, {got} of {most} points{longest}");
    let some = |is: fn(&CaseResult) -> bool| run.results.iter().any(is);
    let is_as_said = match verdict {
        "accepted" => right == count && points.points == points.most,
        "wrong_answer" => some(|case| case.wrong.is_some() && !case.unanswered),
        "time_limit_exceeded" => some(|case| case.used_up),
        "run_time_error" => some(|case| case.fault.is_some() && !case.used_up),
        "partially_accepted" => 0.0 < points.points && points.points < points.most,
        _ => {
            let fault = "expected a folder accepted, wrong_answer, time_limit_exceeded, run_time_error or partially_accepted";
            return Ok((line, Some(fault.to_string())));
        }
    };
    let wrong = |case: &CaseResult| Some(format!("; case {}: {}", case.name, case.wrong.as_ref()?));
    let first = run.results.iter().find_map(wrong).unwrap_or_default();
    let fault = format!("it does not get what its folder says{first}");
    Ok((line, (!is_as_said).then_some(fault)))
}
