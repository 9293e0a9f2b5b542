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
    /// The way of the last play: every place it touched in order, its start and its end included. Empty if there was
    /// none or if it had no way (a piece put down).
    pub path: Vec<Place>,
    /// Places whose piece the last play took, turned over or otherwise changed.
    pub changed: Vec<Place>,
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
