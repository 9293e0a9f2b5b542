//! Jobs of supervisors, and their reports.

use crate::layers::Layers;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

/// A program to run once, and the conditions of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The directory that the program runs in.
    pub directory: PathBuf,
    /// The limit of wall time in seconds, after which the program and all its descendants are
    /// killed, without the time for which they were kept waiting for a processor.
    pub wall: f64,
    /// The limit of CPU time in seconds; none if `None`.
    pub cpu: Option<f64>,
    /// The limits of memory, disk space and processes.
    pub limits: Limits,
    /// How many bytes of standard output, and of standard error, to keep.
    pub keep: usize,
    /// The value of [`MARK`] in the program's environment, by which the judge finds the program's
    /// processes if the supervisor dies. Not set in a box with namespaces, whose processes the
    /// kernel kills.
    pub mark: String,
    /// The sandbox layers around the program.
    pub layers: Layers,
    /// Files and directories that the program may read, besides the system's own.
    pub shown: Vec<PathBuf>,
    /// A directory for temporary files, if the box has none of its own.
    pub temporary: Option<PathBuf>,
    /// Environment variables besides those of every box. Without sandbox layers the judge's are
    /// inherited instead.
    pub environment: Vec<(String, String)>,
    /// The user to run the program as; `None` for the judge's own.
    pub identity: Option<BoxUser>,
    /// The storage process, if the directory is a limited file system of its own.
    pub store: Option<i32>,
    /// The numbers of the processors that the program may run on; if none, those of the judge.
    pub processors: Vec<usize>,
    /// A port of the box's loopback device, on which the judge gets a listener.
    pub port: Option<u16>,
    /// Whether the limits of time are those of the first turn, and the judge tells of others.
    pub talks: bool,
}

/// Limits of a turn of a program that stays running, from the beginning of the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnLimits {
    /// Wall time in seconds, without the time for which the program is kept waiting for a
    /// processor.
    pub wall: f64,
    /// CPU time in seconds, from the start of the program.
    pub cpu: f64,
}

impl TurnLimits {
    /// No limits, as between turns.
    pub const NONE: TurnLimits = TurnLimits { wall: f64::INFINITY, cpu: f64::INFINITY };

    /// The longest that a turn may take, with all waiting. A machine that is too busy to end it by
    /// then has failed.
    pub fn longest(&self) -> Duration {
        duration(10.0 * self.wall + 60.0)
    }
}

/// Seconds as a duration of at most some 30 years.
pub(crate) fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}

/// What a box has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// CPU time since the start of the box.
    pub cpu: Duration,
    /// The time for which it was kept waiting for a processor since its turn began.
    pub waited: Duration,
}

impl Job {
    /// A job that runs the judge's executable `own` behind sandbox layers, with namespaces as one
    /// of the box's users.
    pub fn of_judge(
        layers: &Layers,
        scratch: &Path,
        own: &Path,
        words: &[String],
        user: fn() -> Option<BoxUser>,
    ) -> Job {
        Job {
            shown: vec![own.to_owned()],
            command: [&[own.to_string_lossy().into_owned()], words].concat(),
            directory: scratch.to_owned(),
            wall: 10.0,
            limits: Limits { memory: 1 << 30, file_size: 1 << 26, disk: 1 << 26, processes: 64 },
            keep: 1 << 14,
            layers: layers.clone(),
            identity: if layers.namespaces { user() } else { None },
            ..Job::default()
        }
    }

    /// Only the supervisor can give the files of the job to its player.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_given(&self) -> bool {
        self.identity.is_some_and(|user| user.owner().is_none())
    }

    /// Starts the program of the job by a prepared command.
    pub(crate) fn spawn(&self, command: &mut Command) -> Result<Child, String> {
        command.spawn().map_err(within(&format!("{}: cannot be started", self.command[0])))
    }

    /// The limits of the run, or of its first turn.
    #[cfg(target_os = "linux")]
    pub(crate) fn first_turn(&self) -> TurnLimits {
        TurnLimits { wall: self.wall, cpu: self.cpu.unwrap_or(f64::INFINITY) }
    }
}

/// A user of the kernel that no other box has: what Linux counts by user is the box's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxUser {
    /// The id of the user, and of its group.
    pub id: u32,
    /// The process in whose user namespace the id exists; `None` if the judge is root.
    pub keeper: Option<i32>,
}

impl BoxUser {
    /// The owner that the judge gives to files for the box; `None` where only the supervisor may
    /// change owners.
    pub fn owner(self) -> Option<u32> {
        self.keeper.is_none().then_some(self.id)
    }
}

#[cfg(target_os = "linux")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoreRequest {
    /// The mount point, in the storage process's mount namespace only.
    pub place: PathBuf,
    /// Bytes.
    pub size: u64,
    /// The user of the boxes; `None` for the judge's own.
    pub user: Option<BoxUser>,
}

/// Limits of a program and all its descendants. With sandbox layers those of memory, disk space and
/// processes hold for the whole box; that of memory holds for each process in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Memory, in bytes.
    pub memory: u64,
    /// The size of a file, in bytes.
    pub file_size: u64,
    /// Bytes of the program's directory, and, separately, of its private temporary files.
    pub disk: u64,
    /// The most processes and threads at a time.
    pub processes: u64,
}

/// The environment variable that marks the processes of a job.
pub const MARK: &str = "JUDGE_TURN";

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExitReport {
    /// The program could not be started; the reason.
    pub not_started: Option<String>,
    /// The exit code, if the program exited.
    pub exit_code: Option<i32>,
    /// The signal that killed the program.
    pub signal: Option<i32>,
    /// The program was killed at the wall-time limit.
    pub timed_out: bool,
    /// The program exceeded a limit and was killed; which limit, as text.
    pub excess: Option<String>,
    /// CPU time of the program and all its descendants, in seconds.
    pub cpu: f64,
    /// Wall time until the program ended, in seconds.
    pub wall: f64,
    /// The peak resident memory of its largest process, in bytes; 0 where it is not measured.
    pub peak_memory: u64,
    /// The part of the wall time, or of the last turn's, for which the program was kept waiting for
    /// a processor, in seconds. Not measured within the first tenth of a second.
    #[serde(skip_serializing_if = "is_zero")]
    pub waited: f64,
    /// The number of processes that the program left running. They were killed.
    pub left_behind: usize,
    /// Names of system calls that the program tried and the filter refused.
    pub refused_calls: Vec<String>,
    /// The machine failed during supervision, which a program cannot cause; what failed.
    pub machine_fault: Option<String>,
    /// The supervisor could not report, or not reliably.
    pub orphaned: bool,
    /// Standard output, its middle cut if it is long.
    pub stdout: String,
    /// Standard error, its middle cut if it is long.
    pub stderr: String,
}

impl ExitReport {
    pub(crate) fn not_started(reason: String) -> ExitReport {
        ExitReport { not_started: Some(reason), ..ExitReport::default() }
    }

    /// The report of a program whose supervisor is lost.
    #[cfg(target_os = "linux")]
    pub(crate) fn lost(start: Instant) -> ExitReport {
        let wall = start.elapsed().as_secs_f64();
        ExitReport { wall, orphaned: true, ..ExitReport::default() }
    }
}

/// How long processes may take to end once they have been killed.
pub(crate) const KILL_TIME: Duration = Duration::from_secs(5);

/// Puts before an error of the system what failed.
pub(crate) fn within<E: Into<io::Error>>(what: &str) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {}", error.into())
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The supply of CPU time in a span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Supply {
    /// The length of the span in seconds of wall time.
    pub wall: f64,
    /// The part of a processor that a busy thread got, from 0 to 1.
    pub share: f64,
    /// Where the remaining CPU time went, by the system's counters: a line for each cause.
    pub causes: Vec<String>,
}

impl Supply {
    /// Whether processes that used this many seconds of CPU time waited for a processor: the
    /// machine gave less than three quarters of one, and they used at least half of that.
    pub fn is_short(&self, used: f64) -> bool {
        self.share < 0.75 && used >= 0.5 * self.share * self.wall
    }
}

/// The part of a processor, from 0 to 1, that the machine gave to a program that used and waited
/// for so many seconds.
pub fn supply(cpu: f64, waited: f64) -> f64 {
    if waited > 0.0 { (cpu / (cpu + waited)).clamp(0.0, 1.0) } else { 1.0 }
}
