//! The jumps that are open on a board, and the squares that chains of them reach.
//!
//! A jump moves by two squares or none along each axis, so a chain stays within one parity of
//! squares, and the pieces that it jumps over stand on squares of other parities: the moving piece
//! never blocks itself, and every jump between empty squares can be reversed. A parity has 8 x 8
//! squares. A jump leads from one of them to a neighbour in that grid, and the square between the
//! two is one of another parity, at the same place in its grid or one further. All jumps from a set
//! of squares therefore take a few shifts of 64-bit numbers.

use crate::board::{STEPS, Square, Squares};
use crate::parity::{ByParity, PARITIES, bit_of, by_parity, parity_of, spread, square_of};

/// The squares of a parity except those of its last column.
const NOT_LAST_COLUMN: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The occupied squares of a board by parity, from which the open jumps follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jumps {
    occupied: ByParity,
}

/// The jumps between the squares of one parity.
#[derive(Clone, Copy)]
pub(crate) struct ParityJumps {
    empty: u64,
    /// The squares from which a jump to the right would pass over a piece.
    across: u64,
    /// The squares from which a jump down would pass over a piece.
    down: u64,
    /// The squares from which a jump to the right and down would pass over a piece. The jump
    /// between the squares to the right and below passes over the same piece.
    diagonal: u64,
}

impl ParityJumps {
    /// Returns the empty squares that one jump from any square of a set leads to.
    #[inline]
    pub(crate) fn after_one(self, set: u64) -> u64 {
        let ParityJumps { empty, across, down, diagonal } = self;
        let (left, up, both) = (set >> 1, set >> 8, set >> 9);
        let one = (set & across | up & diagonal) << 1;
        let row = (set & down | left & diagonal) << 8;
        empty & (one | row | left & across | up & down | (set & diagonal) << 9 | both & diagonal)
    }

    /// Returns the squares that one or more jumps of the piece on a square, given by its bit, lead
    /// to, without its own.
    #[inline]
    pub(crate) fn reachable(self, from: u64) -> u64 {
        self.closure(self.after_one(from))
    }

    /// Returns a set of empty squares with all squares that jumps from them lead to.
    #[inline]
    pub(crate) fn closure(self, set: u64) -> u64 {
        let mut reached = set;
        loop {
            let more = reached | self.after_one(reached);
            if more == reached {
                return reached;
            }
            reached = more | self.after_one(more);
        }
    }
}

impl Jumps {
    /// Computes the jumps of a board with these pieces, of either colour.
    #[must_use]
    pub fn new(pieces: Squares) -> Jumps {
        Jumps { occupied: by_parity(pieces) }
    }

    /// Puts a piece on an empty square or removes it from an occupied one.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        self.occupied[parity_of(square)] ^= bit_of(square);
    }

    /// Returns the jumps between the squares of a parity.
    #[inline]
    pub(crate) fn of_parity(&self, parity: usize) -> ParityJumps {
        let (x, y) = (parity & 1, parity >> 1);
        // The square that a jump passes over is at the same place in its parity's grid if the
        // coordinate is even, and one further if it is odd.
        ParityJumps {
            empty: !self.occupied[parity],
            across: self.occupied[parity ^ 1] >> x & NOT_LAST_COLUMN,
            down: self.occupied[parity ^ 2] >> (8 * y),
            diagonal: self.occupied[parity ^ 3] >> (x + 8 * y) & NOT_LAST_COLUMN,
        }
    }

    /// The squares that the piece on `from` reaches by one or more jumps, without its own.
    #[inline]
    #[must_use]
    pub fn reachable(&self, from: Square) -> Squares {
        let parity = parity_of(from);
        spread(parity, self.of_parity(parity).reachable(bit_of(from)))
    }

    /// Returns whether the piece on `from` reaches the empty square `to` by one or more jumps.
    #[inline]
    #[must_use]
    pub(crate) fn reaches(&self, from: Square, to: Square) -> bool {
        let (parity, goal) = (parity_of(from), bit_of(to));
        if parity != parity_of(to) {
            return false;
        }
        let jumps = self.of_parity(parity);
        let mut reached = bit_of(from);
        loop {
            let more = reached | jumps.after_one(reached);
            if more & goal != 0 || more == reached {
                return more & goal != 0;
            }
            reached = more;
        }
    }

    /// Returns the squares whose occupation the shortest chain from one square to another depends
    /// on: its landings and the squares jumped over.
    pub(crate) fn support(&self, from: Square, to: Square) -> Squares {
        let parity = parity_of(from);
        let jumps = self.of_parity(parity);
        // The squares first reached by each number of jumps; a parity has 64.
        let mut layers = [0; 64];
        let (mut count, mut seen) = (0, bit_of(from));
        layers[0] = seen;
        while seen & bit_of(to) == 0 && layers[count] != 0 {
            let next = jumps.after_one(layers[count]) & !seen;
            count += 1;
            layers[count] = next;
            seen |= next;
        }
        let mut support = Squares::EMPTY;
        let mut landing = to;
        for &layer in layers[..count].iter().rev() {
            // A jump between empty squares can be reversed; only the first begins on a square that
            // is not empty.
            let before = jumps.after_one(bit_of(landing)) & layer;
            let square =
                if before == 0 { from } else { square_of(parity, before.trailing_zeros()) };
            support.insert(landing);
            support.insert(square.jumped_over(landing));
            landing = square;
        }
        support.insert(from);
        support
    }

    /// Returns whether the piece on `from` reaches the empty square `to` by jumps none of which
    /// leads out of a set of squares, given by parity.
    pub(crate) fn reaches_confined(&self, from: Square, to: Square, set: &ByParity) -> bool {
        let parity = parity_of(from);
        let (jumps, set) = (self.of_parity(parity), set[parity]);
        let mut reached = bit_of(from);
        loop {
            let more =
                jumps.after_one(reached & !set) | jumps.after_one(reached & set) & set | reached;
            if more == reached {
                return parity == parity_of(to) && reached & bit_of(to) != 0;
            }
            reached = more;
        }
    }

    /// Returns whether a square is empty.
    fn is_empty(&self, square: Square) -> bool {
        self.occupied[parity_of(square)] & bit_of(square) == 0
    }

    /// Returns the squares that a piece that started on `from` and now stands on `square` in the
    /// middle of a chain reaches by one jump. Its starting square counts as empty.
    pub fn single_jumps(&self, from: Square, square: Square) -> impl Iterator<Item = Square> + '_ {
        STEPS.into_iter().filter_map(move |(columns, rows)| {
            let over = square.moved(columns, rows)?;
            let landing = over.moved(columns, rows)?;
            (!self.is_empty(over) && (landing == from || self.is_empty(landing))).then_some(landing)
        })
    }
}

/// The squares that pieces have been found to reach by jumps in one position.
#[derive(Clone, Copy, Default)]
pub struct Reached(ByParity);

impl Reached {
    /// Whether squares of a parity are among those found.
    #[inline]
    pub(crate) fn contains(&self, parity: usize, set: u64) -> bool {
        set & !self.0[parity] == 0
    }

    /// Whether one of these squares of a parity is among those found.
    #[inline]
    pub(crate) fn meets(&self, parity: usize, set: u64) -> bool {
        set & self.0[parity] != 0
    }

    /// Adds squares of a parity.
    #[inline]
    pub(crate) fn add(&mut self, parity: usize, set: u64) {
        self.0[parity] |= set;
    }

    /// Returns the squares.
    #[inline]
    #[must_use]
    pub fn squares(&self) -> Squares {
        (0..PARITIES).fold(Squares::EMPTY, |all, parity| all.or(spread(parity, self.0[parity])))
    }
}

/// Returns the neighbours of a square, ordered by their worth: the largest first, equal ones in
/// reading order. The square itself stands in the places of neighbours that are off the board, at
/// the end.
#[must_use]
pub fn neighbours_by_worth(worth: &[i16; 256], square: Square) -> [u8; 8] {
    let mut neighbours = STEPS.map(|(columns, rows)| square.moved(columns, rows).unwrap_or(square));
    neighbours.sort_by_key(
        |&next| if next == square { i32::MAX } else { -i32::from(worth[next.index()]) },
    );
    neighbours.map(|next| next.index() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PIECES;

    /// The squares that a piece reaches, found jump by jump.
    fn reachable_by_single_jumps(jumps: &Jumps, from: Square) -> Squares {
        let mut reached = Squares::EMPTY;
        let mut open = vec![from];
        while let Some(square) = open.pop() {
            for landing in jumps.single_jumps(from, square) {
                if landing != from && !reached.contains(landing) {
                    reached.insert(landing);
                    open.push(landing);
                }
            }
        }
        reached
    }

    #[test]
    fn a_chain_may_not_end_where_it_began() {
        // The piece jumps over 2,0 to 3,0; the jump back ends where the chain began, which is no
        // move.
        let jumps = Jumps::new([Square::at(1, 0), Square::at(2, 0)].into_iter().collect());
        assert!(jumps.reachable(Square::at(1, 0)).into_iter().eq([Square::at(3, 0)]));
    }

    #[test]
    fn chains_reach_what_their_jumps_reach_one_by_one() {
        let squares: Vec<Square> = Square::all().collect();
        for seed in 0..300 {
            let at =
                |number: u64| squares[(engine::split_mix(seed * 1_000 + number) % 256) as usize];
            let mut pieces: Squares = (0..2 * PIECES as u64 + seed % 90).map(at).collect();
            let mut jumps = Jumps::new(pieces);
            for number in 500..510 {
                pieces.toggle(at(number));
                jumps.toggle(at(number));
            }
            assert_eq!(jumps, Jumps::new(pieces));
            pieces.each(|from| {
                let expected = reachable_by_single_jumps(&jumps, from);
                assert_eq!(jumps.reachable(from), expected, "seed {seed}: {from} of {pieces}");
                assert!(
                    Square::all()
                        .all(|to| (to != from && jumps.reaches(from, to)) == expected.contains(to))
                );
                let anywhere = by_parity(Square::all().collect());
                let reaches =
                    |to: Square| to != from && jumps.reaches_confined(from, to, &anywhere);
                assert!(Square::all().all(|to| reaches(to) == expected.contains(to)));
            });
        }
    }

    #[test]
    fn a_chain_stays_open_as_long_as_its_support_is_as_it_was() {
        let squares: Vec<Square> = Square::all().collect();
        for seed in 0..100 {
            let at =
                |number: u64| squares[(engine::split_mix(seed * 1_000 + number) % 256) as usize];
            let pieces: Squares = (0..2 * PIECES as u64 + seed % 90).map(at).collect();
            let jumps = Jumps::new(pieces);
            pieces.each(|from| {
                jumps.reachable(from).each(|to| {
                    let support = jumps.support(from, to);
                    assert!(support.contains(from) && support.contains(to));
                    // All squares that do not matter are emptied, then filled.
                    for rest in [Squares::EMPTY, Square::all().collect::<Squares>().minus(support)]
                    {
                        assert!(
                            Jumps::new(pieces.and(support).or(rest)).reaches(from, to),
                            "{from} {to}: {pieces}"
                        );
                    }
                });
            });
        }
    }

    #[test]
    fn neighbours_are_sorted_by_worth_and_the_first_of_equals_comes_first() {
        let mut worth = [0; 256];
        for (square, worth) in worth.iter_mut().enumerate() {
            // Few different worths, so that many are equal, and -1,000 among them as an outlier.
            *worth = if square % 7 == 0 { -1_000 } else { (square * square % 5) as i16 };
        }
        for square in Square::all() {
            let mut expected: Vec<Square> =
                STEPS.iter().filter_map(|&(columns, rows)| square.moved(columns, rows)).collect();
            expected.sort_by_key(|next| std::cmp::Reverse(worth[next.index()]));
            expected.resize(8, square);
            assert_eq!(
                neighbours_by_worth(&worth, square).map(Square::new),
                expected[..],
                "square {square}"
            );
        }
    }
}
