//! The board of 33 cells, directions, and boards packed into 43 bits.

use engine::drawing::Place;

/// The number of rows of the board, and of columns.
pub const SIZE: usize = 7;

engine::cross_board! {
    /// A cell of the board, written `x,y`.
    Cell,
    /// A set of cells.
    Cells
}

impl Cell {
    /// The first cell in reading order.
    pub const FIRST: Cell = Cell(2);
}

/// The upper 3 x 3 square. The geese win by filling it.
pub const SQUARE: Cells = Cells::from_bits(NARROW | NARROW << 8 | NARROW << 16);

/// A direction of a step.
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
    /// All directions, in the order of lists and spellings.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The directions that geese may take.
    pub const OF_GEESE: [Direction; 3] = [Direction::Up, Direction::Left, Direction::Right];

    /// The letter in files.
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

/// The cells beside the cells of a set.
#[inline]
pub const fn neighbours(cells: Cells) -> Cells {
    let bits = cells.bits();
    Cells::from_bits(bits >> 8 | bits << 8 | bits >> 1 | bits << 1).and(BOARD)
}

/// Packs a set into the 33 lowest bits, in reading order.
#[inline]
const fn compress(cells: Cells) -> u64 {
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
const fn expand(bits: u64) -> Cells {
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

/// The cells of the geese and of the foxes, without their letters.
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
        let high = (1..POINTS as u64).rev().find(|high| high * (high - 1) / 2 <= pair)?;
        let low = pair - high * (high - 1) / 2;
        if low >= high {
            return None;
        }
        let board =
            Board { geese: expand(packed & ((1 << 33) - 1)), foxes: expand(1 << low | 1 << high) };
        (!board.geese.meets(board.foxes)).then_some(board)
    }

    /// The smaller of the packed forms of the board and its mirror image, and whether it is the
    /// mirror image's.
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

    /// The cells that the foxes could reach by steps if the geese stood still, their own included.
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

    /// The number of possible jumps over one goose from a region.
    #[inline]
    pub fn threats(self, region: Cells) -> u32 {
        let landing = BOARD - self.geese;
        Direction::ALL
            .into_iter()
            .map(|way| (way.shift(way.shift(region) & self.geese) & landing).len())
            .sum()
    }
}

/// The place of a cell in drawings.
pub(crate) fn place(cell: Cell) -> Place {
    (cell.x(), cell.y())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_33_cells_and_the_start_its_20_geese() {
        assert_eq!([BOARD, SQUARE, START_GEESE].map(Cells::len), [33, 9, 20]);
        assert_eq!(Board::START.foxes, "2,2 4,2".parse().unwrap());
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
