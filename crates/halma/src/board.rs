//! The 16 x 16 board: squares, camps and neighbours.

pub use crate::squares::{Square, Squares};

use engine::Side;

/// The first side: Black.
pub const BLACK: Side = Side::First;
/// The second side: White.
pub const WHITE: Side = Side::Second;

/// Squares along an edge.
pub const SIZE: usize = 16;

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
/// The squares of a row that belong to Black's camp, counted from the left; rows 0 to 4 (halma.md, "Rules").
const CAMP_ROWS: [usize; 5] = [5, 5, 4, 3, 2];

/// Pieces a side starts with, and squares of a camp.
pub const PIECES: usize = 19;

const fn camp_of(side: Side) -> Squares {
    let mut camp = Squares::NONE;
    let mut y = 0;
    while y < CAMP_ROWS.len() {
        let mut x = 0;
        while x < CAMP_ROWS[y] {
            camp.insert(match side {
                BLACK => square(x, y),
                WHITE => square(SIZE - 1 - x, SIZE - 1 - y),
            });
            x += 1;
        }
        y += 1;
    }
    camp
}

/// The camps: Black's (the first side's) top left, White's bottom right.
pub const CAMPS: [Squares; 2] = [camp_of(BLACK), camp_of(WHITE)];

/// The up to eight squares around each square.
pub static NEIGHBOURS: [Squares; 256] = {
    let mut table = [Squares::NONE; 256];
    let mut index = 0;
    while index < 256 {
        let (x, y) = (x_of(index as Square) as i32, y_of(index as Square) as i32);
        let mut step = 0;
        while step < 8 {
            let (dx, dy) = STEPS[step];
            let (nx, ny) = (x + dx, y + dy);
            if nx >= 0 && ny >= 0 && nx < SIZE as i32 && ny < SIZE as i32 {
                table[index].insert(square(nx as usize, ny as usize));
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The eight directions.
pub(crate) const STEPS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camps_hold_nineteen_squares_and_mirror_each_other() {
        for camp in CAMPS {
            assert_eq!(camp.count() as usize, PIECES);
        }
        assert!(CAMPS[0].into_iter().all(|square| CAMPS[1].contains(255 - square)));
        assert!(CAMPS[0].contains(square(4, 1)) && !CAMPS[0].contains(square(4, 2)));
    }
}
