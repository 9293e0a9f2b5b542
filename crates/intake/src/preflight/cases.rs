//! `judge try` with a homework: the cases that students know.

use super::advice::OTHER_TASK;
use anyhow::{Result, bail};
use arena::plain::shown;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use homework::{CASE_TIME, Case, CaseResult, CaseTerms, Homework};
use std::process::ExitCode;
use terminal::interrupt;
use terminal::output::print;

/// Prints each result, and how many are right.
pub(crate) fn try_cases(
    homework: &Homework,
    you: &EngineSpec,
    bounds: &Bounds,
) -> Result<ExitCode> {
    let known: Vec<&Case> = homework.cases.iter().filter(|case| !case.is_secret).collect();
    let terms =
        CaseTerms { bounds, seconds: CASE_TIME, stops_early: false, interrupted: interrupt::asked };
    let runs = homework.run_cases(known.iter().copied(), you, &terms, |case, runs| {
        if let (Some(result), None) = (runs.results.last(), &runs.unjudged) {
            print_case(&case.name, result);
        }
        Ok(true)
    })?;
    if runs.is_interrupted {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if let Some(why) = &runs.unjudged {
        bail!("{why}");
    }
    let (count, run, right) = (known.len(), runs.results.len(), runs.right());
    if let Some(why) = &runs.stopped {
        print(&format!("Not run: {}, after {why}\n", count - run));
    }
    let is_of_another = count > 1 && runs.results.iter().all(|result| result.unanswered);
    let hint = if is_of_another { format!(".{OTHER_TASK}") } else { String::new() };
    print(&format!("\n{right} of {count} cases that you may know are right{hint}\n"));
    Ok(ExitCode::from(u8::from(right < count)))
}

fn print_case(name: &str, result: &CaseResult) {
    let how = match &result.wrong {
        None => format!("ok  {}", result.remark),
        Some(why) => format!("WRONG  {why}"),
    };
    let mib = result.memory.div_ceil(1 << 20);
    let used = format!("{:>6.2} s CPU {mib:>5} MiB", result.cpu);
    print(&format!("  {name:<24} {used}  {}\n", how.trim_end()));
    if let Some((line, column)) = &result.marked {
        print(&format!("      {}\n      {}^\n", shown(line), " ".repeat(*column)));
    }
    if result.wrong.is_some() {
        result.conversation.lines().for_each(|line| print(&format!("      {line}\n")));
    }
}
