//! The board of 33 cells: cells, sets of cells, directions, the mirror image, and boards packed
//! into 43 bits.

use engine::protocol::quote;
use std::fmt;
use std::str::FromStr;

/// A cell of the board, written `x,y`. x runs to the right and y down, both from 0 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// A set of cells. Bit `n` is the cell with index `n`. Column 7 is never part of the board, so that
/// shifts need no border test.
pub type Cells = engine::squares::Squares<Cell>;

/// The number of cells of the board.
pub const CELLS: usize = 33;

/// The number of rows of the board, and of columns.
pub const SIZE: usize = 7;

/// The size of a table by cell index: the largest index plus one, rounded up to a whole row.
pub const INDICES: usize = 8 * SIZE;

impl Cell {
    /// The first cell in reading order.
    pub const FIRST: Cell = Cell(2);

    /// The cell at a row and a column, both from 0 to 6; `None` for the corners, which are not part
    /// of the board.
    #[inline]
    pub const fn new(row: usize, column: usize) -> Option<Cell> {
        if row < SIZE && column < SIZE { Cell::from_index(8 * row + column) } else { None }
    }

    /// The cell with an index; `None` if there is none.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Cell> {
        if index < INDICES && BOARD.bits() >> index & 1 != 0 {
            Some(Cell(index as u8))
        } else {
            None
        }
    }

    /// The index, `8 * row + column`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, from 0 at the top to 6.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() >> 3
    }

    /// The column, from 0 at the left to 6.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() & 7
    }

    /// The cell mirrored left to right.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Cell {
        Cell((self.0 & !7) + 6 - (self.0 & 7))
    }
}

impl engine::squares::Square for Cell {
    #[inline]
    fn index(self) -> usize {
        self.index()
    }

    #[inline]
    fn at(index: usize) -> Cell {
        debug_assert!(Cell::from_index(index).is_some());
        Cell(index as u8)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", self.column(), self.row())
    }
}

/// Parses `x,y`. The error says what was expected and what was found.
impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Cell, String> {
        let cell = BOARD.into_iter().find(|cell| cell.to_string() == text);
        cell.ok_or_else(|| format!("expected a cell X,Y of the board, found {}", quote(text)))
    }
}

const NARROW: u64 = 0b001_1100;
const WIDE: u64 = 0b111_1111;

/// All cells: rows 2 to 4 are seven wide, the others three.
pub const BOARD: Cells = Cells::from_bits(
    NARROW | NARROW << 8 | WIDE << 16 | WIDE << 24 | WIDE << 32 | NARROW << 40 | NARROW << 48,
);

/// The upper 3 x 3 square. The geese win by filling it.
pub const SQUARE: Cells = Cells::from_bits(NARROW | NARROW << 8 | NARROW << 16);

/// The four directions: up, down, left, right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
}

impl Direction {
    /// All four directions, in the order that lists and spellings follow.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The three directions that geese may take.
    pub const OF_GEESE: [Direction; 3] = [Direction::Up, Direction::Left, Direction::Right];

    /// The letter in files: `u`, `d`, `l` or `r`.
    pub const fn letter(self) -> char {
        match self {
            Direction::Up => 'u',
            Direction::Down => 'd',
            Direction::Left => 'l',
            Direction::Right => 'r',
        }
    }

    /// The direction of a letter.
    pub fn by_letter(letter: char) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.letter() == letter)
    }

    /// The cells of a set moved by one cell. Those that leave the board are dropped.
    #[inline]
    pub const fn shift(self, cells: Cells) -> Cells {
        let bits = match self {
            Direction::Up => cells.bits() >> 8,
            Direction::Down => cells.bits() << 8,
            Direction::Left => cells.bits() >> 1,
            Direction::Right => cells.bits() << 1,
        };
        Cells::from_bits(bits).and(BOARD)
    }

    /// The next cell in this direction; `None` off the board.
    #[inline]
    pub fn step(self, from: Cell) -> Option<Cell> {
        self.shift(Cells::one(from)).first()
    }

    /// The opposite direction.
    #[must_use]
    pub const fn back(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    /// The direction in the mirror image.
    #[must_use]
    pub const fn mirrored(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            other => other,
        }
    }
}

/// The neighbours of the cells of a set. A cell of the set is included only if it is a neighbour of
/// another.
#[inline]
pub const fn neighbours(cells: Cells) -> Cells {
    let bits = cells.bits();
    Cells::from_bits(bits >> 8 | bits << 8 | bits >> 1 | bits << 1).and(BOARD)
}

/// The set mirrored left to right.
#[inline]
pub const fn mirror(cells: Cells) -> Cells {
    Cells::from_bits(cells.bits().reverse_bits().swap_bytes() >> 1)
}

/// Packs a set into the 33 lowest bits, in reading order.
#[inline]
pub const fn compress(cells: Cells) -> u64 {
    let bits = cells.bits();
    (bits >> 2 & 7)
        | (bits >> 10 & 7) << 3
        | (bits >> 16 & 127) << 6
        | (bits >> 24 & 127) << 13
        | (bits >> 32 & 127) << 20
        | (bits >> 42 & 7) << 27
        | (bits >> 50 & 7) << 30
}

/// The inverse of [`compress`].
#[inline]
pub const fn expand(bits: u64) -> Cells {
    Cells::from_bits(
        (bits & 7) << 2
            | (bits >> 3 & 7) << 10
            | (bits >> 6 & 127) << 16
            | (bits >> 13 & 127) << 24
            | (bits >> 20 & 127) << 32
            | (bits >> 27 & 7) << 42
            | (bits >> 30 & 7) << 50,
    )
}

/// A board: the cells of the geese and of the foxes. It does not say which fox is `X` nor which
/// goose has which letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The geese.
    pub geese: Cells,
    /// The two foxes.
    pub foxes: Cells,
}

/// The geese at the start: rows 3 to 6.
pub const START_GEESE: Cells = Cells::from_bits(BOARD.bits() & !0xFF_FFFF);

impl Board {
    /// The board at the start; the foxes stand on `2,2` and `4,2`.
    pub const START: Board =
        Board { geese: START_GEESE, foxes: Cells::from_bits(1 << 18 | 1 << 20) };

    /// The empty cells.
    #[inline]
    pub const fn empty(self) -> Cells {
        BOARD.minus(self.geese.or(self.foxes))
    }

    /// The mirror image.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Board {
        Board { geese: mirror(self.geese), foxes: mirror(self.foxes) }
    }

    /// Packs the board into 43 bits: the geese in the lower 33, the pair of foxes in the upper 10.
    /// Different boards have different packed forms.
    #[inline]
    pub const fn pack(self) -> u64 {
        let foxes = compress(self.foxes);
        let low = foxes.trailing_zeros() as u64;
        let high = 63 - foxes.leading_zeros() as u64;
        compress(self.geese) | (high * (high.wrapping_sub(1)) / 2 + low) << 33
    }

    /// Unpacks a board; `None` if no board has this packed form.
    pub fn unpack(packed: u64) -> Option<Board> {
        let pair = packed >> 33;
        let high = (1..CELLS as u64).rev().find(|high| high * (high - 1) / 2 <= pair)?;
        let low = pair - high * (high - 1) / 2;
        if low >= high {
            return None;
        }
        let board =
            Board { geese: expand(packed & ((1 << 33) - 1)), foxes: expand(1 << low | 1 << high) };
        (!board.geese.meets(board.foxes)).then_some(board)
    }

    /// The smaller one of the packed forms of the board and of its mirror image, and whether it is
    /// the mirror image's.
    #[inline]
    pub const fn canonical(self) -> (u64, bool) {
        let (plain, mirrored) = (self.pack(), self.mirrored().pack());
        if mirrored < plain { (mirrored, true) } else { (plain, false) }
    }

    /// Whether geese stand on all cells of the upper square.
    #[inline]
    pub const fn square_is_full(self) -> bool {
        SQUARE.is_within(self.geese)
    }

    /// Whether neither fox can step or jump.
    #[inline]
    pub fn foxes_are_blocked(self) -> bool {
        !neighbours(self.foxes).meets(self.empty()) && !self.foxes_can_jump()
    }

    /// Whether a fox can jump over a goose.
    #[inline]
    pub fn foxes_can_jump(self) -> bool {
        let empty = self.empty();
        Direction::ALL
            .into_iter()
            .any(|way| way.shift(way.shift(self.foxes) & self.geese).meets(empty))
    }

    /// The region of the foxes: the cells that they could reach by steps alone if the geese stood
    /// still, their own included.
    #[inline]
    pub fn region(self) -> Cells {
        let empty = self.empty();
        let mut region = self.foxes;
        loop {
            let wider = region | neighbours(region) & empty;
            if wider == region {
                return region;
            }
            region = wider;
        }
    }

    /// The number of possible jumps over one goose from the region, counted by goose and direction.
    #[inline]
    pub fn threats(self, region: Cells) -> u32 {
        let landing = BOARD - self.geese;
        Direction::ALL
            .into_iter()
            .map(|way| (way.shift(way.shift(region) & self.geese) & landing).len())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_33_cells_and_the_start_its_20_geese() {
        assert_eq!((BOARD.len() as usize, BOARD.first()), (CELLS, Some(Cell::FIRST)));
        assert_eq!((SQUARE.len(), START_GEESE.len()), (9, 20));
        assert_eq!(Board::START.foxes, "2,2 4,2".parse().unwrap());
        assert_eq!(compress(BOARD), (1 << 33) - 1);
    }

    #[test]
    fn a_cell_is_read_by_its_name_and_nothing_else_is() {
        for cell in BOARD {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(Cell::new(cell.row(), cell.column()), Some(cell));
        }
        assert_eq!(Cell::FIRST.to_string(), "2,0");
        assert_eq!(
            [Cell::new(0, 1), Cell::new(3, 7), Cell::new(7, 3), Cell::from_index(usize::MAX)],
            [None; 4]
        );
        for text in ["", "3", "1,0", "7,3", "02,2", "2,2,2", " 2,2"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }

    #[test]
    fn packed_boards_are_different_and_are_found_again() {
        let mut seen = std::collections::HashSet::new();
        let cells: Vec<Cell> = BOARD.into_iter().collect();
        for (index, &low) in cells.iter().enumerate() {
            for &high in &cells[index + 1..] {
                let foxes = Cells::one(low).with(high);
                let geese = START_GEESE - foxes;
                let board = Board { geese, foxes };
                assert!(seen.insert(board.pack()));
                assert_eq!(Board::unpack(board.pack()), Some(board));
                assert_eq!(board.mirrored().mirrored(), board);
                assert_eq!(board.canonical().0, board.mirrored().canonical().0);
            }
        }
        assert_eq!(Board::unpack(u64::MAX), None);
        assert_eq!(Board::unpack(1), None, "a goose where a fox stands");
    }

    #[test]
    fn the_mirror_image_swaps_left_and_right() {
        for cell in BOARD {
            assert_eq!(mirror(Cells::one(cell)), Cells::one(cell.mirrored()));
        }
        assert_eq!(Board::START.mirrored(), Board::START);
    }
}
