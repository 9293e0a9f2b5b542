//! The referee of one game: turns, clocks, and the end.

use crate::adjudication::{Adjudication, Said};
use crate::player::blame::{Blame, NoTurn};
use crate::player::protocol::player_of;
use crate::player::reference::Reference;
use crate::player::sandbox_layers::layers_around;
use crate::player::spec::EngineSpec;
use crate::player::{Charged, Player, SHORTENED, Turn, turn_of};
use crate::record::RecordedPosition;
use crate::record::{End, Event, FaultRecord, GameRecord, MOST_LEGAL, MoveRecord, Start};
use crate::result::{Fault, Termination};
use crate::rules_program::recorded;
use crate::terms::{Bounds, LimitRule, Opening, restored};
use anygame::AnyGame;
use anygame::{AnyMove, AnyTask, Position};
use anyhow::{Context, Result};
use engine::score::describe;
use engine::{Outcome, Side, TimeControl};
use std::time::Duration;

/// All parameters of one game.
#[derive(Clone, Debug)]
pub struct GameOrder {
    /// The number of the game in the schedule, from 1.
    pub game: u32,
    /// The players, by side.
    pub engines: [EngineSpec; 2],
    /// The opening: an input file, and the moves that led to it.
    pub opening: Opening,
    /// The rule set by which moves are refused.
    pub rules: Option<String>,
    /// Whether the game ends after its first legal move, without a winner.
    pub single: bool,
    /// The move limit of the game, in plies.
    pub max_plies: u32,
    /// The result of the game if it reaches its move limit.
    pub at_limit: LimitRule,
    /// The limits of the players' processes.
    pub bounds: Bounds,
    /// The seed of random players.
    pub seed: u64,
    /// The first moves that each reference player chooses at random.
    pub random_moves: u32,
    /// The rules for ending the game early.
    pub adjudication: Adjudication,
}

/// Receives the events of a game, in order. An error ends the game.
pub type Sink<'a> = &'a mut dyn FnMut(Event) -> Result<()>;

struct GameInProgress<'a> {
    game: &'a AnyGame,
    order: &'a GameOrder,
    position: Position,
    left: [Duration; 2],
    /// What was left before a move that the side to move does not see.
    seen: [Duration; 2],
    cpu: [Duration; 2],
    /// Seconds without a processor.
    waited: [f64; 2],
    plies: u32,
    /// For a program of rules: the earlier positions with the players' whole output files.
    turns: Vec<(Position, Option<String>)>,
}

/// Plays a game to its end, between players that are made by the order.
pub fn play_game(game: &AnyGame, order: &GameOrder, sink: Sink) -> Result<End> {
    let player = |side: Side| {
        let (spec, seed) = (&order.engines[side.index()], order.seed ^ side.index() as u64);
        match Reference::new(&spec.kind, seed) {
            Ok(reference) => {
                Ok(Box::new(reference.beginning_at_random(order.random_moves)) as Box<dyn Player>)
            }
            Err(_) => player_of(game, spec, &order.bounds, seed),
        }
    };
    play_game_between(game, [player(Side::First)?, player(Side::Second)?], order, sink)
}

/// Plays a game between these players, by side. Of the order's engines names and clocks count.
pub fn play_game_between(
    any_game: &AnyGame,
    mut players: [Box<dyn Player>; 2],
    order: &GameOrder,
    sink: Sink,
) -> Result<End> {
    let mut game = GameInProgress::of(any_game, order)?;
    for side in Side::BOTH {
        players[side.index()].begin(&game.position, side)?;
    }
    let first = game.task();
    sink(Event::Start(Start {
        game: order.game,
        players: order.engines.clone().map(|spec| spec.name),
        opening: first.position.stored(first.control, first.clock)?,
        line: order.opening.line.clone(),
        layers: layers_around(&order.engines, &order.bounds)?.map(|layers| layers.to_string()),
        checksum: any_game.in_records.map(|own| own.checksum.clone()),
        seed: Some(order.seed),
    }))?;
    let mut said = Said::default();
    let mut end = loop {
        if let Some(mut end) = game.ending() {
            let words = players.iter().find_map(|player| player.end_reason());
            end.reason =
                words.filter(|_| end.termination == Termination::Normal).unwrap_or(end.reason);
            break end;
        }
        let side = game.position.side_to_move();
        let task = game.task();
        let turn = game.ask(&mut players, &task)?;
        match game.take(side, turn)? {
            Ok((mv, record)) => {
                let score = record.score;
                sink(Event::Move(record))?;
                if let Some((winner, word, reason)) =
                    said.hear(&order.adjudication, side, score, game.plies)
                    && game.ending().is_none()
                {
                    break game.end(
                        winner,
                        word,
                        format!("{}: {reason}", any_game.side_word(side)),
                    );
                }
                players[side.other().index()].opponent_played(&task.position, &mv)?;
            }
            Err(end) => break game.end_of_moment(*end, &mut players)?,
        }
    };
    game.confirm()?;
    for player in &mut players {
        player.finish(end.winner.map(|index| Side::BOTH[index]), &end.reason);
    }
    drop(players);
    end.position = recorded(&game.position)?.map(Box::new);
    sink(Event::End(end.clone()))?;
    Ok(end)
}

impl<'a> GameInProgress<'a> {
    fn of(game: &'a AnyGame, order: &'a GameOrder) -> Result<GameInProgress<'a>> {
        let position = restored(game, &order.opening.input, order.rules.as_deref())?.position;
        let left = [0, 1].map(|index: usize| order.engines[index].clock.length());
        let (cpu, waited) = ([Duration::ZERO; 2], [0.0; 2]);
        let (plies, turns) = (0, Vec::new());
        Ok(GameInProgress { game, order, position, left, seen: left, cpu, waited, plies, turns })
    }

    fn ask(&self, players: &mut [Box<dyn Player>; 2], task: &AnyTask) -> Result<Turn> {
        let index = task.position.side_to_move().index();
        let engine = &self.order.engines[index].name;
        turn_of(&mut *players[index], task)
            .with_context(|| format!("game {}, engine '{engine}'", self.order.game))
    }

    /// The end of a game that a side has lost by its fault. Where both sides move at the same time,
    /// the second one is asked all the same: if it fails as well, nobody wins.
    fn end_of_moment(&mut self, end: End, players: &mut [Box<dyn Player>; 2]) -> Result<End> {
        let Some(position) = self.position.second_half()? else { return Ok(end) };
        let first = std::mem::replace(&mut self.position, position);
        let turn = self.ask(players, &self.task())?;
        let answer = self.charge(Side::Second, &turn)?;
        self.position = first;
        let both = Side::BOTH.map(|side| self.cpu[side.index()].as_secs_f64());
        let end = End { cpu: both.map(round), waited: self.waited.map(round), ..end };
        Ok(match answer {
            Ok(_) => end,
            Err(fault) => {
                let second = self.game.side_word(Side::Second);
                let reason = fault.reason.stated(second, self.plies + 2);
                End { winner: None, reason: format!("{}; {reason}", end.reason), ..end }
            }
        })
    }

    /// Before the author of a program is blamed, the rules have to give the same answers again.
    fn confirm(&mut self) -> Result<()> {
        if self.order.engines.iter().all(|spec| spec.kind.program().is_none()) {
            return Ok(());
        }
        self.turns.push((self.position.clone(), None));
        self.game.rules.confirm(&self.turns)
    }

    /// Whether the input file differs from that of a recorded position, if that is known.
    fn has_another_input(&self, then: Option<&RecordedPosition>) -> Result<bool> {
        let Some(then) = then.and_then(|position| position.input.as_ref()) else {
            return Ok(false);
        };
        Ok(recorded(&self.position)?.and_then(|position| position.input).as_ref() != Some(then))
    }

    fn task(&self) -> AnyTask {
        let side = self.position.side_to_move().index();
        let left = if self.position.is_second_half() { self.seen } else { self.left };
        let [clock, others] = [side, 1 - side].map(|side| left[side].max(Duration::from_micros(1)));
        let control = self.order.engines[side].clock.control();
        AnyTask { position: self.position.clone(), control, clock, others }
    }

    /// The end by the rules or the move limit, if the game is over.
    fn ending(&self) -> Option<End> {
        if self.order.single && self.plies > 0 {
            return Some(self.end(
                None,
                Termination::LegalMove,
                "a legal move in time".to_string(),
            ));
        }
        if let Some(outcome) = self.position.outcome() {
            let (mut reason, points) = match outcome {
                Outcome::Win(side) => (format!("{} wins", self.game.side_word(side)), None),
                Outcome::Draw => ("draw".to_string(), None),
                Outcome::Margin(difference) => {
                    let first = self.game.side_word(Side::First);
                    (format!("points: {first} {}", describe(difference)), Some(difference))
                }
            };
            if let Some(why) = self.position.why_over() {
                reason = format!("{reason}: {why}");
            }
            let mut winner = outcome.winner();
            if outcome == Outcome::Draw
                && self.is_timed()
                && let Some(at_equal_times) = self.position.wins_by_time()
            {
                let side = self.side_with_more_time().unwrap_or(at_equal_times);
                let name = self.game.side_word(side);
                reason = format!("{reason}; {name} wins by {}", self.time_left());
                winner = Some(side);
            }
            return Some(End { points, ..self.end(winner, Termination::Normal, reason) });
        }
        if self.plies < self.order.max_plies || self.position.is_second_half() {
            return None;
        }
        let reason = format!("no end after {} plies", self.order.max_plies);
        let by_time = self.order.at_limit == LimitRule::Time && self.is_timed();
        Some(match self.side_with_more_time().filter(|_| by_time) {
            None => self.end(None, Termination::DrawByMoveLimit, reason),
            winner => {
                let reason = format!("{reason}; {}", self.time_left());
                self.end(winner, Termination::TimeAtMoveLimit, reason)
            }
        })
    }

    fn side_with_more_time(&self) -> Option<Side> {
        let [first, second] = self.left;
        (first != second).then_some(if first > second { Side::First } else { Side::Second })
    }

    /// More time left decides a draw only if both sides' time is charged.
    fn is_timed(&self) -> bool {
        self.order.engines.iter().all(EngineSpec::is_timed)
    }

    /// The time left to both sides, in words.
    fn time_left(&self) -> String {
        let [first, second] = Side::BOTH.map(|side| {
            format!("{} {:.2} s", self.game.side_word(side), self.left[side.index()].as_secs_f64())
        });
        format!("time left: {first}, {second}")
    }

    fn end(&self, winner: Option<Side>, termination: Termination, reason: String) -> End {
        End {
            game: self.order.game,
            players: self.order.engines.clone().map(|spec| spec.name),
            winner: winner.map(Side::index),
            termination,
            reason,
            plies: self.plies,
            cpu: self.cpu.map(|cpu| round(cpu.as_secs_f64())),
            waited: self.waited.map(round),
            board: (termination != Termination::LegalMove).then(|| self.position.picture()),
            ..End::default()
        }
    }

    /// Charges a turn. The inner error is the fault of a player whose time is charged.
    fn charge(&mut self, side: Side, turn: &Turn) -> Result<Result<AnyMove, Fault>> {
        let index = side.index();
        let spec = &self.order.engines[index];
        let clock = self.left[index];
        if !self.position.is_second_half() {
            self.seen = self.left;
        }
        self.cpu[index] += turn.cpu;
        self.waited[index] += turn.traces.waited;
        let Charged { answer, left } = turn.charge(spec.clock.control(), clock, spec.margin);
        self.left[index] = left.filter(|_| spec.is_timed()).unwrap_or(clock);
        match answer {
            Err(Fault { reason, .. }) if !spec.is_timed() => {
                let reason = format!(
                    "the opponent {} of {} failed: {reason} (no fault of the program's against it)",
                    spec.name, self.game.name
                );
                Err(NoTurn { blame: Blame::Rules, reason }.into())
            }
            answer => Ok(answer),
        }
    }

    /// Charges a turn and plays its move. The inner error is the end of a game that it loses.
    fn take(&mut self, side: Side, turn: Turn) -> Result<Result<(AnyMove, MoveRecord), Box<End>>> {
        let index = side.index();
        let spec = &self.order.engines[index];
        let clock = self.left[index];
        let mv = match self.charge(side, &turn)? {
            Ok(mv) => mv,
            Err(fault) => {
                let name = self.game.side_word(side);
                let reason = fault.reason.stated(name, self.plies + 1);
                let mut end = self.end(Some(side.other()), fault.termination, reason);
                let moves = self.position.legal_moves();
                end.board = None;
                end.fault = Some(FaultRecord {
                    reason: Some(fault.reason),
                    player: index,
                    input: AnyTask { clock, ..self.task() }.input()?,
                    board: self.position.picture(),
                    output: turn.traces.output,
                    legal: moves.iter().take(MOST_LEGAL).map(|mv| mv.described.clone()).collect(),
                    legal_count: moves.len(),
                    stdout: turn.traces.stdout,
                    stderr: turn.traces.stderr,
                    files: turn.traces.files,
                    cpu: round(turn.cpu.as_secs_f64()),
                    wall: round(turn.wall.as_secs_f64()),
                    waited: round(turn.traces.waited),
                });
                return Ok(Err(Box::new(end)));
            }
        };
        let traces = turn.traces;
        let record = MoveRecord {
            game: self.order.game,
            ply: self.plies,
            side: self.game.side_word(side).to_string(),
            mv: mv.described.clone(),
            output: mv.output.clone(),
            cpu: round(turn.cpu.as_secs_f64()),
            wall: round(turn.wall.as_secs_f64()),
            waited: round(traces.waited),
            // To the nanosecond, as input files have it.
            left: (spec.clock.control() == TimeControl::Game)
                .then(|| self.left[index].as_secs_f64()),
            score: traces.score,
            depth: traces.depth,
            stdout: traces.stdout,
            stderr: traces.stderr,
            note: noted([traces.note, traces.scarcity]),
            files: traces.files,
            analysis: None,
            position: recorded(&self.position)?.map(Box::new),
        };
        let after = self.position.clone().play(mv.code)?;
        let before = std::mem::replace(&mut self.position, after);
        if self.game.is_own() {
            self.turns.push((before, traces.output.filter(|text| !text.ends_with(SHORTENED))));
        }
        self.plies += 1;
        Ok(Ok((mv, record)))
    }
}

/// Plays a recorded game again by the rules of today, and returns the difference in words, if there
/// is one. `order` is the game as it would be played today.
pub fn difference(
    any_game: &AnyGame,
    order: &GameOrder,
    played: &GameRecord,
) -> Result<Option<String>> {
    if played.start.opening != order.opening.input {
        return Ok(Some("it begins elsewhere".to_string()));
    }
    let mut game = GameInProgress::of(any_game, order)?;
    for mv in &played.moves {
        let side = game.position.side_to_move();
        let why = match game.ending() {
            Some(end) => format!("the game is over: {}", end.reason),
            None if any_game.side_word(side) != mv.side => {
                format!("{} is to move", any_game.side_word(side))
            }
            None if game.has_another_input(mv.position.as_deref())? => {
                "the input file is another one".to_string()
            }
            None => match game.position.code_of(&mv.output) {
                Err(_) => format!("{} is no legal move", mv.mv),
                Ok(code) => {
                    let left = &mut game.left[side.index()];
                    *left = mv.left.map_or(*left, Duration::from_secs_f64);
                    game.position = game.position.clone().play(code)?;
                    game.plies += 1;
                    continue;
                }
            },
        };
        return Ok(Some(format!("ply {}: {why}", mv.ply + 1)));
    }
    let end = &played.end;
    let why = match (&end.fault, game.ending()) {
        (Some(_), Some(now)) => format!("the game is over: {}", now.reason),
        (Some(_), None) if game.has_another_input(end.position.as_deref())? => {
            "the input file is another one".to_string()
        }
        (Some(FaultRecord { output: Some(text), .. }), None) if end.termination.is_by_output() => {
            match game.position.read_move(text)? {
                Ok(mv) => format!("the output file is the move {}", mv.described),
                Err(_) => return Ok(None),
            }
        }
        (Some(_), None) => return Ok(None),
        (None, Some(now)) => {
            let same = (now.winner, now.points, now.termination)
                == (end.winner, end.points, end.termination);
            return Ok((!same).then(|| format!("the result is another one: {}", now.reason)));
        }
        (None, None) if end.termination.is_adjudicated() => return Ok(None),
        (None, None) => return Ok(Some("the game goes on after the last move".to_string())),
    };
    Ok(Some(format!("ply {}: {why}", end.plies + 1)))
}

fn noted(notes: [Option<String>; 2]) -> Option<String> {
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests;
