//! The answers of a program of rules.

use serde::{Deserialize, Serialize};

/// A position as the rules see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The index of the side to move.
    pub turn: usize,
    /// The end of the game, if it is over.
    pub over: Option<Over>,
    /// The legal moves, in the order of the rules; none if the game is over.
    pub moves: Vec<String>,
    /// The board for people.
    pub board: String,
    /// An estimate for the side to move, in points, if the rules have one.
    #[serde(default)]
    pub value: Option<f64>,
    /// How often random players play each move, in proportion.
    #[serde(default)]
    pub weights: Option<Vec<f64>>,
    /// Whether `moves` has only some of the legal moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub some: bool,
    /// Where both sides move at the same time: the state in which the other side is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Over {
    /// The index of the side that won; none for a draw.
    pub winner: Option<usize>,
    /// The reason, for people.
    #[serde(default)]
    pub why: String,
    /// The first side's points less the second's, in a game that counts them.
    #[serde(default)]
    pub points: Option<f64>,
    /// The winner at equal times, where more time left decides a draw.
    #[serde(default)]
    pub by_time: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Refusal {
    pub refused: Refused,
    #[serde(default)]
    pub line: Option<usize>,
    pub why: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Refused {
    Format,
    Illegal,
}

/// The squares of a board for a picture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DrawnSquares {
    /// The rows, from the top: a text for each square, `.` for none.
    pub cells: Vec<Vec<String>>,
    /// The squares of the last move: column and row.
    #[serde(default)]
    pub last: Vec<(usize, usize)>,
    /// The labels of the columns; empty for numbers from 0.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The labels of the rows, from the top; numbers from 0 if there are none.
    #[serde(default)]
    pub rows: Vec<String>,
}

impl DrawnSquares {
    pub(super) fn fault(&self) -> Option<String> {
        let (width, height) = (self.cells.first().map_or(0, Vec::len), self.cells.len());
        let fits = |labels: &[String], count| labels.is_empty() || labels.len() == count;
        if width == 0 || self.cells.iter().any(|row| row.len() != width) {
            Some("expected rows of 'cells' with as many texts each".to_string())
        } else if let Some((x, y)) = self.last.iter().find(|&&(x, y)| x >= width || y >= height) {
            Some(format!(
                "the square [{x}, {y}] in 'last' is not among {width} columns and {height} rows"
            ))
        } else if !fits(&self.columns, width) || !fits(&self.rows, height) {
            Some(format!("expected {width} labels in 'columns' and {height} in 'rows', or none"))
        } else {
            None
        }
    }
}

/// The states of a game, each with the move that was made there; the last one has none.
pub type RandomGame = Vec<(String, Option<String>)>;

/// A state, and the seconds of the side to move, if known.
pub type Shown = (String, Option<f64>);
