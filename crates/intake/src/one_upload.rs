use crate::build::compile::BuildLimits;
use crate::build::runtime::Runtimes;
use crate::build::tools::Tools;
use crate::download::course_systems::single_student;
use crate::download::entries::Download;
use crate::find::given::Given;
use crate::find::languages::Languages;
use crate::submission::{BUILD_LOG, PROGRAM, State, Submission};
use crate::take_in::student::Intake;
use crate::unpack::archives::Limits;
use anyhow::{Context, Result};
use arena::plain::shown;
use arena::terms::Bounds;
use homework::Assignment;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// The limits of an upload and of its build.
#[derive(Clone, Debug)]
pub struct UploadLimits {
    /// The limits of the program in its first turn.
    pub bounds: Bounds,
    /// Wall time of a compiler.
    pub build_time: Duration,
    /// Memory of a compiler, in MiB.
    pub build_mib: u64,
    /// The size of the unpacked submission, and that of the built program, in MiB.
    pub size_mib: u64,
    /// Files of the submission.
    pub files: u64,
    /// A file with further languages (docs/class.md).
    pub languages: Option<PathBuf>,
}

/// An upload that was taken in.
pub struct TakenUpload {
    /// The submission, which can be started if it is `Ready` or `Mended`.
    pub submission: Submission,
    /// The folder with the program.
    pub program: PathBuf,
    /// The output of the compiler.
    pub build_log: String,
}

impl TakenUpload {
    /// What was found, as lines for its author.
    pub fn told(&self) -> String {
        let found = &self.submission;
        let mut text = String::new();
        for (label, lines) in [
            ("language:", found.language.as_slice()),
            ("command: ", found.command.as_slice()),
            ("mended:  ", &found.mended),
            ("remark:  ", &found.remarks),
            ("problem: ", found.needs.as_slice()),
        ] {
            for line in lines {
                text += &format!("{label} {}\n", shown(line));
            }
        }
        let indented = |text: &str| -> String {
            text.lines().map(|line| format!("    {}\n", shown(line))).collect()
        };
        if found.state > State::Mended {
            let log = self.build_log.trim();
            if !log.is_empty() && found.needs.as_deref() != Some(log) {
                text += &format!("output of the build:\n{}", indented(log));
            } else if let Some(last_words) = &found.last_words {
                text += &format!("last output:\n{}", indented(last_words));
            }
        }
        text
    }
}

/// Takes in the files of the folder `upload`, such as one archive or source, into the empty folder
/// `out`. Errors: the machine fails. What is wrong with an upload, the submission says.
pub fn take_in_upload(
    assignment: &Assignment,
    upload: &Path,
    out: &Path,
    name: &str,
    limits: &UploadLimits,
) -> Result<TakenUpload> {
    let languages = Languages::new(limits.languages.as_deref())?;
    let bounds = Bounds { keep: 1 << 14, ..limits.bounds.clone() };
    let tools = Tools::of_builds(&bounds, limits.build_mib, limits.size_mib);
    let languages = tools.installed(languages)?;
    let mut download = Download::open(upload)?;
    let class = single_student(shown(name), &mut download);
    let bytes = limits.size_mib << 20;
    let intake = Intake {
        assignment,
        download: Mutex::new(download),
        out,
        languages: &languages,
        given: Given::read(assignment.interface(), None)?,
        tools: &tools,
        limits: Limits { files: limits.files, bytes, ratio: 200, depth: 16, total: bytes },
        unpacked: AtomicU64::new(0),
        build: BuildLimits { time: limits.build_time, bytes },
        calibrate: limits.build_time,
        runtimes: Runtimes::new(&bounds),
        bounds,
        digest: String::new(),
        directory: String::new(),
        choices: BTreeMap::new(),
    };
    let student = class.students.first().context("an upload without files")?;
    let folder = "upload".to_string();
    let taken = intake.take_in(student, folder.clone());
    let taken = taken.or_else(|error| intake.record_failure(student, folder.clone(), error))?;
    let place = out.join(folder);
    let build_log = std::fs::read_to_string(place.join(BUILD_LOG)).unwrap_or_default();
    Ok(TakenUpload { submission: taken.submission, program: place.join(PROGRAM), build_log })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_has_no_effect_on_a_terminal() {
        let words = "x\u{9b}31m\r\ny".to_string();
        let submission = Submission { last_words: Some(words), ..Submission::default() };
        let taken = TakenUpload { submission, program: PathBuf::new(), build_log: String::new() };
        assert_eq!(taken.told(), "last output:\n    x\\u{9b}31m\n    y\n");
    }
}
