//! The process around [`think`](mod@crate::think): an agent that reads an input file, leaves a legal move at once,
//! thinks, and leaves the better one.

mod clock;
mod command_line;
pub mod files;
mod options;
mod run;

pub use clock::{CpuClock, UntilCpu};
pub use command_line::command_line;
pub use options::{NoExtra, Options};
pub use run::run;

use crate::protocol::InputError;
use crate::think::Playable;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// A game that can be played by a file agent. `main` of its binary is a call of [`run`].
pub trait Agent: Playable {
    /// Options of this game's agent alone; [`NoExtra`] if there are none.
    type Extra: clap::Args + Clone + std::fmt::Debug;
    /// The options of this game's agent alone where the command line has none of them, if that is known without reading
    /// it: the usual command lines are then read in less time.
    const NO_EXTRA: Option<Self::Extra> = None;
    /// The end of the help text: an example of an input, the command and its output.
    const EXAMPLE: &'static str;

    /// The settings that the options of this game's agent stand for.
    #[must_use]
    fn own_settings(extra: &Self::Extra) -> Self::Own {
        let _ = extra;
        Self::Own::default()
    }

    /// The exit code of another mode, one that does something else than leave a move for an input file of the
    /// protocol's form, where the command line or the input asks for it; `None` for the usual run. Asked at each
    /// [`Moment`] of a run, in their order.
    fn other_mode(moment: Moment<'_, Self>) -> Option<Result<ExitCode, AgentError>> {
        let _ = moment;
        None
    }
}

/// The point of an agent's run at which [`Agent::other_mode`] is asked, with all that is known by then.
#[derive(Debug)]
pub enum Moment<'a, A: Agent> {
    /// The words of the command line, before they are read: for modes with a command line of their own.
    Words(&'a [String]),
    /// The options, before the input file is read.
    Options(&'a Options, &'a A::Extra),
    /// The options and the text of the input file: for inputs of another form.
    Input(&'a str, &'a Options, &'a A::Extra),
}

/// Why an agent left no move. Displayed on one line.
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
    /// The input file is not of its form.
    #[error("{}:{error}", file.display())]
    Input {
        /// The path of the file.
        file: PathBuf,
        /// The line, and the reason.
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
    /// Another mode has failed, in words of its own.
    #[error("{0}")]
    Other(String),
}
