//! A checker: a program of the teacher's that judges what a program has left, by the contract of
//! Kattis' problem packages, in a box of its own.
//!
//! Its command is `CHECKER case/INPUT expected/OUTPUT feedback/ ARGUMENTS < output/OUTPUT`, in a
//! copy of its folder. Exit code 42 is right and 43 wrong; anything else is the checker's own
//! fault. It may leave `teammessage.txt` (for students), `judgemessage.txt` (for the teacher) and
//! `score.txt` (the part of the points, from 0 to 1) in `feedback/`.

use crate::case::{Case, Files, Scores, read};
use crate::cases::files;
use anygame::game::GameFiles;
use anyhow::{Context, Result, anyhow, bail};
use arena::digest::Digest;
use arena::plain;
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::player::untrusted_file::Unreadable;
use arena::terms::Bounds;
use clock::lock;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// For checkers in Python without a file of this name.
pub(crate) const MODULE: &str = "menagerie_checker.py";
pub(crate) const MODULE_TEXT: &[u8] = include_bytes!("menagerie_checker.py");
/// The exit code of a checker that accepts.
pub(crate) const RIGHT: i32 = 42;
pub(crate) const WRONG: i32 = 43;
const NEW_FEEDBACK: &str = "[ -e feedback ] && rm -rf feedback; mkdir feedback";
pub(crate) const LONGEST: u64 = 1 << 16;
const BUILD_TIME: f64 = 120.0;
const BUILT: u64 = 256 << 20;
const DISK_MIB: u64 = 512;

#[derive(Debug)]
pub(crate) struct Checker {
    folder: PathBuf,
    /// The program and its arguments before those of the contract.
    pub(crate) command: Vec<String>,
    /// What stands in its files for constants, and their values.
    pub constants: Vec<(String, String)>,
    /// The command that builds it, once.
    pub build: Vec<String>,
    /// CPU seconds for each answer.
    pub time: f64,
    /// The folder with the built program, or why it cannot be built.
    built: Mutex<Option<Result<TempDir, String>>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judgement {
    /// The part of the points, from 0 to 1.
    pub score: f64,
    pub is_right: bool,
    /// For students.
    pub words: String,
    /// For the teacher.
    pub for_teacher: String,
}

impl Checker {
    pub(crate) fn new(folder: PathBuf, command: Vec<String>) -> Checker {
        Checker {
            folder,
            command,
            constants: Vec::new(),
            build: Vec::new(),
            time: 20.0,
            built: Mutex::new(None),
        }
    }

    /// Adds what decides about verdicts.
    pub(crate) fn add_to(&self, digest: &mut Digest) -> Result<()> {
        for (name, words) in [("checker", &self.command), ("build", &self.build)] {
            words.iter().for_each(|word| digest.part(name, word));
        }
        self.constants.iter().for_each(|(name, value)| digest.part(name, value));
        digest.part("time", self.time.to_string());
        for name in files(&self.folder)? {
            digest.part(&name, read(&self.folder.join(&name))?);
        }
        Ok(())
    }

    /// Judges what a program has left. An error is the checker's fault.
    pub(crate) fn judge(&self, case: &Case, left: &Files) -> Result<Judgement> {
        let mut player = self.with_files(case, left)?;
        let output = quoted(&[format!("output/{}", output_name(case, left))]);
        player.start_by(format!("{NEW_FEEDBACK} && exec \"$0\" \"$@\" <{output}"));
        let run = player.run("", self.time())?;
        self.judgement(&player, &run, &case.scores)
    }

    /// The checker of a case, which will talk with a program.
    pub(crate) fn talker(&self, case: &Case) -> Result<CasePlayer> {
        let mut player = self.with_files(case, &Files::new())?;
        player.start_by(format!("{NEW_FEEDBACK} && exec \"$0\" \"$@\""));
        Ok(player)
    }

    /// CPU time for each answer.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    /// The checker in a directory with the files of a case and with what a program has left.
    fn with_files(&self, case: &Case, left: &Files) -> Result<CasePlayer> {
        let home = self.home()?;
        let command = [&self.command[..], &arguments(case, left)].concat();
        let mut player = self.player(&command, &home)?;
        if !home.join(MODULE).exists() {
            player.lay(MODULE, Some(MODULE_TEXT.to_vec()));
        }
        for (path, bytes) in files_of(case, left)? {
            player.lay(&path, Some(bytes));
        }
        Ok(player)
    }

    /// Reads the verdict from the exit code and from the files in the feedback folder.
    pub(crate) fn judgement(
        &self,
        player: &CasePlayer,
        run: &CaseRun,
        scores: &Scores,
    ) -> Result<Judgement> {
        if run.timed_out || run.cpu > self.time {
            bail!("no verdict within {} s of CPU time", self.time);
        }
        match run.exit_code.filter(|_| !run.lost) {
            Some(code @ (RIGHT | WRONG)) => {
                judgement(code == RIGHT, scores, |name| message(player, name))
            }
            _ => {
                let how = run.fault.clone().unwrap_or("exit code 0".to_string());
                bail!("{how}, expected {RIGHT} for right or {WRONG} for wrong")
            }
        }
    }

    /// The folder with the program, which is built first where it has to be.
    pub(crate) fn home(&self) -> Result<PathBuf> {
        if self.build.is_empty() && self.constants.is_empty() {
            return Ok(self.folder.clone());
        }
        let mut built = lock(&self.built);
        let built = built.get_or_insert_with(|| self.built().map_err(|error| format!("{error:#}")));
        match built {
            Ok(folder) => Ok(folder.path().to_owned()),
            Err(why) => Err(anyhow!("it cannot be built: {why}")),
        }
    }

    fn built(&self) -> Result<TempDir> {
        let folder = tempfile::Builder::new().prefix("checker-").tempdir()?;
        let mut source = self.folder.as_path();
        if !self.constants.is_empty() {
            self.copy_with_constants(folder.path())?;
            source = folder.path();
        }
        if self.build.is_empty() {
            return Ok(folder);
        }
        let player = self.player(&self.build, source)?;
        let run = player.run("", Duration::from_secs_f64(BUILD_TIME))?;
        if let Some(fault) = run.fault {
            bail!("{}", format!("{}: {fault}\n{}", self.build.join(" "), run.said.trim()).trim());
        }
        for name in player.files() {
            // Folders are as they were.
            if let Ok(bytes) = player.read(Path::new(&name), BUILT) {
                let path = folder.path().join(&name);
                fs::write(&path, bytes).with_context(|| path.display().to_string())?;
                sandbox::system::set_mode(&path, 0o755)?;
            }
        }
        Ok(folder)
    }

    fn copy_with_constants(&self, to: &Path) -> Result<()> {
        for name in files(&self.folder)? {
            let (from, to) = (self.folder.join(&name), to.join(&name));
            fs::create_dir_all(to.parent().unwrap_or(&to))?;
            fs::copy(&from, &to).with_context(|| from.display().to_string())?;
            fs::write(&to, with_constants(&self.constants, read(&from)?))?;
        }
        Ok(())
    }

    fn player(&self, command: &[String], home: &Path) -> Result<CasePlayer> {
        let bounds = bounds();
        let files = GameFiles { input: ".no-input", ..GameFiles::USUAL };
        CasePlayer::new(&Program { command, home: Some(home), own_command: false }, files, &bounds)
    }
}

/// Reads a judgement from the texts in the feedback folder.
pub(crate) fn judgement(
    is_right: bool,
    scores: &Scores,
    message: impl Fn(&str) -> Result<Option<String>>,
) -> Result<Judgement> {
    let score = match scores {
        Scores::Part => number(&message, "score.txt", 1.0)?
            .map_or_else(|| number(&message, "score_multiplier.txt", 1.0), |score| Ok(Some(score))),
        Scores::Of { whole, most } if is_right => {
            let score = number(&message, "score.txt", *most)?;
            let part = number(&message, "score_multiplier.txt", 1.0)?;
            if score.is_some() && part.is_some() {
                bail!("feedback/: score.txt beside score_multiplier.txt");
            }
            Ok(score.map(|score| if *whole > 0.0 { score / whole } else { 0.0 }).or(part))
        }
        _ => Ok(None),
    }?;
    Ok(Judgement {
        score: score.unwrap_or(f64::from(is_right)),
        is_right,
        words: message("teammessage.txt")?.unwrap_or_default(),
        for_teacher: message("judgemessage.txt")?.unwrap_or_default(),
    })
}

/// Arguments for a shell, with a blank before each.
pub(crate) fn quoted(arguments: &[String]) -> String {
    arguments.iter().map(|word| format!(" '{}'", word.replace('\'', "'\\''"))).collect()
}

/// The arguments of the contract.
pub(crate) fn arguments(case: &Case, left: &Files) -> Vec<String> {
    let (input, name) = (case.finds.first(), output_name(case, left));
    let mut arguments = vec![
        format!("case/{}", input.map_or("input", |(name, _)| name)),
        format!("expected/{name}"),
        "feedback/".to_string(),
    ];
    arguments.extend(case.of_checker.iter().cloned());
    arguments
}

/// The files that the checker finds, by their paths.
pub(crate) fn files_of(case: &Case, left: &Files) -> Result<Files> {
    let mut files = Files::new();
    for (name, file) in case.finds.iter().chain(&case.beside) {
        files.push((format!("case/{name}"), file.read()?));
    }
    for (name, accepted) in &case.expected {
        for (file, number) in accepted.iter().zip(1..) {
            let other = if number == 1 { String::new() } else { format!(".{number}") };
            files.push((format!("expected/{name}{other}"), file.read()?));
        }
    }
    if case.expected.is_empty() {
        files.push((format!("expected/{}", output_name(case, left)), Vec::new()));
    }
    files.extend(left.iter().map(|(name, bytes)| (format!("output/{name}"), bytes.clone())));
    Ok(files)
}

pub(crate) fn output_name<'n>(case: &'n Case, left: &'n Files) -> &'n str {
    let expected = || case.expected.first().map(|(name, _)| name);
    left.first().map(|(name, _)| name).or_else(expected).map_or("output", String::as_str)
}

pub(crate) fn bounds() -> Bounds {
    Bounds { disk_mib: DISK_MIB, keep: 1 << 14, ..Bounds::default() }
}

/// Puts the values of constants into the text of a file; bytes that are no text stay.
pub(crate) fn with_constants(constants: &[(String, String)], bytes: Vec<u8>) -> Vec<u8> {
    let put = |text: String, (from, to): &(String, String)| text.replace(from, to);
    match String::from_utf8(bytes) {
        Ok(text) => constants.iter().fold(text, put).into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// A text in the feedback folder, if there is one.
fn message(player: &CasePlayer, name: &str) -> Result<Option<String>> {
    match player.read(&Path::new("feedback").join(name), LONGEST) {
        Ok(bytes) => Ok(Some(plain::shown(String::from_utf8_lossy(&bytes).trim()))),
        Err(Unreadable::Missing) => Ok(None),
        Err(Unreadable::Other(why) | Unreadable::TooLong(why)) => bail!("feedback/{name} {why}"),
    }
}

/// A number from 0 to `most` in the feedback folder, if there is one.
fn number(
    message: &impl Fn(&str) -> Result<Option<String>>,
    name: &str,
    most: f64,
) -> Result<Option<f64>> {
    let Some(text) = message(name)? else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(score) if (0.0..=most + 1e-9).contains(&score) => Ok(Some(score)),
        _ => bail!("feedback/{name}: expected a number from 0 to {most}, found '{text}'"),
    }
}
