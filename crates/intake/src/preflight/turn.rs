//! Gives a program one test position and judges its answer.

use super::advice::{advice, names_its_rule};
use super::format_doubts::format_doubts;
use super::misplaced_output::find_misplaced_move;
use super::slips::{advice_for_slip, outputs};
use super::test_positions::{TestPosition, TurnRequest};
use anygame::game::GameFiles;
use anygame::{AnyGame, AnyMove, AnyPosition, AnyTask};
use anyhow::Result;
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::player::protocol::player_of;
use arena::player::spec::EngineSpec;
use arena::player::{Player, Traces, Turn};
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use engine::protocol::seconds;
use engine::{Outcome, TimeControl};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct JudgedAnswer {
    pub fault: Option<Fault>,
    pub advice: Option<String>,
    /// Whether there is no output file, and the move is in no other file either.
    pub is_missing: bool,
    pub described: Option<String>,
    /// Why a strict grader might refuse the file of a legal move.
    pub doubts: Vec<String>,
    /// Remarks that cost no point.
    pub notes: Vec<String>,
    pub cpu: f64,
    /// Whether the machine gave the program much less than a processor.
    pub is_busy: bool,
    pub stderr: String,
}

pub(super) const SHOWN_MOVES: usize = 12;
/// CPU seconds.
const MAX_START_COST: f64 = 1.0;

pub(crate) fn ask(request: &TurnRequest) -> Result<JudgedAnswer> {
    let turn = request.player()?.turn(&request.test.task)?;
    judged(request, &turn)
}

/// Asks a program for its move, and again after a reply, with the files that it has kept. Returns
/// the second position and answer, if the first turn is right and the game goes on.
pub(super) fn ask_twice(request: &TurnRequest) -> Result<Option<(TestPosition, JudgedAnswer)>> {
    let (task, mut player) = (&request.test.task, request.player()?);
    let Ok(mv) = player.turn(task)?.answer else { return Ok(None) };
    let after = task.position.clone().play(mv.code)?;
    let replies = after.codes();
    let Some(&reply) = replies.get(replies.len() / 2) else { return Ok(None) };
    let position = after.play(reply)?;
    let is_over = position.outcome().is_some();
    if is_over || position.side_to_move() != task.position.side_to_move() {
        return Ok(None);
    }
    let title = "a second turn, with the files of the first".to_string();
    let test = TestPosition::new(title, AnyTask { position, ..task.clone() })?;
    let turn = player.turn(&test.task)?;
    let answer = judged(&TurnRequest { test: &test, ..*request }, &turn)?;
    Ok(Some((test, answer)))
}

pub(super) fn fault_by_crlf(request: &TurnRequest) -> Result<Option<String>> {
    let TurnRequest { game, spec, bounds, test } = request;
    let Some(program) = Program::of(&spec.kind) else { return Ok(None) };
    let player = CasePlayer::new(&program, game.interface.files, bounds)?;
    let run = player.run(&test.input.replace('\n', "\r\n"), test.task.clock)?;
    let output = player.read(game.interface.files.output.as_ref(), MAX_OUTPUT).unwrap_or_default();
    let legal = test.task.position.read_move(&String::from_utf8_lossy(&output))?;
    Ok(legal.is_err().then(|| run.fault.unwrap_or_else(|| "no legal move".to_string())))
}

const MAX_OUTPUT: u64 = 1 << 16;

impl TurnRequest<'_> {
    /// A program that uses more than its clock is not ended there: how much it wants is told.
    fn player(&self) -> Result<Box<dyn Player>> {
        let patient = EngineSpec { margin: 1e6, ..self.spec.clone() };
        player_of(self.game, &patient, self.bounds, 1)
    }
}

fn judged(request: &TurnRequest, turn: &Turn) -> Result<JudgedAnswer> {
    let TurnRequest { game, test, .. } = *request;
    let (position, traces) = (&*test.task.position, &turn.traces);
    let mut answer = JudgedAnswer {
        notes: traces.scarcity.clone().into_iter().collect(),
        cpu: turn.cpu.as_secs_f64(),
        is_busy: traces.scarcity.is_some(),
        stderr: traces.stderr.clone(),
        ..JudgedAnswer::default()
    };
    match &turn.answer {
        Ok(mv) => {
            answer.described = Some(mv.described.clone());
            judge_legal_move(&mut answer, &test.task, (mv, turn), game);
            if answer.fault.is_none() {
                // Rules that are a program read files as the course's own referee does.
                if !game.is_own() {
                    let output = traces.output.as_deref().unwrap_or_default();
                    answer.doubts = format_doubts(output, &outputs(position));
                }
                let odd_end = traces.note.as_ref();
                answer.doubts.extend(
                    odd_end.map(|note| {
                        format!("{note}: exit with code 0, and leave no process running")
                    }),
                );
            }
        }
        Err(fault) => {
            if fault.termination == Termination::NoOutput {
                answer.advice = find_misplaced_move(request, &traces.stdout)?;
                answer.is_missing = answer.advice.is_none();
            }
            answer.advice = answer.advice.or_else(|| remedy(game, position, fault, traces));
            answer.fault = Some(fault.clone());
        }
    }
    Ok(answer)
}

/// Returns advice for a fault in a position, if there is more to say than the fault's reason.
pub fn remedy(
    game: &AnyGame,
    position: &dyn AnyPosition,
    fault: &Fault,
    traces: &Traces,
) -> Option<String> {
    let can_be_slip =
        matches!(fault.termination, Termination::BadFormat | Termination::IllegalMove)
            && !names_its_rule(&fault.reason.own_words(), game.remedies);
    let output = traces.output.as_deref().unwrap_or_default();
    let slip = can_be_slip.then(|| advice_for_slip(position, output));
    slip.flatten().or_else(|| advice(fault, &traces.stderr, game))
}

fn judge_legal_move(
    answer: &mut JudgedAnswer,
    task: &AnyTask,
    (mv, turn): (&AnyMove, &Turn),
    game: &AnyGame,
) {
    let (cpu, clock) = (answer.cpu, task.clock.as_secs_f64());
    if let Err(fault) = turn.charge(task.control, task.clock, 0.0).answer {
        answer.advice = advice(&fault, &answer.stderr, game);
        answer.fault = Some(Fault::new(fault.termination, format!("{:.2}", fault.reason)));
        return;
    }
    let note = match task.control {
        TimeControl::Single if cpu > 0.9 * clock => Some(
            "more than nine tenths of the clock: a slower machine will be too late".to_string(),
        ),
        TimeControl::Game if cpu > clock / 10.0 => Some(format!(
            "GAME: the {} s are for the rest of the game, and this one move took {cpu:.1} s of them",
            seconds(task.clock)
        )),
        _ => None,
    };
    answer.notes.extend(note);
    let own = task.position.side_to_move();
    let loses = |code: u32| {
        task.position.clone().play(code).is_ok_and(|after| {
            let side = after.side_to_move();
            side != own && after.outcome() == Some(Outcome::Win(side))
        })
    };
    if loses(mv.code) && !task.position.codes().into_iter().all(loses) {
        let note = "legal, but it loses the game at once, which other moves do not";
        answer.notes.push(note.to_string());
    }
}

/// The CPU seconds of a start: twice a run on an empty input file, since a runtime loads about as
/// much again before the program's first line. The longer of two runs counts.
pub(super) fn start_cost(spec: &EngineSpec, bounds: &Bounds) -> Result<f64> {
    let Some(program) = Program::of(&spec.kind) else { return Ok(0.0) };
    let player = CasePlayer::new(&program, GameFiles::USUAL, bounds)?;
    let clock = Duration::from_secs_f64(MAX_START_COST);
    let longer = player.run("", clock)?.cpu.max(player.run("", clock)?.cpu);
    Ok((2.0 * longer).min(MAX_START_COST))
}
