//! A recorded game played again: its positions, and the input files that its players saw.

use crate::analysis::ThreadTime;
use crate::analysis::finding::{Effort, Finding};
use crate::record::{GameRecord, Header, MoveRecord};
use crate::terms::restored;
use anygame::{AnyGame, AnyMove, AnyTask, GameClock, Position};
use anyhow::{Context, Result, anyhow, bail};
use engine::{Side, TimeControl};
use std::time::Duration;

/// A position after a move.
pub struct Played {
    /// The move.
    pub mv: AnyMove,
    /// The position after it.
    pub position: Position,
}

impl Played {
    /// Plays the legal move of this name ([`AnyMove::output`]).
    pub fn of(before: &Position, name: &str) -> Result<Played> {
        let code = before.code_of(name)?;
        let mv = before.move_of(code).context("a move that has no code")?;
        Ok(Played { mv, position: before.clone().play(code)? })
    }
}

/// A recorded game from its opening on.
pub struct ReplayedGame {
    /// The position of the opening.
    pub start: Position,
    /// The position after each move, in order.
    pub played: Vec<Played>,
    clock: (TimeControl, Duration),
}

impl ReplayedGame {
    /// Plays recorded moves from an opening. An error names the ply of an illegal move.
    pub fn of(
        game: &AnyGame,
        header: &Header,
        opening: &str,
        moves: &[MoveRecord],
    ) -> Result<ReplayedGame> {
        let task = restored(game, opening, header.rules.as_deref())?;
        let start = task.position;
        let mut played: Vec<Played> = Vec::with_capacity(moves.len());
        for record in moves {
            let position = played.last().map_or(&start, |played| &played.position);
            let next = Played::of(position, &record.output);
            played.push(next.map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?);
        }
        Ok(ReplayedGame { start, played, clock: (task.control, task.clock) })
    }

    /// The turns of the game, in order.
    pub fn into_turns(self) -> impl Iterator<Item = RecordedTurn> {
        let mut position = self.start;
        self.played.into_iter().map(move |Played { mv, position: after, .. }| RecordedTurn {
            position: std::mem::replace(&mut position, after),
            mv,
        })
    }

    /// The turn after this many plies, which must be there.
    pub fn turn(&self, plies: usize) -> RecordedTurn {
        RecordedTurn { position: self.position(plies).clone(), mv: self.played[plies].mv.clone() }
    }

    /// The position after this many plies, which must be there.
    pub fn position(&self, plies: usize) -> &Position {
        match plies.checked_sub(1) {
            None => &self.start,
            Some(index) => &self.played[index].position,
        }
    }

    /// The task after this many plies, with the time that both sides had left.
    pub fn task(
        &self,
        header: &Header,
        players: &[String; 2],
        moves: &[MoveRecord],
        plies: usize,
    ) -> AnyTask {
        let position = self.position(plies).clone();
        let side = position.side_to_move();
        // A side does not see what the other one uses in the same moment.
        let seen = plies - usize::from(plies > 0 && position.is_second_half());
        let clock_of = |side: Side| {
            let own = (0..seen).rev().find(|&ply| self.position(ply).side_to_move() == side);
            let left = own.and_then(|ply| moves[ply].left);
            clock(header, &players[side.index()], left, self.clock)
        };
        let ((control, clock), (_, others)) = (clock_of(side), clock_of(side.other()));
        AnyTask { position, control, clock, others }
    }

    /// The input file after this many plies, with the time that the side to move had left. An error
    /// if the game is over.
    pub fn input(
        &self,
        header: &Header,
        players: &[String; 2],
        moves: &[MoveRecord],
        plies: usize,
    ) -> Result<String> {
        let AnyTask { position, control, clock, .. } = self.task(header, players, moves, plies);
        // A task reads as it was written only while the game goes on.
        if position.outcome().is_some() {
            bail!("the game is over after {plies} plies: there is nothing to play");
        }
        position.input(control, clock)
    }
}

/// A move of a recorded game, and the position in which it was made.
pub struct RecordedTurn {
    /// The position before the move.
    pub position: Position,
    /// The move.
    pub mv: AnyMove,
}

impl RecordedTurn {
    /// What the move was worth, and which one would have been better.
    pub fn analyse(&self, effort: Effort) -> Result<Finding> {
        self.position.analyse(self.mv.code, effort, &ThreadTime)
    }
}

/// Analyses these sides' moves of a game and stores the findings, until `is_stopped`.
pub fn analyse_game(
    any_game: &AnyGame,
    header: &Header,
    game: &mut GameRecord,
    shown: [bool; 2],
    effort: Effort,
    is_stopped: impl Fn() -> bool,
) -> Result<()> {
    let replayed = ReplayedGame::of(any_game, header, &game.start.opening, &game.moves)?;
    for (mv, turn) in game.moves.iter_mut().zip(replayed.into_turns()) {
        if shown[usize::from(mv.side != any_game.sides[0])] && !is_stopped() {
            mv.analysis = Some(Box::new(turn.analyse(effort)?));
        }
    }
    Ok(())
}

/// The time left to a player; the opening's clock if the record does not name the player.
fn clock(
    header: &Header,
    player: &str,
    left: Option<f64>,
    opening: (TimeControl, Duration),
) -> (TimeControl, Duration) {
    let seconds = |seconds: f64| Duration::from_secs_f64(seconds.max(1e-6));
    match header.engines.iter().find(|engine| engine.name == player).map(|engine| engine.clock) {
        Some(GameClock::Game(full)) => (TimeControl::Game, seconds(left.unwrap_or(full))),
        Some(GameClock::Single(each)) => (TimeControl::Single, seconds(each)),
        None => opening,
    }
}
