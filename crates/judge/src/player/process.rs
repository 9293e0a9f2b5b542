//! A player that is a process: it finds `input.txt` in its directory and leaves `output.txt` there.

use super::seat::{Found, Seat, Unreadable};
use super::supervise::{Order, Report};
use super::{Fault, Player, Traces, Turn, os};
use crate::referee::Termination;
use anyhow::{Context, Result, bail};
use engine::protocol::quote;
use engine::score::WIN;
use engine::{Agent, Task, Violation};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What every player process is held to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bounds {
    /// Seconds of wall time beyond the clock, after which the process is ended.
    pub wall_margin: f64,
    /// Data memory of a process, in MiB.
    pub memory_mib: u64,
    /// The size of any file it writes, in MiB.
    pub file_mib: u64,
    /// The space that all its files may take, in MiB.
    pub disk_mib: u64,
    /// How many bytes of each of its streams are kept for each turn.
    pub keep: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { wall_margin: 10.0, memory_mib: 4096, file_mib: 64, disk_mib: 1024, keep: 2048 }
    }
}

/// A process player with the directory it lives in. The directory goes when the player does.
pub struct ProcessPlayer {
    command: Vec<String>,
    seat: Seat,
    bounds: Bounds,
}

impl ProcessPlayer {
    /// A player with an empty directory, or one with a copy of `home`.
    pub fn new(command: &[String], home: Option<&Path>, bounds: Bounds) -> Result<ProcessPlayer> {
        Ok(ProcessPlayer { command: command.to_vec(), seat: Seat::new(home, bounds.disk_mib << 20)?, bounds })
    }
}

/// What the supervisor is to run.
fn order(command: &[String], seat: &Seat, bounds: &Bounds, clock: Duration) -> Order {
    static TURNS: AtomicU64 = AtomicU64::new(0);
    let wall = clock.as_secs_f64() + bounds.wall_margin;
    Order {
        command: command.to_vec(),
        directory: seat.path(),
        wall,
        limits: (bounds.memory_mib << 20, bounds.file_mib << 20),
        keep: bounds.keep,
        mark: format!("{}-{}", std::process::id(), TURNS.fetch_add(1, Ordering::Relaxed)),
    }
}

/// A program that is run once on a text and leaves files, whatever their names.
pub struct CasePlayer {
    command: Vec<String>,
    seat: Seat,
    bounds: Bounds,
}

/// How such a run went.
pub struct CaseRun {
    /// CPU seconds of the whole tree of processes.
    pub cpu: f64,
    /// How it ended, if not well.
    pub fault: Option<String>,
}

impl CasePlayer {
    /// With an empty directory, or one with a copy of `home`.
    pub fn new(command: &[String], home: Option<&Path>, bounds: Bounds) -> Result<CasePlayer> {
        Ok(CasePlayer { command: command.to_vec(), seat: Seat::new(home, bounds.disk_mib << 20)?, bounds })
    }

    /// Runs the program with `input.txt` in its directory.
    pub fn run(&self, input: &str, clock: Duration) -> Result<CaseRun> {
        self.seat.prepare(input)?;
        let report = run_supervised(&order(&self.command, &self.seat, &self.bounds, clock))?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let fault = match ending(&report) {
            _ if report.timed_out => Some(format!("ended after {:.1} s of wall time", report.wall)),
            how => how.map(|how| format!("{how}{}", last_words(&report.stderr))),
        };
        Ok(CaseRun { cpu: report.cpu, fault })
    }

    /// A file that the program left, up to `limit` bytes of it, or what is wrong with it.
    pub fn read(&self, file: &Path, limit: u64) -> std::result::Result<String, String> {
        self.seat.read(file, limit)
    }
}

impl<A: Agent> Player<A> for ProcessPlayer {
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        let found = self.seat.prepare(&A::write_task(task))?;
        if found == Found::DiskFull {
            let answer = Err(fault(Termination::DiskQuota, "filled the disk".to_string()));
            return Ok(Turn { answer, cpu: Duration::ZERO, wall: Duration::ZERO, traces: Traces::default() });
        }
        let report = run_supervised(&order(&self.command, &self.seat, &self.bounds, task.clock))?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let output = self.seat.read_output();
        let (score, depth) = search_figures(&report.stderr);
        let mut traces = Traces {
            output: output.as_ref().ok().map(|text| shorten(text)),
            stdout: report.stdout.clone(),
            stderr: report.stderr.clone(),
            score,
            depth,
            note: None,
        };
        let ending = ending(&report);
        let answer = match output {
            _ if report.timed_out => {
                let after = format!(
                    "no answer within {:.1} s of wall time, ended ({:.2} s of CPU used)",
                    report.wall, report.cpu
                );
                Err(fault(Termination::Stall, after))
            }
            Ok(text) => match task.position.read_move(&text) {
                Ok(mv) => {
                    traces.note = ending.map(|how| format!("{how}, with a legal move left"));
                    Ok(mv)
                }
                Err(violation) => Err(refusal(&violation, &text, ending)),
            },
            Err(Unreadable::Missing) => match ending {
                Some(how) => Err(fault(Termination::Crash, format!("{how}{}", last_words(&report.stderr)))),
                None => Err(fault(Termination::NoOutput, "left no output.txt".to_string())),
            },
            Err(Unreadable::Other(reason)) => Err(fault(Termination::BadFormat, format!("output.txt {reason}"))),
        };
        let answer = match self.seat.over_quota() {
            Some(mib) => Err(fault(
                Termination::DiskQuota,
                format!("its files take {mib} MiB, more than {} MiB", self.bounds.disk_mib),
            )),
            None => answer,
        };
        let mut notes: Vec<String> = traces.note.into_iter().collect();
        if report.left_behind > 0 {
            notes.push(format!("left {} processes behind, which were ended", report.left_behind));
        }
        if let Found::Spoilt(how) = found {
            notes.push(format!("its directory was spoilt and begun anew ({how})"));
        }
        traces.note = (!notes.is_empty()).then(|| notes.join("; "));
        let cpu = Duration::from_secs_f64(report.cpu);
        Ok(Turn { answer, cpu, wall: Duration::from_secs_f64(report.wall), traces })
    }
}

fn fault(termination: Termination, reason: String) -> Fault {
    Fault { termination, reason }
}

/// A player that crashed while it wrote has crashed; one that wrote nonsense of its own will has not.
fn refusal(violation: &Violation, text: &str, ending: Option<String>) -> Fault {
    match violation {
        _ if ending.is_some() => {
            fault(Termination::Crash, format!("{}, output.txt {violation}", ending.unwrap_or_default()))
        }
        Violation::Format { .. } => {
            fault(Termination::BadFormat, format!("output.txt {violation} (the file: {})", quote(text)))
        }
        Violation::Illegal(_) => {
            fault(Termination::IllegalMove, format!("output.txt {violation} (the file: {})", quote(text)))
        }
    }
}

/// How the process ended, if not well.
fn ending(report: &Report) -> Option<String> {
    match (report.exit_code, report.signal) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("exit code {code}")),
        (None, Some(_)) if report.orphaned => Some("ended its own supervisor".to_string()),
        (None, Some(signal)) => Some(format!("ended by signal {signal}{}", signal_name(signal))),
        (None, None) => Some("ended".to_string()),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => " (segmentation fault)",
        libc::SIGABRT => " (abort)",
        libc::SIGFPE => " (arithmetic fault)",
        libc::SIGXFSZ => " (a file grew too long)",
        libc::SIGXCPU => " (too much CPU time)",
        libc::SIGKILL => " (killed)",
        _ => "",
    }
}

/// The last line on standard error, which is where most languages say what went wrong.
fn last_words(stderr: &str) -> String {
    match stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(", last words: {}", quote(line.trim())),
        None => String::new(),
    }
}

/// Score and depth from the last line of the form `depth N score S ...` that an agent told about its search.
fn search_figures(stderr: &str) -> (Option<i32>, Option<u32>) {
    let Some(line) = stderr.lines().rev().find(|line| line.starts_with("depth ")) else { return (None, None) };
    let words: Vec<&str> = line.split_whitespace().collect();
    let depth = words.get(1).and_then(|word| word.parse().ok());
    let score = match words.get(3..) {
        Some(["win", "in", plies, ..]) => plies.parse().ok().map(|plies: i32| WIN.saturating_sub(plies)),
        Some(["loss", "in", plies, ..]) => plies.parse().ok().map(|plies: i32| plies.saturating_sub(WIN)),
        Some([points, ..]) => points.parse().ok(),
        _ => None,
    };
    (score, depth)
}

fn shorten(text: &str) -> String {
    const MOST: usize = 2_000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}[...]", &text[..end]),
        None => text.to_string(),
    }
}

/// Has the supervisor run an order.
fn run_supervised(order: &Order) -> Result<Report> {
    // This name stays right when the judge's own file is replaced by a new build while it runs.
    let mut supervisor = Command::new("/proc/self/exe")
        .arg("supervise")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .context("the supervisor of a player cannot be started")?;
    let (Some(mut orders), Some(mut reports)) = (supervisor.stdin.take(), supervisor.stdout.take()) else {
        bail!("the supervisor of a player has no pipes");
    };
    let mut line = serde_json::to_string(order)?;
    line.push('\n');
    let start = Instant::now();
    orders.write_all(line.as_bytes())?;
    let mut text = Vec::new();
    reports.by_ref().take(REPORT_LIMIT).read_to_end(&mut text)?;
    drop(orders);
    supervisor.wait()?;
    Ok(serde_json::from_slice(&text).unwrap_or_else(|_| {
        // Only the player's processes can have ended the supervisor, or the system for want of memory.
        os::kill_marked(&order.mark);
        Report { signal: Some(libc::SIGKILL), wall: start.elapsed().as_secs_f64(), orphaned: true, ..Report::default() }
    }))
}

/// No report of a supervisor is nearly as long, in bytes.
const REPORT_LIMIT: u64 = 1 << 28;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_search_are_read_from_its_last_line() {
        let text = "depth 3 score +12 nodes 5\nnoise\ndepth 4 score -7 nodes 9 nps 1 cpu 0 line\n";
        assert_eq!(search_figures(text), (Some(-7), Some(4)));
        assert_eq!(search_figures("depth 9 score win in 5 (proven) nodes 1"), (Some(WIN - 5), Some(9)));
        assert_eq!(search_figures("depth 9 score loss in 4 nodes 1"), (Some(4 - WIN), Some(9)));
        assert_eq!(search_figures("depth x score"), (None, None));
        assert_eq!(search_figures("nothing"), (None, None));
    }
}
