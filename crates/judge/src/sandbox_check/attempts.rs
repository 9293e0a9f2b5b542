//! The attempts to get through the sandbox, as the judge runs them: the setup of each attempt and
//! its outcome.

use anyhow::{Context, Result};
use sandbox::PlayerDisk;
use sandbox::job::{BoxUser, ExitReport, Job};
use sandbox::layers::Layers;
use sandbox::probes::{PROBE, abstract_listener};
use sandbox::room::run_job;
use sandbox::system::give;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The attempts to get through these sandbox layers.
pub(super) struct Attempts<'a> {
    layers: &'a Layers,
    directory: PathBuf,
    /// The judge's own program, which has the code of the attempts.
    judge: PathBuf,
}

struct AttemptJob {
    job: Job,
    /// The path of the job's directory outside of the sandbox.
    directory: PathBuf,
    _store: Option<PlayerDisk>,
}

/// The name of an attempt, its description, and what succeeded, if the sandbox did not hold.
type Row = (&'static str, &'static str, Option<String>);

/// The memory limit of an attempt. All limits are low, so that attempts exceed them soon.
const MEMORY_MIB: u64 = 192;
const DISK_MIB: u64 = 8;
const PROCESSES: u64 = 24;
/// The CPU time that an attempt uses in processes that no parent waits for.
const UNWAITED_CPU: Duration = Duration::from_millis(300);

impl<'a> Attempts<'a> {
    pub(super) fn new(layers: &'a Layers, directory: &Path) -> Result<Attempts<'a>> {
        let judge = std::env::current_exe().context("the judge's own program cannot be found")?;
        Ok(Attempts { layers, directory: directory.to_owned(), judge })
    }

    pub(super) fn all(&self) -> Result<Vec<Row>> {
        let much_memory = (2 * MEMORY_MIB).to_string();
        let much_disk = (4 * DISK_MIB).to_string();
        let many = (2 * PROCESSES).to_string();
        let own = std::process::id().to_string();
        let program = self.judge.to_string_lossy();
        let reported = |arguments: &[&str]| self.reported(arguments);
        let memory = |name: &str| self.reported(&[name, &much_memory]);
        Ok(vec![
            ("files", "reading and writing files outside of the sandbox", self.files()?),
            ("network", "a port of this machine, an abstract socket", self.network()?),
            (
                "processes",
                "seeing the judge, reading its environment",
                reported(&["processes", &own])?,
            ),
            ("signals", "ending another process", self.signals()?),
            ("system calls", "a user namespace, tracing, kernel keys", reported(&["calls"])?),
            (
                "supervision",
                "descriptors of the supervisor, signals to it",
                reported(&["supervision"])?,
            ),
            ("process 1", "limits of the supervisor, its priority", reported(&["watcher"])?),
            ("memory", "more than the limit, in three processes", memory("memory")?),
            (
                "hidden memory",
                "in a thread that outlives the main thread of its process",
                memory("leader")?,
            ),
            ("page tables", "more than the memory limit, in page tables", memory("tables")?),
            ("message queues", "memory that belongs to no process", reported(&["queues"])?),
            ("sockets", "more than the memory limit, in socket buffers", memory("sockets")?),
            (
                "shared memory",
                "more than the memory limit, in pages that no process has",
                memory("shared")?,
            ),
            (
                "items of epoll",
                "more than the memory limit, in the kernel's lists",
                memory("epoll")?,
            ),
            ("mappings", "more than the memory limit, in the kernel's lists", memory("mappings")?),
            (
                "priorities",
                "its session's, and who ends for lack of memory",
                reported(&["priority"])?,
            ),
            ("sessions", "a share of processor time for each session", self.sessions()?),
            ("processors", "those of other players", self.processors()?),
            ("process count", "more processes than the limit", reported(&["fork", &many])?),
            ("disk", "more file content than the quota", reported(&["disk", &much_disk])?),
            (
                "nameless files",
                "more than the quota, in files without a name",
                reported(&["nameless", &much_disk])?,
            ),
            ("locks", "locking a program that other players use", reported(&["lock", &program])?),
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
            [PROBE].iter().chain(arguments).map(ToString::to_string).collect();
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
        let own_disk = || PlayerDisk::new(&scratch, job.limits.disk, job.identity);
        let store = self.layers.namespaces.then(own_disk).transpose()?;
        job.store = store.as_ref().map(PlayerDisk::process);
        let directory = store.as_ref().map_or(scratch, PlayerDisk::root).join("player");
        fs::create_dir(&directory)?;
        // Without a private /tmp a player has no other place to write to.
        job.temporary = (!self.layers.namespaces).then(|| job.directory.clone());
        give(&directory, job.identity.and_then(BoxUser::owner))?;
        Ok(AttemptJob { job, directory, _store: store })
    }

    fn run(&self, arguments: &[&str]) -> Result<ExitReport> {
        Ok(run_job(&self.job(arguments)?.job)?)
    }

    /// Runs an attempt whose program itself reports its successes.
    fn reported(&self, arguments: &[&str]) -> Result<Option<String>> {
        Ok(successes(&self.run(arguments)?))
    }

    fn files(&self) -> Result<Option<String>> {
        let (secret, spoilt) = (self.directory.join("secret"), self.directory.join("spoilt"));
        fs::write(&secret, "secret")?;
        let [read, written] = [&secret, &spoilt].map(|path| path.to_string_lossy().into_owned());
        let successes = self.reported(&["files", &read, &written])?.unwrap_or_default();
        // A file that is written in the sandbox alone is no success.
        let is_one = |part: &&str| spoilt.exists() || !part.starts_with("wrote");
        let successes: Vec<&str> = successes.split("; ").filter(is_one).collect();
        Ok(Some(successes.join("; ")).filter(|successes| !successes.is_empty()))
    }

    fn network(&self) -> Result<Option<String>> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port().to_string();
        let name = format!("judge-{}", std::process::id());
        let _socket = abstract_listener(&name)?;
        self.reported(&["network", &port, &name])
    }

    fn signals(&self) -> Result<Option<String>> {
        // The judge's own program is the only one that every machine has.
        let victim =
            Command::new(&self.judge).args([PROBE, "victim"]).stdout(Stdio::null()).spawn();
        let mut victim = victim.context("the judge's own program cannot be started")?;
        let outcome = self.reported(&["signals", &victim.id().to_string()]);
        let lives = victim.try_wait()?.is_none();
        victim.kill()?;
        victim.wait()?;
        // In a process namespace, the same number may have been a process of the sandbox.
        if lives { Ok(None) } else { outcome }
    }

    fn sessions(&self) -> Result<Option<String>> {
        // A control group has one share, however many sessions it has.
        if self.layers.own_share() { Ok(None) } else { self.reported(&["sessions"]) }
    }

    fn processors(&self) -> Result<Option<String>> {
        let mut attempt = self.job(&["processors"])?;
        attempt.job.processors = arena::processors::share().into_iter().take(1).collect();
        Ok(successes(&run_job(&attempt.job)?))
    }

    fn uncharged(&self, name: &str) -> Result<Option<String>> {
        let report = self.run(&[name, &UNWAITED_CPU.as_millis().to_string()])?;
        let (charged, used) = (report.cpu, UNWAITED_CPU.as_secs_f64());
        Ok((charged <= used * 0.98)
            .then(|| format!("only {charged:.2} s of {used:.2} s of CPU time were charged")))
    }

    fn outlive(&self) -> Result<Option<String>> {
        let attempt = self.job(&["outlive"])?;
        let start = Instant::now();
        run_job(&attempt.job)?;
        if start.elapsed().as_secs_f64() > attempt.job.wall {
            return Ok(Some("the turn lasted longer than its limit".to_string()));
        }
        let lock = File::open(attempt.directory.join("lock")).context("an attempt left no lock")?;
        Ok(lock.try_lock().is_err().then(|| "a process lived on".to_string()))
    }
}

/// Returns what succeeded in a job, whose standard output has a line for each success.
fn successes(report: &ExitReport) -> Option<String> {
    if let Some(reason) = &report.not_started {
        return Some(format!("the sandbox was not made: {reason}"));
    }
    let lines = report.stdout.trim();
    (!lines.is_empty()).then(|| lines.replace('\n', "; "))
}
