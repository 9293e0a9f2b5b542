//! The attempts to get through the sandbox, as the judge runs them: the setup of each attempt and
//! its outcome.

use anyhow::{Context, Result};
use sandbox::PlayerDisk;
use sandbox::job::{BoxUser, ExitReport, Job};
use sandbox::layers::Layers;
use sandbox::probes::{PROBE, abstract_listener};
use sandbox::supervise::run_job;
use sandbox::system::give;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The outcome of an attempt.
pub(super) enum AttemptOutcome {
    /// The sandbox held.
    Held,
    /// The attempt succeeded in this.
    Breached(String),
}

/// The attempts to get through these sandbox layers.
pub(super) struct Attempts<'a> {
    layers: &'a Layers,
    /// The directory for the files of all attempts.
    directory: PathBuf,
    /// The judge's own program, which has the code of the attempts.
    judge: PathBuf,
}

/// A job that makes an attempt.
struct AttemptJob {
    job: Job,
    /// The path of the job's directory outside of the sandbox.
    directory: PathBuf,
    _store: Option<PlayerDisk>,
}

/// The name of an attempt, its description, and its outcome.
type Row = (&'static str, &'static str, AttemptOutcome);

/// The memory limit of an attempt. All limits are low, so that attempts exceed them soon.
const MEMORY_MIB: u64 = 192;
/// The disk quota of an attempt.
const DISK_MIB: u64 = 8;
/// The maximum number of processes of an attempt.
const PROCESSES: u64 = 24;
/// The CPU time that an attempt uses in processes that no parent waits for.
const UNWAITED_CPU: Duration = Duration::from_millis(300);

impl<'a> Attempts<'a> {
    /// Returns attempts whose files go to a directory.
    pub(super) fn new(layers: &'a Layers, directory: &Path) -> Result<Attempts<'a>> {
        let judge = std::env::current_exe().context("the judge's own program cannot be found")?;
        Ok(Attempts { layers, directory: directory.to_owned(), judge })
    }

    /// Makes all attempts, one after another.
    pub(super) fn all(&self) -> Result<Vec<Row>> {
        Ok(vec![
            ("files", "reading and writing files outside of the sandbox", self.files()?),
            ("network", "a port of this machine, an abstract socket", self.network()?),
            (
                "processes",
                "seeing the judge, reading its environment",
                self.reported(&["processes", &std::process::id().to_string()])?,
            ),
            ("signals", "ending another process", self.signals()?),
            ("system calls", "a user namespace, tracing, kernel keys", self.reported(&["calls"])?),
            (
                "supervision",
                "descriptors of the supervisor, signals to it",
                self.reported(&["supervision"])?,
            ),
            ("process 1", "limits of the supervisor, its priority", self.reported(&["watcher"])?),
            (
                "memory",
                "more than the limit, in three processes",
                self.reported_with("memory", 2 * MEMORY_MIB)?,
            ),
            (
                "hidden memory",
                "in a thread that outlives the main thread of its process",
                self.reported_with("leader", 2 * MEMORY_MIB)?,
            ),
            (
                "page tables",
                "more than the memory limit, in page tables",
                self.reported_with("tables", 2 * MEMORY_MIB)?,
            ),
            ("message queues", "memory that belongs to no process", self.reported(&["queues"])?),
            (
                "sockets",
                "more than the memory limit, in socket buffers",
                self.reported_with("sockets", 2 * MEMORY_MIB)?,
            ),
            (
                "shared memory",
                "more than the memory limit, in pages that no process has",
                self.reported_with("shared", 2 * MEMORY_MIB)?,
            ),
            (
                "items of epoll",
                "more than the memory limit, in the kernel's lists",
                self.reported_with("epoll", 2 * MEMORY_MIB)?,
            ),
            (
                "mappings",
                "more than the memory limit, in the kernel's lists",
                self.reported_with("mappings", 2 * MEMORY_MIB)?,
            ),
            (
                "priorities",
                "its session's, and who ends for lack of memory",
                self.reported(&["priority"])?,
            ),
            ("sessions", "a share of processor time for each session", self.sessions()?),
            ("processors", "those of other players", self.processors()?),
            (
                "process count",
                "more processes than the limit",
                self.reported_with("fork", 2 * PROCESSES)?,
            ),
            ("disk", "more file content than the quota", self.reported_with("disk", 4 * DISK_MIB)?),
            (
                "nameless files",
                "more than the quota, in files without a name",
                self.reported_with("nameless", 4 * DISK_MIB)?,
            ),
            (
                "locks",
                "locking a program that other players use",
                self.reported(&["lock", &self.judge.to_string_lossy()])?,
            ),
            ("CPU time", "a child process that no parent waits for", self.uncharged("unwaited")?),
            ("stopped counter", "stopping the counter first", self.uncharged("counter")?),
            ("unreadable program", "a program that may not be read", self.uncharged("unreadable")?),
            ("time", "a process that outlives its turn", self.outlive()?),
        ])
    }

    /// Prepares the job of an attempt: its name and its arguments.
    fn job(&self, arguments: &[&str]) -> Result<AttemptJob> {
        let name = arguments[0];
        let scratch = self.directory.join(name);
        fs::create_dir_all(&scratch)?;
        let arguments: Vec<String> =
            [PROBE].iter().chain(arguments).map(|argument| (*argument).to_string()).collect();
        let mut job = Job::of_judge(
            self.layers,
            &scratch.join("player"),
            &self.judge,
            &arguments,
            sandbox::own_user,
        );
        job.limits.memory = MEMORY_MIB << 20;
        job.limits.disk = DISK_MIB << 20;
        if name == "unreadable" {
            // This attempt copies the judge's own program, of whatever size that is.
            let size = fs::metadata(&self.judge)?.len() + (1 << 20);
            job.limits.file_size = size;
            job.limits.disk = size;
            job.limits.memory += 2 * size;
        }
        job.limits.processes = PROCESSES;
        job.mark = format!("attempt-{}-{name}", std::process::id());
        let store = match self.layers.namespaces {
            true => Some(PlayerDisk::new(&scratch, job.limits.disk, job.identity)?),
            false => None,
        };
        job.store = store.as_ref().map(PlayerDisk::process);
        let directory = store.as_ref().map_or(scratch, PlayerDisk::root).join("player");
        fs::create_dir(&directory)?;
        // Without a private /tmp a player has no other place to write to.
        job.temporary = (!self.layers.namespaces).then(|| job.directory.clone());
        give(&directory, job.identity.and_then(BoxUser::owner))?;
        Ok(AttemptJob { job, directory, _store: store })
    }

    /// Runs an attempt and returns its report.
    fn run(&self, arguments: &[&str]) -> Result<ExitReport> {
        Ok(run_job(&self.job(arguments)?.job)?)
    }

    /// Runs an attempt whose program itself reports its successes.
    fn reported(&self, arguments: &[&str]) -> Result<AttemptOutcome> {
        Ok(outcome(&self.run(arguments)?))
    }

    /// Like [`Attempts::reported`], with a number as the argument.
    fn reported_with(&self, name: &str, number: u64) -> Result<AttemptOutcome> {
        self.reported(&[name, &number.to_string()])
    }

    fn files(&self) -> Result<AttemptOutcome> {
        let (secret, spoilt) = (self.directory.join("secret"), self.directory.join("spoilt"));
        fs::write(&secret, "secret")?;
        let [read, written] = [&secret, &spoilt].map(|path| path.to_string_lossy().into_owned());
        let outcome = self.reported(&["files", &read, &written])?;
        Ok(if spoilt.exists() { outcome } else { without(outcome, "wrote") })
    }

    fn network(&self) -> Result<AttemptOutcome> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port().to_string();
        let name = format!("judge-{}", std::process::id());
        let _socket = abstract_listener(&name)?;
        self.reported(&["network", &port, &name])
    }

    fn signals(&self) -> Result<AttemptOutcome> {
        // The judge's own program is the only one that every machine has.
        let victim =
            Command::new(&self.judge).args([PROBE, "victim"]).stdout(Stdio::null()).spawn();
        let mut victim = victim.context("the judge's own program cannot be started")?;
        let outcome = self.reported(&["signals", &victim.id().to_string()]);
        let lives = victim.try_wait()?.is_none();
        victim.kill()?;
        victim.wait()?;
        // In a process namespace, the same number may have been a process of the sandbox.
        Ok(if lives { AttemptOutcome::Held } else { outcome? })
    }

    fn sessions(&self) -> Result<AttemptOutcome> {
        // A control group has one share, however many sessions it has.
        if self.layers.own_share() {
            Ok(AttemptOutcome::Held)
        } else {
            self.reported(&["sessions"])
        }
    }

    fn processors(&self) -> Result<AttemptOutcome> {
        let mut attempt = self.job(&["processors"])?;
        attempt.job.processors = arena::processors::share().into_iter().take(1).collect();
        Ok(outcome(&run_job(&attempt.job)?))
    }

    /// Runs an attempt that tries to use CPU time without being charged for it.
    fn uncharged(&self, name: &str) -> Result<AttemptOutcome> {
        let report = self.run(&[name, &UNWAITED_CPU.as_millis().to_string()])?;
        let (charged, used) = (report.cpu, UNWAITED_CPU.as_secs_f64());
        Ok(if charged > used * 0.98 {
            AttemptOutcome::Held
        } else {
            AttemptOutcome::Breached(format!(
                "only {charged:.2} s of {used:.2} s of CPU time were charged"
            ))
        })
    }

    fn outlive(&self) -> Result<AttemptOutcome> {
        let attempt = self.job(&["outlive"])?;
        let start = Instant::now();
        run_job(&attempt.job)?;
        if start.elapsed().as_secs_f64() > attempt.job.wall {
            return Ok(AttemptOutcome::Breached(
                "the turn lasted longer than its limit".to_string(),
            ));
        }
        let lock = File::open(attempt.directory.join("lock")).context("an attempt left no lock")?;
        Ok(match lock.try_lock() {
            Ok(()) => AttemptOutcome::Held,
            Err(_) => AttemptOutcome::Breached("a process lived on".to_string()),
        })
    }
}

/// Returns the outcome of a job, whose standard output has a line for each success.
fn outcome(report: &ExitReport) -> AttemptOutcome {
    if let Some(reason) = &report.not_started {
        return AttemptOutcome::Breached(format!("the sandbox was not made: {reason}"));
    }
    match report.stdout.trim() {
        "" => AttemptOutcome::Held,
        successes => AttemptOutcome::Breached(successes.replace('\n', "; ")),
    }
}

/// Returns an outcome without the successes that begin with a prefix.
fn without(outcome: AttemptOutcome, prefix: &str) -> AttemptOutcome {
    match outcome {
        AttemptOutcome::Breached(successes) => {
            let others: Vec<&str> =
                successes.split("; ").filter(|part| !part.starts_with(prefix)).collect();
            if others.is_empty() {
                AttemptOutcome::Held
            } else {
                AttemptOutcome::Breached(others.join("; "))
            }
        }
        held => held,
    }
}
