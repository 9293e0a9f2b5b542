//! Programs that stay running for a game and exchange texts on standard input and output, each
//! followed by an empty line.

use super::blame::NoTurn;
use super::crash_reason::crash_reason;
use super::directory::PlayerDirectory;
use super::exit::{CPU_ALLOWANCE, GameProgram, Program, ending, forfeit, scarcity};
use super::process::{add_hash_seed, quota_fault, refusal, shorten};
use super::start::{Attempt, Starter, not_begun};
use super::{Player, Traces, Turn};
use crate::result::{Fault, Termination};
use crate::terms::Bounds;
use anygame::AnyTask;
use anygame::game::GameFiles;
use anyhow::{Result, ensure};
use engine::protocol::quote;
use sandbox::job::{ExitReport, Job};
use sandbox::lines::{LinePipes, Received, with_pipes};
use sandbox::room::{self, Place};
use sandbox::supervise::Running;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

const LONGEST: usize = 1 << 20;
const LOOK: Duration = Duration::from_millis(20);
const ANSWER: &str = "its answer";

/// A player whose program is started with its first turn.
pub struct LinesPlayer {
    program: GameProgram,
    files: GameFiles,
    margin: f64,
    seed: u64,
    talk: Option<Talk>,
}

struct Talk {
    exchange: Exchange,
    /// The room for the programs of both players.
    _place: Option<Rc<Place>>,
    /// Removed after its processes have ended.
    directory: PlayerDirectory,
}

struct Exchange {
    running: Option<Running>,
    pipes: LinePipes,
    /// CPU time up to the last answer. What the program uses between turns counts for the later
    /// one.
    charged: Duration,
}

struct TurnLimits {
    cpu: Duration,
    wall: Duration,
}

enum Reply {
    Answer(String),
    /// No answer: the program has ended of itself, or was ended for this fault.
    Ended(Box<ExitReport>, Option<Fault>),
}

type Replied = (Reply, Duration, Duration);

impl LinesPlayer {
    /// As [`ProcessPlayer::new`](super::process::ProcessPlayer::new), on Linux alone.
    pub fn new(
        program: &Program,
        files: GameFiles,
        margin: f64,
        bounds: &Bounds,
        seed: u64,
    ) -> Result<LinesPlayer> {
        ensure!(cfg!(target_os = "linux"), "programs that stay running need Linux");
        Ok(LinesPlayer {
            program: GameProgram::new(program, bounds),
            files,
            margin,
            seed,
            talk: None,
        })
    }

    fn start(&mut self, text: &str, limits: &TurnLimits) -> Result<Replied> {
        let (directory, mut job) = self.program.prepare(self.files)?;
        add_hash_seed(&mut job, self.seed);
        let place = room::take_for_game(&job);
        let job = Job { command: with_pipes(&job.command), talks: true, ..job };
        let starter = Starter::new(&self.program.program());
        let (exchange, replied) = starter.start(&job, &directory, || {
            let mut exchange = Exchange {
                pipes: LinePipes::make(&directory.path(), directory.owner())?,
                running: Some(Running::start(&job)?),
                charged: Duration::ZERO,
            };
            let mut replied = exchange.ask(text, limits)?;
            let not_begun = match &mut replied.0 {
                Reply::Ended(report, _) => not_begun(report),
                Reply::Answer(_) => None,
            };
            Ok(not_begun.unwrap_or(Attempt::Begun((exchange, replied))))
        })?;
        self.talk = Some(Talk { exchange, _place: place, directory });
        Ok(replied)
    }
}

impl Exchange {
    /// Sends a text and an empty line, and waits for lines up to the next empty one.
    fn ask(&mut self, text: &str, limits: &TurnLimits) -> io::Result<Replied> {
        let Some(mut running) = self.running.take() else {
            return Err(io::Error::other("a program that has ended is asked"));
        };
        let is_first = self.charged.is_zero();
        let mut waits = if is_first { running.waits_unasked() } else { running.waits() };
        let begin = Instant::now();
        let question = format!("{}\n\n", text.trim_end_matches('\n'));
        let (mut left, mut answer) = (question.as_bytes(), String::new());
        let bad = |words: String| Some(Fault::new(Termination::BadFormat, words));
        let (mut received, mut is_over) = (self.pipes.receive(LONGEST, Duration::ZERO)?, false);
        let fault = loop {
            match received {
                // Empty lines before an answer, or too many after one, say nothing.
                Received::Line(line) if line.trim_end().is_empty() && answer.is_empty() => {}
                // A line from before the end of the question answers nothing.
                Received::Line(line) if !left.is_empty() => {
                    break bad(format!("wrote a line before it was asked: {}", quote(&line)));
                }
                Received::Line(line) if line.trim_end().is_empty() => {
                    let used = if is_first { running.waits().used() } else { waits.used() };
                    self.running = Some(running);
                    let cpu = used.saturating_sub(std::mem::replace(&mut self.charged, used));
                    return Ok((Reply::Answer(answer), cpu, waits.waited()));
                }
                Received::Line(line) if answer.len() + line.len() < LONGEST => {
                    answer += &line;
                    answer.push('\n');
                }
                Received::Line(_) | Received::TooLong(_) => {
                    break bad(format!("{ANSWER} is longer than {} KiB", LONGEST >> 10));
                }
                // It may have answered before its end.
                Received::Nothing if is_over => break None,
                Received::Nothing => is_over = running.is_over(),
            }
            if !left.is_empty() {
                let sent = self.pipes.send(left, LOOK)?;
                left = &left[sent..];
            }
            let patience = if left.is_empty() { LOOK } else { Duration::ZERO };
            received = self.pipes.receive(LONGEST, patience)?;
            if !matches!(received, Received::Nothing) {
                continue;
            }
            let used = waits.used().saturating_sub(self.charged);
            if used > limits.cpu {
                let words = format!("{:.2} s of CPU", used.as_secs_f64());
                break Some(Fault::new(Termination::TimeForfeit, words));
            }
            if begin.elapsed() > limits.wall && begin.elapsed() > limits.wall + waits.waited() {
                let part =
                    if answer.is_empty() { "no answer" } else { "no empty line after its answer" };
                break Some(Fault::new(
                    Termination::Stall,
                    format!(
                        "{part} within {:.1} s of wall time, ended ({:.2} s of CPU used)",
                        begin.elapsed().as_secs_f64(),
                        used.as_secs_f64()
                    ),
                ));
            }
        };
        let (waited, used) = (waits.waited(), waits.used());
        let report = running.stop()?;
        let cpu = used.max(Duration::from_secs_f64(report.cpu)).saturating_sub(self.charged);
        Ok((Reply::Ended(Box::new(report), fault), cpu, waited))
    }
}

impl Player for LinesPlayer {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let (text, begin) = (task.input()?, Instant::now());
        let allowed = task.clock.as_secs_f64() + self.margin + CPU_ALLOWANCE;
        let limits = TurnLimits {
            cpu: Duration::from_secs_f64(allowed),
            wall: task.clock + Duration::from_secs_f64(self.program.bounds.wall_margin),
        };
        let (reply, cpu, waited) = match &mut self.talk {
            None => self.start(&text, &limits)?,
            Some(talk) => talk.exchange.ask(&text, &limits)?,
        };
        let waited = waited.as_secs_f64();
        let mut traces = Traces { waited, ..Traces::default() };
        traces.scarcity = scarcity(cpu.as_secs_f64(), waited);
        let answer = match reply {
            Reply::Answer(text) => {
                traces.output = Some(shorten(&text));
                match task.position.read_move(&text)? {
                    Ok(mv) => Ok(mv),
                    Err(violation) => Err(refusal(ANSWER, &violation, &text, None)),
                }
            }
            Reply::Ended(report, fault) => {
                if let Some(reason) = report.machine_fault {
                    return Err(NoTurn::by_machine(reason).into());
                }
                let how = forfeit(&report)
                    .or_else(|| ending(&report))
                    .unwrap_or_else(|| "ended without an answer (exit code 0)".to_string());
                let reason = format!("{how}{}", crash_reason(&report.stderr));
                (traces.stdout, traces.stderr) = (report.stdout, report.stderr);
                Err(fault.unwrap_or_else(|| Fault::new(Termination::Crash, reason)))
            }
        };
        let directory = self.talk.as_ref().map(|talk| &talk.directory);
        let over = directory.and_then(|directory| quota_fault(directory, &self.program.bounds));
        let answer = answer.and_then(|mv| over.map_or(Ok(mv), Err));
        Ok(Turn { answer, cpu, wall: begin.elapsed(), traces })
    }
}
