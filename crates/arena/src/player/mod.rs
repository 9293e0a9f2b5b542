//! Players: processes with files ([`process`]), reference searches inside the judge
//! ([`mod@reference`]), and whatever else a game adds ([`protocol::PlayerProtocol`]).

pub mod blame;
pub mod case;
pub(crate) mod crash_reason;
pub mod directory;
pub mod exit;
mod java_heap;
pub mod kept;
pub mod lines;
pub mod process;
pub mod protocol;
pub mod reference;
mod removal;
pub mod sandbox_layers;
pub mod scratch;
pub mod spec;
pub mod start;
mod transcript;
pub mod untrusted_file;

pub use crash_reason::shortened;

use crate::result::{Fault, Reason, Termination};
use anygame::{AnyMove, AnyTask, Position};
use anyhow::Result;
use blame::{Blame, NoTurn};
use engine::{Side, TimeControl};
use kept::KeptFile;
use std::time::Duration;

/// A player of one side in one game.
pub trait Player {
    /// Called once, before the first turn.
    fn begin(&mut self, start: &Position, side: Side) -> Result<()> {
        let _ = (start, side);
        Ok(())
    }

    /// Reports a move of the opponent.
    fn opponent_played(&mut self, before: &Position, mv: &AnyMove) -> Result<()> {
        let _ = (before, mv);
        Ok(())
    }

    /// Why the rules have ended the game, in the words of the player's protocol.
    fn end_reason(&self) -> Option<String> {
        None
    }

    /// Ends the game.
    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        let _ = (winner, reason);
    }

    /// Asks for a move. An error is a failure of the judge, or of the player if it is a
    /// [`blame::NoTurn`] that says so.
    fn turn(&mut self, task: &AnyTask) -> Result<Turn>;
}

/// The result of a turn: a move or a fault, and the time that it took.
pub struct Turn {
    /// The move, or the fault.
    pub answer: Result<AnyMove, Fault>,
    /// The charged CPU time.
    pub cpu: Duration,
    /// The wall time.
    pub wall: Duration,
    /// Further data for the record.
    pub traces: Traces,
}

impl Turn {
    /// A turn that is lost before it has begun.
    pub fn lost(fault: Fault) -> Turn {
        let (cpu, wall) = (Duration::ZERO, Duration::ZERO);
        Turn { answer: Err(fault), cpu, wall, traces: Traces::default() }
    }

    /// Charges the turn to its clock. CPU time beyond the clock and `margin` seconds loses the turn
    /// whatever the answer is; time without a processor costs nothing.
    pub fn charge(&self, control: TimeControl, clock: Duration, margin: f64) -> Charged {
        let allowed = clock + Duration::from_secs_f64(margin);
        let answer = if self.cpu > allowed {
            let reason = Reason::CpuTime { used: self.cpu.as_secs_f64(), had: allowed };
            Err(Fault::new(Termination::TimeForfeit, reason))
        } else {
            self.answer.clone()
        };
        let left = (control == TimeControl::Game).then(|| clock.saturating_sub(self.cpu));
        Charged { answer, left }
    }
}

/// A turn that has been charged.
pub struct Charged {
    /// The move, or the fault that loses the turn.
    pub answer: Result<AnyMove, Fault>,
    /// The rest of the clock, if it is that of the whole game.
    pub left: Option<Duration>,
}

/// Asks for a turn. A failed start is a fault if the player is to blame.
pub fn turn_of(player: &mut dyn Player, task: &AnyTask) -> Result<Turn> {
    player.turn(task).or_else(|error| match error.downcast_ref::<NoTurn>() {
        Some(NoTurn { blame: Blame::Player, reason }) => {
            Ok(Turn::lost(Fault::new(Termination::Crash, reason.clone())))
        }
        _ => Err(error),
    })
}

/// The end of a text that was shortened.
pub(crate) const SHORTENED: &str = "[...]";

/// Texts and figures of a turn, for the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traces {
    /// The output file, shortened.
    pub output: Option<String>,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
    /// The score that the search reported for its side, in points.
    pub score: Option<i32>,
    /// The search depth that it reported.
    pub depth: Option<u32>,
    /// Something unusual that is no fault, such as an exit code after a legal move.
    pub note: Option<String>,
    /// Words for a machine that gave the player much less than a processor.
    pub scarcity: Option<String>,
    /// Seconds of the wall time without a processor.
    pub waited: f64,
    /// The files that the program had kept from earlier turns.
    pub files: Vec<KeptFile>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimeControl::{Game, Single};

    #[test]
    fn a_turn_is_charged_what_it_used_of_the_clock_and_lost_beyond_the_margin() {
        let mv = AnyMove { code: 0, output: "a".into(), described: "a".into() };
        let illegal = Fault::new(Termination::IllegalMove, "it is occupied");
        let late = |had: f64| {
            let reason = Reason::CpuTime { used: 2.5, had: Duration::from_secs_f64(had) };
            Err(Fault::new(Termination::TimeForfeit, reason))
        };
        let (legal, fault) = (|| Ok(mv.clone()), || Err(illegal.clone()));
        for (answer, control, clock, margin, cpu, charged, left) in [
            (legal(), Game, 10.0, 0.0, 2.5, legal(), Some(7.5)),
            (legal(), Game, 2.5, 0.0, 2.5, legal(), Some(0.0)),
            (legal(), Game, 2.0, 0.5, 2.5, legal(), Some(0.0)),
            (legal(), Game, 2.0, 0.0, 2.5, late(2.0), Some(0.0)),
            (legal(), Single, 3.0, 0.0, 2.5, legal(), None),
            (legal(), Single, 2.0, 0.25, 2.5, late(2.25), None),
            (fault(), Game, 10.0, 0.0, 2.5, fault(), Some(7.5)),
            (fault(), Single, 1.0, 0.0, 2.5, late(1.0), None),
        ] {
            // The machine was short: what a turn waited is in its wall time alone.
            for waited in [0.0, 60.0] {
                let traces = Traces { waited, ..Traces::default() };
                let [cpu, wall] = [cpu, cpu + waited].map(Duration::from_secs_f64);
                let turn = Turn { answer: answer.clone(), cpu, wall, traces };
                let found = turn.charge(control, Duration::from_secs_f64(clock), margin);
                let found = (found.answer, found.left.map(|left| left.as_secs_f64()));
                assert_eq!(found, (charged.clone(), left), "{control:?}: {clock} + {margin} s");
            }
        }
    }
}
