//! The supervisor's own process. It adopts whatever the program leaves behind, ends the program with all its descendants,
//! adds up their CPU time, and reports. Its job is one line of JSON on standard input, which then stays open: when it closes, the process that gave
//! the job is gone, and so is the program.

use super::{ExitReport, Job, MARK};
use crate::process_tree::{self, Waited};
use std::io::{self, BufRead, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long to try to end a tree before giving up on it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The supervisor's whole run.
pub fn run() -> ExitCode {
    let mut line = String::new();
    let job = match io::stdin().lock().read_line(&mut line).map(|_| serde_json::from_str::<Job>(&line)) {
        Ok(Ok(job)) => job,
        // The judge has ended before it could give its job.
        _ if line.is_empty() => return ExitCode::SUCCESS,
        _ => {
            eprintln!("this command is for the judge's own use");
            return ExitCode::from(2);
        }
    };
    tell(&supervise(&job));
    ExitCode::SUCCESS
}

fn tell(report: &ExitReport) {
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

fn supervise(job: &Job) -> ExitReport {
    if let Err(error) = process_tree::adopt_orphans() {
        return ExitReport {
            not_started: Some(format!("orphans cannot be adopted: {error}")),
            ..ExitReport::default()
        };
    }
    let (memory, file_size) = job.limits;
    process_tree::limit(memory, file_size);
    let start = Instant::now();
    let child = Command::new(&job.command[0])
        .args(&job.command[1..])
        .current_dir(&job.directory)
        .env(MARK, &job.mark)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            let reason = format!("{}: cannot be started: {error}", job.command[0]);
            return ExitReport { not_started: Some(reason), ..ExitReport::default() };
        }
    };
    let streams = [
        child.stdout.take().map(|stream| capture(stream, job.keep)),
        child.stderr.take().map(|stream| capture(stream, job.keep)),
    ];
    let (sender, receiver) = mpsc::channel();
    let closing = sender.clone();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = closing.send(Signal::Orphaned);
    });
    let timed_out = Arc::new(AtomicBool::new(false));
    let late = Arc::clone(&timed_out);
    let wall = Duration::from_secs_f64(job.wall.clamp(0.0, 1e9));
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
        process_tree::descendants().into_iter().for_each(process_tree::kill);
        if let Ok(Signal::Done) = signals.recv_timeout(Duration::from_millis(5)) {
            return;
        }
    }
    tell(&ExitReport { timed_out: true, wall: wall.as_secs_f64(), ..ExitReport::default() });
    std::process::exit(0);
}

/// Waits until the player has ended, then ends and collects what it left behind.
fn collect(player: i32, start: Instant) -> ExitReport {
    let mut report = ExitReport::default();
    let mut cpu = Duration::ZERO;
    let mut ended = false;
    let mut deadline = None;
    loop {
        match process_tree::wait_for_any(!ended) {
            Waited::Child(child) => {
                cpu += child.cpu;
                if child.pid == player {
                    ended = true;
                    report.exit_code = process_tree::exit_code(child.status);
                    report.signal = process_tree::ending_signal(child.status);
                    report.wall = start.elapsed().as_secs_f64();
                }
            }
            Waited::AllLive => {
                let rest = process_tree::descendants();
                report.left_behind = report.left_behind.max(rest.len());
                rest.into_iter().for_each(process_tree::kill);
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
