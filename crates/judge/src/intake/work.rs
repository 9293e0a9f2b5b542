//! One student's way from the download to a folder that plays.

use super::build::{BuildLimits, Built, build};
use super::find::{Plan, find};
use super::languages::Languages;
use super::shapes::Student;
use super::smoke::{calibrate, first_turn};
use super::source::Source;
use super::tools::Tools;
use super::tree::Tree;
use super::unpack::{Limits, Unpacked, unpack};
use crate::games::Game;
use crate::submission::{BUILD_LOG, PROGRAM, State, Submission};
use anyhow::{Context, Result};
use arena::plain;
use arena::terms::Bounds;
use engine::agent::files::write_atomically;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The beginning of the name of a student's folder while it is made.
pub(super) const YOUNG: &str = ".young-";
/// The folder in it with the student's files as they were unpacked.
const FILES: &str = "files";

/// What all students have in common.
pub(super) struct Workshop<'a> {
    /// The game.
    pub game: &'a Game,
    /// The download.
    pub source: Mutex<Source>,
    /// The directory for the students' folders.
    pub out: &'a Path,
    /// The table of languages.
    pub languages: &'a Languages,
    /// Compilers and interpreters.
    pub tools: &'a Tools,
    /// What a submission may hold.
    pub limits: Limits,
    /// The bytes that were unpacked so far.
    pub unpacked: AtomicU64,
    /// What compiling may take.
    pub build: BuildLimits,
    /// What calibrating may take.
    pub calibrate: Duration,
    /// The limits of a first turn.
    pub bounds: Bounds,
    /// The digest of all that bears on every submission.
    pub digest: String,
}

/// What became of a student.
pub(super) struct Done {
    /// The student's folder.
    pub folder: String,
    /// The submission.
    pub submission: Submission,
    /// Nothing had changed since the last intake.
    pub unchanged: bool,
}

impl Workshop<'_> {
    /// Takes a student in, unless nothing has changed.
    pub(super) fn take_in(&self, student: &Student, folder: String) -> Result<Done> {
        let young = self.out.join(format!("{YOUNG}{folder}"));
        remove(&young)?;
        let files = young.join(FILES);
        fs::create_dir_all(&files).with_context(|| format!("{}: cannot be made", files.display()))?;
        let unpacked = {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            let before = self.unpacked.load(Ordering::Relaxed);
            let unpacked = unpack(&mut source, student, &files, self.limits, before)?;
            self.unpacked.fetch_add(unpacked.bytes, Ordering::Relaxed);
            unpacked
        };
        let mut digest = Sha256::new();
        for part in [&self.digest, &student.name, &unpacked.digest] {
            digest.update(part.as_bytes());
            digest.update([0]);
        }
        let digest = hex(&digest.finalize());
        let place = self.out.join(&folder);
        if let Ok(there) = Submission::read(&place)
            && there.digest == digest
            && place.join(PROGRAM).is_dir()
        {
            remove(&young)?;
            return Ok(Done { folder, submission: there, unchanged: true });
        }
        let submission = self.made(student, unpacked, &young, digest)?;
        submission.write(&young)?;
        remove(&young.join(FILES))?;
        remove(&place)?;
        fs::rename(&young, &place).with_context(|| format!("{}: cannot be renamed", young.display()))?;
        Ok(Done { folder, submission, unchanged: false })
    }

    /// The student's folder after an error on the way. An error of the machine's, such as a full disk, stays one.
    pub(super) fn given_up(&self, student: &Student, folder: String, error: anyhow::Error) -> Result<Done> {
        let is_machines = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<std::io::Error>().is_some_and(super::unpack::is_machines)
        };
        if error.chain().any(is_machines) {
            return Err(error.context(format!("the submission of {}", student.name)));
        }
        // Without a digest it is tried again the next time.
        let mut submission = nothing_yet(student, String::new());
        submission.needs = Some(plain::shown(&format!("it could not be taken in: {error:#}")));
        let (young, place) = (self.out.join(format!("{YOUNG}{folder}")), self.out.join(&folder));
        remove(&young)?;
        fs::create_dir_all(young.join(PROGRAM))?;
        submission.write(&young)?;
        remove(&place)?;
        fs::rename(&young, &place)?;
        Ok(Done { folder, submission, unchanged: false })
    }

    fn made(&self, student: &Student, unpacked: Unpacked, young: &Path, digest: String) -> Result<Submission> {
        let mut submission = nothing_yet(student, digest);
        submission.remarks = unpacked.left_out.iter().map(|line| format!("left out: {line}")).collect();
        let program = young.join(PROGRAM);
        if let Some(refused) = unpacked.refused {
            submission.needs = Some(format!("refused: {refused}"));
            fs::create_dir(&program)?;
            return Ok(submission);
        }
        let tree = Tree::new(&young.join(FILES), self.languages)?;
        if !tree.compiled.is_empty() {
            submission.remarks.push(format!("left out, as compiled files are: {}", super::tree::shown(&tree.compiled)));
        }
        submission.files.clone_from(&tree.files);
        for zip in &unpacked.zips {
            submission.mended.push(format!("{zip} was unpacked"));
        }
        if unpacked.zips.is_empty() && !tree.around.is_empty() {
            submission.mended.push(format!("the folder {} around everything was taken off", tree.around.join("/")));
        }
        if !tree.renamed.is_empty() {
            let renamed = super::tree::shown(&tree.renamed);
            submission.mended.push(format!("{renamed}: the extension is written small now"));
        }
        let plans = match find(&tree, self.languages, self.game.arena.name) {
            Ok(plans) => plans,
            Err(why) => {
                submission.needs = Some(why);
                fs::rename(&tree.root, &program)?;
                return Ok(submission);
            }
        };
        let mut log = String::new();
        self.by_plans(&mut submission, &tree, &plans, &program, &mut log)?;
        if submission.command.is_some() {
            self.tried(&mut submission, &program, &mut log)?;
        }
        write_atomically(&young.join(BUILD_LOG), &log)?;
        Ok(submission)
    }

    /// Makes the program by the first plan that comes to one.
    fn by_plans(
        &self,
        submission: &mut Submission,
        tree: &Tree,
        plans: &[Plan],
        program: &Path,
        log: &mut String,
    ) -> Result<()> {
        let mut failures: Vec<(&Plan, String, Option<String>)> = Vec::new();
        for plan in plans {
            remove(program)?;
            match build(tree, plan, self.tools, self.build, program, log)? {
                Built::Failed { why, last_words } => failures.push((plan, why, last_words)),
                Built::Program { command, mended } => {
                    let failed = failures.iter().filter(|(failed, ..)| failed.language.name != plan.language.name);
                    for (failed, why, _) in failed.filter(|(failed, ..)| failed.language.is_project()) {
                        let (main, name) = (failed.main.display(), &plan.language.name);
                        submission.mended.push(format!("{main} did not do ({why}): taken as {name}"));
                    }
                    submission.mended.extend(plan.mended.iter().cloned().chain(mended));
                    submission.language = Some(plan.language.name.clone());
                    submission.command = Some(command);
                    submission.state = if submission.mended.is_empty() { State::Ready } else { State::Mended };
                    for (before, after) in tree.moved.borrow().iter() {
                        submission.files.retain(|path| path != before);
                        submission.files.push(after.clone());
                    }
                    submission.files = in_folder(&submission.files, &plan.folder, program);
                    return Ok(());
                }
            }
        }
        // The first plan is what the student most likely meant.
        if let Some((plan, why, last_words)) = failures.into_iter().next() {
            submission.language = Some(plan.language.name.clone());
            submission.needs = Some(why);
            submission.last_words = last_words;
        }
        remove(program)?;
        fs::rename(&tree.root, program)?;
        Ok(())
    }

    /// Calibrates the program and plays its first turn.
    fn tried(&self, submission: &mut Submission, program: &Path, log: &mut String) -> Result<()> {
        let files = submission.files.clone();
        let (languages, tools) = (self.languages, self.tools);
        let calibrated = calibrate(program, &files, languages, tools, self.build, self.calibrate, log)?;
        submission.remarks.extend(calibrated);
        let Some(command) = submission.command.clone() else { return Ok(()) };
        match first_turn(self.game, &command, program, &submission.student, &self.bounds) {
            Ok(turn) => {
                submission.remarks.extend(turn.remarks);
                submission.last_words = turn.last_words;
            }
            Err(error) => {
                let why = format!("{command} cannot be started: {error:#}");
                let _ = writeln!(log, "{why}");
                submission.needs = Some(plain::shown(&why));
                submission.state = State::NeedsYou;
                submission.command = None;
            }
        }
        Ok(())
    }
}

/// A submission of which nothing is known yet.
fn nothing_yet(student: &Student, digest: String) -> Submission {
    Submission {
        student: student.name.clone(),
        state: State::NeedsYou,
        language: None,
        command: None,
        mended: Vec::new(),
        needs: None,
        remarks: Vec::new(),
        last_words: None,
        digest,
        files: Vec::new(),
    }
}

/// The student's own files as they lie in the program's folder.
fn in_folder(files: &[PathBuf], folder: &Path, program: &Path) -> Vec<PathBuf> {
    let inside = files.iter().filter_map(|path| path.strip_prefix(folder).ok());
    inside.filter(|path| program.join(path).is_file()).map(Path::to_owned).collect()
}

/// Removes a folder with all that is in it, if it is there.
pub(super) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

/// A digest in letters.
pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
