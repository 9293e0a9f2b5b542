//! Programs that stay running for a game and exchange texts on standard input and output, each
//! followed by an empty line.

use super::blame::NoTurn;
use super::crash_reason::{crash_reason, shortened};
use super::directory::PlayerDirectory;
use super::exit::{CPU_ALLOWANCE, GameProgram, Program, charged, ending, forfeit, scarcity};
use super::process::{add_hash_seed, quota_fault, refusal, search_figures, shorten};
use super::start::{StartAttempt, Starter, not_begun};
use super::{Player, Traces, Turn};
use crate::result::{Fault, Reason, Termination};
use crate::terms::Bounds;
use anygame::AnyTask;
use anygame::game::GameFiles;
use anyhow::{Result, ensure};
use engine::protocol::quote;
use sandbox::job::{ExitReport, Job, TurnLimits};
use sandbox::lines::{LinePipes, Received, with_pipes};
use sandbox::room::{self, Place};
use sandbox::supervise::Running;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

const LONGEST_ANSWER: usize = 1 << 20;
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
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
    /// The report is that of a program that has ended after its last answer.
    running: Result<Running, Box<ExitReport>>,
    pipes: LinePipes,
    /// CPU seconds up to the last answer. What the program uses between turns counts for the later
    /// one.
    charged: f64,
}

enum Reply {
    /// The text, and what was written to standard error.
    Answer(String, String),
    /// No answer: the program has ended of itself, or was ended for this fault.
    Ended(Box<ExitReport>, Option<Fault>),
}

/// A reply and its seconds: of CPU since the last reply, of wall time since the question, and of
/// waiting for a processor.
struct Replied {
    reply: Reply,
    cpu: f64,
    wall: f64,
    waited: f64,
}

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
        let TurnLimits { wall, cpu } = *limits;
        let command = with_pipes(&job.command);
        let job = Job { command, wall, cpu: Some(cpu), talks: true, ..job };
        let starter = Starter::new(&self.program.program());
        let (exchange, replied) = starter.start(&job, &directory, || {
            let mut exchange = Exchange {
                pipes: LinePipes::make(&directory.path(), directory.owner(), LONGEST_ANSWER)?,
                running: Ok(Running::start(&job)?),
                charged: 0.0,
            };
            let mut replied = exchange.reply(text)?;
            let not_begun = match &mut replied.reply {
                Reply::Ended(report, _) => not_begun(report),
                Reply::Answer(..) => None,
            };
            Ok(not_begun.unwrap_or(StartAttempt::Begun((exchange, replied))))
        })?;
        self.talk = Some(Talk { exchange, _place: place, directory });
        Ok(replied)
    }
}

/// A program that stays running, and answers texts that are no turns of a game.
pub struct Served {
    exchange: Exchange,
    /// Removed after its processes have ended.
    _directory: PlayerDirectory,
}

impl Served {
    /// Starts a program in a copy of its home with these files beside. `None` where the kernel
    /// counts what its box uses together with what other boxes use.
    pub fn start(
        program: &Program,
        bounds: &Bounds,
        beside: &[(&str, &[u8])],
    ) -> Result<Option<Served>> {
        let files = GameFiles { input: ".no-input", ..GameFiles::USUAL };
        let (directory, job) = GameProgram::new(program, bounds).prepare(files)?;
        if !job.layers.any() || job.identity.is_none() {
            return Ok(None);
        }
        for (name, bytes) in beside {
            directory.put(name, bytes)?;
        }
        let command = with_pipes(&job.command);
        let job = Job { command, talks: true, ..job };
        let pipes = LinePipes::make(&directory.path(), directory.owner(), LONGEST_ANSWER)?;
        let running = Ok(Running::start(&job)?);
        let exchange = Exchange { running, pipes, charged: 0.0 };
        Ok(Some(Served { exchange, _directory: directory }))
    }

    /// The answer to a text within this CPU time; `None` if there is none, after which the program
    /// has ended.
    pub fn ask(&mut self, text: &str, time: Duration, wall_margin: f64) -> Option<String> {
        let cpu = time.as_secs_f64();
        let limits = TurnLimits { wall: cpu + wall_margin, cpu };
        match self.exchange.ask(text, &limits).ok()?.reply {
            Reply::Answer(answer, _) => Some(answer),
            Reply::Ended(..) => None,
        }
    }
}

impl Exchange {
    fn ask(&mut self, text: &str, limits: &TurnLimits) -> io::Result<Replied> {
        if let Ok(running) = &mut self.running {
            let cpu = self.charged + limits.cpu;
            // The end of the program is met below.
            let _ = running.begin_turn(TurnLimits { cpu, ..*limits });
        }
        self.reply(text)
    }

    /// Sends a text and an empty line in a turn that has begun, and waits for lines up to the next
    /// empty one. The supervisor ends the turn at its limits, and the bytes of an answer are
    /// limited: no program can keep this from its end.
    fn reply(&mut self, text: &str) -> io::Result<Replied> {
        let begin = Instant::now();
        let mut running = match std::mem::replace(&mut self.running, Err(Box::default())) {
            Ok(running) => running,
            Err(report) => {
                let reply = Reply::Ended(report, None);
                return Ok(Replied { reply, cpu: 0.0, wall: 0.0, waited: 0.0 });
            }
        };
        let question = format!("{}\n\n", text.trim_end_matches('\n'));
        let (mut left, mut answer) = (question.as_bytes(), String::new());
        let bad = |words: String| Some(Fault::new(Termination::BadFormat, words));
        self.pipes.begin_answer();
        let (mut received, mut is_over) = (self.pipes.receive(begin)?, false);
        let mut is_complete = false;
        let fault = loop {
            match received {
                // Empty lines before an answer, or too many after one, say nothing.
                Received::Line(line) if line.trim_end().is_empty() && answer.is_empty() => {}
                // A line from before the end of the question answers nothing.
                Received::Line(line) if !left.is_empty() => {
                    break bad(format!("wrote a line before it was asked: {}", quote(&line)));
                }
                Received::Line(line) if line.trim_end().is_empty() => {
                    is_complete = true;
                    let Some((used, said)) = running.end_turn() else { break None };
                    self.running = Ok(running);
                    let [all, waited] = [used.cpu, used.waited].map(|time| time.as_secs_f64());
                    let cpu = (all - self.charged).max(0.0);
                    self.charged = all;
                    let (reply, wall) =
                        (Reply::Answer(answer, said), begin.elapsed().as_secs_f64());
                    return Ok(Replied { reply, cpu, wall, waited });
                }
                Received::Line(line) => {
                    answer += &line;
                    answer.push('\n');
                }
                Received::TooLong(_) => {
                    break bad(format!("{ANSWER} is longer than {} KiB", LONGEST_ANSWER >> 10));
                }
                // It may have answered before its end.
                Received::Nothing if is_over => break None,
                Received::Nothing => is_over = running.is_over(),
            }
            if Instant::now() >= running.latest() {
                break None;
            }
            if !left.is_empty() {
                let sent = self.pipes.send(left, LOOK_INTERVAL)?;
                left = &left[sent..];
            }
            let patience = if left.is_empty() { LOOK_INTERVAL } else { Duration::ZERO };
            received = self.pipes.receive(Instant::now() + patience)?;
        };
        let report = if fault.is_some() { running.stop()? } else { running.finish()? };
        let (wall, waited) = (begin.elapsed().as_secs_f64(), report.waited);
        let cpu = charged(&report, (report.cpu - self.charged).max(0.0), wall);
        let too_late = || {
            let part =
                if answer.is_empty() { "no answer" } else { "no empty line after its answer" };
            let words =
                format!("{part} within {wall:.1} s of wall time, ended ({cpu:.2} s of CPU used)");
            Fault::new(Termination::Stall, Reason::Stall { slept: false, words })
        };
        let fault = fault.or_else(|| report.timed_out.then(too_late));
        let is_fault = fault.is_some() || report.machine_fault.is_some();
        if is_complete && !is_fault && forfeit(&report).is_none() {
            let said = report.stderr.clone();
            self.running = Err(Box::new(report));
            return Ok(Replied { reply: Reply::Answer(answer, said), cpu, wall, waited });
        }
        let reply = Reply::Ended(Box::new(report), fault);
        Ok(Replied { reply, cpu, wall, waited })
    }
}

impl Player for LinesPlayer {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let text = task.input()?;
        let allowed = task.clock.as_secs_f64() + self.margin + CPU_ALLOWANCE;
        let limits = TurnLimits {
            wall: task.clock.as_secs_f64() + self.program.bounds.wall_margin,
            cpu: allowed,
        };
        let Replied { reply, cpu, wall, waited } = match &mut self.talk {
            None => self.start(&text, &limits)?,
            Some(talk) => talk.exchange.ask(&text, &limits)?,
        };
        let mut traces = Traces { waited, ..Traces::default() };
        traces.scarcity = scarcity(cpu, waited);
        let answer = match reply {
            Reply::Answer(text, said) => {
                traces.output = Some(shorten(&text));
                (traces.score, traces.depth) = search_figures(&said);
                traces.stderr = shortened(said, self.program.bounds.keep);
                match task.position.read_move(&text)? {
                    Ok(mv) => Ok(mv),
                    Err(violation) => Err(refusal(ANSWER, violation, text, None)),
                }
            }
            Reply::Ended(report, fault) => {
                if let Some(reason) = report.machine_fault {
                    return Err(NoTurn::by_machine(reason).into());
                }
                let last_words = crash_reason(&report.stderr);
                let reason = match (forfeit(&report), ending(&report)) {
                    (Some(how), _) => format!("{how}{last_words}").into(),
                    (None, Some(exit)) => Reason::Exit(exit, last_words),
                    (None, None) => {
                        format!("ended without an answer (exit code 0){last_words}").into()
                    }
                };
                (traces.stdout, traces.stderr) = (report.stdout, report.stderr);
                Err(fault.unwrap_or_else(|| Fault::new(Termination::Crash, reason)))
            }
        };
        let directory = self.talk.as_ref().map(|talk| &talk.directory);
        let over = directory.and_then(quota_fault);
        let answer = answer.and_then(|mv| over.map_or(Ok(mv), Err));
        let [cpu, wall] = [cpu, wall].map(Duration::from_secs_f64);
        Ok(Turn { answer, cpu, wall, traces })
    }
}
