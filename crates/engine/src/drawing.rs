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

    /// A board of squares from lines of symbols, one symbol a cell: `.`, `*` and `-` are empty, a letter that only one
    /// side's word begins with is a piece of that side (`x` and `X` of `X`, a small one with its letter on it), a blank is
    /// no cell, and any other symbol is a text in its cell. `None` if there are no lines or not all are equally long.
    #[must_use]
    pub fn of_text(text: &str, sides: [&str; 2]) -> Option<Drawing> {
        let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let width = rows.first()?.len();
        if width == 0 || rows.iter().any(|row| row.len() != width) {
            return None;
        }
        let cells = rows.concat().into_iter().map(|symbol| cell_of_symbol(symbol, sides)).collect();
        Some(Drawing { width, height: rows.len(), cells, ..Drawing::default() })
    }

    /// The drawing with every cell marked as changed that shows something else than in the drawing of the same board one
    /// move before.
    #[must_use]
    pub fn with_changes_since(mut self, before: &Drawing) -> Drawing {
        if (self.width, self.height) == (before.width, before.height) {
            let altered = (0..self.cells.len()).filter(|&index| self.cells[index] != before.cells[index]);
            let altered = altered.filter(|&index| !self.cells[index].missing);
            self.changed = altered.map(|index| (index % self.width, index / self.width)).collect();
        }
        self
    }
}

fn cell_of_symbol(symbol: char, sides: [&str; 2]) -> Cell {
    let begins = |side: Side| {
        let first = sides[side.index()].chars().next();
        first.is_some_and(|first| first.eq_ignore_ascii_case(&symbol))
    };
    let owner = match Side::BOTH.map(begins) {
        [true, false] => Some(Side::First),
        [false, true] => Some(Side::Second),
        _ => None,
    };
    match (symbol, owner) {
        ('.' | '*' | '-', _) => Cell::default(),
        (' ', _) => Cell { missing: true, ..Cell::default() },
        (_, Some(side)) => {
            let letter = if symbol.is_lowercase() { symbol } else { ' ' };
            Cell { piece: Some((side, letter)), ..Cell::default() }
        }
        (_, None) => Cell { text: symbol.to_string(), ..Cell::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_symbols_become_a_grid_of_pieces_and_texts() {
        let drawing = Drawing::of_text("X.o\n-7 \n", ["X", "O"]).unwrap();
        assert_eq!((drawing.width, drawing.height), (3, 2));
        let pieces: Vec<_> = drawing.cells.iter().map(|cell| cell.piece).collect();
        assert_eq!(pieces[..3], [Some((Side::First, ' ')), None, Some((Side::Second, 'o'))]);
        assert_eq!((drawing.cells[4].text.as_str(), drawing.cells[5].missing), ("7", true));
    }

    #[test]
    fn a_letter_that_both_sides_begin_with_is_a_text() {
        let drawing = Drawing::of_text("RB", ["RED", "ROSE"]).unwrap();
        assert!(drawing.cells.iter().all(|cell| cell.piece.is_none() && !cell.text.is_empty()));
    }

    #[test]
    fn lines_of_unequal_length_are_no_grid() {
        for text in ["", "\n\n", "XX\nX\n", "XX\n\n"] {
            assert_eq!(Drawing::of_text(text, ["X", "O"]), None, "{text:?}");
        }
    }

    #[test]
    fn cells_that_the_last_move_altered_are_marked() {
        let [before, after] = ["XX.\n...", "X..\n..X"].map(|text| Drawing::of_text(text, ["X", "O"]).unwrap());
        assert_eq!(after.with_changes_since(&before).changed, [(1, 0), (2, 1)]);
    }
}
