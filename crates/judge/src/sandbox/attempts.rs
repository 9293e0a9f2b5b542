//! The attempts on the walls, from the judge's side: what is laid out for each, and whether it went through.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use system::sandbox::probes::PROBE;
use system::sandbox::survey::trial_job;
use system::sandbox::walls::Walls;
use system::supervise::{ExitReport, Job, run_job};

/// How an attempt went.
pub(super) enum Outcome {
    /// The wall held.
    Held,
    /// It did not; what went through.
    Through(String),
}

/// Attempts on walls, in a directory.
pub(super) struct Attempts<'a> {
    walls: &'a Walls,
    directory: PathBuf,
    own: PathBuf,
}

/// The name of an attempt, what is tried, and how it went.
type Row = (&'static str, &'static str, Outcome);

/// What a program of an attempt may take: little, so that more is soon taken.
const MEMORY_MIB: u64 = 192;
const DISK_MIB: u64 = 8;
const PROCESSES: u64 = 24;
/// CPU time that nobody waits for.
const UNWAITED: Duration = Duration::from_millis(300);

impl<'a> Attempts<'a> {
    /// Attempts that are still to be made.
    pub(super) fn new(walls: &'a Walls, directory: &Path) -> Result<Attempts<'a>> {
        let own = std::env::current_exe().context("the judge's own program cannot be found")?;
        Ok(Attempts { walls, directory: directory.to_owned(), own })
    }

    /// Makes all attempts, one after the other.
    pub(super) fn all(&self) -> Result<Vec<Row>> {
        Ok(vec![
            ("files", "reading and writing files outside", self.files()?),
            ("network", "a port of this machine, an abstract socket", self.network()?),
            ("processes", "seeing the judge, reading its environment", self.processes()?),
            ("signals", "ending another process", self.signals()?),
            ("system calls", "a user namespace, tracing, kernel keys", self.said("calls", &["calls"])?),
            (
                "supervision",
                "descriptors of the supervisor, signals to it",
                self.said("supervision", &["supervision"])?,
            ),
            ("memory", "more than it may have, in three processes", self.memory()?),
            ("process count", "more processes than it may have", self.many()?),
            ("disk", "more files than it may have", self.disk()?),
            ("CPU time", "a child that nobody waits for", self.unwaited()?),
            ("time", "a process that outlives its turn", self.outlive()?),
        ])
    }

    fn job(&self, name: &str, words: &[&str]) -> Result<Job> {
        let seat = self.directory.join(name).join("player");
        fs::create_dir_all(&seat)?;
        let words: Vec<String> = [PROBE].iter().chain(words).map(|word| (*word).to_string()).collect();
        let mut job = trial_job(self.walls, &seat, &self.own, &words);
        if let Some(user) = job.identity {
            std::os::unix::fs::chown(&seat, Some(user), Some(user))?;
        }
        job.limits.memory = MEMORY_MIB << 20;
        job.limits.disk = DISK_MIB << 20;
        job.limits.processes = PROCESSES;
        job.mark = format!("attempt-{}-{name}", std::process::id());
        Ok(job)
    }

    fn run(&self, name: &str, words: &[&str]) -> Result<ExitReport> {
        Ok(run_job(&self.job(name, words)?)?)
    }

    fn said(&self, name: &str, words: &[&str]) -> Result<Outcome> {
        Ok(outcome(&self.run(name, words)?))
    }

    fn files(&self) -> Result<Outcome> {
        let (secret, spoilt) = (self.directory.join("secret"), self.directory.join("spoilt"));
        fs::write(&secret, "secret")?;
        let [read, written] = [&secret, &spoilt].map(|path| path.to_string_lossy().into_owned());
        let outcome = self.said("files", &["files", &read, &written])?;
        Ok(if spoilt.exists() { outcome } else { without(outcome, "wrote") })
    }

    fn network(&self) -> Result<Outcome> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port().to_string();
        let name = format!("judge-{}", std::process::id());
        let _socket = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        self.said("network", &["network", &port, &name])
    }

    fn processes(&self) -> Result<Outcome> {
        self.said("processes", &["processes", &std::process::id().to_string()])
    }

    fn signals(&self) -> Result<Outcome> {
        // The judge's own program: a machine may have no other.
        let victim = Command::new(&self.own).args([PROBE, "victim"]).stdout(Stdio::null()).spawn();
        let mut victim = victim.context("the judge's own program cannot be started")?;
        let outcome = self.said("signals", &["signals", &victim.id().to_string()]);
        let lives = victim.try_wait()?.is_none();
        victim.kill()?;
        victim.wait()?;
        // Inside, the same number may have been a process of the box.
        Ok(if lives { Outcome::Held } else { outcome? })
    }

    fn memory(&self) -> Result<Outcome> {
        self.said("memory", &["memory", &(2 * MEMORY_MIB).to_string()])
    }

    fn many(&self) -> Result<Outcome> {
        self.said("fork", &["fork", &(2 * PROCESSES).to_string()])
    }

    fn disk(&self) -> Result<Outcome> {
        self.said("disk", &["disk", &(4 * DISK_MIB).to_string()])
    }

    fn unwaited(&self) -> Result<Outcome> {
        let report = self.run("unwaited", &["unwaited", &UNWAITED.as_millis().to_string()])?;
        let (charged, used) = (report.cpu, UNWAITED.as_secs_f64());
        Ok(if charged > used * 0.98 {
            Outcome::Held
        } else {
            Outcome::Through(format!("of {used:.2} s of CPU {charged:.2} s were charged"))
        })
    }

    fn outlive(&self) -> Result<Outcome> {
        let job = self.job("outlive", &["outlive"])?;
        let start = Instant::now();
        run_job(&job)?;
        if start.elapsed().as_secs_f64() > job.wall {
            return Ok(Outcome::Through("the turn lasted longer than it may".to_string()));
        }
        let lock = File::open(job.directory.join("lock")).context("an attempt left no lock")?;
        Ok(match lock.try_lock() {
            Ok(()) => Outcome::Held,
            Err(_) => Outcome::Through("a process lived on".to_string()),
        })
    }
}

/// What an attempt says it could do went through, unless it was ended.
fn outcome(report: &ExitReport) -> Outcome {
    if let Some(reason) = &report.not_started {
        return Outcome::Through(format!("there is no box: {reason}"));
    }
    match report.stdout.trim() {
        "" => Outcome::Held,
        said => Outcome::Through(said.replace('\n', "; ")),
    }
}

fn without(outcome: Outcome, word: &str) -> Outcome {
    match outcome {
        Outcome::Through(said) => {
            let left: Vec<&str> = said.split("; ").filter(|part| !part.starts_with(word)).collect();
            if left.is_empty() { Outcome::Held } else { Outcome::Through(left.join("; ")) }
        }
        held => held,
    }
}
