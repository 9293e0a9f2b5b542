//! One question to one agent, and the check of the answer.

use super::options::SoakOptions;
use super::process::{AgentRun, Until};
use super::question::{PositionSource, QuestionSpec, SoakQuestion, ask, check};
use super::state::{GameUnderTest, SharedState};
use super::tally::{ClockFigures, SHORTEST_TIMED};
use anyhow::{Context, Result};
use arena::random::{self, Purpose};
use engine::{Side, TimeControl};
use rand::{Rng, RngExt};
use sandbox::host_pauses;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// The CPU time beyond the clock that does not count as late.
const TOLERANCE: Duration = Duration::from_millis(1);
/// The wall time, in addition to three times the clock, after which an agent counts as not
/// answering: other processes may use the processor.
const WALL_MARGIN: Duration = Duration::from_secs(60);
/// The CPU time after which an agent must have written its first output.
const FIRST_OUTPUT: Duration = Duration::from_millis(10);
/// The number of questions with positions from the same game of an agent against itself.
const PER_OWN_GAME: u64 = 150;
/// One kill in this many measures the time to the first output instead.
const FIRST_EVERY: u32 = 10;

/// A question to an agent.
pub(super) struct SoakTrial<'a> {
    number: u64,
    game: usize,
    /// The game and its agent.
    pub subject: &'a GameUnderTest,
    spec: QuestionSpec,
    /// The question.
    pub question: SoakQuestion,
    /// When the agent's process ends.
    pub until: Until,
}

impl SoakTrial<'_> {
    /// Returns the question of this number, which depends only on the seed, the number and the
    /// options.
    pub(super) fn new<'a>(
        options: &SoakOptions,
        subjects: &'a [GameUnderTest],
        seed: u64,
        number: u64,
    ) -> SoakTrial<'a> {
        let mut rest = number;
        let mut turn = |count: usize| {
            let index = rest % count as u64;
            rest /= count as u64;
            index as usize
        };
        let game = turn(subjects.len());
        let clock = Duration::from_secs_f64(options.clock[turn(options.clock.len())]);
        let mut random = random::generator(seed, Purpose::Question, number);
        let source = match PositionSource::draw(&mut random) {
            // An agent that refuses exits too soon to be killed.
            PositionSource::Over if options.kill => PositionSource::Random,
            source => source,
        };
        let spec = QuestionSpec {
            source,
            side: Side::BOTH[turn(2)],
            control: [TimeControl::Single, TimeControl::Game][turn(2)],
            clock,
            seed: random.next_u64(),
            playable: options.kill,
        };
        let subject = &subjects[game];
        let own_game = match source {
            PositionSource::SelfPlay => {
                subject.own_game(number / subjects.len() as u64 / PER_OWN_GAME, seed)
            }
            _ => Arc::default(),
        };
        let until = match options.kill {
            false => Until::Exited(clock * 3 + WALL_MARGIN),
            true if random.random_ratio(1, FIRST_EVERY) => Until::FirstOutput(WALL_MARGIN),
            true => Until::Killed(clock.mul_f64(random.random())),
        };
        SoakTrial {
            number,
            game,
            subject,
            spec,
            question: ask(subject.game, spec, &own_game),
            until,
        }
    }

    /// Checks, counts and records an answer.
    pub(super) fn count(&self, run: &AgentRun, shared: &mut SharedState) -> Result<()> {
        shared.tally.count_source(self.question.source);
        let cell = shared.tally.cell(self.game, self.spec.clock);
        cell.peak_kib = cell.peak_kib.max(run.peak_kib);
        let fault = match &self.question.refusal {
            Some(refusal) => self.check_refusal(refusal, run, cell),
            None => self.check_answer(run, cell),
        };
        if let Some(fault) = &fault {
            let QuestionSpec { control, clock, .. } = &self.spec;
            let (name, side, clock) = (self.subject.name, self.question.side, clock.as_secs_f64());
            eprintln!(
                "{name} {side} {} {clock} s, number {}: {fault}",
                control.word(),
                self.number
            );
        }
        if let Some(record) = &mut shared.record {
            writeln!(record, "{}", self.line(run, fault))
                .context("the record cannot be written")?;
        }
        Ok(())
    }

    /// Counts the answer to an input that has to be refused. Returns what is wrong with it, if
    /// anything.
    fn check_refusal(
        &self,
        refusal: &str,
        run: &AgentRun,
        cell: &mut ClockFigures,
    ) -> Option<String> {
        let has_message = run.stderr == format!("{refusal}\n");
        if run.exited && run.exit_code == Some(2) && run.output == Ok(None) && has_message {
            cell.refused += 1;
            return None;
        }
        cell.illegal += 1;
        Some(format!("not refused with {refusal}"))
    }

    /// Counts the answer to a question that asks for a move. Returns what is wrong with it, if
    /// anything.
    fn check_answer(&self, run: &AgentRun, cell: &mut ClockFigures) -> Option<String> {
        let legal = match &run.output {
            Ok(Some(text)) => check(self.subject.game, &self.question.input, text),
            Ok(None)
                if matches!(self.until, Until::Killed(_))
                    && !run.exited
                    && run.cpu <= FIRST_OUTPUT =>
            {
                cell.absent.push(run.cpu);
                return None;
            }
            Ok(None) => {
                cell.missing += 1;
                return Some("no output".to_string());
            }
            Err(reason) => Err(reason.clone()),
        };
        if let Err(reason) = legal {
            cell.illegal += 1;
            return Some(format!("illegal: {reason}"));
        }
        if run.exited && run.exit_code != Some(0) {
            cell.missing += 1;
            return Some(format!("exit code {}", run.exit_code.unwrap_or_default()));
        }
        match self.until {
            Until::Exited(_) if !run.exited => {
                cell.missing += 1;
                return Some("never ended".to_string());
            }
            Until::Exited(_) => return self.check_time(run, cell),
            Until::Killed(_) if run.exited => cell.done += 1,
            Until::Killed(_) => cell.whole += 1,
            Until::FirstOutput(_) => cell.first.push((run.wall, run.cpu)),
        }
        None
    }

    /// Counts the CPU time of a legal answer. Returns by how much it was late, if it was.
    fn check_time(&self, run: &AgentRun, cell: &mut ClockFigures) -> Option<String> {
        cell.cpu[(self.spec.control == TimeControl::Game) as usize].push(run.cpu);
        let late = self.spec.clock >= SHORTEST_TIMED && run.cpu > self.spec.clock + TOLERANCE;
        cell.late += usize::from(late);
        late.then(|| {
            // Time in which the host of a virtual machine pauses it counts as CPU time of the
            // process.
            let excuse = host_pauses::excuse(run.start, run.start + run.wall);
            format!("late: {:.2} ms of CPU{excuse}", run.cpu.as_secs_f64() * 1e3)
        })
    }

    /// Returns the answer's line of the record.
    fn line(&self, run: &AgentRun, fault: Option<String>) -> Value {
        let mut line = json!({
            "event": "answer",
            "number": self.number,
            "game": self.subject.name,
            "control": self.spec.control.word(),
            "clock": self.spec.clock.as_secs_f64(),
            "side": self.question.side,
            "position": self.question.source.word(),
            "cpu": run.cpu.as_secs_f64(),
            "wall": run.wall.as_secs_f64(),
            "peak_kib": run.peak_kib,
            "left": run.exited,
            "output": run.output.as_ref().is_ok_and(Option::is_some),
        });
        if let Some(fault) = fault {
            line["fault"] = json!(fault);
            line["input"] = json!(self.question.input);
            line["output"] = json!(run.output);
            line["exit_code"] = json!(run.exit_code);
            line["stderr"] = json!(run.stderr);
        }
        line
    }
}
