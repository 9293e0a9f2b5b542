//! The 33 points and the lines between them (foxgame.md, "Board"): sets of points, steps and jumps by table.

/// A point, `8 * y + x` with `x` and `y` from 0 to 6; the monitor's `3,1` is `x` 2, `y` 0.
pub type Point = u8;

/// A set of points, bit `point` for each. Column 7 is never on the board, so that shifts need no border test.
pub type PointSet = u64;

/// PointSet of the board.
pub const POINTS: usize = 33;

/// The size of tables by point.
pub const TABLE: usize = 56;

/// The point in a column and a row.
#[must_use]
pub const fn point(x: usize, y: usize) -> Point {
    debug_assert!(x < 7 && y < 7);
    (8 * y + x) as Point
}

/// The set of one point.
#[inline]
#[must_use]
pub const fn one(point: Point) -> PointSet {
    1 << point
}

/// A point's column, from 0.
#[inline]
#[must_use]
pub const fn x_of(point: Point) -> usize {
    point as usize & 7
}

/// A point's row, from 0.
#[inline]
#[must_use]
pub const fn y_of(point: Point) -> usize {
    point as usize >> 3
}

const NARROW: PointSet = 0b001_1100;
const WIDE: PointSet = 0b111_1111;

/// All points: rows 2 to 4 are seven wide, the others three.
pub const BOARD: PointSet = NARROW | NARROW << 8 | WIDE << 16 | WIDE << 24 | WIDE << 32 | NARROW << 40 | NARROW << 48;

/// The pen, which the sheep win by filling.
pub const PEN: PointSet = NARROW | NARROW << 8 | NARROW << 16;

/// The points with diagonal lines: `x + y` is even.
pub const CROSSINGS: PointSet = BOARD & 0x0055_AA55_AA55_AA55;

/// The eight ways along a line, as the difference of two points' numbers: up, left, right, down, then the diagonals.
pub const WAYS: [i32; 8] = [-8, -1, 1, 8, -9, -7, 7, 9];

/// How many of [`WAYS`] are not diagonal.
pub const STRAIGHT: usize = 4;

/// Every point of a set one step along one of [`WAYS`], by its index; those without such a line are dropped.
#[inline]
#[must_use]
pub const fn shift(points: PointSet, way: usize) -> PointSet {
    let from = if way < STRAIGHT { points } else { points & CROSSINGS };
    BOARD & if WAYS[way] < 0 { from >> -WAYS[way] } else { from << WAYS[way] }
}

/// The indices of [`WAYS`] that sheep may take: y does not increase.
pub const WAYS_OF_SHEEP: [usize; 5] = [0, 1, 2, 4, 5];

const fn neighbours_along(point: Point, ways: &[usize]) -> PointSet {
    let mut all = 0;
    let mut index = 0;
    while index < ways.len() {
        all |= shift(one(point) & BOARD, ways[index]);
        index += 1;
    }
    all
}

const fn table(ways: &[usize]) -> [PointSet; TABLE] {
    let mut table = [0; TABLE];
    let mut point = 0;
    while point < TABLE {
        table[point] = neighbours_along(point as Point, ways);
        point += 1;
    }
    table
}

/// The points joined to each point by a line.
pub static NEIGHBOURS: [PointSet; TABLE] = table(&[0, 1, 2, 3, 4, 5, 6, 7]);

/// The points that a sheep on each point may step to when they are empty.
pub static AHEAD: [PointSet; TABLE] = table(&WAYS_OF_SHEEP);

/// A jump: over a point to the one right behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Where the sheep has to be.
    pub over: Point,
    /// Where the fox lands.
    pub to: Point,
}

/// The jumps from each point that stay on the board; the number tells how many of the eight count.
static JUMPS: [([Jump; 8], u8); TABLE] = {
    let mut jumps = [([Jump { over: 0, to: 0 }; 8], 0); TABLE];
    let mut point = 0;
    while point < TABLE {
        let mut way = 0;
        while way < WAYS.len() {
            let over = shift(one(point as Point) & BOARD, way);
            let to = shift(over, way);
            if to != 0 {
                let jump = Jump { over: over.trailing_zeros() as Point, to: to.trailing_zeros() as Point };
                jumps[point].0[jumps[point].1 as usize] = jump;
                jumps[point].1 += 1;
            }
            way += 1;
        }
        point += 1;
    }
    jumps
};

/// The jumps from a point that stay on the board.
#[inline]
#[must_use]
pub fn jumps_from(point: Point) -> &'static [Jump] {
    let (jumps, count) = &JUMPS[point as usize];
    &jumps[..*count as usize]
}

/// The points of a set in reading order.
#[inline]
pub fn each(mut points: PointSet) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        (points != 0).then(|| {
            let first = points.trailing_zeros() as Point;
            points &= points - 1;
            first
        })
    })
}

/// Where foxes and sheep stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The foxes, two at most.
    pub foxes: PointSet,
    /// The sheep.
    pub sheep: PointSet,
}

impl Board {
    /// The starting position.
    pub const START: Board = Board {
        foxes: one(point(2, 0)) | one(point(4, 0)),
        sheep: WIDE << 24 | WIDE << 32 | NARROW << 40 | NARROW << 48,
    };

    /// The points that nobody stands on.
    #[inline]
    #[must_use]
    pub const fn empty(self) -> PointSet {
        BOARD & !self.foxes & !self.sheep
    }

    /// Whether a fox on a point, which nobody else stands on, could jump.
    #[inline]
    #[must_use]
    pub fn can_jump(self, from: Point) -> bool {
        let empty = self.empty();
        jumps_from(from).iter().any(|jump| self.sheep & one(jump.over) != 0 && empty & one(jump.to) != 0)
    }

    /// The foxes that can neither step nor jump.
    #[inline]
    #[must_use]
    pub fn stuck_foxes(self) -> PointSet {
        let empty = self.empty();
        each(self.foxes)
            .filter(|&fox| NEIGHBOURS[fox as usize] & empty == 0 && !self.can_jump(fox))
            .fold(0, |stuck, fox| stuck | one(fox))
    }

    /// Whether any sheep can step.
    #[inline]
    #[must_use]
    pub fn sheep_can_step(self) -> bool {
        let empty = self.empty();
        WAYS_OF_SHEEP.into_iter().any(|way| shift(self.sheep, way) & empty != 0)
    }

    /// Whether all nine points of the pen are occupied, by sheep or foxes.
    #[inline]
    #[must_use]
    pub const fn pen_is_full(self) -> bool {
        self.empty() & PEN == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_33_points_and_the_start_its_pieces() {
        assert_eq!(BOARD.count_ones() as usize, POINTS);
        assert_eq!((PEN.count_ones(), Board::START.sheep.count_ones(), Board::START.foxes.count_ones()), (9, 20, 2));
        assert_eq!(CROSSINGS.count_ones(), 17);
    }

    #[test]
    fn lines_join_neighbours_both_ways_and_diagonals_only_the_crossings() {
        for from in each(BOARD) {
            for to in each(NEIGHBOURS[from as usize]) {
                assert_ne!(NEIGHBOURS[to as usize] & one(from), 0);
                let (dx, dy) = (x_of(from).abs_diff(x_of(to)), y_of(from).abs_diff(y_of(to)));
                assert!(dx <= 1 && dy <= 1);
                assert!(dx + dy == 1 || (x_of(from) + y_of(from)).is_multiple_of(2), "{from} {to}");
            }
        }
        let lines: u32 = each(BOARD).map(|from| NEIGHBOURS[from as usize].count_ones()).sum();
        // 52 straight lines and 20 diagonal ones, each counted from both ends.
        assert_eq!(lines, 2 * (52 + 20));
    }
}
