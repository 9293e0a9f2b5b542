//! A description of a board, from which viewers draw it.

use crate::game::Side;

/// The column and the row of a cell, both from 0 at the top left.
pub type Place = (usize, usize);

/// The look of a side's pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Figure {
    /// A dark stone of the first side, a light one of the second.
    #[default]
    Stone,
    DarkStone,
    LightStone,
    Fox,
    Wolf,
    Sheep,
    Goose,
    Squirrel,
}

/// The material of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ground {
    #[default]
    Wood,
    Meadow,
    Forest,
    Sand,
    Yard,
}

/// A grid of cells with pieces, texts and marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// All cells, row by row from the top left.
    pub cells: Vec<Cell>,
    /// The labels of the columns; numbers from 0 if empty.
    pub columns: Vec<String>,
    /// The labels of the rows; numbers from 0 if empty.
    pub rows: Vec<String>,
    /// The look of each side's pieces.
    pub figures: [Figure; 2],
    /// The material of the board.
    pub ground: Ground,
    /// The lines that join points, each once; empty for boards of squares.
    pub lines: Vec<(Place, Place)>,
    /// Every cell that the last move touched, from start to end. Empty if there was no move or the
    /// move put a piece down.
    pub path: Vec<Place>,
    /// The cells whose piece the last move captured, turned over or otherwise changed.
    pub changed: Vec<Place>,
}

/// A square board as text, with columns and rows numbered from 0 and a symbol for each square. The
/// start of the last move is shown as `o` if it is empty now, and its end has a `>` before it if a
/// piece (a capital letter) stands there.
pub fn squares_as_text(
    size: usize,
    symbol: impl Fn(Place) -> char,
    last: Option<(Place, Place)>,
) -> String {
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

/// The symbols of an input file that ends with a line for each row of the drawing, for an editor of
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// The columns of text from one cell to the next.
    pub stride: usize,
    /// The symbol of an empty cell.
    pub empty: char,
    /// The kinds of pieces.
    pub pieces: &'static [PieceKind],
}

/// A kind of pieces: an item of [`Symbols::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// The name for people.
    pub name: &'static str,
    /// The owner.
    pub side: Side,
    /// The symbols of its pieces.
    pub symbols: &'static str,
    /// Whether each symbol stands for one piece, which is drawn with its symbol and is on the board
    /// at most once.
    pub distinct: bool,
}

/// The encoding of moves as numbers, for programs that choose among a fixed range of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// By its code ([`Game::encode`](crate::Game::encode)), which is below this number.
    Code(u32),
    /// By the first and the last cell of its path.
    Ends,
    /// By every step of its path, because moves that differ on the way have different effects.
    Steps,
}

/// The values of the cells of a board, in points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellValues {
    /// The values, row by row from the top left.
    pub values: Vec<u32>,
    /// The largest value that an input file may have.
    pub most: u32,
}

/// A cell of a [`Drawing`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Whether the cell is not part of the board.
    pub missing: bool,
    /// The side whose camp, pen or goal the cell is part of.
    pub zone: Option<Side>,
    /// The owner of the piece, and the letter to write on it, a blank for none.
    pub piece: Option<(Side, char)>,
    /// A short text in the cell, such as a value in points.
    pub text: String,
}

impl Drawing {
    /// An empty board of squares.
    pub fn new(width: usize, height: usize) -> Drawing {
        let cells = vec![Cell::default(); width * height];
        Drawing { width, height, cells, ..Drawing::default() }
    }

    /// The cell at a place, to fill it in.
    pub fn cell(&mut self, place: Place) -> &mut Cell {
        assert!(place.0 < self.width, "column {} of {}", place.0, self.width);
        &mut self.cells[place.1 * self.width + place.0]
    }

    /// Parses a board of squares from lines of symbols; `None` if there are no lines or their
    /// lengths differ.
    ///
    /// The symbols `.`, `*` and `-` are empty cells, and a blank is a missing cell. A letter with
    /// which only one side's name begins is a piece of that side (`x` and `X` for `X`); a small
    /// letter is also written on the piece. Any other symbol is a text in its cell.
    pub fn of_text(text: &str, sides: [&str; 2]) -> Option<Drawing> {
        let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let width = rows.first()?.len();
        if width == 0 || rows.iter().any(|row| row.len() != width) {
            return None;
        }
        let cells = rows.concat().into_iter().map(|symbol| cell_of_symbol(symbol, sides)).collect();
        Some(Drawing { width, height: rows.len(), cells, ..Drawing::default() })
    }

    /// Marks as changed every cell that differs from the drawing of the same board one move before.
    #[must_use]
    pub fn with_changes_since(mut self, before: &Drawing) -> Drawing {
        if (self.width, self.height) == (before.width, before.height) {
            let cells = self.cells.iter().zip(&before.cells).enumerate();
            let changed = cells.filter(|(_, (cell, old))| cell != old && !cell.missing);
            self.changed =
                changed.map(|(index, _)| (index % self.width, index / self.width)).collect();
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
    let mut cell = Cell::default();
    match (symbol, owner) {
        ('.' | '*' | '-', _) => {}
        (' ', _) => cell.missing = true,
        (_, Some(side)) if symbol.is_lowercase() => cell.piece = Some((side, symbol)),
        (_, Some(side)) => cell.piece = Some((side, ' ')),
        (_, None) => cell.text = symbol.to_string(),
    }
    cell
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
        let [before, after] =
            ["XX.\n...", "X..\n..X"].map(|text| Drawing::of_text(text, ["X", "O"]).unwrap());
        assert_eq!(after.with_changes_since(&before).changed, [(1, 0), (2, 1)]);
    }
}
