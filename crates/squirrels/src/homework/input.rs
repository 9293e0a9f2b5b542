//! Parses the homework's `input.txt`.

use crate::protocol::{number, read_boards};
use crate::rules::Position;
use engine::protocol::{Lines, quote, without_mark};
use engine::{InputError, Protocol, Side};
use std::sync::Arc;

/// The largest cut-off depth that is accepted. No game is longer than 25 plies.
pub const MOST_DEPTH: u32 = 100;

/// A search algorithm of the homework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Greedy best-first search, number 1: one ply, whatever the depth says.
    Greedy,
    /// Minimax to the cut-off depth, number 2.
    Minimax,
    /// Alpha-beta to the cut-off depth, number 3.
    AlphaBeta,
}

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Greedy, Algorithm::Minimax, Algorithm::AlphaBeta];

/// A player of the homework: a search algorithm and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// The algorithm that chooses the moves.
    pub algorithm: Algorithm,
    /// The cut-off depth in plies, from 1 to [`MOST_DEPTH`].
    pub depth: u32,
}

/// The task of a homework input.
#[derive(Clone, Debug, PartialEq)]
pub enum Homework {
    /// Tasks 1 to 3: choose one move and log the search.
    Move {
        /// The board, with the player to move.
        position: Position,
        /// The player that chooses the move.
        player: Player,
    },
    /// Task 4: play a game to its end.
    Battle {
        /// The board, with the first player to move.
        position: Position,
        /// The player that moves first, then the other.
        players: [Player; 2],
    },
}

/// Whether a text is a homework input and not a competition input: it begins with a digit or a
/// sign.
pub fn is_homework(text: &str) -> bool {
    let first = without_mark(text).lines().next().unwrap_or_default().trim();
    first.starts_with(|first: char| first.is_ascii_digit() || "-+".contains(first))
}

/// Parses a homework input: any text.
pub fn read(text: &str) -> Result<Homework, InputError> {
    let mut lines = Lines::new(text);
    let task = lines.word(&["1", "2", "3", "4"])?;
    let first = read_side(&mut lines)?;
    if let Some(&algorithm) = ALGORITHMS.get(task) {
        let player = Player { algorithm, depth: read_depth(&mut lines)? };
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
    let algorithm = ALGORITHMS[lines.word(&["1", "2", "3"])?];
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
