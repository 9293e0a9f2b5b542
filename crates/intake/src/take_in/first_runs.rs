//! The first runs of a program in the sandbox: its calibration, if it has one, and one turn from
//! the start of a game.

use crate::build::compile::{BuildLimits, CopyQuota, copy, expand, rename_by_class, run};
use crate::build::tools::Tools;
use crate::find::build_plan::{BuildPlan, is_calibration};
use crate::find::languages::Languages;
use crate::find::tree::{MEMORY, Tree};
use crate::preflight::test_positions::{
    TurnRequest, USUAL_CLOCK, start_with_clock, test_positions,
};
use crate::preflight::turn::ask;
use crate::submission::TO_FIX;
use crate::take_in::trial::Trial;
use anygame::AnyGame;
use anygame::game::GameFiles;
use anyhow::{Context, Result};
use arena::keys::Keys;
use arena::plain;
use arena::player::directory::PlayerDirectory;
use arena::player::protocol::player_of;
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use homework::{CASE_TIME, CaseTerms, Homework};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the calibration of a program, if it has one, for at most `time` of wall time, and keeps the
/// files that it writes. Returns a remark.
pub(crate) fn calibrate(
    program: &Path,
    files: &[PathBuf],
    languages: &Languages,
    tools: &Tools,
    limits: BuildLimits,
    time: Duration,
    log: &mut String,
) -> Result<Option<String>> {
    let of_language = |path: &PathBuf| {
        let language = languages.list.iter().find(|one| one.has_source(path))?;
        is_calibration(path).then(|| (path.clone(), language))
    };
    let Some((main, language)) = files.iter().find_map(of_language) else { return Ok(None) };
    let shown = main.display().to_string();
    if let Some(why) = tools.missing(language)? {
        return Ok(Some(format!("{shown} was not run: {why}")));
    }
    let tree = Tree { root: program.to_owned(), files: vec![main.clone()], ..Tree::default() };
    let plan = BuildPlan::new(language, Path::new(""), main, Vec::new());
    let mut plan = BuildPlan { program: "calibrate", ..plan };
    let (class, _) = rename_by_class(program, &tree, &mut plan)?;
    let bounds = tools.bounds(language)?;
    let directory = PlayerDirectory::new(Some(program), &bounds)?;
    for (command, time) in
        language.build.iter().map(|build| (build, limits.time)).chain([(&language.run, time)])
    {
        let line = expand(command, &plan, &class, None);
        if let Some(how) = run(&directory, &line, tools, &bounds, time, log)?.failure {
            return Ok(Some(format!("{shown} failed, and its files are discarded: {how}")));
        }
    }
    let kept = program.with_extension("calibrated");
    fs::create_dir(&kept)?;
    let left_out = [GameFiles::USUAL.input, GameFiles::USUAL.output];
    if !copy(&directory.path(), &kept, &mut CopyQuota::new(limits), &left_out, 0)? {
        fs::remove_dir_all(&kept)?;
        let mib = limits.bytes >> 20;
        return Ok(Some(format!("{shown} left more than {mib} MiB, and its files are discarded")));
    }
    // A calibration may play, too.
    let _ = fs::remove_file(kept.join(MEMORY));
    fs::remove_dir_all(program)?;
    fs::rename(&kept, program).with_context(|| format!("{}: cannot be renamed", kept.display()))?;
    Ok(Some(format!("{shown} was run once, and its files are kept")))
}

/// The CPU seconds for a first move that needs more than those of `judge try`: what schemes give.
const LONG_CLOCK: f64 = 10.0;

/// The CPU seconds after which the remaining cases are left out.
const MOST_CPU: f64 = 60.0;

/// A built program that has not played yet.
pub(crate) struct FirstRun<'a> {
    /// The program as a player.
    pub keys: Keys,
    pub bounds: &'a Bounds,
}

impl FirstRun<'_> {
    /// Plays one turn from the start of a game; one whose move comes too late is played again with
    /// a longer clock. Errors: the program cannot be started.
    pub(crate) fn first_turn(&self, game: &AnyGame) -> Result<Trial> {
        let spec = self.keys.clone().engine(game)?;
        let rules = game.rules.check_rules(None)?;
        let tests = test_positions(game, rules, None)?;
        let ask_it = |test| ask(&TurnRequest { game, spec: &spec, bounds: self.bounds, test });
        let test = tests.first().context("a game without a start")?;
        let clock = test.task.clock.as_secs_f64();
        let mut answer = ask_it(test)?;
        // A program on a busy machine is ended with less CPU time than an endless loop uses up.
        let was_thinking = (clock / 2.0..2.0 * clock).contains(&answer.cpu);
        let is_late = match answer.fault.as_ref().map(|fault| fault.termination) {
            Some(Termination::TimeForfeit) => true,
            Some(Termination::Stall) => was_thinking,
            _ => false,
        };
        if is_late {
            answer = ask_it(&start_with_clock(game, rules, clock.max(LONG_CLOCK))?)?;
        }
        let advice = answer.advice.map(|advice| format!("{TO_FIX}{}", plain::shown(&advice)));
        Ok(Trial::of_turn(answer.fault, advice, answer.stderr))
    }

    /// Runs a program on the first `most` cases. A trial ends where it cannot become better than
    /// `best` any more. Errors: the program cannot be started.
    pub(crate) fn cases(
        &self,
        homework: &Homework,
        most: usize,
        best: Option<&Trial>,
    ) -> Result<Trial> {
        let spec = self.keys.clone().player(&homework.name, &homework.interface)?;
        // A student is taken in as a whole, or not at all.
        let interrupted = || false;
        let terms =
            CaseTerms { bounds: self.bounds, seconds: CASE_TIME, stops_early: false, interrupted };
        let (mut trial, mut cpu) = (Trial::default(), 0.0);
        homework.run_cases(homework.cases.iter().take(most), &spec, &terms, |case, runs| {
            let Some(mut result) = runs.results.last().cloned() else { return Ok(true) };
            let unjudged = result.unjudged.take().map(|why| format!("the checker: {why}"));
            result.wrong = result.wrong.or(unjudged);
            cpu += result.cpu;
            let used_up = result.used_up || cpu > MOST_CPU;
            let told = homework.told(case, &result);
            trial.add(result, told);
            let more = most - trial.run;
            Ok(!used_up && best.is_none_or(|best| trial.rank(more) > best.rank(0)))
        })?;
        Ok(trial)
    }

    /// Plays the first turn of a game by the protocol of this name, as [`Self::first_turn`] does.
    pub(crate) fn first_turn_by(&self, game: &AnyGame, protocol: &str) -> Result<Trial> {
        let rules = game.rules.check_rules(None)?;
        let play = |slice: f64| -> Result<Option<Fault>> {
            let spec = self.keys.clone().speaking(protocol, slice).engine(game)?;
            let task = start_with_clock(game, rules, slice)?.task;
            let mut player = player_of(game, &spec, self.bounds, 1)?;
            player.begin(&task.position, task.position.side_to_move())?;
            let answer = player.turn(&task)?.answer;
            player.finish(None, "the first move is enough");
            Ok(answer.err())
        };
        let mut fault = play(USUAL_CLOCK)?;
        if fault.as_ref().is_some_and(|fault| fault.termination == Termination::TimeForfeit) {
            fault = play(LONG_CLOCK)?;
        }
        Ok(Trial::of_turn(fault, None, String::new()))
    }
}
