//! The supervisor: a small process of the judge's own around each run of a player. It adopts whatever the player leaves
//! behind, ends the whole tree, adds up its CPU time, and reports. It is told what to do in one line of JSON on standard
//! input, which then stays open: when it closes, the judge is gone, and so is the player.

use super::os::{self, Waited};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// One run of a player.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// The whole tree is ended after this, in seconds of wall time.
    pub wall: f64,
    /// Limits of each process: data memory and size of a file, in bytes.
    pub limits: (u64, u64),
    /// How many bytes of standard output and of standard error to keep.
    pub keep: usize,
    /// Set in the environment of the player as [`MARK`], by which its processes are known should the supervisor be gone.
    pub mark: String,
}

/// The variable in a player's environment that names the turn.
pub const MARK: &str = "JUDGE_TURN";

/// How the run went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The program could not be started; why.
    pub not_started: Option<String>,
    /// The exit code, if the player left by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It was ended at the wall limit.
    pub timed_out: bool,
    /// CPU time of the whole tree, in seconds.
    pub cpu: f64,
    /// Wall time until the player itself ended, in seconds.
    pub wall: f64,
    /// Processes that it left behind, which were ended.
    pub left_behind: usize,
    /// The supervisor was ended before it could report.
    #[serde(default)]
    pub orphaned: bool,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
}

/// How long to try to end a tree before giving up on it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The supervisor's whole run.
pub fn run() -> ExitCode {
    let mut line = String::new();
    let order = match io::stdin().lock().read_line(&mut line).map(|_| serde_json::from_str::<Order>(&line)) {
        Ok(Ok(order)) => order,
        // The judge has ended before it could give its order.
        _ if line.is_empty() => return ExitCode::SUCCESS,
        _ => {
            eprintln!("this command is for the judge's own use");
            return ExitCode::from(2);
        }
    };
    tell(&supervise(&order));
    ExitCode::SUCCESS
}

fn tell(report: &Report) {
    let text = serde_json::to_string(report).unwrap_or_default();
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// What ends the wait of the clock's thread.
enum Signal {
    /// The tree has ended.
    Done,
    /// The judge is gone.
    Orphaned,
}

fn supervise(order: &Order) -> Report {
    if let Err(error) = os::adopt_orphans() {
        return Report { not_started: Some(format!("orphans cannot be adopted: {error}")), ..Report::default() };
    }
    let (memory, file_size) = order.limits;
    os::limit(memory, file_size);
    let start = Instant::now();
    let child = Command::new(&order.command[0])
        .args(&order.command[1..])
        .current_dir(&order.directory)
        .env(MARK, &order.mark)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            let reason = format!("{}: cannot be started: {error}", order.command[0]);
            return Report { not_started: Some(reason), ..Report::default() };
        }
    };
    let streams = [
        child.stdout.take().map(|stream| capture(stream, order.keep)),
        child.stderr.take().map(|stream| capture(stream, order.keep)),
    ];
    let (sender, receiver) = mpsc::channel();
    let closing = sender.clone();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = closing.send(Signal::Orphaned);
    });
    let timed_out = Arc::new(AtomicBool::new(false));
    let late = Arc::clone(&timed_out);
    let wall = Duration::from_secs_f64(order.wall.clamp(0.0, 1e9));
    let clock = thread::spawn(move || watch_clock(&receiver, wall, &late));

    let mut report = collect(child.id() as i32, start);
    let _ = sender.send(Signal::Done);
    let _ = clock.join();
    report.timed_out = timed_out.load(Ordering::Relaxed);
    let [stdout, stderr] = streams.map(|stream| stream.map_or_else(String::new, |kept| finish(&kept)));
    (report.stdout, report.stderr) = (stdout, stderr);
    report
}

/// Ends the tree when its time is over or the judge is gone; gives up on a tree that cannot be ended.
fn watch_clock(signals: &Receiver<Signal>, wall: Duration, late: &AtomicBool) {
    match signals.recv_timeout(wall) {
        Ok(Signal::Done) => return,
        Ok(Signal::Orphaned) | Err(RecvTimeoutError::Disconnected) => {}
        Err(RecvTimeoutError::Timeout) => late.store(true, Ordering::Relaxed),
    }
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        os::descendants().into_iter().for_each(os::kill);
        if let Ok(Signal::Done) = signals.recv_timeout(Duration::from_millis(5)) {
            return;
        }
    }
    tell(&Report { timed_out: true, wall: wall.as_secs_f64(), ..Report::default() });
    std::process::exit(0);
}

/// Waits until the player has ended, then ends and collects what it left behind.
fn collect(player: i32, start: Instant) -> Report {
    let mut report = Report::default();
    let mut cpu = Duration::ZERO;
    let mut ended = false;
    let mut deadline = None;
    loop {
        match os::wait_for_any(!ended) {
            Waited::Child(child) => {
                cpu += child.cpu;
                if child.pid == player {
                    ended = true;
                    report.exit_code = os::exit_code(child.status);
                    report.signal = os::ending_signal(child.status);
                    report.wall = start.elapsed().as_secs_f64();
                }
            }
            Waited::AllLive => {
                let rest = os::descendants();
                report.left_behind = report.left_behind.max(rest.len());
                rest.into_iter().for_each(os::kill);
                if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + PATIENCE) {
                    break;
                }
                thread::sleep(Duration::from_micros(500));
            }
            Waited::NoneLeft => break,
        }
    }
    report.cpu = cpu.as_secs_f64();
    report
}

/// The beginning and the end of a stream of any length.
#[derive(Default)]
struct Kept {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
    closed: bool,
}

fn capture(mut stream: impl Read + Send + 'static, keep: usize) -> Arc<Mutex<Kept>> {
    let kept = Arc::new(Mutex::new(Kept::default()));
    let shared = Arc::clone(&kept);
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        loop {
            let count = match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let Ok(mut kept) = shared.lock() else { break };
            kept.total += count as u64;
            let to_head = count.min((keep / 2).saturating_sub(kept.head.len()));
            kept.head.extend_from_slice(&buffer[..to_head]);
            kept.tail.extend_from_slice(&buffer[to_head..count]);
            let excess = kept.tail.len().saturating_sub(keep - keep / 2);
            kept.tail.drain(..excess);
        }
        if let Ok(mut kept) = shared.lock() {
            kept.closed = true;
        }
    });
    kept
}

/// What was kept of a stream. Everyone who could write to it has ended, so its end is near; a process that escaped is
/// not waited for.
fn finish(kept: &Mutex<Kept>) -> String {
    for _ in 0..200 {
        if kept.lock().is_ok_and(|kept| kept.closed) {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let Ok(kept) = kept.lock() else { return String::new() };
    let left_out = kept.total - (kept.head.len() + kept.tail.len()) as u64;
    let gap = if left_out == 0 { String::new() } else { format!("\n[... {left_out} bytes ...]\n") };
    let whole = [&kept.head[..], gap.as_bytes(), &kept.tail[..]].concat();
    String::from_utf8_lossy(&whole).into_owned()
}
