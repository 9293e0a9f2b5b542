//! The 5 x 5 board: squares, sets of squares as bits of a word, steps, jumps and the eight symmetries.

/// Squares along an edge.
pub const SIZE: usize = 5;
/// Squares of the board.
pub const SQUARES: usize = SIZE * SIZE;

/// A square, `5 * y + x`; x runs to the right, y down, `0,0` is the top-left corner.
pub type Square = u8;

/// A set of squares: bit `s` is square `s`; the upper 7 bits are 0.
pub type Set = u32;

/// Every square.
pub const ALL: Set = (1 << SQUARES) - 1;

const FIRST_COLUMN: Set = 0b00001_00001_00001_00001_00001;
const LAST_COLUMN: Set = FIRST_COLUMN << (SIZE - 1);

/// The square at `x,y`.
#[must_use]
pub const fn square(x: usize, y: usize) -> Square {
    debug_assert!(x < SIZE && y < SIZE);
    (y * SIZE + x) as Square
}

/// A square's `x`.
#[must_use]
pub const fn x_of(square: Square) -> usize {
    square as usize % SIZE
}

/// A square's `y`.
#[must_use]
pub const fn y_of(square: Square) -> usize {
    square as usize / SIZE
}

/// The set of one square.
#[inline]
#[must_use]
pub const fn one(square: Square) -> Set {
    1 << square
}

/// The squares of a set in reading order.
#[inline]
pub fn each(mut set: Set) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as Square;
            set &= set - 1;
            square
        })
    })
}

/// The squares next to a set's squares, up, down, left or right; some may belong to the set itself.
#[inline]
#[must_use]
pub const fn around(set: Set) -> Set {
    (set << SIZE | set >> SIZE | (set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1) & ALL
}

/// The up to four squares next to each square.
pub static NEIGHBOURS: [Set; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = around(one(index as Square));
        index += 1;
    }
    table
};

/// An eating move's geometry: two squares in a straight line, and the square between that must be empty.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    /// Where the sheep stands and the wolf lands.
    pub landing: Square,
    /// The set of the one square between.
    pub between: Set,
}

/// The leaps from each square, the first `LEAP_COUNT[square]` of four.
pub static LEAPS: [[Leap; 4]; SQUARES] = {
    let mut table = [[Leap { landing: 0, between: 0 }; 4]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let (x, y) = (x_of(index as Square) as i32, y_of(index as Square) as i32);
        let mut count = 0;
        let mut direction = 0;
        while direction < 4 {
            let (dx, dy) = DIRECTIONS[direction];
            if on_board(x + 2 * dx, y + 2 * dy) {
                table[index][count] = Leap {
                    landing: square((x + 2 * dx) as usize, (y + 2 * dy) as usize),
                    between: one(square((x + dx) as usize, (y + dy) as usize)),
                };
                count += 1;
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// How many leaps each square has.
static LEAP_COUNT: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut leap = 0;
        while leap < 4 {
            table[index] += (LEAPS[index][leap].between != 0) as u8;
            leap += 1;
        }
        index += 1;
    }
    table
};

/// The leaps from a square.
#[inline]
#[must_use]
pub fn leaps(from: Square) -> &'static [Leap] {
    &LEAPS[from as usize][..LEAP_COUNT[from as usize] as usize]
}

/// Up, left, right, down: destinations in reading order.
const DIRECTIONS: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

const fn on_board(x: i32, y: i32) -> bool {
    x >= 0 && y >= 0 && x < SIZE as i32 && y < SIZE as i32
}

/// The symmetries of the board.
pub const SYMMETRIES: usize = 8;

/// The number of the symmetry that changes nothing.
pub const IDENTITY: usize = 0;

/// Where each symmetry takes each square. Bit 0 of its number mirrors left and right, bit 1 up and down, and bit 2
/// then swaps x and y.
pub static IMAGE: [[Square; SQUARES]; SYMMETRIES] = {
    let mut table = [[0; SQUARES]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut index = 0;
        while index < SQUARES {
            let (mut x, mut y) = (x_of(index as Square), y_of(index as Square));
            if symmetry & 1 != 0 {
                x = SIZE - 1 - x;
            }
            if symmetry & 2 != 0 {
                y = SIZE - 1 - y;
            }
            table[symmetry][index] = if symmetry & 4 != 0 { square(y, x) } else { square(x, y) };
            index += 1;
        }
        symmetry += 1;
    }
    table
};

/// The image of each filling of each row under each symmetry.
static ROW_IMAGE: [[[Set; 1 << SIZE]; SIZE]; SYMMETRIES] = {
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
                        table[symmetry][y][row] |= one(IMAGE[symmetry][y * SIZE + x]);
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

/// A set's image under a symmetry.
#[inline]
#[must_use]
pub fn image(set: Set, symmetry: usize) -> Set {
    let rows = &ROW_IMAGE[symmetry];
    let row = |y: usize| rows[y][(set >> (SIZE * y)) as usize & 31];
    row(0) | row(1) | row(2) | row(3) | row(4)
}

/// The symmetry that takes back what another one did.
#[must_use]
pub const fn inverse(symmetry: usize) -> usize {
    // With the axes swapped afterwards, the two mirrors change places.
    if symmetry & 4 != 0 { 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 } else { symmetry }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_square_is_next_to_one_across_the_edge() {
        for a in 0..SQUARES as Square {
            for b in 0..SQUARES as Square {
                let near = x_of(a).abs_diff(x_of(b)) + y_of(a).abs_diff(y_of(b)) == 1;
                assert_eq!(NEIGHBOURS[a as usize] & one(b) != 0, near);
                let two_away = (x_of(a) == x_of(b) || y_of(a) == y_of(b))
                    && x_of(a).abs_diff(x_of(b)) + y_of(a).abs_diff(y_of(b)) == 2;
                let leap = leaps(a).iter().find(|leap| leap.landing == b);
                assert_eq!(leap.is_some(), two_away);
                assert!(leap.is_none_or(|leap| leap.between == one((a + b) / 2)));
            }
        }
    }

    #[test]
    fn symmetries_are_eight_keep_neighbours_and_have_inverses() {
        let mut images: Vec<_> = IMAGE.to_vec();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
        assert_eq!(image(0x155_AA37, IDENTITY), 0x155_AA37);
        for symmetry in 0..SYMMETRIES {
            for from in 0..SQUARES {
                let there = IMAGE[symmetry][from];
                assert_eq!(image(NEIGHBOURS[from], symmetry), NEIGHBOURS[there as usize]);
                assert_eq!(IMAGE[inverse(symmetry)][there as usize] as usize, from);
            }
        }
    }
}
