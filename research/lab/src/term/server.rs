//! The server under test: the program `league`, its directory, and what the system says of its
//! process.

use super::client::Client;
use anyhow::{Context, Result, bail, ensure};
use arena::keys::workspace_program;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The server of a league, which may be killed and started again under the same address.
pub(super) struct Server {
    program: PathBuf,
    directory: PathBuf,
    database: Option<String>,
    workers: u32,
    running: Mutex<Option<Child>>,
    /// The address, such as `127.0.0.1:8300`.
    pub address: String,
    /// The address of the figures.
    pub figures: String,
}

impl Server {
    /// Makes a league in a new directory and starts its server.
    pub(super) fn new(directory: &Path, database: Option<&str>, workers: u32) -> Result<Server> {
        let mut server = Server {
            program: workspace_program("league")?,
            directory: directory.to_path_buf(),
            database: database.map(String::from),
            workers,
            running: Mutex::default(),
            address: "127.0.0.1:0".to_string(),
            figures: "127.0.0.1:0".to_string(),
        };
        let words = ["init", "--game", "halma", "--title", "Simulated term"];
        server.league(&words[..1], &words[1..])?;
        let path = directory.join("league.toml");
        let settings = fs::read_to_string(&path)?
            .replace("# max-plies = 200", "max-plies = 40")
            // The walkers know the base rules alone.
            .replace("# rules = \"addendum\"", "rules = \"base\"")
            .replace("a-day = 20", "a-day = 1000\ncheck-clock = 0.2\ncheck-time = 10");
        fs::write(&path, settings)?;
        (server.address, server.figures) = server.start()?;
        Ok(server)
    }

    /// Runs a subcommand of `league` on the directory, and returns what it prints.
    pub(super) fn league(&self, command: &[&str], words: &[&str]) -> Result<String> {
        let mut run = Command::new(&self.program);
        run.args(command).arg(&self.directory).args(words);
        if let Some(url) = self.database.as_ref().filter(|_| command != ["init"]) {
            run.args(["--database", url]);
        }
        let output = run.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "league {}: {}\n{text}", command.join(" "), output.status);
        Ok(text)
    }

    /// Runs a subcommand of `league` that writes a file.
    pub(super) fn league_to(&self, command: &[&str], file: &Path) -> Result<String> {
        self.league(command, &[file.to_str().context("a folder that is not UTF-8")?])
    }

    /// Starts a process of further workers.
    pub(super) fn start_workers(&self, token: &str, cache: &Path) -> Result<Child> {
        let mut run = Command::new(&self.program);
        run.args(["worker", "--workers", "1", "--cache"]).arg(cache);
        match &self.database {
            Some(url) => run.arg(&self.directory).args(["--database", url]),
            None => run.args(["--server", &format!("http://{}", self.address), "--token", token]),
        };
        Ok(run.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
    }

    /// Starts the process. Returns its address and that of the figures.
    fn start(&self) -> Result<(String, String)> {
        let port =
            |address: &str| address.rsplit_once(':').map_or("0", |(_, port)| port).to_string();
        let mut run = Command::new(&self.program);
        run.arg("serve").arg(&self.directory);
        run.args(["--port", &port(&self.address), "--metrics", &port(&self.figures)]);
        run.args(["--workers", &self.workers.to_string()]);
        if let Some(url) = &self.database {
            run.args(["--database", url]);
        }
        let mut child = run.stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("no standard output")?).lines();
        let mut address = |before: &str, after: &str| -> Result<String> {
            let line = lines.next().context("the server has ended")??;
            let found = line.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            Ok(found.with_context(|| format!("unexpected: {line}"))?.to_string())
        };
        let found =
            (address("listening on http://", "/")?, address("figures on http://", "/metrics")?);
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        Ok(found)
    }

    /// Kills the process as `kill -9` does.
    pub(super) fn kill(&self) {
        if let Some(mut child) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Kills the process and starts it again.
    pub(super) fn kill_and_restart(&self, pause: Duration) -> Result<()> {
        self.kill();
        thread::sleep(pause);
        let mut last = None;
        // The port may be in use for a moment.
        for _ in 0..50 {
            match self.start() {
                Ok(_) => return Ok(()),
                Err(error) => last = Some(error),
            }
            thread::sleep(Duration::from_millis(100));
        }
        last.map_or(Ok(()), Err)
    }

    /// Asks the process to end, and waits for it.
    pub(super) fn end(&self) -> Result<()> {
        let child = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut child) = child else { return Ok(()) };
        let asked = Command::new("kill").arg(child.id().to_string()).status()?;
        let status = child.wait()?;
        ensure!(asked.success() && status.success(), "the server ended with {status}");
        Ok(())
    }

    /// Returns the resident memory in MiB and the CPU seconds of the process.
    pub(super) fn usage(&self) -> Option<(f64, f64)> {
        let pid = self.running.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.id();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: f64 =
            fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        // A tick is 10 ms on Linux.
        Some((kib / 1024.0, ticks / 100.0))
    }

    /// Returns a figure of the server.
    pub(super) fn figure(&self, client: &Client, name: &str) -> Result<u64> {
        let text = client.figures(&self.figures)?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        match value {
            Some(value) => Ok(value.trim().parse()?),
            None => bail!("no figure {name}"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
