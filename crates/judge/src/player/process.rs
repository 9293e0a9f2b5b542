//! A player that is a process: it finds `input.txt` in its directory and leaves `output.txt` there.

use super::supervise::{Order, Report};
use super::{Fault, Player, Traces, Turn};
use crate::referee::Termination;
use anyhow::{Context, Result, bail};
use engine::files::write_atomically;
use engine::protocol::quote;
use engine::score::WIN;
use engine::{Agent, Task, Violation};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// What every player process is held to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Seconds of wall time beyond the clock, after which the process is ended.
    pub wall_margin: f64,
    /// Data memory of a process, in MiB.
    pub memory_mib: u64,
    /// The size of any file it writes, in MiB.
    pub file_mib: u64,
    /// How many bytes of each of its streams are kept for each turn.
    pub keep: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { wall_margin: 10.0, memory_mib: 4096, file_mib: 64, keep: 2048 }
    }
}

/// No play of any game is nearly as long, in bytes.
const OUTPUT_LIMIT: u64 = 1 << 16;
/// The largest directory that is copied for a player, in bytes.
const COPY_LIMIT: u64 = 1 << 30;

/// A process player with the directory it lives in. The directory goes when the player does.
pub struct ProcessPlayer {
    command: Vec<String>,
    scratch: tempfile::TempDir,
    bounds: Bounds,
}

impl ProcessPlayer {
    /// A player with an empty directory, or one with a copy of `home`.
    pub fn new(command: &[String], home: Option<&Path>, bounds: Bounds) -> Result<ProcessPlayer> {
        let scratch = tempfile::Builder::new()
            .prefix("player-")
            .tempdir_in(scratch_root()?)
            .context("a scratch directory for a player cannot be made")?;
        let seat = scratch.path().join("seat");
        fs::create_dir(&seat)?;
        if let Some(home) = home {
            let mut room = COPY_LIMIT;
            copy_directory(home, &seat, &mut room).with_context(|| format!("{}: cannot be copied", home.display()))?;
        }
        Ok(ProcessPlayer { command: command.to_vec(), scratch, bounds })
    }

    fn seat(&self) -> PathBuf {
        self.scratch.path().join("seat")
    }

    /// Makes the directory ready for a turn, whatever the player did to it.
    fn prepare(&self, input: &str) -> Result<()> {
        let seat = self.seat();
        if !fs::symlink_metadata(&seat).is_ok_and(|data| data.is_dir()) {
            remove(&seat)?;
            fs::create_dir_all(&seat)?;
        }
        #[allow(clippy::permissions_set_readonly_false)]
        fs::set_permissions(&seat, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        remove(&seat.join("output.txt"))?;
        let file = seat.join("input.txt");
        remove(&file)?;
        write_atomically(&file, input)?;
        Ok(())
    }

    fn order(&self, clock: Duration) -> Order {
        let wall = clock.as_secs_f64() + self.bounds.wall_margin;
        Order {
            command: self.command.clone(),
            directory: self.seat(),
            wall,
            limits: (self.bounds.memory_mib << 20, self.bounds.file_mib << 20, wall.ceil() as u64 + 1),
            keep: self.bounds.keep,
        }
    }
}

impl<A: Agent> Player<A> for ProcessPlayer {
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        self.prepare(&A::write_task(task)).with_context(|| format!("{}: cannot be prepared", self.seat().display()))?;
        let report = run_supervised(&self.order(task.clock))?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let output = read_output(&self.seat().join("output.txt"));
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
            Ok(text) => match task.position.read_play(&text) {
                Ok(play) => {
                    traces.note = ending.map(|how| format!("{how}, with a legal play left"));
                    Ok(play)
                }
                Err(violation) => Err(refusal(&violation, &text, ending)),
            },
            Err(Unreadable::Missing) => match ending {
                Some(how) => Err(fault(Termination::Crash, format!("{how}{}", last_words(&report.stderr)))),
                None => Err(fault(Termination::NoOutput, "left no output.txt".to_string())),
            },
            Err(Unreadable::Other(reason)) => Err(fault(Termination::BadFormat, format!("output.txt {reason}"))),
        };
        if report.left_behind > 0 {
            let left = format!("left {} processes behind, which were ended", report.left_behind);
            traces.note = Some(traces.note.map_or(left.clone(), |note| format!("{note}; {left}")));
        }
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

/// Why there is no text to read.
enum Unreadable {
    Missing,
    Other(String),
}

/// Reads an output file of bounded length, and only a regular one: nothing that the player put in its place may block.
fn read_output(path: &Path) -> Result<String, Unreadable> {
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unreadable::Missing),
        Err(error) => return Err(Unreadable::Other(format!("cannot be read: {error}"))),
    };
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err(Unreadable::Other("is not a file".to_string()));
    }
    let mut bytes = Vec::new();
    if let Err(error) = file.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes) {
        return Err(Unreadable::Other(format!("cannot be read: {error}")));
    }
    if bytes.len() as u64 > OUTPUT_LIMIT {
        return Err(Unreadable::Other(format!("is longer than {} KiB", OUTPUT_LIMIT >> 10)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn shorten(text: &str) -> String {
    const MOST: usize = 2_000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}[...]", &text[..end]),
        None => text.to_string(),
    }
}

/// Removes whatever is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// Copies regular files and directories; links to files become files.
fn copy_directory(from: &Path, to: &Path, room: &mut u64) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let data = fs::metadata(entry.path())?;
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy_directory(&entry.path(), &target, room)?;
        } else if data.is_file() {
            let Some(rest) = room.checked_sub(data.len()) else { bail!("more than {} MiB", COPY_LIMIT >> 20) };
            *room = rest;
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
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
    orders.write_all(line.as_bytes())?;
    let mut text = String::new();
    reports.read_to_string(&mut text)?;
    drop(orders);
    supervisor.wait()?;
    serde_json::from_str(&text).context("the supervisor of a player gave no report")
}

static SCRATCH: Mutex<Option<tempfile::TempDir>> = Mutex::new(None);

/// The directory that all players' directories are in, made when it is first needed.
fn scratch_root() -> Result<PathBuf> {
    let mut root = SCRATCH.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if root.is_none() {
        *root = Some(tempfile::Builder::new().prefix("judge-").tempdir().context("no scratch directory can be made")?);
    }
    Ok(root.as_ref().map(|root| root.path().to_owned()).unwrap_or_default())
}

/// Removes the directories of all players; the last thing that a run does.
pub fn remove_scratch() {
    let root = SCRATCH.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    drop(root);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn figures_of_a_search_are_read_from_its_last_line() {
        let text = "depth 3 score +12 nodes 5\nnoise\ndepth 4 score -7 nodes 9 nps 1 cpu 0 line\n";
        assert_eq!(search_figures(text), (Some(-7), Some(4)));
        assert_eq!(search_figures("depth 9 score win in 5 (proven) nodes 1"), (Some(WIN - 5), Some(9)));
        assert_eq!(search_figures("depth 9 score loss in 4 nodes 1"), (Some(4 - WIN), Some(9)));
        assert_eq!(search_figures("depth x score"), (None, None));
        assert_eq!(search_figures("nothing"), (None, None));
    }

    #[test]
    fn only_a_regular_file_of_bounded_length_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("output.txt");
        assert!(matches!(read_output(&path), Err(Unreadable::Missing)));
        fs::create_dir(&path).unwrap();
        assert!(matches!(read_output(&path), Err(Unreadable::Other(_))));
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(matches!(read_output(&path), Err(Unreadable::Other(_))));
        remove(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(matches!(read_output(&path), Err(Unreadable::Other(_))));
        remove(&path).unwrap();
        File::create(&path).unwrap().set_len(OUTPUT_LIMIT + 1).unwrap();
        assert!(matches!(read_output(&path), Err(Unreadable::Other(reason)) if reason.contains("longer")));
    }
}
