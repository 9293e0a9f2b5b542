//! A board described for drawing: what replay pages and other viewers need to know, and no more.

use crate::game::Side;

/// A column, counted from 0 at the left, and a row, counted from 0 at the top.
pub type Place = (usize, usize);

/// A board: a grid of cells, some of which may be missing, with pieces, texts and marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// All cells, row by row from the top left: `width * height` of them.
    pub cells: Vec<Cell>,
    /// What the columns are called, from the left; numbers from 0 if empty.
    pub columns: Vec<String>,
    /// What the rows are called, from the top; numbers from 0 if empty.
    pub rows: Vec<String>,
    /// For boards of points joined by lines: each line once, from point to point. Empty for boards of squares.
    pub lines: Vec<(Place, Place)>,
    /// The way of the last move: every place it touched in order, its start and its end included. Empty if there was
    /// none or if it had no way (a piece put down).
    pub path: Vec<Place>,
    /// Places whose piece the last move took, turned over or otherwise changed.
    pub changed: Vec<Place>,
}

/// A square board as text: columns and rows numbered from 0, a symbol for each square. Of the last move, the start is `o`
/// where it is empty now, and the end has a `>` before it where a piece (a capital letter) stands there.
#[must_use]
pub fn squares_as_text(size: usize, symbol: impl Fn(Place) -> char, last: Option<(Place, Place)>) -> String {
    let mut text = String::from("    ");
    text.extend((0..size).map(|x| format!("{x:>3}")));
    text.push('\n');
    for y in 0..size {
        text.push_str(&format!("{y:>4}"));
        for x in 0..size {
            let shown = symbol((x, y));
            let is_piece = shown.is_ascii_uppercase();
            let starts_here = last.is_some_and(|(start, _)| start == (x, y)) && !is_piece;
            let ends_here = last.is_some_and(|(_, end)| end == (x, y)) && is_piece;
            text.push_str(if ends_here { " >" } else { "  " });
            text.push(if starts_here { 'o' } else { shown });
        }
        text.push('\n');
    }
    text
}

/// A cell of a [`Drawing`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Whether the board has no such cell.
    pub missing: bool,
    /// Which side's camp, pen or goal the cell is part of, for a tint.
    pub zone: Option<Side>,
    /// The piece on the cell: its owner, and a letter to write on it (a blank for none).
    pub piece: Option<(Side, char)>,
    /// A short text in the cell, such as its value in points.
    pub text: String,
}

impl Drawing {
    /// An empty board of squares.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Drawing {
        Drawing { width, height, cells: vec![Cell::default(); width * height], ..Drawing::default() }
    }

    /// The cell at a place, to fill in.
    ///
    /// # Panics
    /// If the place is not on the grid.
    pub fn cell(&mut self, place: Place) -> &mut Cell {
        assert!(place.0 < self.width, "column {} of {}", place.0, self.width);
        &mut self.cells[place.1 * self.width + place.0]
    }
}
