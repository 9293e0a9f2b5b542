//! FOX's turn on a flock, for all sets of foxes at once.

use super::bits::Bits;
use super::fox_sets::{Layout, Word, each_bit, get, put};
use super::square::Square;
use crate::pairs::{number, pair};
use foxgame::board::{BOARD, PEN, PointSet, WAYS, opposite, shift};

/// A fox's jump over a sheep: the sheep's bit, and the numbers of the points from which and to
/// which the fox jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub over: u64,
    pub from: u8,
    pub to: u8,
}

/// The empty points of a flock and the ways between them. Sets of points are bits by their numbers.
pub(crate) struct Terrain<S> {
    /// The bits of the empty points on the board.
    pub empty: u64,
    /// The points one step away.
    steps: S,
    /// The points from which no step and no jump leads.
    closed: u32,
    /// The points with one single way, where the other fox may stand.
    narrow: u32,
    /// For each such point, where its way leads.
    way: [u8; 32],
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

/// Returns those of the empty points from which at most one step leads. From the others a fox has a
/// step, wherever the other stands.
#[inline(always)]
pub(crate) fn with_few_steps(empty: u64) -> u64 {
    let (mut one, mut two) = (0, 0);
    for way in 0..WAYS.len() {
        let step = shift(PointSet::from_bits(empty), way).bits();
        two |= one & step;
        one |= step;
    }
    empty & !two
}

/// Lists the jumps of single foxes over a flock, in the order of the sheep.
#[inline(always)]
pub(crate) fn list_jumps(sheep: PointSet, jumps: &mut Vec<Jump>) {
    jumps.clear();
    let open = BOARD - sheep;
    let empty = open.bits();
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
                jumps.push(Jump { over: taken.bits(), from: from as u8, to: to as u8 });
            }
        }
    });
}

/// Returns the sets of foxes that fill the pen together with the flock: there the game is over and
/// SHEEP has won.
#[inline(always)]
pub(crate) fn full_pen<const N: usize>(layout: &Layout<N>, empty: u64) -> Word<N> {
    let open = PEN.bits() & empty;
    let mut found = [0; N];
    match open.count_ones() {
        0 => return layout.full,
        1 => {
            let only = number(empty, open);
            for x in 0..layout.points {
                put(&mut found, pair(x, only), true);
            }
        }
        2 => {
            let low = open & open.wrapping_neg();
            put(&mut found, pair(number(empty, low), number(empty, open - low)), true);
        }
        _ => {}
    }
    found
}

impl<S: Square> Terrain<S> {
    /// Computes the terrain of a flock.
    #[inline(always)]
    pub(crate) fn of<B: Bits>(sheep: PointSet) -> Terrain<S> {
        let empty = (BOARD - sheep).bits();
        let mut terrain = Terrain { empty, steps: S::EMPTY, closed: 0, narrow: 0, way: [0; 32] };
        let mut x = 0;
        each_bit!(empty, index, {
            terrain.steps.set_row(x, B::gather(NEIGHBOURS[index & 63], empty) as u32);
            x += 1;
        });
        let few = with_few_steps(empty);
        if few != 0 {
            terrain.look_for_jumps(sheep, few);
        }
        terrain
    }

    /// Notes which of some points, from which at most one step leads, are closed or narrow.
    #[inline(always)]
    fn look_for_jumps(&mut self, sheep: PointSet, few: u64) {
        let open = PointSet::from_bits(self.empty);
        let (mut one, mut two) = (0, 0);
        for way in 0..WAYS.len() {
            let back = opposite(way);
            let beside = shift(open, back);
            let ways = (beside | shift(shift(open, back) & sheep, back)).bits();
            two |= one & ways;
            one |= ways;
        }
        each_bit!(few & !two, index, {
            let x = number(self.empty, 1 << index) & 31;
            let mut ways = self.steps.row(x);
            if ways == 0 && one >> index & 1 != 0 {
                ways = self.jumps_from(sheep, index);
            }
            self.closed |= u32::from(ways == 0) << x;
            if ways != 0 {
                self.narrow |= 1 << x;
                self.way[x] = ways.trailing_zeros() as u8;
            }
        });
    }

    /// Returns the points to which jumps lead from a point.
    #[inline(always)]
    fn jumps_from(&self, sheep: PointSet, index: usize) -> u32 {
        let mut found = 0;
        for way in 0..WAYS.len() {
            let to =
                shift(shift(PointSet::from_bits(1 << index), way) & sheep, way).bits() & self.empty;
            if to != 0 {
                found |= 1 << number(self.empty, to);
            }
        }
        found
    }

    /// Returns, from the sets with which SHEEP succeeds with SHEEP to move, the same by the fox
    /// that has just moved: in row `x` the places of the other fox, if `x` is where the mover
    /// stands. A fox that the mover has shut in is removed first; the mover can always go back.
    #[inline(always)]
    fn after_move(&self, after: &S, single: u32) -> S {
        let mut found = *after;
        if self.closed != 0 {
            found.remove(self.closed);
            found.add(single, self.closed);
        }
        each_bit!(self.narrow, y, {
            let x = usize::from(self.way[y & 31]);
            found.set_row(x, found.row(x) & !(1 << y) | (single >> x & 1) << y);
        });
        found
    }

    /// Returns the sets of foxes with which SHEEP succeeds with FOX to move, stuck foxes still to
    /// be removed. `after` has those with SHEEP to move, `safe` those from which every capture
    /// leads to a success of SHEEP, `full` those that fill the pen.
    #[inline(always)]
    pub(crate) fn fox_to_move<B: Bits, const N: usize>(
        &self,
        layout: &Layout<N>,
        after: &Word<N>,
        safe: &Word<N>,
        full: &Word<N>,
    ) -> Word<N> {
        let all = (1u32 << layout.points) - 1;
        let after = S::of_word::<B, N>(after);
        let single = after.diagonal();
        let moved = self.after_move(&after, single);
        // For each place of the mover, the places of the other that spoil a step.
        let mut spoilt = S::EMPTY;
        for to in 0..layout.points {
            spoilt.add(self.steps.row(to), !moved.row(to) & all & !(1 << to));
        }
        let alone = self.steps.rows_with(!single & all);
        let spoilt = spoilt.or(&spoilt.transposed::<B>()).with_diagonal(alone);
        let mut found = spoilt.word::<B, N>();
        for at in 0..N {
            found[at] = layout.full[at] & !found[at] & safe[at] | full[at];
        }
        self.without_stuck(layout, found)
    }

    /// Returns the sets with each replaced by what it is after stuck foxes are removed; with no fox
    /// left SHEEP has won.
    #[inline(always)]
    fn without_stuck<const N: usize>(&self, layout: &Layout<N>, word: Word<N>) -> Word<N> {
        let mut found = word;
        each_bit!(self.closed, x, {
            put(&mut found, pair(x, x), true);
            for y in 0..layout.points {
                if y != x {
                    put(
                        &mut found,
                        pair(x, y),
                        self.closed >> y & 1 != 0 || get(&word, pair(y, y)),
                    );
                }
            }
        });
        each_bit!(self.narrow, x, {
            let y = usize::from(self.way[x & 31]);
            let both = self.narrow >> y & 1 != 0;
            put(&mut found, pair(x, y), both || get(&word, pair(y, y)));
        });
        found
    }

    /// Returns, for a fox that has just jumped to any point `x` and stops there, the places `y` of
    /// the other with which SHEEP succeeds, the bit `x` itself for a single fox.
    #[inline(always)]
    pub(crate) fn landed<B: Bits, const N: usize>(&self, after: &Word<N>) -> S {
        let after = S::of_word::<B, N>(after);
        let single = after.diagonal();
        self.after_move(&after, single).with_diagonal(single)
    }
}

/// Returns the sets of foxes with which every capture leads to a success of SHEEP. `spoilt` has, by
/// the number of the point from which a fox jumps, the places of the other fox with which one does
/// not, and the point itself if one does not with a single fox.
#[inline(always)]
pub(crate) fn safe<B: Bits, S: Square, const N: usize>(layout: &Layout<N>, spoilt: &S) -> Word<N> {
    let mut safe = spoilt.or(&spoilt.transposed::<B>()).word::<B, N>();
    for at in 0..N {
        safe[at] = layout.full[at] & !safe[at];
    }
    safe
}

/// Returns the captures' `spoilt` (see [`safe`]) if any capture fails for SHEEP.
#[inline(always)]
pub(crate) fn all_captures_spoil<S: Square>(jumps: &[Jump], all: u32) -> S {
    let mut spoilt = S::EMPTY;
    for jump in jumps {
        // The other fox prevents the jump where it lands.
        let from = usize::from(jump.from);
        spoilt.set_row(from, spoilt.row(from) | all & !(1 << jump.to));
    }
    spoilt
}
