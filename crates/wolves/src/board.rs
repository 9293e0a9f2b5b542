//! The board: squares, sets of squares, steps, leaps and the eight symmetries.

use engine::protocol::quote;
use std::fmt;
use std::str::FromStr;

/// The number of squares along an edge.
pub const SIZE: usize = 5;
/// The number of squares of the board.
pub const SQUARES: usize = SIZE * SIZE;

/// A square, written `x,y`: x counts to the right and y down from `0,0`, the top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A set of squares; bits 25 and above are never set.
pub type Squares = engine::squares::Squares<Square>;

/// All squares.
pub const ALL: Squares = Squares::from_bits((1 << SQUARES) - 1);

const FIRST_COLUMN: u64 = 0b00001_00001_00001_00001_00001;
/// The squares at the right edge.
pub const LAST_COLUMN: Squares = Squares::from_bits(FIRST_COLUMN << (SIZE - 1));

impl Square {
    /// The square at `x,y`, both from 0 to 4.
    ///
    /// # Panics
    /// If a coordinate is 5 or more.
    #[inline]
    pub const fn new(x: usize, y: usize) -> Square {
        assert!(x < SIZE && y < SIZE, "a square has x and y from 0 to 4");
        Square((y * SIZE + x) as u8)
    }

    /// The square of an index, row by row from `0,0`.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < SQUARES { Some(Square(index as u8)) } else { None }
    }

    /// The index, from 0 to 24: `5 * y + x`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, from 0 at the left to 4.
    #[inline]
    pub const fn x(self) -> usize {
        self.index() % SIZE
    }

    /// The row, from 0 at the top to 4.
    #[inline]
    pub const fn y(self) -> usize {
        self.index() / SIZE
    }

    /// The squares next to this one, up, down, left and right.
    #[inline]
    pub fn neighbours(self) -> Squares {
        NEIGHBOURS[self.index()]
    }

    /// The leaps from this square, ordered by landing in reading order.
    #[inline]
    pub fn leaps(self) -> &'static [Leap] {
        let (leaps, count) = &LEAPS[self.index()];
        &leaps[..*count]
    }

    /// The image of the square under a symmetry.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: usize) -> Square {
        IMAGE[symmetry][self.index()]
    }
}

impl engine::squares::Square for Square {
    #[inline]
    fn index(self) -> usize {
        self.index()
    }

    #[inline]
    fn at(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", self.x(), self.y())
    }
}

impl FromStr for Square {
    type Err = String;

    fn from_str(text: &str) -> Result<Square, String> {
        let number = |digits: &str| match digits.as_bytes() {
            [digit @ b'0'..=b'4'] => Some(usize::from(digit - b'0')),
            _ => None,
        };
        text.split_once(',')
            .and_then(|(x, y)| Some(Square::new(number(x)?, number(y)?)))
            .ok_or_else(|| {
                format!("expected a square X,Y with both from 0 to 4, found {}", quote(text))
            })
    }
}

/// The squares next to a set's squares; some may belong to the set itself.
#[inline]
pub const fn around(set: Squares) -> Squares {
    let bits = set.bits();
    let (right, left) = ((bits & !LAST_COLUMN.bits()) << 1, (bits & !FIRST_COLUMN) >> 1);
    Squares::from_bits(bits << SIZE | bits >> SIZE | right | left).and(ALL)
}

static NEIGHBOURS: [Squares; SQUARES] = {
    let mut table = [Squares::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = around(Squares::from_bits(1 << index));
        index += 1;
    }
    table
};

/// The geometry of an eating move, two squares in a straight line.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    /// The square where the sheep stands and the wolf lands.
    pub landing: Square,
    /// The square between, which must be empty.
    pub between: Square,
}

/// The leaps from each square, and their number.
static LEAPS: [([Leap; 4], usize); SQUARES] = {
    let mut table = [([Leap { landing: Square(0), between: Square(0) }; 4], 0); SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let (x, y) = (index % SIZE, index / SIZE);
        // Up, left, right, down: whether the landing is on the board, the square between, and the
        // landing.
        let ways = [
            (y >= 2, index.wrapping_sub(SIZE), index.wrapping_sub(2 * SIZE)),
            (x >= 2, index.wrapping_sub(1), index.wrapping_sub(2)),
            (x + 2 < SIZE, index + 1, index + 2),
            (y + 2 < SIZE, index + SIZE, index + 2 * SIZE),
        ];
        let (leaps, count) = &mut table[index];
        let mut way = 0;
        while way < ways.len() {
            let (is_on_board, between, landing) = ways[way];
            if is_on_board {
                let (between, landing) = (Square(between as u8), Square(landing as u8));
                leaps[*count] = Leap { landing, between };
                *count += 1;
            }
            way += 1;
        }
        index += 1;
    }
    table
};

/// The number of symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// The identity as a symmetry.
pub const IDENTITY: usize = 0;

/// The image of each square under each symmetry. Bit 0 of a symmetry's number mirrors left and
/// right, bit 1 up and down, and bit 2 then swaps x and y.
static IMAGE: [[Square; SQUARES]; SYMMETRIES] = {
    let mut table = [[Square(0); SQUARES]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut index = 0;
        while index < SQUARES {
            let (x, y) = (index % SIZE, index / SIZE);
            let x = if symmetry & 1 != 0 { SIZE - 1 - x } else { x };
            let y = if symmetry & 2 != 0 { SIZE - 1 - y } else { y };
            let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            table[symmetry][index] = Square::new(x, y);
            index += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of each row's occupation under each symmetry, as bits of a set.
static ROW_IMAGE: [[[u32; 1 << SIZE]; SIZE]; SYMMETRIES] = {
    let mut table = [[[0; 1 << SIZE]; SIZE]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut y = 0;
        while y < SIZE {
            let mut row = 0;
            while row < 1 << SIZE {
                let mut x = 0;
                while x < SIZE {
                    if row >> x & 1 != 0 {
                        table[symmetry][y][row] |= 1 << IMAGE[symmetry][y * SIZE + x].index();
                    }
                    x += 1;
                }
                row += 1;
            }
            y += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of a set under a symmetry.
#[inline]
pub fn image(set: Squares, symmetry: usize) -> Squares {
    let rows = &ROW_IMAGE[symmetry];
    let row = |y: usize| rows[y][(set.bits() >> (SIZE * y)) as usize & 31];
    Squares::from_bits((row(0) | row(1) | row(2) | row(3) | row(4)).into())
}

/// The inverse of a symmetry.
pub const fn inverse(symmetry: usize) -> usize {
    // With the axes swapped afterwards, the two mirrors change places.
    if symmetry & 4 != 0 { 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 } else { symmetry }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_read_by_its_name_and_nothing_else_is() {
        for square in ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
        }
        assert_eq!(Square::new(3, 1).to_string(), "3,1");
        assert_eq!(Square::from_index(SQUARES), None);
        for text in ["", "1", "1,", ",1", "5,0", "0,5", "01,2", "1,2,3", "-1,0", " 1,2"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn no_square_is_next_to_one_across_the_edge() {
        for a in ALL {
            for b in ALL {
                let distance = a.x().abs_diff(b.x()) + a.y().abs_diff(b.y());
                assert_eq!(a.neighbours().contains(b), distance == 1);
                let two_away = (a.x() == b.x() || a.y() == b.y()) && distance == 2;
                let leap = a.leaps().iter().find(|leap| leap.landing == b);
                assert_eq!(leap.is_some(), two_away);
                assert!(
                    leap.is_none_or(|leap| leap.between.index() == (a.index() + b.index()) / 2)
                );
            }
        }
    }

    #[test]
    fn symmetries_are_eight_keep_neighbours_and_have_inverses() {
        let mut images: Vec<_> = IMAGE.to_vec();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
        let some = Squares::from_bits(0x155_AA37);
        assert_eq!(image(some, IDENTITY), some);
        for symmetry in 0..SYMMETRIES {
            for from in ALL {
                let there = from.image(symmetry);
                assert_eq!(image(from.neighbours(), symmetry), there.neighbours());
                assert_eq!(there.image(inverse(symmetry)), from);
            }
        }
    }
}
