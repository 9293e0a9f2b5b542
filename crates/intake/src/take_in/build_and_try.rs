//! Builds the program of a student, and tries it: by the plans, and with each form of arguments.

use crate::build::compile::{Build, Failure};
use crate::build::python_syntax::{PYTHON_2, is_python_3_alone, syntax_error};
use crate::find::build_plan::BuildPlan;
use crate::find::source_doubts::source_doubts;
use crate::find::source_text::{read_beginning, reads_arguments};
use crate::find::tree::Tree;
use crate::submission::{State, Submission};
use crate::take_in::attempts::{Attempt, Attempts};
use crate::take_in::first_runs::{FirstRun, calibrate};
use crate::take_in::student::{Intake, remove};
use crate::take_in::trial::Trial;
use anygame::AnyGame;
use anyhow::Result;
use arena::keys::Keys;
use arena::plain;
use arena::player::protocol::PlayerProtocol;
use arena::result::Termination;
use homework::{Assignment, Homework};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

impl Intake<'_> {
    /// Builds and tries the program by the first plan that succeeds. Where it fails, other
    /// interpreters, compilers and forms of arguments have their turn: what gets most right is
    /// kept.
    pub(super) fn build_and_try(
        &self,
        submission: &mut Submission,
        tree: &Tree,
        plans: &[BuildPlan],
        program: &Path,
        log: &mut String,
    ) -> Result<()> {
        let (tools, limits, files) = (self.tools, self.build, self.assignment.interface().files);
        let mut failures: Vec<(&BuildPlan, Failure)> = Vec::new();
        let mut attempts = Attempts::default();
        let aside = program.with_extension("best");
        for plan in plans {
            if !attempts.are_followed_by(plan) {
                continue;
            }
            remove(program)?;
            let build = Build { tree, tools, limits, files, into: program, log: &mut *log };
            let (command, mended) = match build.run(plan)? {
                Ok(built) => built,
                Err(failure) => {
                    let is_other = plan.language.name == PYTHON_2
                        && is_python_3_alone(&tree.text(&plan.folder.join(&plan.main)));
                    failures.extend((!is_other).then_some((plan, failure)));
                    continue;
                }
            };
            let mut built = self.built(submission, tree, plan, program, command);
            let name = &plan.language.name;
            let before = attempts.list.len();
            for (failed, Failure { why, .. }) in failures.iter().filter(|_| before == 0) {
                let is_other = failed.language.is_project() || failed.main != plan.main;
                if is_other && failed.language.name != *name {
                    let main = failed.main.display();
                    built.mended.push(format!("{main} failed ({why}): built as {name}"));
                }
            }
            built.mended.extend(plan.mended.iter().cloned().chain(mended));
            self.try_program(plan, built, program, log, &mut attempts)?;
            if attempts.best >= before {
                remove(&aside)?;
                fs::rename(program, &aside)?;
            }
        }
        remove(program)?;
        if let Some(best) = attempts.into_best(&failures) {
            *submission = best;
            fs::rename(aside, program)?;
            return Ok(());
        }
        // The first plan is the most likely one: its failure is reported.
        if let Some((plan, Failure { why, last_words, .. })) = failures.into_iter().next() {
            submission.language = Some(plan.language.name.clone());
            submission.needs = Some(why);
            submission.last_words = last_words;
            let doubts = source_doubts(&tree.root, &submission.files, plan.language, files);
            submission.remarks.extend(doubts);
        }
        fs::rename(&tree.root, program)?;
        Ok(())
    }

    fn built(
        &self,
        submission: &Submission,
        tree: &Tree,
        plan: &BuildPlan,
        program: &Path,
        command: String,
    ) -> Submission {
        let files = self.assignment.interface().files;
        let mut built = submission.clone();
        built.language = Some(plan.language.name.clone());
        built.command = Some(command);
        for (before, after) in tree.moved.borrow().iter() {
            built.files.retain(|path| path != before);
            built.files.push(after.clone());
        }
        built.files = in_folder(&built.files, &plan.folder, program);
        built.remarks.extend(source_doubts(program, &built.files, plan.language, files));
        let main = program.join(&plan.main);
        if main.is_file() && read_beginning(&main).trim().is_empty() {
            built.remarks.push(format!("{} is empty", plan.main.display()));
        }
        built
    }

    /// Calibrates the program, and tries it with each form of arguments until all is right.
    fn try_program<'p>(
        &self,
        plan: &'p BuildPlan<'p>,
        mut built: Submission,
        program: &Path,
        log: &mut String,
        attempts: &mut Attempts<'p>,
    ) -> Result<()> {
        let (languages, tools) = (self.languages, self.tools);
        let calibrated =
            calibrate(program, &built.files, languages, tools, self.build, self.calibrate, log)?;
        built.remarks.extend(calibrated);
        let plain = built.command.clone().unwrap_or_default();
        let mut forms = vec![String::new()];
        if let Assignment::Homework(homework) = self.assignment {
            leave_out_answers(homework, &mut built, program)?;
            forms.push(format!("-i {}", homework.interface.files.input));
        }
        let text = |path: &PathBuf| read_beginning(&program.join(path));
        let has_arguments = built.files.iter().any(|path| reads_arguments(&text(path)));
        for arguments in forms {
            let command = format!("{plain} {arguments}").trim_end().to_string();
            let mut submission = Submission { command: Some(command.clone()), ..built.clone() };
            let home = program.to_owned();
            let keys = Keys::of_submission(command.clone(), home, &built.student, true);
            let run = FirstRun { keys, bounds: &self.bounds };
            let tried = match self.assignment {
                Assignment::Game(game) => try_turn(game, &mut submission, &run, program),
                Assignment::Homework(homework) => {
                    // Only where there is another interpreter to be tried do later cases count.
                    let all = if plan.language.build.is_none() { homework.cases.len() } else { 1 };
                    let most = attempts.list.first().map_or(all, |first| first.trial.run);
                    run.cases(homework, most, attempts.best().map(|best| &best.trial))
                }
            };
            let trial = tried.unwrap_or_else(|error| {
                let why = format!("{command} cannot be started: {error:#}");
                let _ = writeln!(log, "{why}");
                submission.needs = Some(plain::shown(&why));
                submission.state = State::NeedsYou;
                submission.command = None;
                Trial { run: 1, ..Trial::default() }
            });
            let mut found = None;
            if trial.answered == 0 && plan.language.is_python() {
                let is_named = |path: &&PathBuf| {
                    let said = **path == plan.main || trial.said.contains(&*path.to_string_lossy());
                    said && path.extension().is_some_and(|end| end == "py")
                };
                let sources = built.files.iter().filter(is_named);
                found = syntax_error(self.tools, plan.language, program, sources)?;
            }
            attempts.add(Attempt {
                plan,
                submission,
                command,
                fits: arguments.is_empty() != has_arguments,
                arguments,
                trial,
                syntax_error: found,
            });
            if attempts.best().is_some_and(|best| best.trial.is_perfect()) {
                break;
            }
        }
        Ok(())
    }
}

/// Plays the first turn by files, or, where no source names the input file, by the game's other
/// protocol if the program speaks that.
fn try_turn(
    game: &AnyGame,
    submission: &mut Submission,
    run: &FirstRun,
    program: &Path,
) -> Result<Trial> {
    let names_input =
        |path: &PathBuf| read_beginning(&program.join(path)).contains(game.interface.files.input);
    if let Some(protocol) = PlayerProtocol::all(&game.interface).next()
        && !submission.files.iter().any(names_input)
    {
        let trial = run.first_turn_by(game, protocol.name)?;
        // A program that ends before its move, or never connects, may play by files.
        let fault = trial.fault.as_ref();
        if fault.is_none_or(|fault| fault.termination != Termination::Crash) {
            let name = protocol.name.to_string();
            let remark = format!("it speaks the protocol `{name}`, and is graded by it");
            submission.remarks.push(remark);
            submission.protocol = Some(name);
            return Ok(trial);
        }
    }
    run.first_turn(game)
}

/// Removes the answers to cases that were handed in, which must not count as the program's.
fn leave_out_answers(
    homework: &Homework,
    submission: &mut Submission,
    program: &Path,
) -> Result<()> {
    for name in homework.left_names() {
        if program.join(&name).is_file() {
            fs::remove_file(program.join(&name))?;
            let shown = plain::shown(&name);
            submission.remarks.push(format!("left out: {shown}: an answer to some case"));
            submission.files.retain(|path| path != Path::new(&name));
        }
    }
    Ok(())
}

/// Returns the student's files in the program's folder, also those that came along with it.
fn in_folder(files: &[PathBuf], folder: &Path, program: &Path) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    let place = |path: &PathBuf| {
        let path = folder.ancestors().find_map(|above| path.strip_prefix(above).ok())?.to_owned();
        (program.join(&path).is_file() && seen.insert(path.clone())).then_some(path)
    };
    files.iter().filter_map(place).collect()
}
