//! The process of an agent around [`think`](mod@crate::think): it reads an input file, writes a
//! legal move at once, thinks, and replaces it by the best move found.

mod agent_options;
mod command_line;
mod memory;
mod run;

pub use agent_options::{NoExtra, Options};
pub use command_line::command_line;
pub use run::{CpuClock, run};

use crate::protocol::{InputError, Task};
use crate::think::{Playable, Report};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// A game that an agent program plays. `main` of its binary calls [`run()`].
pub trait Agent: Playable {
    /// The options of this game's agent alone; [`NoExtra`] if there are none.
    type Extra: clap::Args + Clone + std::fmt::Debug;
    /// The end of the help text: an example of an input, the command, and its output.
    const EXAMPLE: &'static str;

    /// The game's settings for [`think`](mod@crate::think) from its own options.
    fn own_settings(extra: &Self::Extra) -> Self::Own {
        let _ = extra;
        Self::Own::default()
    }

    /// Whether one move of the opponent may lead from the position with this key to a position. The
    /// memory of a game counts only if this holds for the agent's last move.
    #[must_use]
    fn may_follow(position: &Self, key: u64) -> bool {
        let _ = (position, key);
        true
    }

    /// Adds to the settings what [`Agent::memory_after`] left in the last turn, for plans of
    /// several turns: each turn is a process of its own.
    fn recall(own: &mut Self::Own, text: &str) {
        let _ = (own, text);
    }

    /// The text, of whole lines, that the next turn recalls. It lies in `playdata.txt` beside the
    /// output file, in the turns of a game that a clock limits.
    #[must_use]
    fn memory_after(own: &Self::Own, task: &Task<Self>, report: &Report<Self::Move>) -> String {
        let _ = (own, task, report);
        String::new()
    }

    /// Runs a mode that the options ask for instead of a move for the input file; `None` for the
    /// usual run.
    fn other_mode(options: &Options, extra: &Self::Extra) -> Option<Result<ExitCode, AgentError>> {
        let _ = (options, extra);
        None
    }

    /// Runs the mode of an input text of another form than the protocol's, such as a homework;
    /// `None` for all other texts.
    fn other_input(
        text: &str,
        options: &Options,
        extra: &Self::Extra,
    ) -> Option<Result<ExitCode, AgentError>> {
        let _ = (text, options, extra);
        None
    }
}

/// The reason why an agent wrote no move, on one line.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The input file cannot be read.
    #[error("{}: cannot read the position: {error}", file.display())]
    Read {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The input file is malformed.
    #[error("{}:{error}", file.display())]
    Input {
        /// The path of the file.
        file: PathBuf,
        /// The line and the reason.
        error: InputError,
    },
    /// The output file cannot be written.
    #[error("{}: cannot write the move: {error}", file.display())]
    Write {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The message of another mode.
    #[error("{0}")]
    Other(String),
}
