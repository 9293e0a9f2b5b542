//! Takes in one student: unpacks the files, builds the program, tries it, and writes the folder.

use crate::build::compile::BuildLimits;
use crate::build::runtime::Runtimes;
use crate::build::tools::Tools;
use crate::download::course_systems::Student;
use crate::download::entries::{Download, NOT_UNPACKED};
use crate::download::folder_names::remark;
use crate::find::find_program::{BY_HAND, NOTHING, find_program};
use crate::find::given::Given;
use crate::find::languages::Languages;
use crate::find::recode::recode;
use crate::find::tree::{Tree, shown};
use crate::submission::{BUILD_LOG, PROGRAM, SUBMISSION, Submission, hex};
use crate::take_in::earlier::{
    Choice, Decision, Upload, decide, digest_of_folder, is_edited, keep, put_aside, was_mended,
};
use crate::unpack::archives::Limits;
use crate::unpack::student_files::{Unpacked, is_machine_error, unpack};
use anyhow::{Context, Result};
use arena::plain;
use arena::terms::Bounds;
use clock::lock;
use files::write_atomically;
use homework::Assignment;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) const UNFINISHED: &str = ".unfinished-";
const MEMORY_WORDS: &str = "what a program keeps of one game; every game begins without it";
const PROGRAM_OF_A_NOTEBOOK: &str = "homework.py";
/// The folder with the student's unpacked files in an unfinished folder.
const FILES: &str = "files";

pub(crate) struct Intake<'a> {
    pub assignment: &'a Assignment,
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
        if let Some(homework) = self.assignment.homework() {
            tree.include(homework.included(&tree.files)?)?;
        }
        let find = |tree: &Tree| find_program(tree, self.languages, self.assignment, &self.given);
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
        files.retain(|path| !tree.included.contains(path));
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
