//! The 33-cell cross: sets of cells, directions, the mirror image, and boards packed into 43 bits.

/// A cell, `8 * row + column`; rows run down from 0 to 6, columns right from 0 to 6.
pub type Cell = u8;

/// A set of cells, bit `cell` for each. Column 7 is never part of the board, so that shifts need no border test.
pub type Cells = u64;

/// Cells of the board.
pub const CELLS: usize = 33;

/// The cell at a row and a column.
#[must_use]
pub const fn cell(row: usize, column: usize) -> Cell {
    debug_assert!(row < 7 && column < 7);
    (row * 8 + column) as Cell
}

/// The set of one cell.
#[inline]
#[must_use]
pub const fn one(cell: Cell) -> Cells {
    1 << cell
}

const NARROW: Cells = 0b001_1100;
const WIDE: Cells = 0b111_1111;

/// All cells: rows 2 to 4 are seven wide, the others three (foxgeese.md, "Rules").
pub const BOARD: Cells = NARROW | NARROW << 8 | WIDE << 16 | WIDE << 24 | WIDE << 32 | NARROW << 40 | NARROW << 48;

/// The upper 3 x 3 square, which the geese may win by filling.
pub const SQUARE: Cells = NARROW | NARROW << 8 | NARROW << 16;

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
    /// All four, in the order that lists and spellings follow.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The three that geese may take.
    pub const OF_GEESE: [Direction; 3] = [Direction::Up, Direction::Left, Direction::Right];

    /// The letter in files: `u`, `d`, `l` or `r`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Direction::Up => 'u',
            Direction::Down => 'd',
            Direction::Left => 'l',
            Direction::Right => 'r',
        }
    }

    /// The direction of a letter.
    #[must_use]
    pub fn by_letter(letter: char) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.letter() == letter)
    }

    /// The cells of a set moved by one; those that leave the board are dropped.
    #[inline]
    #[must_use]
    pub const fn shift(self, cells: Cells) -> Cells {
        BOARD
            & match self {
                Direction::Up => cells >> 8,
                Direction::Down => cells << 8,
                Direction::Left => cells >> 1,
                Direction::Right => cells << 1,
            }
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

/// The cells of a set in reading order.
#[inline]
pub fn each(mut cells: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (cells != 0).then(|| {
            let first = cells.trailing_zeros() as Cell;
            cells &= cells - 1;
            first
        })
    })
}

/// The neighbours of a set's cells; a cell of the set is part of it only if it neighbours another.
#[inline]
#[must_use]
pub const fn neighbours(cells: Cells) -> Cells {
    BOARD & (cells >> 8 | cells << 8 | cells >> 1 | cells << 1)
}

/// The set mirrored left to right.
#[inline]
#[must_use]
pub const fn mirror(cells: Cells) -> Cells {
    cells.reverse_bits().swap_bytes() >> 1
}

/// A cell mirrored left to right.
#[must_use]
pub const fn mirror_cell(cell: Cell) -> Cell {
    (cell & !7) + 6 - (cell & 7)
}

/// The cells of a set as the 33 lowest bits, in reading order.
#[inline]
#[must_use]
pub const fn compress(cells: Cells) -> u64 {
    (cells >> 2 & 7)
        | (cells >> 10 & 7) << 3
        | (cells >> 16 & 127) << 6
        | (cells >> 24 & 127) << 13
        | (cells >> 32 & 127) << 20
        | (cells >> 42 & 7) << 27
        | (cells >> 50 & 7) << 30
}

/// The inverse of [`compress`].
#[inline]
#[must_use]
pub const fn expand(bits: u64) -> Cells {
    (bits & 7) << 2
        | (bits >> 3 & 7) << 10
        | (bits >> 6 & 127) << 16
        | (bits >> 13 & 127) << 24
        | (bits >> 20 & 127) << 32
        | (bits >> 27 & 7) << 42
        | (bits >> 30 & 7) << 50
}

/// Where geese and foxes stand. Which fox is `X` and what the geese are called does not matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The geese.
    pub geese: Cells,
    /// The two foxes.
    pub foxes: Cells,
}

/// The geese at the start: rows 3 to 6.
pub const START_GEESE: Cells = BOARD & !0xFF_FFFF;

impl Board {
    /// The starting position.
    pub const START: Board = Board { geese: START_GEESE, foxes: one(cell(2, 2)) | one(cell(2, 4)) };

    /// The cells that nobody stands on.
    #[inline]
    #[must_use]
    pub const fn empty(self) -> Cells {
        BOARD & !self.geese & !self.foxes
    }

    /// The mirror image.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Board {
        Board { geese: mirror(self.geese), foxes: mirror(self.foxes) }
    }

    /// The board in 43 bits: geese in the lower 33, the pair of foxes in the upper 10. Different boards differ.
    #[inline]
    #[must_use]
    pub const fn pack(self) -> u64 {
        let foxes = compress(self.foxes);
        let low = foxes.trailing_zeros() as u64;
        let high = 63 - foxes.leading_zeros() as u64;
        compress(self.geese) | (high * (high.wrapping_sub(1)) / 2 + low) << 33
    }

    /// The board of a packed form; `None` if no board has it.
    #[must_use]
    pub fn unpack(packed: u64) -> Option<Board> {
        let pair = packed >> 33;
        let high = (1..CELLS as u64).rev().find(|high| high * (high - 1) / 2 <= pair)?;
        let low = pair - high * (high - 1) / 2;
        if low >= high {
            return None;
        }
        let board = Board { geese: expand(packed & ((1 << 33) - 1)), foxes: expand(1 << low | 1 << high) };
        (board.geese & board.foxes == 0).then_some(board)
    }

    /// The packed form of the board or of its mirror image, whichever is smaller, and whether it is the mirror image's.
    #[inline]
    #[must_use]
    pub const fn canonical(self) -> (u64, bool) {
        let (plain, mirrored) = (self.pack(), self.mirrored().pack());
        if mirrored < plain { (mirrored, true) } else { (plain, false) }
    }

    /// Whether the geese fill the upper square.
    #[inline]
    #[must_use]
    pub const fn square_is_full(self) -> bool {
        self.geese & SQUARE == SQUARE
    }

    /// Whether neither fox can step or jump.
    #[inline]
    #[must_use]
    pub fn foxes_are_blocked(self) -> bool {
        let empty = self.empty();
        neighbours(self.foxes) & empty == 0 && !self.foxes_can_jump()
    }

    /// Whether a fox can jump over a goose.
    #[inline]
    #[must_use]
    pub fn foxes_can_jump(self) -> bool {
        let empty = self.empty();
        Direction::ALL.into_iter().any(|way| way.shift(way.shift(self.foxes) & self.geese) & empty != 0)
    }

    /// The cells that the foxes could reach by steps alone if the geese stood still, their own included.
    #[inline]
    #[must_use]
    pub const fn region(self) -> Cells {
        let empty = self.empty();
        let mut region = self.foxes;
        loop {
            let wider = region | (neighbours(region) & empty);
            if wider == region {
                return region;
            }
            region = wider;
        }
    }

    /// How many jumps over one goose there would be from somewhere in the region, each counted by goose and direction.
    #[inline]
    #[must_use]
    pub fn threats(self, region: Cells) -> u32 {
        let landing = BOARD & !self.geese;
        Direction::ALL.into_iter().map(|way| (way.shift(way.shift(region) & self.geese) & landing).count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_33_cells_and_the_start_its_20_geese() {
        assert_eq!(BOARD.count_ones() as usize, CELLS);
        assert_eq!((SQUARE.count_ones(), START_GEESE.count_ones()), (9, 20));
        assert_eq!(compress(BOARD), (1 << 33) - 1);
    }

    #[test]
    fn packed_boards_are_different_and_are_found_again() {
        let mut seen = std::collections::HashSet::new();
        let cells: Vec<Cell> = each(BOARD).collect();
        for (index, &low) in cells.iter().enumerate() {
            for &high in &cells[index + 1..] {
                let foxes = one(low) | one(high);
                let geese = START_GEESE & !foxes;
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
        for cell in each(BOARD) {
            assert_eq!(mirror(one(cell)), one(mirror_cell(cell)));
        }
        assert_eq!(Board::START.mirrored(), Board::START);
    }
}
