//! The first run of a homework's program: on the first of its cases, instead of a turn of a game.

use super::first_runs::FirstFault;
use crate::cases::{CaseResult, Cases};
use anyhow::{Context, Result, bail};
use arena::AnyGame;
use arena::keys::Keys;
use arena::plain;
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::player::spec::PlayerKind;
use arena::result::Termination;
use arena::terms::Bounds;
use std::path::Path;
use std::time::Duration;

/// The CPU time of the case.
const CLOCK: Duration = Duration::from_secs(30);

/// The outcome of a program's first case.
pub(crate) struct FirstCase {
    /// The command that suits the homework.
    pub command: String,
    /// The correction of the command, if there is one.
    pub mended: Option<String>,
    /// The first difference of the answer, which the grade will count.
    pub remark: Option<String>,
    /// Why there is no answer.
    pub fault: Option<FirstFault>,
}

/// Runs a program on the first case: as it is, and, where that gives no right answer, with the options that name the input
/// file, as homework of this kind is called.
pub(crate) fn first_case(
    game: &AnyGame,
    cases: &Cases,
    command: &str,
    program: &Path,
    student: &str,
    bounds: &Bounds,
) -> Result<FirstCase> {
    let first = cases.folders.first().context("a homework without cases")?;
    let run = |command: &str| -> Result<CaseResult> {
        let keys = Keys::of_submission(command.to_string(), program.to_owned(), student, true);
        let PlayerKind::Files { command, directory, own_command } = keys.engine(game)?.kind else {
            bail!("a submission is a program of its own");
        };
        let program = Program { command: &command, home: directory.as_deref(), own_command };
        cases.run(first, &CasePlayer::new(&program, game.files, bounds)?, CLOCK)
    };
    let rank = |result: &CaseResult| (result.wrong.is_none(), !result.unanswered);
    let mut found = FirstCase { command: command.to_string(), mended: None, remark: None, fault: None };
    let mut result = run(command)?;
    if result.wrong.is_some() {
        let options = format!("-i {}", game.files.input);
        let named = format!("{command} {options}");
        let second = run(&named)?;
        if rank(&second) > rank(&result) {
            result = second;
            found = FirstCase { command: named, mended: Some(format!("it is started with {options}")), ..found };
        }
    }
    let Some(wrong) = result.wrong else { return Ok(found) };
    let line = format!("first case, {}: {}", result.name, plain::shown(&wrong));
    if result.unanswered {
        let termination = if result.fault.is_some() { Termination::Crash } else { Termination::NoOutput };
        found.fault = Some(FirstFault { termination, why: line, advice: None, stderr: result.said });
    } else {
        found.remark = Some(line);
    }
    Ok(found)
}
