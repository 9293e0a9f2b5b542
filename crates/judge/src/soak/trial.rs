//! One question to one agent: what is asked, and what is found out about the answer.

use super::options::SoakOptions;
use super::process::{Run, Until};
use super::question::{Question, Source, Wish};
use super::state::{Shared, Subject};
use super::table::{Cell, SHORTEST_TIMED};
use anyhow::{Context, Result};
use arena::random::{self, Purpose};
use engine::{Side, TimeControl};
use rand::{Rng, RngExt};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use system::host_pauses;

/// CPU time beyond the clock that is not yet late.
const TOLERANCE: Duration = Duration::from_millis(1);
/// Wall time beyond three times the clock after which there is no answer: the processor may be busy with others.
const WALL_MARGIN: Duration = Duration::from_secs(60);
/// CPU time by which an agent has left its first output.
const FIRST_OUTPUT: Duration = Duration::from_millis(10);
/// Questions to an agent that take their positions from the same one of its games.
const PER_OWN_GAME: u64 = 150;
/// In the kill test, one question of this number measures the time to the first output.
const FIRST_EVERY: u32 = 10;

/// A question to an agent.
pub(super) struct Trial<'a> {
    number: u64,
    game: usize,
    /// The game and its agent.
    pub subject: &'a Subject,
    wish: Wish,
    /// The question.
    pub question: Question,
    /// The moment at which the agent's process is ended.
    pub until: Until,
}

impl Trial<'_> {
    /// The question of this number: everything about it follows from the seed and the number.
    pub(super) fn new<'a>(options: &SoakOptions, subjects: &'a [Subject], seed: u64, number: u64) -> Trial<'a> {
        let mut rest = number;
        let mut turn = |count: usize| {
            let index = rest % count as u64;
            rest /= count as u64;
            index as usize
        };
        let game = turn(subjects.len());
        let clock = Duration::from_secs_f64(options.clock[turn(options.clock.len())]);
        let mut random = random::generator(seed, Purpose::Question, number);
        let source = match Source::any(&mut random) {
            // A refusal is over too soon to be killed.
            Source::Over if options.kill => Source::Random,
            source => source,
        };
        let wish = Wish {
            source,
            side: Side::BOTH[turn(2)],
            control: [TimeControl::Single, TimeControl::Game][turn(2)],
            clock,
            seed: random.next_u64(),
            playable: options.kill,
        };
        let subject = &subjects[game];
        let own_game = match source {
            Source::SelfPlay => subject.own_game(number / subjects.len() as u64 / PER_OWN_GAME, seed),
            _ => Arc::default(),
        };
        let until = match options.kill {
            false => Until::Done(clock * 3 + WALL_MARGIN),
            true if random.random_ratio(1, FIRST_EVERY) => Until::FirstOutput(WALL_MARGIN),
            true => Until::Killed(clock.mul_f64(random.random())),
        };
        Trial { number, game, subject, wish, question: (subject.quiz.ask)(wish, &own_game), until }
    }

    /// Checks how it went, counts it, and records it.
    pub(super) fn enter(&self, run: &Run, shared: &mut Shared) -> Result<()> {
        shared.tally.came_from(self.question.source);
        let cell = shared.tally.cell(self.game, self.wish.clock);
        cell.peak_kib = cell.peak_kib.max(run.peak_kib);
        let fault = match &self.question.refusal {
            Some(refusal) => self.check_refusal(refusal, run, cell),
            None => self.check_answer(run, cell),
        };
        if let Some(fault) = &fault {
            let Wish { control, clock, .. } = &self.wish;
            let (name, side, clock) = (self.subject.name, self.question.side, clock.as_secs_f64());
            eprintln!("{name} {side} {} {clock} s, number {}: {fault}", control.word(), self.number);
        }
        if let Some(record) = &mut shared.record {
            writeln!(record, "{}", self.line(run, fault)).context("the record cannot be written")?;
        }
        Ok(())
    }

    /// Counts the answer to an input with nothing to play; what is wrong with it, if anything.
    fn check_refusal(&self, refusal: &str, run: &Run, cell: &mut Cell) -> Option<String> {
        let said = run.stderr == format!("{refusal}\n");
        if run.left && run.exit_code == Some(2) && run.output == Ok(None) && said {
            cell.refused += 1;
            return None;
        }
        cell.illegal += 1;
        Some(format!("not refused with {refusal}"))
    }

    /// Counts the answer to a question that has one; what is wrong with it, if anything.
    fn check_answer(&self, run: &Run, cell: &mut Cell) -> Option<String> {
        let legal = match &run.output {
            Ok(Some(text)) => (self.subject.quiz.check)(&self.question.input, text),
            Ok(None) if matches!(self.until, Until::Killed(_)) && !run.left && run.cpu <= FIRST_OUTPUT => {
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
        if run.left && run.exit_code != Some(0) {
            cell.missing += 1;
            return Some(format!("exit code {}", run.exit_code.unwrap_or_default()));
        }
        match self.until {
            Until::Done(_) if !run.left => {
                cell.missing += 1;
                return Some("never ended".to_string());
            }
            Until::Done(_) => return self.check_time(run, cell),
            Until::Killed(_) if run.left => cell.done += 1,
            Until::Killed(_) => cell.whole += 1,
            Until::FirstOutput(_) => cell.first.push((run.wall, run.cpu)),
        }
        None
    }

    /// Counts the CPU time of a legal answer; by what it was late, if it was.
    fn check_time(&self, run: &Run, cell: &mut Cell) -> Option<String> {
        cell.cpu[(self.wish.control == TimeControl::Game) as usize].push(run.cpu);
        let late = self.wish.clock >= SHORTEST_TIMED && run.cpu > self.wish.clock + TOLERANCE;
        cell.late += usize::from(late);
        late.then(|| {
            // A host that takes the processor away counts the time as the process's own.
            let excuse = host_pauses::excuse(run.start, run.start + run.wall);
            format!("late: {:.2} ms of CPU{excuse}", run.cpu.as_secs_f64() * 1e3)
        })
    }

    /// The line of the record.
    fn line(&self, run: &Run, fault: Option<String>) -> Value {
        let mut line = json!({
            "event": "answer",
            "number": self.number,
            "game": self.subject.name,
            "control": self.wish.control.word(),
            "clock": self.wish.clock.as_secs_f64(),
            "side": self.question.side,
            "position": self.question.source.word(),
            "cpu": run.cpu.as_secs_f64(),
            "wall": run.wall.as_secs_f64(),
            "peak_kib": run.peak_kib,
            "left": run.left,
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
