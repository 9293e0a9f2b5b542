//! One running program of rules, in a box of its own with a copy of the game's folder.

use super::contents::{MODULE, MODULE_TEXT, lacks_module};
use crate::plain::shown;
use crate::player::crash_reason::crash_reason;
use crate::player::directory::PlayerDirectory;
use crate::player::exit::{Program, ending, job, turn};
use crate::terms::Bounds;
use sandbox::job::{Job, TurnLimits};
use sandbox::lines::{LinePipes, Received, with_pipes};
use sandbox::supervise::Running;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest wait for an answer, without that for a processor.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);
const LONGEST_ANSWER: usize = 16 << 20;
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
/// Longer than any run of the judge.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

const NO_RUN: &str = "exit code 0 (at the end of rules.py has to be run(...), which answers until the judge ends it)";

/// The place of an error in Python, which has no traceback if the text is no Python.
fn place(stderr: &str) -> String {
    let place = stderr.lines().rev().find_map(|line| {
        let (file, rest) = line.trim().strip_prefix("File \"")?.split_once("\", line ")?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(format!(" ({}, line {number})", file.rsplit('/').next().unwrap_or(file)))
    });
    place.map_or(String::new(), |place| shown(&place))
}

/// A running program. Dropping it ends the program, then removes its directory.
pub(super) struct Conversation {
    running: Option<Running>,
    pipes: LinePipes,
    _directory: PlayerDirectory,
}

/// Why a program did not answer. It is not asked again afterwards.
pub(super) enum Failure {
    /// The program ended.
    Ended,
    /// The program did not answer in time, and would be as silent again.
    Silent,
    /// Something else, in words.
    Other(String),
}

impl Failure {
    fn of_pipe(error: io::Error) -> Failure {
        Failure::Other(format!("a pipe has failed: {error}"))
    }
}

fn bounds() -> Bounds {
    Bounds { memory_mib: 2048, disk_mib: 64, processes: 64, ..Bounds::default() }
}

impl Conversation {
    /// Starts the program in a copy of the folder, with the module for rules in Python.
    pub(super) fn start(folder: &Path, command: &[String]) -> anyhow::Result<Conversation> {
        let bounds = bounds();
        let directory = PlayerDirectory::new(Some(folder), &bounds)?;
        directory.make_temporary()?;
        if lacks_module(folder) {
            directory.put(MODULE, MODULE_TEXT.as_bytes())?;
        }
        let pipes = LinePipes::make(&directory.path(), directory.owner(), LONGEST_ANSWER)?;
        let program = Program { command, home: Some(folder), own_command: false };
        let job = turn(&job(&program, &directory, &bounds)?, &bounds, FOR_EVER);
        let job = Job { command: with_pipes(command), ..job };
        Ok(Conversation { running: Some(Running::start(&job)?), pipes, _directory: directory })
    }

    pub(super) fn ask(&mut self, request: &str) -> Result<String, Failure> {
        let Some(running) = &mut self.running else { return Err(Failure::Ended) };
        let (begin, mut is_watched) = (Instant::now(), false);
        self.pipes.begin_answer();
        let line = format!("{request}\n");
        let mut left = line.as_bytes();
        loop {
            if !left.is_empty() {
                let sent = self.pipes.send(left, LOOK_INTERVAL).map_err(Failure::of_pipe)?;
                left = &left[sent..];
                if !left.is_empty() && sent > 0 {
                    continue;
                }
            }
            // An answer before the end of the request is looked at, so that neither side waits for
            // the other.
            let patience = if left.is_empty() { LOOK_INTERVAL } else { Duration::ZERO };
            let received = self.pipes.receive(Instant::now() + patience);
            match received.map_err(Failure::of_pipe)? {
                Received::Line(line) if left.is_empty() => return Ok(line),
                Received::Line(_) => {
                    return Err(Failure::Other(
                        "it answered before it had the whole request".to_string(),
                    ));
                }
                Received::TooLong(start) => {
                    let words = format!(
                        "its answer is longer than {} MiB and begins '{start}'",
                        LONGEST_ANSWER >> 20
                    );
                    return Err(Failure::Other(words));
                }
                Received::Nothing if running.is_over() => return Err(Failure::Ended),
                Received::Nothing => {}
            }
            if !is_watched {
                // Its waiting counts from now on.
                running.begin_turn(TurnLimits::NONE);
                is_watched = true;
            }
            if begin.elapsed() > LONGEST_SILENCE {
                let waited = running.used().map_or(Duration::ZERO, |used| used.waited);
                if begin.elapsed() > LONGEST_SILENCE + waited {
                    return Err(Failure::Silent);
                }
            }
        }
    }

    /// Ends the program, and says what it did and why.
    pub(super) fn words_on(mut self, failure: &Failure) -> String {
        let what = match failure {
            Failure::Ended => "it ended".to_string(),
            Failure::Silent => format!(
                "no answer within {} s (a loop without end, a pattern that tries too many ways, or input(), which waits for the \
                 judge)",
                LONGEST_SILENCE.as_secs()
            ),
            Failure::Other(words) => words.clone(),
        };
        let Some(report) = self.running.take().and_then(|running| running.stop().ok()) else {
            return what;
        };
        if let Some(reason) = &report.not_started {
            return format!("the program cannot be started: {reason}");
        }
        let how = match failure {
            Failure::Ended => {
                format!(": {}", ending(&report).map_or(NO_RUN.to_string(), |exit| exit.to_string()))
            }
            Failure::Silent | Failure::Other(_) => String::new(),
        };
        let excess = report.excess.as_ref().map_or(String::new(), |excess| format!(" ({excess})"));
        format!("{what}{how}{excess}{}{}", crash_reason(&report.stderr), place(&report.stderr))
    }
}
