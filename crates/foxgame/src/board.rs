//! The board (docs/rules/foxgame.md, "The board", "Lines"): 33 points, the lines between them,
//! point sets, and lookup tables for steps and jumps.

engine::cross_board! {
    /// A point of the board. Column `x` counts from 0 at the left, row `y` from 0 at the top; the
    /// monitor protocol counts from 1, so that its `3,1` is `2,0` here.
    Point,
    /// A set of points.
    PointSet
}

/// The pen: SHEEP wins when all of its nine points are occupied.
pub const PEN: PointSet = PointSet::from_bits(NARROW | NARROW << 8 | NARROW << 16);

/// The points with diagonal lines: those where `x + y` is even.
pub const CROSSINGS: PointSet = BOARD.and(PointSet::from_bits(0x0055_AA55_AA55_AA55));

/// The eight directions along a line, as differences of point indices: up, left, right, down, then
/// the diagonals.
pub const WAYS: [i32; 8] = [-8, -1, 1, 8, -9, -7, 7, 9];

/// The number of [`WAYS`] that are not diagonal; these come first.
pub const STRAIGHT: usize = 4;

/// The index of the opposite of one of [`WAYS`].
pub const fn opposite(way: usize) -> usize {
    if way < STRAIGHT { STRAIGHT - 1 - way } else { WAYS.len() + STRAIGHT - 1 - way }
}

/// The points that one step from `points` reaches in direction `way`, an index into [`WAYS`]; steps
/// without a line are left out.
#[inline]
pub const fn shift(points: PointSet, way: usize) -> PointSet {
    let from = if way < STRAIGHT { points.bits() } else { points.and(CROSSINGS).bits() };
    BOARD.and(PointSet::from_bits(if WAYS[way] < 0 {
        from >> -WAYS[way]
    } else {
        from << WAYS[way]
    }))
}

/// The directions that sheep may step in, as indices into [`WAYS`].
pub const WAYS_OF_SHEEP: [usize; 5] = [0, 1, 2, 4, 5];

/// For each point, the points one step away in any of the given directions.
const fn table(ways: &[usize]) -> [PointSet; TABLE] {
    let mut table = [PointSet::EMPTY; TABLE];
    let mut index = 0;
    while index < TABLE {
        let mut way = 0;
        while way < ways.len() {
            table[index] =
                table[index].or(shift(PointSet::from_bits(1 << index).and(BOARD), ways[way]));
            way += 1;
        }
        index += 1;
    }
    table
}

static NEIGHBOURS: [PointSet; TABLE] = table(&[0, 1, 2, 3, 4, 5, 6, 7]);

static AHEAD: [PointSet; TABLE] = table(&WAYS_OF_SHEEP);

/// A fox's jump: over an adjacent point to the point right behind it.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    /// The point that must hold a sheep.
    pub over: Point,
    /// The point where the fox lands.
    pub to: Point,
}

/// The jumps from each point that stay on the board, and how many of the eight entries they take.
static JUMPS: [([Jump; 8], u8); TABLE] = {
    let mut jumps = [([Jump { over: Point(0), to: Point(0) }; 8], 0); TABLE];
    let mut index = 0;
    while index < TABLE {
        let mut way = 0;
        while way < WAYS.len() {
            let over = shift(PointSet::from_bits(1 << index).and(BOARD), way);
            let to = shift(over, way);
            if !to.is_empty() {
                let [over, to] = [
                    Point(over.bits().trailing_zeros() as u8),
                    Point(to.bits().trailing_zeros() as u8),
                ];
                jumps[index].0[jumps[index].1 as usize] = Jump { over, to };
                jumps[index].1 += 1;
            }
            way += 1;
        }
        index += 1;
    }
    jumps
};

impl Point {
    /// The points that a line joins to this one.
    #[inline]
    pub fn neighbours(self) -> PointSet {
        NEIGHBOURS[self.index()]
    }

    /// The points that a sheep on this one may step to if they are empty.
    #[inline]
    pub fn ahead(self) -> PointSet {
        AHEAD[self.index()]
    }

    /// The jumps from this point that stay on the board.
    #[inline]
    pub fn jumps(self) -> &'static [Jump] {
        let (jumps, count) = &JUMPS[self.index()];
        &jumps[..*count as usize]
    }
}

/// The placement of foxes and sheep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The points of the foxes, two at most.
    pub foxes: PointSet,
    /// The points of the sheep.
    pub sheep: PointSet,
}

impl Board {
    /// The board at the start.
    pub const START: Board = Board {
        foxes: PointSet::from_bits(0b001_0100),
        sheep: PointSet::from_bits(WIDE << 24 | WIDE << 32 | NARROW << 40 | NARROW << 48),
    };

    /// The empty points.
    #[inline]
    pub const fn empty(self) -> PointSet {
        BOARD.minus(self.foxes).minus(self.sheep)
    }

    /// Whether a fox on `from` could jump.
    #[inline]
    pub fn can_jump(self, from: Point) -> bool {
        let empty = self.empty();
        from.jumps().iter().any(|jump| self.sheep.contains(jump.over) && empty.contains(jump.to))
    }

    /// The foxes that can neither step nor jump.
    #[inline]
    pub fn stuck_foxes(self) -> PointSet {
        let empty = self.empty();
        self.foxes
            .into_iter()
            .filter(|&fox| !fox.neighbours().meets(empty) && !self.can_jump(fox))
            .collect()
    }

    /// Whether any sheep can step.
    #[inline]
    pub fn sheep_can_step(self) -> bool {
        let empty = self.empty();
        WAYS_OF_SHEEP.into_iter().any(|way| shift(self.sheep, way).meets(empty))
    }

    /// Whether all nine points of the pen are occupied, by sheep or foxes.
    #[inline]
    pub const fn pen_is_full(self) -> bool {
        !self.empty().meets(PEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_33_points_and_the_start_its_pieces() {
        assert_eq!([BOARD, PEN, CROSSINGS, Board::START.sheep].map(PointSet::len), [33, 9, 17, 20]);
        assert_eq!(Board::START.foxes.to_string(), "2,0 4,0");
    }

    #[test]
    fn points_are_read_by_the_names_they_are_written_with() {
        for point in BOARD {
            assert_eq!(Point::new(point.x(), point.y()), Some(point));
            assert_eq!(point.to_string().parse(), Ok(point));
        }
        assert_eq!((0..99).filter_map(Point::from_index).count(), POINTS);
        for text in ["", "2", "1,0", "7,3", "3,7", "+3,3", "3,3,3", "3 3"] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }

    #[test]
    fn lines_join_neighbours_both_ways_and_diagonals_only_the_crossings() {
        for from in BOARD {
            for to in from.neighbours() {
                assert!(to.neighbours().contains(from));
                let (dx, dy) = (from.x().abs_diff(to.x()), from.y().abs_diff(to.y()));
                assert!(dx <= 1 && dy <= 1);
                assert!(dx + dy == 1 || (from.x() + from.y()) % 2 == 0, "{from} {to}");
            }
        }
        let lines: u32 = BOARD.into_iter().map(|from| from.neighbours().len()).sum();
        // 52 straight lines and 20 diagonal ones, each counted from both ends.
        assert_eq!(lines, 2 * (52 + 20));
    }
}
