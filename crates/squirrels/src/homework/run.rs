//! Solves a homework input and writes its files.

use super::input::{Algorithm, Homework, Player, read};
use super::log::Log;
use crate::evaluate::Evaluation;
use crate::protocol::board_lines;
use crate::rules::{Move, Position};
use engine::Game;
use engine::agent::AgentError;
use engine::reference;
use engine::search::{Knowledge, Observer};
use files::AtomicFile;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The board after the move of tasks 1 to 3.
const NEXT_STATE: &str = "next_state.txt";
/// The log of tasks 2 and 3.
const LOG: &str = "traverse_log.txt";
/// The boards of task 4.
const TRACE: &str = "trace_state.txt";

/// The format of the files.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Whether lines end with CR LF instead of LF.
    pub crlf: bool,
    /// Whether tasks 2 and 3 write a log.
    pub log: bool,
}

/// Solves the homework of a text that was read from `input`, and writes its files to the current
/// directory; after an error none.
pub fn run(text: &str, input: &Path, form: Form) -> Result<(), AgentError> {
    let refused = |error| AgentError::Input { file: input.to_owned(), error };
    let failed = |file: &'static str| move |error| AgentError::Write { file: file.into(), error };
    let create = |file| AtomicFile::create(Path::new(file)).map_err(failed(file));
    let write = |file: &mut AtomicFile, position: &Position| {
        let lines = board_lines(position);
        let lines = if form.crlf { lines.replace('\n', "\r\n") } else { lines };
        file.write_all(lines.as_bytes())
    };
    match read(text).map_err(refused)? {
        Homework::Move { mut position, player } => {
            let mut log_file = None;
            let best = if form.log && player.algorithm != Algorithm::Greedy {
                let out = BufWriter::with_capacity(1 << 16, create(LOG)?);
                let mut log = Log::new(out, player.algorithm, form.crlf);
                let best = play(&position, player, &mut log);
                let out = log.finish().and_then(|out| Ok(out.into_inner()?));
                log_file = Some(out.map_err(failed(LOG))?);
                best
            } else {
                play(&position, player, &mut ())
            };
            if let Some(best) = best {
                position.play(best);
            }
            let mut state = create(NEXT_STATE)?;
            write(&mut state, &position).map_err(failed(NEXT_STATE))?;
            if let Some(file) = log_file {
                file.commit().map_err(failed(LOG))?;
            }
            state.commit().map_err(failed(NEXT_STATE))
        }
        Homework::Battle { mut position, players } => {
            let mut trace = create(TRACE)?;
            for player in players.into_iter().cycle() {
                let Some(best) = play(&position, player, &mut ()) else { break };
                position.play(best);
                write(&mut trace, &position).map_err(failed(TRACE))?;
            }
            trace.commit().map_err(failed(TRACE))
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
