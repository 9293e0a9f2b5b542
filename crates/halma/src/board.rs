//! The 16 x 16 board: squares, camps and neighbours.

pub use crate::square::{SIZE, Square};
pub use crate::squares::Squares;

use engine::Side;

/// The first side: Black.
pub const BLACK: Side = Side::First;
/// The second side: White.
pub const WHITE: Side = Side::Second;

/// The widths of rows 0 to 4 of Black's camp, from the left edge.
const CAMP_ROWS: [usize; 5] = [5, 5, 4, 3, 2];

/// The number of pieces of each side at the start, and of squares in a camp.
pub const PIECES: usize = 19;

const fn camp_of(side: Side) -> Squares {
    let mut camp = Squares::EMPTY;
    let mut y = 0;
    while y < CAMP_ROWS.len() {
        let mut x = 0;
        while x < CAMP_ROWS[y] {
            camp.insert(match side {
                BLACK => Square::at(x, y),
                WHITE => Square::at(SIZE - 1 - x, SIZE - 1 - y),
            });
            x += 1;
        }
        y += 1;
    }
    camp
}

/// The camps by side: Black's at the top left, White's at the bottom right.
pub const CAMPS: [Squares; 2] = [camp_of(BLACK), camp_of(WHITE)];

/// The neighbours of each square, up to eight.
pub static NEIGHBOURS: [Squares; 256] = {
    let mut table = [Squares::EMPTY; 256];
    let mut index = 0;
    while index < 256 {
        let mut step = 0;
        while step < 8 {
            let (columns, rows) = STEPS[step];
            if let Some(neighbour) = Square::new(index as u8).moved(columns, rows) {
                table[index].insert(neighbour);
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The eight directions, as columns to the right and rows down.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camps_hold_nineteen_squares_and_mirror_each_other() {
        for camp in CAMPS {
            assert_eq!(camp.len() as usize, PIECES);
        }
        assert!(
            CAMPS[0]
                .into_iter()
                .all(|square| CAMPS[1].contains(Square::at(15 - square.x(), 15 - square.y())))
        );
        assert!(CAMPS[0].contains(Square::at(4, 1)) && !CAMPS[0].contains(Square::at(4, 2)));
    }
}
