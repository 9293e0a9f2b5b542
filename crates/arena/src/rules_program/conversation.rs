//! One running program of rules, in a box of its own with a copy of the game's folder.

use crate::player::crash_reason::crash_reason;
use crate::player::directory::PlayerDirectory;
use crate::player::exit::{Program, ending, job, turn};
use crate::terms::Bounds;
use sandbox::lines::{LinePipes, Received, with_pipes};
use sandbox::supervise::{BoxWaits, Running};
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest wait for an answer. The time for which the program was kept waiting for a processor does not count.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer, in bytes.
const LONGEST: usize = 16 << 20;
/// The time between two looks whether the program still runs.
const LOOK: Duration = Duration::from_millis(20);
/// The longest that a program of rules may run: longer than any run of the judge.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// A running program. Dropping it ends the program.
pub(super) struct Conversation {
    running: Option<Running>,
    pipes: LinePipes,
    /// The program's directory. It is removed after the program's end.
    _directory: PlayerDirectory,
}

/// The limits of a program of rules.
fn bounds() -> Bounds {
    Bounds { memory_mib: 2048, disk_mib: 64, processes: 64, ..Bounds::default() }
}

impl Conversation {
    /// Starts the program in a copy of the folder. The error is the reason why it cannot be started.
    pub(super) fn start(folder: &Path, command: &[String]) -> anyhow::Result<Conversation> {
        let bounds = bounds();
        let directory = PlayerDirectory::new(Some(folder), &bounds)?;
        directory.make_temporary()?;
        let pipes = LinePipes::make(&directory.path(), directory.identity())?;
        let command = with_pipes(command);
        let program = Program { command: &command, home: Some(folder), own_command: false };
        let job = turn(&job(&program, &directory, &bounds)?, &bounds, FOR_EVER);
        Ok(Conversation { running: Some(Running::start(&job)?), pipes, _directory: directory })
    }

    /// Sends a request and returns the answer, both a line. The error says what the program did instead; it is not asked
    /// again afterwards.
    pub(super) fn ask(&mut self, request: &str) -> Result<String, String> {
        let answer = self.try_to_ask(request);
        answer.map_err(|what| {
            let Some(report) = self.running.take().and_then(|running| running.stop().ok()) else { return what };
            if let Some(reason) = &report.not_started {
                return format!("the program cannot be started: {reason}");
            }
            let excess = report.excess.as_ref().map_or(String::new(), |excess| format!(" ({excess})"));
            let how = if what == ENDED { ending(&report).unwrap_or(ENDED_WELL.to_string()) } else { String::new() };
            let how = if how.is_empty() { how } else { format!(": {how}") };
            format!("{what}{how}{excess}{}", crash_reason(&report.stderr))
        })
    }

    fn try_to_ask(&mut self, request: &str) -> Result<String, String> {
        let Some(running) = &mut self.running else { return Err(ENDED.to_string()) };
        let (begin, mut waits) = (Instant::now(), None::<BoxWaits>);
        let line = format!("{request}\n");
        let mut left = line.as_bytes();
        loop {
            if !left.is_empty() {
                let sent = self.pipes.send(left, LOOK).map_err(|error| format!("a pipe has failed: {error}"))?;
                left = &left[sent..];
                if !left.is_empty() && sent > 0 {
                    continue;
                }
            }
            // An answer before the end of the request is looked at, so that neither side waits for the other.
            let patience = if left.is_empty() { LOOK } else { Duration::ZERO };
            let received = self.pipes.receive(LONGEST, patience);
            match received.map_err(|error| format!("a pipe has failed: {error}"))? {
                Received::Line(line) if left.is_empty() => return Ok(line),
                Received::Line(_) => return Err("it answered before it had the whole request".to_string()),
                Received::TooLong(start) => {
                    return Err(format!("its answer is longer than {} MiB and begins '{start}'", LONGEST >> 20));
                }
                Received::Nothing if running.is_over() => return Err(ENDED.to_string()),
                Received::Nothing => {}
            }
            let waits = waits.get_or_insert_with(|| running.waits());
            if begin.elapsed() > PATIENCE && begin.elapsed() > PATIENCE + waits.waited() {
                return Err(format!("{SILENT} {} s", PATIENCE.as_secs()));
            }
        }
    }
}

/// What is said of a program that does not answer.
pub(super) const SILENT: &str = "no answer within";
const ENDED: &str = "it ended";
const ENDED_WELL: &str = "exit code 0";

impl Drop for Conversation {
    fn drop(&mut self) {
        // The program has to end before its directory is removed.
        drop(self.running.take());
    }
}
