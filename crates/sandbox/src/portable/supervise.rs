//! Supervision of a program: a thread of the judge watches it, kills it and its descendants at a
//! limit, and reports.
#![allow(missing_docs, reason = "the module for Linux says what each is")]

use super::ProcessTree;
use crate::job::{ExitReport, Job, TurnLimits, Used, duration};
use crate::streams::{PIECE, Stream};
use clock::lock;
use std::io::{self, Empty, Read};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const WATCH: Duration = Duration::from_millis(10);
/// How long to wait for the end of the output after all known processes have been killed.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

/// A program that runs under supervision. Dropping it kills the program.
pub struct Running {
    watcher: Option<JoinHandle<ExitReport>>,
    stop: Arc<AtomicBool>,
}

impl Running {
    pub fn start(job: &Job) -> io::Result<Running> {
        let stop = Arc::new(AtomicBool::new(false));
        let (job, stopped) = (job.clone(), Arc::clone(&stop));
        let watcher = thread::Builder::new()
            .name("supervisor".to_string())
            .spawn(move || supervise(&job, &stopped))?;
        Ok(Running { watcher: Some(watcher), stop })
    }

    pub fn listener(&self) -> io::Result<TcpListener> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn is_over(&mut self) -> bool {
        self.watcher.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub fn let_others_first(&self, _: bool) {}

    pub fn begin_turn(&mut self, _: TurnLimits) -> Option<Used> {
        None
    }

    pub fn end_turn(&mut self) -> Option<(Used, String)> {
        None
    }

    pub fn used(&self) -> Option<Used> {
        None
    }

    pub fn latest(&self) -> Instant {
        Instant::now() + WATCH
    }

    pub fn finish(mut self) -> io::Result<ExitReport> {
        let report = self.watcher.take().map(JoinHandle::join);
        report
            .and_then(Result::ok)
            .ok_or_else(|| io::Error::other("the supervising thread has ended"))
    }

    pub fn stop(self) -> io::Result<ExitReport> {
        self.stop.store(true, Relaxed);
        self.finish()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
    }
}

fn supervise(job: &Job, stop: &AtomicBool) -> ExitReport {
    let mut report = ExitReport::default();
    let start = Instant::now();
    let (mut tree, stdout, stderr) = match ProcessTree::start(job) {
        Ok(started) => started,
        Err(reason) => return ExitReport::not_started(reason),
    };
    let streams = [Output::of(stdout, job.keep), Output::of(stderr, job.keep)];
    let deadline = start + duration(job.wall);
    let cpu_limit = job.cpu.map(duration);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let ending = match tree.wait(left.min(WATCH)) {
            Ok(ending) => ending,
            Err(error) => {
                report.machine_fault = Some(format!("the program cannot be waited for: {error}"));
                break;
            }
        };
        if let Some(ending) = ending {
            (report.exit_code, report.signal) = (ending.exit_code, ending.signal);
            break;
        }
        if stop.load(Relaxed) {
            break;
        }
        if Instant::now() >= deadline {
            report.timed_out = true;
            break;
        }
        // Where CPU times of processes are added up, a process that ended unseen is not counted.
        let cpu = tree.cpu();
        if cpu_limit.is_some_and(|limit| cpu >= limit) {
            break;
        }
    }
    report.wall = start.elapsed().as_secs_f64();
    let living = tree.kill();
    if report.exit_code.or(report.signal).is_some() {
        report.left_behind = living;
    }
    report.cpu = tree.cpu().as_secs_f64();
    let until = Instant::now() + LAST_OUTPUT;
    [report.stdout, report.stderr] = streams.map(|stream| stream.text(until));
    report
}

struct Output {
    kept: Arc<Mutex<Stream<Empty>>>,
    reader: JoinHandle<()>,
}

impl Output {
    fn of(mut source: impl Read + Send + 'static, keep: usize) -> Output {
        let kept = Arc::new(Mutex::new(Stream::new(None, keep)));
        let shared = Arc::clone(&kept);
        let reader = thread::spawn(move || {
            let mut piece = vec![0; PIECE];
            loop {
                match source.read(&mut piece) {
                    Ok(0) => break,
                    Ok(count) => lock(&shared).add(&piece[..count]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
        });
        Output { kept, reader }
    }

    /// The text that was kept, at the end of the stream, or at `until`: an unknown process may keep
    /// it open.
    fn text(self, until: Instant) -> String {
        while !self.reader.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        lock(&self.kept).text()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::job::Limits;

    fn run_job(job: &Job) -> io::Result<ExitReport> {
        Running::start(job)?.finish()
    }

    fn job(directory: &std::path::Path, script: &str) -> Job {
        Job {
            command: ["sh", "-c", script].map(String::from).to_vec(),
            directory: directory.to_owned(),
            wall: 60.0,
            keep: 100,
            limits: Limits { memory: 1 << 30, file_size: 1 << 16, ..Limits::default() },
            ..Job::default()
        }
    }

    #[test]
    fn a_program_is_reported_with_its_output_its_end_and_the_time_of_what_it_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let run = |script: &str| run_job(&job(place.path(), script)).unwrap();
        let burn = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        let report = run(&format!("echo out; echo err >&2; ({burn}); exit 3"));
        assert_eq!((report.exit_code, report.signal, report.timed_out), (Some(3), None, false));
        assert_eq!((report.stdout.as_str(), report.stderr.as_str()), ("out\n", "err\n"));
        assert!(report.cpu > 0.0 && report.left_behind == 0, "{report:?}");
        let report = run("kill -9 $$");
        assert_eq!((report.exit_code, report.signal), (None, Some(9)));
        let missing = Job { command: vec!["./missing".to_string()], ..job(place.path(), "") };
        assert!(run_job(&missing).unwrap().not_started.unwrap().contains("./missing"));
        run("head -c 100000 /dev/zero > big");
        assert!(std::fs::metadata(place.path().join("big")).unwrap().len() <= 1 << 16);
    }

    #[test]
    fn what_a_program_leaves_running_is_killed() {
        let place = tempfile::tempdir().unwrap();
        let report = run_job(&job(place.path(), "sleep 100 & echo $!")).unwrap();
        assert_eq!((report.exit_code, report.left_behind), (Some(0), 1));
        assert!(!is_living(&report.stdout), "{report:?}");
        let endless = Job { wall: 0.3, ..job(place.path(), "sleep 100 & echo $!; wait") };
        let report = run_job(&endless).unwrap();
        assert!(
            report.timed_out && report.exit_code.is_none() && !is_living(&report.stdout),
            "{report:?}"
        );
        let running = Running::start(&job(place.path(), "sleep 100 & echo $!; wait")).unwrap();
        thread::sleep(Duration::from_millis(300));
        let report = running.stop().unwrap();
        assert!(!report.timed_out && !is_living(&report.stdout), "{report:?}");
    }

    #[test]
    fn a_program_that_burns_more_than_its_cpu_time_is_ended_before_its_wall_time() {
        let place = tempfile::tempdir().unwrap();
        let endless = job(place.path(), "while :; do :; done");
        let report = run_job(&Job { cpu: Some(0.5), wall: 600.0, ..endless }).unwrap();
        assert!(report.signal.is_some() && !report.timed_out && report.cpu > 0.5, "{report:?}");
    }

    /// Whether a process of this id still runs some seconds later: it ends soon after it was
    /// killed, not at once. One that has been killed may still be waited for by its new parent.
    fn is_living(pid: &str) -> bool {
        let pid: u32 = pid.trim().parse().unwrap();
        let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat"));
        let runs = || stat().is_ok_and(|stat| !stat.contains(") Z"));
        let start = Instant::now();
        while runs() && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
        }
        runs()
    }
}
