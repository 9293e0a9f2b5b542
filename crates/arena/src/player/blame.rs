//! Blame for a failed turn: the player, the author of the command, or the machine.

use std::fmt;
use std::thread;
use std::time::Duration;

const TRIES_OF_A_DEED: u32 = 6;
/// The pause after the first attempt, doubled after each further one.
const PAUSE: Duration = Duration::from_millis(100);

/// A player without a turn: its program could not be started, or the machine failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTurn {
    /// The party at fault.
    pub blame: Blame,
    /// The reason, in one line.
    pub reason: String,
}

/// The party at fault for a turn that did not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The player chose or has the program, or could change it after an earlier start.
    Player,
    /// The author of the command, or whoever has changed the program since.
    Command,
    /// The machine cannot start anything else either, or create files and processes.
    Machine,
    /// The program that knows the rules of a game of somebody's own.
    Rules,
}

impl fmt::Display for NoTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for NoTurn {}

impl NoTurn {
    pub(crate) fn by_machine(reason: String) -> NoTurn {
        NoTurn { blame: Blame::Machine, reason }
    }

    /// Whether the rules of a game have failed.
    pub fn is_of_rules(error: &anyhow::Error) -> bool {
        error.downcast_ref::<NoTurn>().is_some_and(|no_turn| no_turn.blame == Blame::Rules)
    }
}

/// Retries an operation that only the machine can make fail.
pub(super) fn patiently<T>(mut deed: impl FnMut() -> Result<T, String>) -> Result<T, NoTurn> {
    let mut pause = PAUSE;
    for _ in 1..TRIES_OF_A_DEED {
        match deed() {
            Ok(done) => return Ok(done),
            Err(_) => thread::sleep(pause),
        }
        pause *= 2;
    }
    deed().map_err(|reason| {
        NoTurn::by_machine(format!(
            "{reason} (no fault of the player's, but of the machine; tried {TRIES_OF_A_DEED} times)"
        ))
    })
}
