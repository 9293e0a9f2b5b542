//! Reading a homework input.

use crate::protocol::{number, read_boards};
use crate::rules::Position;
use engine::protocol::without_mark;
use engine::protocol::{Lines, quote};
use engine::{InputError, Protocol, Side};
use std::sync::Arc;

/// The deepest cut-off that is accepted; no game is longer than 25 plies.
pub const MOST_DEPTH: u32 = 100;

/// A search of the homework, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Number 1: greedy best-first, one ply ahead whatever the depth says.
    Greedy,
    /// Number 2: minimax to the cut-off depth.
    Minimax,
    /// Number 3: alpha-beta to the cut-off depth.
    AlphaBeta,
}

/// A player of the homework: a search and how deep it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// The search that chooses the moves.
    pub algorithm: Algorithm,
    /// The cut-off depth in plies, from 1 to [`MOST_DEPTH`].
    pub depth: u32,
}

/// What a homework input asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Homework {
    /// Tasks 1 to 3: one move, and the log of its search.
    Move {
        /// The board, with the player to move.
        position: Position,
        /// The search for the move.
        player: Player,
    },
    /// Task 4: a game to its end.
    Battle {
        /// The board, with the first player to move.
        position: Position,
        /// The player to move first, then the other.
        players: [Player; 2],
    },
}

/// Whether a text is of the homework's form, not the competition's. Anything that does not begin like a competition
/// input and begins with a digit or a sign is.
#[must_use]
pub fn is_homework(text: &str) -> bool {
    let first = without_mark(text).lines().next().unwrap_or_default().trim();
    first.starts_with(|character: char| character.is_ascii_digit() || character == '-' || character == '+')
}

/// Reads a homework input, any text at all.
///
/// # Errors
/// The first line that is not as the rules page has it, with what was expected and found.
pub fn read(text: &str) -> Result<Homework, InputError> {
    let mut lines = Lines::new(text);
    let task = lines.word(&["1", "2", "3", "4"])?;
    let first = read_side(&mut lines)?;
    if let Some(algorithm) = [Algorithm::Greedy, Algorithm::Minimax, Algorithm::AlphaBeta].get(task) {
        let player = Player { algorithm: *algorithm, depth: read_depth(&mut lines)? };
        let position = read_position(&mut lines, first)?;
        return Ok(Homework::Move { position, player });
    }
    let first_player = read_player(&mut lines)?;
    let second = read_side(&mut lines)?;
    if second == first {
        let (expected, found) = (Position::side_word(first.other()), Position::side_word(second));
        return Err(lines.error(format!("the other player, {expected}"), quote(found)));
    }
    let second_player = read_player(&mut lines)?;
    let position = read_position(&mut lines, first)?;
    Ok(Homework::Battle { position, players: [first_player, second_player] })
}

fn read_side(lines: &mut Lines) -> Result<Side, InputError> {
    Ok(Side::BOTH[lines.word(&Position::SIDES)?])
}

fn read_player(lines: &mut Lines) -> Result<Player, InputError> {
    let algorithm = [Algorithm::Greedy, Algorithm::Minimax, Algorithm::AlphaBeta][lines.word(&["1", "2", "3"])?];
    Ok(Player { algorithm, depth: read_depth(lines)? })
}

fn read_depth(lines: &mut Lines) -> Result<u32, InputError> {
    let expected = format!("a cut-off depth from 1 to {MOST_DEPTH}");
    let line = lines.next_line(&expected)?;
    number(line, 1..=MOST_DEPTH).ok_or_else(|| lines.error(expected, quote(line)))
}

fn read_position(lines: &mut Lines, side: Side) -> Result<Position, InputError> {
    let (values, pieces) = read_boards(lines)?;
    lines.end()?;
    Ok(Position::new(Arc::new(values), pieces, side))
}
