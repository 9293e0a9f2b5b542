//! One position asked of a program: the arena's own player answers it, and what is right and wrong about the answer.

use super::bytes::doubts;
use super::mends::{advice, names_its_rule};
use super::questions::{Question, questions};
use super::repairs::repair;
use super::stray::{Silence, stray};
use anyhow::{Result, anyhow};
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::player::{OtherPlayers, Turn, new_player};
use arena::result::{Fault, Termination};
use arena::terms::{Bounds, rule_set};
use engine::protocol::seconds;
use engine::{Outcome, Playable, RuleSet, Task, TimeControl};
use std::time::{Duration, SystemTime};

/// A game without its type: what `judge try` needs of it.
#[derive(Clone, Copy)]
pub(crate) struct Preflight {
    /// The rule set that is legal for every grader.
    pub strictest_rules: &'static str,
    /// The positions to ask, by a rule set's name.
    pub questions: fn(&str) -> Result<Vec<Question>>,
    /// Asks one.
    pub ask: fn(&Request) -> Result<Answer>,
}

impl Preflight {
    /// That of a game.
    pub(crate) fn of<A: Playable, X: OtherPlayers<A>>() -> Preflight {
        Preflight {
            strictest_rules: <A::Rules as RuleSet>::AGENT.name(),
            questions: |rules| questions::<A>(rule_set(Some(rules))?),
            ask: ask::<A, X>,
        }
    }
}

/// A position to be asked of a program.
pub(crate) struct Request<'a> {
    /// The program.
    pub spec: &'a EngineSpec,
    /// The limits of its process.
    pub bounds: Bounds,
    /// The position.
    pub question: &'a Question,
    /// The rule set to refuse by.
    pub rules: &'a str,
}

/// What came back.
pub(crate) struct Answer {
    /// Why a grader gives no point for it.
    pub fault: Option<Fault>,
    /// What to do about the fault.
    pub mend: Option<String>,
    /// The move, for people.
    pub described: Option<String>,
    /// What some graders might refuse in a legal move.
    pub doubts: Vec<String>,
    /// What costs nothing and is worth knowing.
    pub notes: Vec<String>,
    /// CPU seconds used.
    pub cpu: f64,
    /// Standard error.
    pub stderr: String,
    /// The board asked about.
    pub board: String,
    /// Its first legal moves, for people.
    pub legal: Vec<String>,
    /// The number of its legal moves.
    pub legal_count: usize,
}

/// Legal moves that are shown beside a refused one.
const SHOWN_MOVES: usize = 12;
/// The largest cost of starting a program, in CPU seconds, that a short clock is not held against it for.
const MOST_START_COST: f64 = 1.0;

fn ask<A: Playable, X: OtherPlayers<A>>(request: &Request) -> Result<Answer> {
    let rules = rule_set::<A::Rules>(Some(request.rules))?;
    let task = A::read_task(&request.question.input, rules)
        .map_err(|error| anyhow!("the judge's own input file, line {error}"))?;
    let started = SystemTime::now();
    let mut player = new_player::<A, X>(request.spec, &request.bounds, 1)?;
    let turn = player.turn(&task)?;
    drop(player);
    let position = &task.position;
    let moves = position.legal_moves();
    let cpu = turn.cpu.as_secs_f64();
    let mut answer = Answer {
        fault: None,
        mend: None,
        described: None,
        doubts: Vec::new(),
        notes: Vec::new(),
        cpu,
        stderr: turn.traces.stderr.clone(),
        board: position.picture(None),
        legal: moves.iter().take(SHOWN_MOVES).map(|&mv| position.describe_move(mv)).collect(),
        legal_count: moves.len(),
    };
    match &turn.answer {
        Ok(mv) => {
            answer.described = Some(position.describe_move(*mv));
            take_legal_move(&mut answer, &task, *mv, &turn, request)?;
        }
        Err(fault) => {
            answer.mend = match fault.termination {
                Termination::NoOutput => {
                    let Request { spec, bounds, question, .. } = request;
                    let (kind, input, stdout) = (&spec.kind, question.input.as_str(), turn.traces.stdout.as_str());
                    let silence =
                        Silence { kind, bounds: bounds.clone(), input, clock: task.clock, stdout, since: started };
                    stray(&silence, &texts(&task), &reader(&task))?
                }
                Termination::BadFormat | Termination::IllegalMove if !names_its_rule(&fault.reason) => {
                    let output = turn.traces.output.as_deref().unwrap_or_default();
                    repair(output, &texts(&task), &reader(&task))
                }
                _ => None,
            }
            .or_else(|| advice(fault, &answer.stderr));
            answer.fault = Some(fault.clone());
        }
    }
    Ok(answer)
}

/// The output files of all legal moves.
fn texts<A: Playable>(task: &Task<A>) -> Vec<String> {
    task.position.legal_moves().into_iter().map(|mv| task.position.write_move(mv)).collect()
}

/// Gives the output file of the legal move that a text names.
fn reader<A: Playable>(task: &Task<A>) -> impl Fn(&str) -> Option<String> {
    let position = &task.position;
    |text| Some(position.write_move(position.read_move(text).ok()?))
}

/// What there is to say about a legal move: its time, its bytes, its consequences.
fn take_legal_move<A: Playable>(
    answer: &mut Answer,
    task: &Task<A>,
    mv: A::Move,
    turn: &Turn<A::Move>,
    request: &Request,
) -> Result<()> {
    let (cpu, clock) = (answer.cpu, task.clock.as_secs_f64());
    let start = if cpu > clock { start_cost(request, task.clock)?.min(MOST_START_COST) } else { 0.0 };
    if cpu > clock && start > clock / 2.0 && cpu < 2.0 * start {
        answer.notes.push(format!(
            "late by the clock of {clock} s, but starting the program alone costs {start:.2} s: not counted"
        ));
    } else if cpu > clock {
        let reason = format!("used {cpu:.2} s of CPU, the clock had {}", seconds(task.clock));
        let fault = Fault::new(Termination::TimeForfeit, reason);
        answer.mend = advice(&fault, &answer.stderr);
        answer.fault = Some(fault);
        return Ok(());
    } else if task.control == TimeControl::Single && cpu > 0.9 * clock {
        answer.notes.push("more than nine tenths of the clock: a slower machine will be too late".to_string());
    }
    if task.control == TimeControl::Game && cpu > clock / 10.0 {
        answer.notes.push(format!(
            "GAME: the {} s are for the rest of the game, and this one move took {cpu:.1} s of them",
            seconds(Duration::from_secs_f64(clock))
        ));
    }
    answer.doubts = doubts(turn.traces.output.as_deref().unwrap_or_default(), &texts(task));
    answer.doubts.extend(turn.traces.note.as_ref().map(|note| format!("{note}: end with exit code 0, and end alone")));
    let loses = |mv| {
        let mut after = task.position.clone();
        after.play(mv);
        after.outcome() == Some(Outcome::Win(after.side_to_move()))
            && after.side_to_move() != task.position.side_to_move()
    };
    if loses(mv) && !task.position.legal_moves().into_iter().all(loses) {
        answer.notes.push("legal, but it loses the game at once, which other moves do not".to_string());
    }
    Ok(())
}

/// What starting the program costs, in CPU seconds: a run on an empty input file, which no program thinks about.
fn start_cost(request: &Request, clock: Duration) -> Result<f64> {
    let PlayerKind::Files { command, directory, own_command } = &request.spec.kind else { return Ok(0.0) };
    let program = Program { command, home: directory.as_deref(), own_command: *own_command };
    Ok(CasePlayer::new(&program, &request.bounds)?.run("", clock)?.cpu)
}
