//! Solves a homework input and writes its files.

use super::input::{Algorithm, Homework, Player, read};
use super::log::Log;
use crate::evaluate::Evaluation;
use crate::protocol::board_lines;
use crate::rules::{Move, Position};
use engine::agent::AgentError;
use engine::reference;
use engine::search::Knowledge;
use engine::search::Observer;
use engine::{Game, InputError};
use files::AtomicFile;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The format of the files.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Whether lines end with CR LF instead of LF.
    pub crlf: bool,
    /// Whether tasks 2 and 3 write a log.
    pub log: bool,
}

/// The names of the files that a homework leaves.
pub struct Paths;

impl Paths {
    /// The board after the move of tasks 1 to 3.
    pub const NEXT_STATE: &'static str = "next_state.txt";
    /// The log of tasks 2 and 3.
    pub const LOG: &'static str = "traverse_log.txt";
    /// The boards of task 4.
    pub const TRACE: &'static str = "trace_state.txt";
}

/// The reason why a homework failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is malformed.
    #[error("{0}")]
    Input(InputError),
    /// A file cannot be written.
    #[error("{}: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

impl Error {
    /// Converts this error to the agent's; `input` is the file that the input was read from.
    pub fn of_input(self, input: &Path) -> AgentError {
        match self {
            Error::Input(error) => AgentError::Input { file: input.to_owned(), error },
            Error::Write { file, error } => AgentError::Write { file, error },
        }
    }
}

/// Solves the homework that a text describes and writes its files to a directory.
///
/// # Errors
/// The text is not a homework, or a file cannot be written. No file is left in that case.
pub fn run(text: &str, directory: &Path, form: Form) -> Result<(), Error> {
    match read(text).map_err(Error::Input)? {
        Homework::Move { position, player } => {
            let log_path = directory.join(Paths::LOG);
            let state_path = directory.join(Paths::NEXT_STATE);
            let logged = form.log && player.algorithm != Algorithm::Greedy;
            let mut log_file = None;
            let best = if logged {
                let failed = |error| Error::Write { file: log_path.clone(), error };
                let file = AtomicFile::create(&log_path).map_err(failed)?;
                let mut log =
                    Log::new(BufWriter::with_capacity(1 << 16, file), player.algorithm, form.crlf);
                let best = play(&position, player, &mut log);
                let buffer = log.finish().map_err(failed)?;
                log_file = Some(buffer.into_inner().map_err(|error| failed(error.into_error()))?);
                best
            } else {
                play(&position, player, &mut ())
            };
            let mut after = position;
            if let Some(best) = best {
                after.play(best);
            }
            let failed = |error| Error::Write { file: state_path.clone(), error };
            let mut state = AtomicFile::create(&state_path).map_err(failed)?;
            state
                .write_all(with_line_ends(&board_lines(&after), form).as_bytes())
                .map_err(failed)?;
            if let Some(file) = log_file {
                file.commit().map_err(|error| Error::Write { file: log_path.clone(), error })?;
            }
            state.commit().map_err(failed)
        }
        Homework::Battle { mut position, players } => {
            let path = directory.join(Paths::TRACE);
            let failed = |error| Error::Write { file: path.clone(), error };
            let mut trace = AtomicFile::create(&path).map_err(failed)?;
            for player in players.iter().cycle() {
                let Some(best) = play(&position, *player, &mut ()) else { break };
                position.play(best);
                trace
                    .write_all(with_line_ends(&board_lines(&position), form).as_bytes())
                    .map_err(failed)?;
            }
            trace.commit().map_err(failed)
        }
    }
}

/// The move that a homework player chooses; `None` on a full board.
pub fn play(
    position: &Position,
    player: Player,
    observer: &mut impl Observer<Move>,
) -> Option<Move> {
    let evaluate = |position: &Position| Evaluation::Difference.evaluate(position);
    match player.algorithm {
        Algorithm::Greedy => reference::greedy(position, evaluate),
        Algorithm::Minimax => reference::minimax(position, player.depth, evaluate, observer),
        Algorithm::AlphaBeta => reference::alpha_beta(position, player.depth, evaluate, observer),
    }
    .best
}

fn with_line_ends(text: &str, form: Form) -> String {
    if form.crlf { text.replace('\n', "\r\n") } else { text.to_string() }
}
