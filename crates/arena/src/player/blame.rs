//! Blame for a failed turn: the player, the author of the command, or the machine.

use std::fmt;
use std::thread;
use std::time::Duration;

/// The most attempts at an operation that only the machine can make fail.
const TRIES: u32 = 6;
/// The pause after the first attempt. It doubles after each further one.
const PAUSE: Duration = Duration::from_millis(100);

/// The error of a player without a turn: its program could not be started, or the machine failed.
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
    /// The player: the program is in its own directory or its own choice, or the program could be
    /// started before and no sandbox layer keeps the player from changing it.
    Player,
    /// The author of the command, or whoever has changed the program since.
    Command,
    /// The machine: nothing else can be started either, or files or processes cannot be created.
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
    /// A failure of the machine.
    pub(crate) fn by_machine(reason: String) -> NoTurn {
        NoTurn { blame: Blame::Machine, reason }
    }

    /// Whether an error is a failure of the program that knows the rules of a game.
    pub fn is_of_rules(error: &anyhow::Error) -> bool {
        error.downcast_ref::<NoTurn>().is_some_and(|no_turn| no_turn.blame == Blame::Rules)
    }
}

/// Retries, for a while, an operation that only the machine can make fail. The error says which
/// operation failed.
pub(super) fn patiently<T>(mut deed: impl FnMut() -> Result<T, String>) -> Result<T, NoTurn> {
    let mut pause = PAUSE;
    for _ in 1..TRIES {
        match deed() {
            Ok(done) => return Ok(done),
            Err(_) => thread::sleep(pause),
        }
        pause *= 2;
    }
    deed().map_err(|reason| {
        NoTurn::by_machine(format!(
            "{reason} (no fault of the player's, but of the machine; tried {TRIES} times)"
        ))
    })
}
