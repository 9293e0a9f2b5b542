//! Players: whoever answers a position with a move. A player may be a process that lives by files ([`process`]) or a
//! reference search inside the judge ([`mod@reference`]); other kinds implement [`Player`]
//! and come in by [`OtherPlayers`].

pub mod case;
pub mod directory;
pub mod exit;
pub mod keys;
pub mod left;
mod new;
pub mod process;
pub mod reference;
mod removal;
pub mod scratch;
pub mod spec;
pub mod walls;
mod words;

pub use new::{NoOthers, OtherPlayers, new_player};

use crate::result::Fault;
use anyhow::Result;
use engine::{Playable, Side, Task};
use std::time::Duration;

/// One side of one game.
pub trait Player<A: Playable> {
    /// Begins the game, once and before the first turn, with the position that it starts from and the side to play.
    fn begin(&mut self, start: &A, side: Side) -> Result<()> {
        let _ = (start, side);
        Ok(())
    }

    /// Takes in each move of the opponent, for players that keep the board themselves.
    fn opponent_played(&mut self, before: &A, mv: A::Move) -> Result<()> {
        let _ = (before, mv);
        Ok(())
    }

    /// Ends the game, with the winner and the reason.
    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        let _ = (winner, reason);
    }

    /// Asks for a move. An error is a failure of the judge's own (a full disk, a missing program), never the player's.
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>>;
}

/// A player's turn: its move or its fault, and what it cost.
pub struct Turn<M> {
    /// The player's move, or what it did instead.
    pub answer: Result<M, Fault>,
    /// The CPU time it is charged.
    pub cpu: Duration,
    /// The wall time it took.
    pub wall: Duration,
    /// Texts and figures for the record.
    pub traces: Traces,
}

/// The texts and figures of a turn, for the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traces {
    /// The output file, shortened.
    pub output: Option<String>,
    /// Standard output, shortened.
    pub stdout: String,
    /// Standard error, shortened.
    pub stderr: String,
    /// The search's own score for its side, in points, if it told.
    pub score: Option<i32>,
    /// The depth it told.
    pub depth: Option<u32>,
    /// Something odd that costs nothing, such as an exit code other than 0 with a legal move left.
    pub note: Option<String>,
}
