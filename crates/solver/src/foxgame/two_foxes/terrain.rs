//! FOX's turn on a flock, for all sets of foxes at once.

use super::super::moves::opposite;
use super::bits::Bits;
use super::words::{Layout, MOST_EMPTY, Rows, Word, each_bit, get, pair, put};
use foxgame::board::{BOARD, PEN, PointSet, WAYS, shift};

/// Returns the number of an empty point in reading order, from the bits of the empty points and that of the point.
#[inline(always)]
pub(crate) fn number(empty: u64, point: u64) -> usize {
    (empty & (point - 1)).count_ones() as usize
}

/// A fox's jump over a sheep: the sheep's bit, and the numbers of the points from which and to which the fox jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub over: u64,
    pub from: u8,
    pub to: u8,
}

/// The empty points of a flock and the ways between them. Sets of points are bits by their numbers.
pub(crate) struct Terrain {
    /// The bits of the empty points on the board.
    pub empty: u64,
    /// For each group of four points and each of its subsets, the points one step away from any of it.
    beside: [[u32; 16]; MOST_EMPTY / 4],
    /// The points one step or one jump away. The relation is symmetric, as every line can be walked both ways.
    ways: [u32; MOST_EMPTY],
    /// The jumps, those over one sheep in a row.
    pub jumps: Vec<Jump>,
    /// The points that no line joins to another empty point.
    closed: u32,
    /// The points with one single way, where the other fox may stand.
    narrow: u32,
}

/// For each point, the points that a line joins to it.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let point = BOARD.and(PointSet::from_bits(1 << index));
        let mut way = 0;
        while way < WAYS.len() {
            table[index] |= shift(point, way).bits();
            way += 1;
        }
        index += 1;
    }
    table
};

impl Terrain {
    /// Creates an empty terrain, to be filled by [`Terrain::set`].
    pub(crate) fn new() -> Terrain {
        let none = [0; MOST_EMPTY];
        let beside = [[0; 16]; MOST_EMPTY / 4];
        Terrain { empty: 0, beside, ways: none, jumps: Vec::with_capacity(64), closed: 0, narrow: 0 }
    }

    /// Computes the terrain of a flock.
    #[inline(always)]
    pub(crate) fn set<B: Bits>(&mut self, sheep: PointSet) {
        let empty = (BOARD - sheep).bits();
        self.empty = empty;
        let mut x = 0;
        each_bit!(empty, index, {
            self.ways[x] = B::gather(NEIGHBOURS[index & 63], empty) as u32;
            x += 1;
        });
        for (group, beside) in self.beside.iter_mut().enumerate().take(x.div_ceil(4)) {
            for place in 0..4 {
                // Points beyond the last have no step.
                let steps = if 4 * group + place < x { self.ways[4 * group + place] } else { 0 };
                for subset in 0..1 << place {
                    beside[subset | 1 << place] = beside[subset] | steps;
                }
            }
        }
        self.jumps.clear();
        let open = PointSet::from_bits(empty);
        let (mut over, mut taken_any) = ([0; WAYS.len()], 0);
        for way in 0..WAYS.len() {
            over[way] = (shift(open, way) & sheep & shift(open, opposite(way))).bits();
            taken_any |= over[way];
        }
        each_bit!(taken_any, taken, {
            let taken = PointSet::from_bits(1 << taken);
            for way in 0..WAYS.len() {
                if over[way] & taken.bits() != 0 {
                    let from = number(empty, shift(taken, opposite(way)).bits());
                    let to = number(empty, shift(taken, way).bits());
                    self.jumps.push(Jump { over: taken.bits(), from: from as u8, to: to as u8 });
                    self.ways[from & 31] |= 1 << to;
                }
            }
        });
        (self.closed, self.narrow) = (0, 0);
        for (x, &ways) in self.ways[..x].iter().enumerate() {
            self.closed |= u32::from(ways == 0) << x;
            self.narrow |= u32::from(ways != 0 && ways & (ways - 1) == 0) << x;
        }
    }

    /// Returns the sets of foxes that fill the pen together with the flock: there the game is over and SHEEP has won.
    #[inline(always)]
    pub(crate) fn full_pen<const N: usize>(&self, layout: &Layout<N>) -> Word<N> {
        let open = PEN.bits() & self.empty;
        let mut found = [0; N];
        match open.count_ones() {
            0 => return layout.full,
            1 => {
                let only = number(self.empty, open);
                for x in 0..layout.points {
                    put(&mut found, if x == only { layout.single(x) } else { pair(x, only) }, true);
                }
            }
            2 => {
                let low = open & open.wrapping_neg();
                put(&mut found, pair(number(self.empty, low), number(self.empty, open - low)), true);
            }
            _ => {}
        }
        found
    }

    /// Returns, for a fox that has just moved to any point `x`, with the other on `y`, whether SHEEP succeeds with SHEEP to
    /// move: bit `x` of entry `y`. A fox that the mover has shut in is removed first; the mover can always go back.
    #[inline(always)]
    fn after_move(&self, rows: &Rows, y: usize) -> u32 {
        let bit = 1 << y;
        if self.closed & bit != 0 {
            rows.single
        } else if self.narrow & bit != 0 {
            rows.rows[y] & !self.ways[y] | rows.single & self.ways[y]
        } else {
            rows.rows[y]
        }
    }

    /// Returns the points from which one step leads to a point of the set.
    #[inline(always)]
    fn beside(&self, points: u32) -> u32 {
        let mut found = 0;
        for (group, beside) in self.beside.iter().enumerate() {
            found |= beside[(points >> (4 * group) & 15) as usize];
        }
        found
    }

    /// Returns the sets of foxes with which SHEEP succeeds with FOX to move, stuck foxes still to be removed. `after` has
    /// those with SHEEP to move, `safe` those from which every capture leads to a success of SHEEP, `full` those that fill
    /// the pen.
    #[inline(always)]
    pub(crate) fn fox_to_move<const N: usize>(
        &self,
        layout: &Layout<N>,
        after: &Word<N>,
        safe: &Word<N>,
        full: &Word<N>,
    ) -> Word<N> {
        let points = layout.points;
        let all = (1u32 << points) - 1;
        let rows = layout.rows(after);
        // Below the diagonal: the pairs that a step of the fox on the other point spoils, and of this one.
        let mut spoilt = Rows { rows: [0; MOST_EMPTY], single: self.beside(all & !rows.single) };
        for y in 0..points {
            let bad = all & !self.after_move(&rows, y) & !(1 << y);
            let from = self.beside(bad);
            spoilt.rows[y] |= from;
            each_bit!(from >> y >> 1 << y << 1, x, {
                spoilt.rows[x & 31] |= 1 << y;
            });
        }
        let mut found = layout.word(&spoilt);
        for at in 0..N {
            found[at] = layout.full[at] & !found[at] & safe[at] | full[at];
        }
        self.without_stuck(layout, found)
    }

    /// Returns the sets with each replaced by what it is after stuck foxes are removed; with no fox left SHEEP has won.
    #[inline(always)]
    fn without_stuck<const N: usize>(&self, layout: &Layout<N>, word: Word<N>) -> Word<N> {
        let mut found = word;
        each_bit!(self.closed, x, {
            put(&mut found, layout.single(x), true);
            for y in 0..layout.points {
                if y != x {
                    put(&mut found, pair(x, y), self.closed >> y & 1 != 0 || get(&word, layout.single(y)));
                }
            }
        });
        each_bit!(self.narrow, x, {
            let y = self.ways[x & 31].trailing_zeros() as usize;
            let both = self.narrow >> y & 1 != 0;
            put(&mut found, pair(x, y), both || get(&word, layout.single(y)));
        });
        found
    }

    /// Returns the sets of foxes with which every capture leads to a success of SHEEP. `spoilt` has, by the number of the
    /// point from which a fox jumps, the places of the other fox with which one does not, and the point itself if one does
    /// not with a single fox.
    #[inline(always)]
    pub(crate) fn safe<const N: usize>(&self, layout: &Layout<N>, spoilt: &[u32; MOST_EMPTY]) -> Word<N> {
        let mut safe = layout.full;
        for (x, &spoilt) in spoilt.iter().enumerate().take(layout.points) {
            each_bit!(spoilt, y, {
                put(&mut safe, if x == y { layout.single(x) } else { pair(x, y) }, false);
            });
        }
        safe
    }

    /// Returns, for a fox that has just jumped to any point `x`, the places `y` of the other with which SHEEP succeeds, the
    /// bit `x` itself for a single fox. FOX may stop or jump on; `spoilt` is as in [`Terrain::safe`].
    #[inline(always)]
    pub(crate) fn landed<const N: usize>(
        &self,
        layout: &Layout<N>,
        after: &Word<N>,
        spoilt: &[u32; MOST_EMPTY],
    ) -> [u32; MOST_EMPTY] {
        let rows = layout.rows(after);
        let mut found = [0; MOST_EMPTY];
        for y in 0..layout.points {
            each_bit!(self.after_move(&rows, y) & !(1 << y) | rows.single & 1 << y, x, {
                found[x & 31] |= 1 << y;
            });
        }
        for x in 0..layout.points {
            found[x] &= !spoilt[x];
        }
        found
    }

    /// Returns the captures' `spoilt` (see [`Terrain::safe`]) if any capture fails for SHEEP.
    #[inline(always)]
    pub(crate) fn all_captures_spoil(&self, all: u32) -> [u32; MOST_EMPTY] {
        let mut spoilt = [0; MOST_EMPTY];
        for jump in &self.jumps {
            // The other fox prevents the jump where it lands.
            spoilt[usize::from(jump.from) & 31] |= all & !(1 << jump.to);
        }
        spoilt
    }
}
