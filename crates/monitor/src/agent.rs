//! An agent that has connected and is ready, as a player of the arena. Its clock measures wall
//! time.

use crate::connection::{AgentConnection, CLOSE_TIMEOUT};
use anygame::built_in::move_of;
use anygame::{AnyMove, AnyTask};
use anyhow::{Context, Result, anyhow};
use arena::player::{Player, Traces, Turn};
use engine::{Protocol, Side};
use foxgame::Position;
use foxgame::monitor::wire::FromMonitor;
use std::time::{Duration, Instant};

/// An agent in one game. Dropping it waits until the agent has closed its end, but not for long.
pub struct ConnectedAgent {
    connection: AgentConnection,
    slice: Duration,
    has_begun: bool,
    /// The start of the agent's turn, if the lines that begin it have been sent already.
    turn_started: Option<Instant>,
    /// The reason why the game is over by the rules, in the wording of the course's monitor.
    end_reason: Option<String>,
    /// When the winner was sent to the agent.
    announced: Option<Instant>,
}

impl ConnectedAgent {
    /// Creates a player whose game has not begun. `slice` is the time for each turn.
    pub fn new(connection: AgentConnection, slice: Duration) -> ConnectedAgent {
        ConnectedAgent {
            connection,
            slice,
            has_begun: false,
            turn_started: None,
            end_reason: None,
            announced: None,
        }
    }

    fn timeslice(&self) -> FromMonitor {
        FromMonitor::Timeslice(self.slice.as_millis() as u64)
    }

    /// Sends lines that may begin the agent's turn. Lines that the agent sent before belong to no
    /// turn.
    fn send(&mut self, lines: &[FromMonitor]) {
        self.connection.discard_pending();
        self.connection.send(lines);
        self.turn_started = Some(Instant::now());
    }

    /// Waits for the agent's move. `waited` measures how long it was kept waiting for a processor
    /// since its turn began.
    pub fn turn_measured(
        &mut self,
        task: &AnyTask,
        waited: &mut dyn FnMut() -> Duration,
    ) -> Result<Turn> {
        let position = foxgame(&task.position)?;
        self.send_begin_once();
        let since = self.turn_started.take().unwrap_or_else(Instant::now);
        let mut kept = Duration::ZERO;
        let (answer, wall) = self.connection.turn(position, self.slice, since, &mut || {
            kept = waited();
            kept
        });
        if let Ok(mv) = answer {
            self.end_reason = position.reason_after(mv);
            if self.end_reason.is_none() {
                self.connection.send(&[self.timeslice()]);
            }
        }
        // The grace is not charged.
        Ok(Turn {
            answer: answer.map(|mv| move_of(position, mv)),
            cpu: wall.min(self.slice),
            wall,
            traces: Traces { waited: kept.as_secs_f64(), ..Traces::default() },
        })
    }

    fn send_begin_once(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            self.send(&[self.timeslice(), FromMonitor::Begin]);
        }
    }
}

impl Player for ConnectedAgent {
    fn begin(&mut self, _: &anygame::Position, _: Side) -> Result<()> {
        self.send_begin_once();
        Ok(())
    }

    fn opponent_played(&mut self, before: &anygame::Position, mv: &AnyMove) -> Result<()> {
        let before = foxgame(before)?;
        let mv = before.read_move(&mv.output).map_err(|violation| anyhow!("{violation}"))?;
        self.send_begin_once();
        self.end_reason = before.reason_after(mv);
        if self.end_reason.is_none() {
            self.send(&[self.timeslice(), FromMonitor::Move(before.stops(mv)), FromMonitor::Done]);
        }
        Ok(())
    }

    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        self.turn_measured(task, &mut || Duration::ZERO)
    }

    fn end_reason(&self) -> Option<String> {
        self.end_reason.clone()
    }

    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        self.connection.announce(winner, reason);
        self.announced = Some(Instant::now());
    }
}

/// The position of FoxGame.
pub(crate) fn foxgame(position: &anygame::Position) -> Result<&Position> {
    position.as_any().downcast_ref().context("proto=monitor: the game is not FoxGame")
}

impl Drop for ConnectedAgent {
    fn drop(&mut self) {
        // The timeout counts from the announcement, so that two players that are dropped in turn
        // share it.
        if let Some(announced) = self.announced {
            self.connection.close(announced + CLOSE_TIMEOUT);
        }
    }
}
