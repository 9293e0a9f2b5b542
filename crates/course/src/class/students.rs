//! The submissions of a class, each with its command or the reason why it cannot be run.

use crate::grade::result::NotRun;
use crate::grade::scheme::plan;
use anyhow::{Result, bail};
use arena::digest::Digest;
use arena::keys::Keys;
use arena::plain;
use arena::player::spec::EngineSpec;
use arena::player::untrusted_file::{Unreadable, read_untrusted};
use clap::Args;
use engine::protocol::without_mark;
use homework::{Assignment, Lateness};
use intake::runtime::{Runtimes, waiting_words};
use intake::submission::{
    IntakeMark, PROGRAM, State, Submission, TO_FIX, read_mark, student_folders,
};
use std::path::{Path, PathBuf};

/// A submission of a class.
pub struct Student {
    /// The name of the submission's directory, as plain text.
    pub name: String,
    /// The index of the submission in the whole class.
    pub place: u32,
    /// The player, or why it cannot be run.
    pub player: Result<EngineSpec, NotRun>,
    /// The digest of the submission's files and of its command.
    pub digest: String,
    /// Notes for the report.
    pub notes: Vec<String>,
    /// The course system's number for the student; empty if the download has none.
    pub(crate) id: String,
    /// The members of a team; empty for one student.
    pub(crate) members: Vec<String>,
    /// Where feedback goes in a zip for the course system ([`Submission::feedback`]).
    pub(crate) feedback: Vec<String>,
    pub(crate) lateness: Option<Lateness>,
    /// The result of the intake, and the folder of the program, where there was one.
    pub taken: Option<(Submission, PathBuf)>,
    /// Why it waits: this machine runs it by something else than the intake did.
    pub waits: Option<String>,
}

impl Student {
    pub(super) fn new(
        name: String,
        place: u32,
        player: Result<EngineSpec, NotRun>,
        digest: String,
    ) -> Student {
        let (notes, id, members, feedback, lateness) = Default::default();
        let (taken, waits) = (None, None);
        Student {
            name,
            place,
            player,
            digest,
            notes,
            id,
            members,
            feedback,
            lateness,
            taken,
            waits,
        }
    }

    /// Why it cannot be run, unless it waits.
    pub(crate) fn not_run(&self) -> Option<&NotRun> {
        self.player.as_ref().err().filter(|_| self.waits.is_none())
    }

    /// Tries what the intake has found to run the program: where something else is there, the
    /// submission waits.
    pub fn try_runtime(&mut self, runtimes: &Runtimes) {
        let taken = self.taken.as_ref();
        self.waits = taken.and_then(|(found, folder)| runtimes.fault(found, folder));
    }
}

/// Fails with the names of the submissions that wait, and the remedy.
pub(super) fn check_none_waits<'s>(waiting: impl Iterator<Item = &'s Student>) -> Result<()> {
    let named = |student: &Student| Some((student.name.clone(), student.waits.clone()?));
    let waiting: Vec<_> = waiting.filter_map(named).collect();
    if waiting.is_empty() { Ok(()) } else { bail!("{}", waiting_words(&waiting)) }
}

/// The commands that run submissions.
#[derive(Args)]
pub struct Commands {
    /// The command that runs each submission, in a copy of its directory
    #[arg(long, value_name = "COMMAND")]
    pub cmd: Option<String>,

    /// Run each submission with the command in its file `command`, if it has one
    #[arg(long)]
    pub own_commands: bool,
}

impl Commands {
    /// Returns whether neither is given.
    pub fn are_missing(&self) -> bool {
        self.cmd.is_none() && !self.own_commands
    }
}

const COMMAND_LIMIT: u64 = 4096;

/// Returns all submissions in a directory, by name.
pub fn students(
    class: &Path,
    commands: &Commands,
    assignment: &Assignment,
) -> Result<Vec<Student>> {
    match read_mark(class)? {
        Some(mark) => intake_students(class, &mark, commands, assignment),
        None => plain_directories(class, commands, assignment),
    }
}

/// The submissions of a class after `judge intake`.
fn intake_students(
    class: &Path,
    mark: &IntakeMark,
    commands: &Commands,
    assignment: &Assignment,
) -> Result<Vec<Student>> {
    let name = class.display();
    if mark.game != assignment.name() {
        bail!(
            "{name}: imported for {}, and the game is {}",
            plain::shown(&mark.game),
            assignment.name()
        );
    }
    if !commands.are_missing() {
        bail!(
            "{name}: the intake has found the commands of the submissions: --cmd and --own-commands are for other directories"
        );
    }
    let folders = student_folders(class)?;
    if folders.is_empty() {
        bail!("{name}: no submissions in it");
    }
    let student = |(folder, place): (&PathBuf, u32)| {
        let name = plain::name(folder.file_name().unwrap_or_default());
        let submission = match Submission::read(folder) {
            Ok(submission) => submission,
            Err(error) => {
                let why = plain::shown(&format!("{error:#}"));
                let remedy = "run judge intake again, into the same directory".to_string();
                return Student::new(name, place, Err(NotRun { why, remedy }), String::new());
            }
        };
        let command = submission.command.as_deref().unwrap_or_default();
        let digest = plan::digest(format!("{} {command}", submission.digest));
        let player = intake_player(&submission, folder, &name, assignment);
        Student {
            notes: notes(&submission),
            id: submission.id.clone(),
            members: submission.members.clone(),
            feedback: submission.feedback.clone(),
            lateness: submission.late.then_some(Lateness::Marked),
            taken: Some((submission, folder.join(PROGRAM))),
            ..Student::new(name, place, player, digest)
        }
    };
    Ok(folders.iter().zip(0..).map(student).collect())
}

fn intake_player(
    submission: &Submission,
    folder: &Path,
    name: &str,
    assignment: &Assignment,
) -> Result<EngineSpec, NotRun> {
    match (&submission.command, submission.state) {
        (Some(command), State::Ready | State::Mended | State::DoesNotPlay) => {
            let protocol = submission.protocol.as_deref();
            player((command.clone(), true), protocol, &folder.join(PROGRAM), name, assignment)
        }
        _ => {
            let why = submission.needs.as_deref().unwrap_or("the intake found no program");
            let lines: Vec<&str> =
                [why].into_iter().chain(submission.last_words.as_deref()).collect();
            let remedy = "correct the download and run judge intake again; it leaves the other submissions as they are";
            Err(NotRun { why: lines.join("\n"), remedy: remedy.to_string() })
        }
    }
}

/// What students read of the intake: of its remarks, which are for the teacher, only the remedies.
fn notes(submission: &Submission) -> Vec<String> {
    let team = Some(submission.members.join(", ")).filter(|team| !team.is_empty());
    let needs = submission.needs.clone().filter(|_| submission.state == State::DoesNotPlay);
    let mut notes = Vec::new();
    for (what, said) in [
        ("Team", team),
        ("Language", submission.language.clone()),
        ("Command", submission.command.clone()),
        ("Protocol", submission.protocol.clone()),
    ] {
        notes.extend(said.map(|said| format!("{what}: {said}")));
    }
    notes.extend(submission.mended.iter().map(|mended| format!("Mended by the intake: {mended}")));
    notes.extend(needs.map(|needs| format!("Found by the intake: {needs}")));
    let remedies = submission.remarks.iter().filter_map(|remark| remark.strip_prefix(TO_FIX));
    notes.extend(remedies.map(|remedy| format!("To fix it: {remedy}")));
    notes.iter().map(|note| plain::shown(note)).collect()
}

fn plain_directories(
    class: &Path,
    commands: &Commands,
    assignment: &Assignment,
) -> Result<Vec<Student>> {
    let name = class.display();
    let mut directories = homework::entries(class)?;
    directories.retain(|path| path.is_dir());
    if directories.is_empty() {
        bail!("{name}: no directories in it");
    }
    if commands.are_missing() {
        bail!(
            "{name}: no command that runs the submissions: give --cmd COMMAND for all, or --own-commands"
        );
    }
    let student = |(directory, place): (&PathBuf, u32)| {
        let name = plain::name(directory.file_name().unwrap_or_default());
        let command = command(directory, commands);
        let mut digest = Digest::of(command.as_ref().map_or("", |(command, _)| command));
        digest.directory(directory);
        let player =
            command.and_then(|command| player(command, None, directory, &name, assignment));
        Student::new(name, place, player, digest.text())
    };
    Ok(directories.iter().zip(0..).map(student).collect())
}

fn command(directory: &Path, commands: &Commands) -> Result<(String, bool), NotRun> {
    if commands.own_commands
        && let Some(own) = own_command(directory)?
    {
        return Ok((own, true));
    }
    let of_all = commands.cmd.clone().ok_or_else(|| NotRun {
        why: "no file `command`, and no --cmd for all".to_string(),
        remedy:
            "put a file `command` into the folder, with the line that runs the program, such as: python3 homework.py"
                .to_string(),
    })?;
    Ok((of_all, false))
}

/// The command comes with whether it is the submission's own.
fn player(
    (command, is_own): (String, bool),
    protocol: Option<&str>,
    directory: &Path,
    name: &str,
    assignment: &Assignment,
) -> Result<EngineSpec, NotRun> {
    let keys = Keys::of_submission(command.clone(), directory.to_owned(), name, is_own);
    // Each test has a time slice of its own.
    let keys = match protocol {
        Some(name) => keys.speaking(name, 1.0),
        None => keys,
    };
    let command = plain::shown(&command);
    assignment.program(keys).map_err(|error| NotRun {
        why: plain::shown(&format!("{error:#}")),
        remedy: format!(
            "see that the command `{command}` names a program of this machine, or a file in the submission's folder"
        ),
    })
}

fn own_command(directory: &Path) -> Result<Option<String>, NotRun> {
    match read_untrusted(directory, Path::new("command"), COMMAND_LIMIT) {
        Ok(text) => Ok(Some(without_mark(&text).trim().to_string())),
        Err(Unreadable::Missing) => Ok(None),
        Err(Unreadable::Other(_)) if directory.join("command").is_dir() => Ok(None),
        Err(Unreadable::Other(reason) | Unreadable::TooLong(reason)) => Err(NotRun {
            why: format!("the file `command` {reason}"),
            remedy: "make it a text file of one line that runs the program, such as: python3 homework.py".to_string(),
        }),
    }
}
