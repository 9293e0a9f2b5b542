//! Takes in one student: unpacks the files, builds the program, tries it, and writes the folder.

use crate::build::compile::{Build, BuildLimits, Failure};
use crate::build::python_syntax::syntax_error;
use crate::build::runtime::Runtimes;
use crate::build::tools::Tools;
use crate::download::course_systems::Student;
use crate::download::entries::{Download, NOT_UNPACKED};
use crate::download::folder_names::remark;
use crate::find::build_plan::BuildPlan;
use crate::find::find_program::{BY_HAND, NOTHING, find_program};
use crate::find::given::Given;
use crate::find::languages::Languages;
use crate::find::recode::recode;
use crate::find::source_doubts::source_doubts;
use crate::find::source_text::{read_beginning, reads_arguments};
use crate::find::tree::{Tree, shown};
use crate::submission::{BUILD_LOG, PROGRAM, SUBMISSION, State, Submission, hex};
use crate::take_in::attempts::{Attempt, Attempts};
use crate::take_in::earlier::{
    Choice, Decision, Upload, decide, digest_of_folder, is_edited, keep, put_aside, was_mended,
};
use crate::take_in::first_runs::{FirstRun, calibrate};
use crate::take_in::trial::Trial;
use crate::unpack::archives::Limits;
use crate::unpack::student_files::{Unpacked, is_machine_error, unpack};
use anygame::AnyGame;
use anyhow::{Context, Result};
use arena::keys::Keys;
use arena::plain;
use arena::player::protocol::PlayerProtocol;
use arena::result::Termination;
use arena::terms::Bounds;
use clock::lock;
use files::write_atomically;
use homework::Homework;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) const UNFINISHED: &str = ".unfinished-";
const MEMORY_WORDS: &str = "what a program keeps of one game; every game begins without it";
const PROGRAM_OF_A_NOTEBOOK: &str = "homework.py";
/// The folder with the student's unpacked files in an unfinished folder.
const FILES: &str = "files";

pub(crate) struct Intake<'a> {
    pub game: &'a AnyGame,
    pub download: Mutex<Download>,
    pub out: &'a Path,
    pub languages: &'a Languages,
    pub given: Given,
    pub tools: &'a Tools,
    pub limits: Limits,
    pub unpacked: AtomicU64,
    pub build: BuildLimits,
    /// The wall time of a calibration.
    pub calibrate: Duration,
    /// The limits of the program's process in its first turn.
    pub bounds: Bounds,
    /// What runs programs in these limits.
    pub runtimes: Runtimes,
    /// The homework, of which programs get cases instead of a turn of a game.
    pub homework: Option<&'a Homework>,
    /// The digest of everything that affects all submissions.
    pub digest: String,
    /// The digest of the download's path; empty for a zip.
    pub directory: String,
    /// The choices of the teacher, by the students' names.
    pub choices: BTreeMap<String, Choice>,
}

#[derive(Default)]
pub(crate) struct TakenIn {
    pub folder: String,
    pub submission: Submission,
    pub unchanged: bool,
    /// What was decided about the upload, if anything had to be.
    pub told: Option<String>,
    /// Whether the teacher has to choose between the upload and a mended version.
    pub asks: bool,
}

impl Intake<'_> {
    pub(crate) fn take_in(&self, student: &Student, folder: String) -> Result<TakenIn> {
        let unfinished = self.out.join(format!("{UNFINISHED}{folder}"));
        remove(&unfinished)?;
        let files = unfinished.join(FILES);
        fs::create_dir_all(&files)
            .with_context(|| format!("{}: cannot be made", files.display()))?;
        let unpacked = {
            let mut download = lock(&self.download);
            let before = self.unpacked.load(Ordering::Relaxed);
            let list = &self.languages.list;
            let is_source = |path: &Path| list.iter().any(|one| one.may_begin_with(path));
            let unpacked = unpack(&mut download, student, &files, &is_source, self.limits, before)?;
            self.unpacked.fetch_add(unpacked.bytes, Ordering::Relaxed);
            unpacked
        };
        let [mut digest, again] = self.digests(student, &unpacked.digest);
        let place = self.out.join(&folder);
        let earlier = match Submission::read(&place) {
            // Whoever deletes the program wants it anew.
            _ if !place.join(PROGRAM).is_dir() => None,
            // The module or another version may have been installed since. Another digest has it
            // graded again.
            Ok(earlier)
                if earlier.lacks_module()
                    || self.runtimes.fault(&earlier, &place.join(PROGRAM)).is_some() =>
            {
                if earlier.digest == digest {
                    digest = again;
                }
                Some(earlier)
            }
            Ok(earlier) if [&digest, &again].contains(&&earlier.digest) => {
                remove(&unfinished)?;
                return Ok(TakenIn {
                    folder,
                    submission: earlier,
                    unchanged: true,
                    ..TakenIn::default()
                });
            }
            Ok(earlier) => Some(earlier),
            Err(error) if place.join(SUBMISSION).exists() => {
                remove(&unfinished)?;
                let error = plain::shown(&format!("{error:#}"));
                let mut submission = new_submission(student, &folder, String::new());
                submission.needs = Some(format!("{error}; correct the file, or delete the folder"));
                return Ok(TakenIn { folder, submission, ..TakenIn::default() });
            }
            Err(_) => None,
        };
        let upload = Upload {
            digest: &unpacked.upload.clone(),
            number: &student.upload,
            directory: &self.directory,
        };
        let (mut by_hand, mut was_edited) = (false, false);
        if let Some(earlier) = &earlier {
            was_edited = is_edited(earlier, &place)?;
            match decide(earlier, &upload, was_edited, self.choices.get(&student.name).copied()) {
                Decision::Take { by_hand: mended } => by_hand = mended,
                Decision::Keep { why, asks } => {
                    remove(&unfinished)?;
                    let submission = keep(earlier, student, &upload, &place, (was_edited, asks))?;
                    let (unchanged, told) = (true, Some(why));
                    return Ok(TakenIn { folder, submission, unchanged, told, asks });
                }
            }
        }
        let mut submission =
            self.make(new_submission(student, &folder, digest), unpacked, &unfinished)?;
        (submission.upload_digest, submission.by_hand) = (upload.digest.to_string(), by_hand);
        submission.directory.clone_from(&self.directory);
        let mut told = None;
        if let Some(earlier) = earlier {
            let is_new = earlier.upload_digest != upload.digest;
            if was_edited || earlier.by_hand && is_new {
                let aside = put_aside(self.out, &folder)?;
                told = Some(format!("the version that you had mended is in {}", aside.display()));
            } else if by_hand && is_new {
                let why =
                    "its files are no longer those of the upload: they count as mended by you";
                told = Some(why.to_string());
            }
            let mut known = earlier.earlier_uploads;
            if !earlier.upload_digest.is_empty() && !known.contains(&earlier.upload_digest) {
                known.push(earlier.upload_digest);
            }
            known.retain(|known| known != upload.digest);
            submission.earlier_uploads = known;
        }
        submission.written = digest_of_folder(&submission, &unfinished)?;
        submission.write(&unfinished)?;
        remove(&unfinished.join(FILES))?;
        replace(&unfinished, &place)?;
        Ok(TakenIn { folder, submission, told, ..TakenIn::default() })
    }

    /// Returns the digest of all that affects what becomes of a student, and another one for a
    /// second try.
    fn digests(&self, student: &Student, files: &str) -> [String; 2] {
        let late = if student.late { "late" } else { "" };
        let doubt = student.doubt.as_deref().unwrap_or_default();
        let marks = format!("{late}{doubt}{}", student.members.join("; "));
        let mut digest = Sha256::new();
        for part in [&self.digest, &student.name, &student.id, &student.upload, &marks, files] {
            digest.update(part.as_bytes());
            digest.update([0]);
        }
        [digest.clone(), digest.chain_update(b"again")].map(|digest| hex(&digest.finalize()))
    }

    /// Writes a student's folder after an error of the submission. An error of the machine, such as
    /// a full disk, is returned.
    pub(crate) fn record_failure(
        &self,
        student: &Student,
        folder: String,
        error: anyhow::Error,
    ) -> Result<TakenIn> {
        if error.chain().any(|cause| cause.downcast_ref().is_some_and(is_machine_error)) {
            return Err(error.context(format!("the submission of {}", student.name)));
        }
        // Without a digest, the next intake tries the submission again.
        let mut submission = new_submission(student, &folder, String::new());
        submission.needs = Some(plain::shown(&format!("the intake failed: {error:#}")));
        let unfinished = self.out.join(format!("{UNFINISHED}{folder}"));
        let place = self.out.join(&folder);
        remove(&unfinished)?;
        fs::create_dir_all(unfinished.join(PROGRAM))?;
        submission.write(&unfinished)?;
        if Submission::read(&place)
            .is_ok_and(|earlier| was_mended(&earlier, &place).unwrap_or(true))
        {
            put_aside(self.out, &folder)?;
        }
        replace(&unfinished, &place)?;
        Ok(TakenIn { folder, submission, ..TakenIn::default() })
    }

    fn make(
        &self,
        mut submission: Submission,
        unpacked: Unpacked,
        unfinished: &Path,
    ) -> Result<Submission> {
        let Submission { mended, remarks, files, .. } = &mut submission;
        remarks.extend(unpacked.left_out.iter().map(|line| format!("left out: {line}")));
        let program = unfinished.join(PROGRAM);
        if let Some(refused) = unpacked.refused {
            submission.needs = Some(format!("refused: {refused}"));
            fs::create_dir(&program)?;
            return Ok(submission);
        }
        let mut tree = Tree::new(&unfinished.join(FILES), self.languages)?;
        if !tree.compiled.is_empty() {
            remarks.push(format!("left out because compiled: {}", shown(&tree.compiled)));
        }
        if !tree.kept.is_empty() {
            remarks.push(format!("left out: {}: {MEMORY_WORDS}", shown(&tree.kept)));
        }
        mended.extend(unpacked.archives.iter().map(|archive| format!("{archive} was unpacked")));
        if unpacked.archives.is_empty() && !tree.enclosing.is_empty() {
            mended.push(format!("the enclosing folder {} was removed", tree.enclosing.join("/")));
        }
        if !tree.renamed.is_empty() {
            let renamed = shown(&tree.renamed);
            mended.push(format!("{renamed}: the extension was changed to lower case"));
        }
        mended.extend(recode(&tree, self.languages)?);
        let find = |tree: &Tree| find_program(tree, self.languages, self.game, &self.given);
        let mut plans = find(&tree);
        if plans.is_err()
            && let renamed = tree.rename_texts(self.languages)?
            && !renamed.is_empty()
        {
            mended.extend(renamed);
            mended.extend(recode(&tree, self.languages)?);
            plans = find(&tree);
        }
        files.clone_from(&tree.files);
        if plans.is_err()
            && let Some(line) = tree.unpack_notebook(PROGRAM_OF_A_NOTEBOOK)?
        {
            mended.push(line);
            plans = find(&tree);
        }
        let plans = match plans {
            Ok(plans) => plans,
            Err(why) => {
                let needs = needs_instead(why, &unpacked.left_out);
                write_atomically(&unfinished.join(BUILD_LOG), &format!("{needs}\n"))?;
                submission.needs = Some(needs);
                fs::rename(&tree.root, &program)?;
                return Ok(submission);
            }
        };
        let mut log = String::new();
        self.build_and_try(&mut submission, &tree, &plans, &program, &mut log)?;
        submission.runtime = self.runtimes.find(&submission, &program);
        write_atomically(&unfinished.join(BUILD_LOG), &plain::lines(&log.replace('\t', "    ")))?;
        Ok(submission)
    }

    /// Builds and tries the program by the first plan that succeeds. Where it fails, other
    /// interpreters, compilers and forms of arguments have their turn: what gets most right is
    /// kept.
    fn build_and_try(
        &self,
        submission: &mut Submission,
        tree: &Tree,
        plans: &[BuildPlan],
        program: &Path,
        log: &mut String,
    ) -> Result<()> {
        let (tools, limits, files) = (self.tools, self.build, self.game.files);
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
                    failures.push((plan, failure));
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
        let mut built = submission.clone();
        built.language = Some(plan.language.name.clone());
        built.command = Some(command);
        for (before, after) in tree.moved.borrow().iter() {
            built.files.retain(|path| path != before);
            built.files.push(after.clone());
        }
        built.files = in_folder(&built.files, &plan.folder, program);
        built.remarks.extend(source_doubts(program, &built.files, plan.language, self.game.files));
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
        if let Some(homework) = self.homework {
            leave_out_answers(homework, &mut built, program)?;
            forms.push(format!("-i {}", self.game.files.input));
        }
        let text = |path: &PathBuf| read_beginning(&program.join(path));
        let has_arguments = built.files.iter().any(|path| reads_arguments(&text(path)));
        for arguments in forms {
            let command = format!("{plain} {arguments}").trim_end().to_string();
            let mut submission = Submission { command: Some(command.clone()), ..built.clone() };
            let home = program.to_owned();
            let keys = Keys::of_submission(command.clone(), home, &built.student, true);
            let run = FirstRun { game: self.game, keys, bounds: &self.bounds };
            let tried = match self.homework {
                None => self.try_turn(&mut submission, &run, program),
                Some(homework) => {
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

    /// Plays the first turn by files, or, where no source names the input file, by the game's other
    /// protocol if the program speaks that.
    fn try_turn(
        &self,
        submission: &mut Submission,
        run: &FirstRun,
        program: &Path,
    ) -> Result<Trial> {
        let names_input =
            |path: &PathBuf| read_beginning(&program.join(path)).contains(self.game.files.input);
        if let Some(protocol) = PlayerProtocol::all(self.game).next()
            && !submission.files.iter().any(names_input)
        {
            let trial = run.first_turn_by(protocol.name)?;
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
        run.first_turn()
    }
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

/// Returns why there is no program: first what could not be unpacked.
fn needs_instead(why: String, left_out: &[String]) -> String {
    const MOST: usize = 2;
    let locked = || left_out.iter().filter(|line| line.contains(NOT_UNPACKED));
    let count = locked().count();
    let mut parts: Vec<String> = locked().take(MOST).cloned().collect();
    if count > MOST {
        parts.push(format!("and {} more", count - MOST));
    }
    if count == 0 || why != NOTHING && !why.contains(BY_HAND) {
        parts.push(why);
    }
    parts.join("; ")
}

fn new_submission(student: &Student, folder: &str, digest: String) -> Submission {
    Submission {
        student: student.name.clone(),
        id: student.id.clone(),
        members: student.members.clone(),
        feedback: student.feedback.clone(),
        upload: student.upload.clone(),
        late: student.late,
        remarks: student.doubt.clone().into_iter().chain(remark(&student.name, folder)).collect(),
        digest,
        ..Submission::default()
    }
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

fn replace(folder: &Path, place: &Path) -> Result<()> {
    remove(place)?;
    fs::rename(folder, place).with_context(|| format!("{}: cannot be renamed", folder.display()))
}

pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}
