//! The first runs of a program, in a box: its calibration, where it has one, and one turn from the start of a game.

use super::build::{BuildLimits, Room, copy, expand, last_lines_of, named_by_class, run, said, trouble};
use super::find::{Plan, is_calibration};
use super::languages::Languages;
use super::tools::Tools;
use super::tree::Tree;
use crate::games::Game;
use crate::preflight::turn::Request;
use anyhow::{Context, Result};
use arena::plain;
use arena::player::directory::PlayerDirectory;
use arena::player::keys::Keys;
use arena::terms::Bounds;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the calibration of a program, if it has one, and keeps what it leaves. What there is to say about it.
pub(super) fn calibrate(
    program: &Path,
    files: &[PathBuf],
    languages: &Languages,
    tools: &Tools,
    limits: BuildLimits,
    time: Duration,
    log: &mut String,
) -> Result<Option<String>> {
    let fits = |path: &&PathBuf| is_calibration(path) && languages.list.iter().any(|one| one.has_source(path));
    let Some(main) = files.iter().find(fits) else { return Ok(None) };
    let Some(language) = languages.list.iter().find(|one| one.has_source(main)) else { return Ok(None) };
    let shown = main.display();
    if let Some(why) = tools.missing(language)? {
        return Ok(Some(format!("{shown} was not run: {why}")));
    }
    let mut plan = Plan { program: "calibrate", ..Plan::new(language, Path::new(""), main.clone(), Vec::new()) };
    let tree = Tree { root: program.to_owned(), files: vec![main.clone()], ..Tree::default() };
    let (class, _) = if language.classes { named_by_class(program, &tree, &mut plan)? } else { Default::default() };
    let bounds = tools.bounds(language)?;
    let directory = PlayerDirectory::new(Some(program), &bounds)?;
    for (command, time) in language.build.iter().map(|build| (build, limits.time)).chain([(&language.run, time)]) {
        let line = expand(command, &plan, &class, None);
        *log += &format!("$ {line}\n");
        let words = tools.resolved(shlex::split(&line).unwrap_or_default());
        let report = run(&directory, &words, &bounds, time)?;
        *log += &said(&report);
        if let Some(how) = trouble(&report, time) {
            *log += &format!("{how}\n");
            return Ok(Some(format!("{shown} failed, and nothing of it is kept: {how}")));
        }
    }
    let kept = program.with_extension("calibrated");
    fs::create_dir(&kept)?;
    if !copy(&directory.path(), &kept, &mut Room::new(limits), &[], 0)? {
        fs::remove_dir_all(&kept)?;
        return Ok(Some(format!("{shown} left more than {} MiB, and nothing of it is kept", limits.bytes >> 20)));
    }
    fs::remove_dir_all(program)?;
    fs::rename(&kept, program).with_context(|| format!("{}: cannot be renamed", kept.display()))?;
    Ok(Some(format!("{shown} was run once, and what it left is kept")))
}

/// What the first turn showed.
pub(super) struct FirstTurn {
    /// What there is to say about it.
    pub remarks: Vec<String>,
    /// The last lines of its standard error, if it went wrong.
    pub last_words: Option<String>,
}

/// Plays one turn from the start of a game. An error if the program cannot be started at all.
pub(super) fn first_turn(
    game: &Game,
    command: &str,
    program: &Path,
    student: &str,
    bounds: &Bounds,
) -> Result<FirstTurn> {
    let keys = Keys::of_submission(command.to_string(), program.to_owned(), student.replace('"', "'"), true);
    let spec = keys.engine(&game.arena)?;
    let rules = (game.arena.check_rules)(None)?;
    let questions = (game.preflight.questions)(rules)?;
    let question = questions.first().context("a game without a start")?;
    let request = Request { spec: &spec, bounds: bounds.clone(), question, rules };
    let answer = (game.preflight.ask)(&request)?;
    let Some(fault) = &answer.fault else {
        return Ok(FirstTurn { remarks: Vec::new(), last_words: None });
    };
    let word = fault.termination.word();
    let mut remarks = vec![format!("first move: {word}: {}", plain::shown(&fault.reason))];
    remarks.extend(answer.mend.as_ref().map(|mend| format!("to mend it: {}", plain::shown(mend))));
    Ok(FirstTurn { remarks, last_words: last_lines_of(&answer.stderr) })
}
