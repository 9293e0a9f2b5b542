//! Moves: steps, and chains of jumps that are one move when they take the same sheep and end on the same point.

use crate::board::{BOARD, Board, Point, PointSet, TABLE, WAYS, shift};
use std::collections::{HashMap, HashSet};

/// A move: the piece that moves, where it ends, and the sheep it takes on the way. Chains that differ only in the order
/// of their jumps have the same effect and are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The point where the piece stands.
    pub from: Point,
    /// The point where it ends; equal to `from` for a chain that comes back.
    pub to: Point,
    /// The sheep that are jumped; none for a step.
    pub captured: PointSet,
}

impl Move {
    /// The step from one point to another.
    #[must_use]
    pub const fn step(from: Point, to: Point) -> Move {
        Move { from, to, captured: PointSet::EMPTY }
    }
}

/// For each parity of row and column: the points that a chain can jump over from points of that parity, 21 at most. A
/// chain keeps to the parity of its first point.
const BETWEEN: [PointSet; 4] = {
    let mut sets = [PointSet::EMPTY; 4];
    let mut index = 0;
    while index < TABLE {
        if let Some(from) = Point::from_index(index) {
            let mut way = 0;
            while way < WAYS.len() {
                let over = shift(PointSet::from_bits(1 << index), way);
                if !shift(over, way).is_empty() {
                    sets[class(from)] = sets[class(from)].or(over);
                }
                way += 1;
            }
        }
        index += 1;
    }
    sets
};

const fn class(point: Point) -> usize {
    (point.y() & 1) << 1 | point.x() & 1
}

const STEP: u32 = 1 << 31;
const CAPTURED_BITS: u32 = 21;

impl Move {
    /// A code of 32 bits. Steps: bit 31, `from` from bit 6, `to`. Chains, from the lowest: the captured sheep as a subset
    /// of the points that chains from there can jump over (21 bits), `to` without its parities (4 bits), `from` (6 bits).
    #[inline]
    #[must_use]
    pub fn code(self) -> u32 {
        let from = self.from.index() as u32;
        if self.captured.is_empty() {
            return STEP | from << 6 | self.to.index() as u32;
        }
        let between = BETWEEN[class(self.from)].bits();
        let place = |sheep: Point| (between & ((1 << sheep.index()) - 1)).count_ones();
        let captured = self.captured.into_iter().fold(0, |set, sheep| set | 1 << place(sheep));
        let to = (self.to.y() >> 1 << 2 | self.to.x() >> 1) as u32;
        captured | to << CAPTURED_BITS | from << (CAPTURED_BITS + 4)
    }

    /// The move with a code, whether or not it is legal anywhere.
    #[inline]
    #[must_use]
    pub fn by_code(code: u32) -> Option<Move> {
        if code & STEP != 0 {
            let (from, to) = (Point::from_index((code >> 6 & 63) as usize)?, Point::from_index((code & 63) as usize)?);
            return (code & !STEP < 1 << 12).then_some(Move::step(from, to));
        }
        let from = Point::from_index((code >> (CAPTURED_BITS + 4)) as usize)?;
        let index = (code >> CAPTURED_BITS & 15) as usize;
        let to = Point::new((index & 3) << 1 | from.x() & 1, index >> 2 << 1 | from.y() & 1)?;
        let mut between = BETWEEN[class(from)].into_iter();
        let mut set = code & ((1 << CAPTURED_BITS) - 1);
        let mut captured = PointSet::EMPTY;
        while set != 0
            && let Some(sheep) = between.next()
        {
            if set & 1 != 0 {
                captured.insert(sheep);
            }
            set >>= 1;
        }
        (set == 0 && !captured.is_empty()).then_some(Move { from, to, captured })
    }
}

/// A chain under way: the fox is on `at`, and its starting point counts as empty.
#[derive(Clone, Copy)]
struct Chain {
    at: Point,
    sheep: PointSet,
    empty: PointSet,
    captured: PointSet,
}

impl Chain {
    fn begin(board: Board, from: Point) -> Chain {
        Chain { at: from, sheep: board.sheep, empty: board.empty().with(from), captured: PointSet::EMPTY }
    }

    #[inline]
    fn next(self) -> impl Iterator<Item = Chain> {
        let jumps = self.at.jumps().iter();
        jumps.filter(move |jump| self.sheep.contains(jump.over) && self.empty.contains(jump.to)).map(move |jump| {
            Chain {
                at: jump.to,
                sheep: self.sheep.without(jump.over),
                empty: self.empty.with(jump.over),
                captured: self.captured.with(jump.over),
            }
        })
    }
}

/// The most chains that are compared one by one; beyond, a hash set remembers them.
const FEW: usize = 64;

impl Board {
    /// Every step of the sheep, the most advanced sheep first.
    #[inline]
    pub fn each_sheep_move(self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in self.sheep {
            (from.ahead() & empty).into_iter().for_each(|to| visit(Move::step(from, to)));
        }
    }

    /// Appends every move of the foxes, each once: chains of jumps, then steps.
    pub fn fox_moves(self, out: &mut Vec<Move>) {
        self.captures(out);
        let empty = self.empty();
        for from in self.foxes {
            (from.neighbours() & empty).into_iter().for_each(|to| out.push(Move::step(from, to)));
        }
    }

    /// Appends every chain of jumps, each once.
    #[inline]
    pub fn captures(self, out: &mut Vec<Move>) {
        for from in self.foxes {
            let mut found = Found { first: out.len(), many: HashSet::new() };
            found.follow(Chain::begin(self, from), from, out);
        }
    }

    /// Whether a fox can make this chain of jumps.
    #[must_use]
    pub fn allows_chain(self, mv: Move) -> bool {
        self.foxes.contains(mv.from) && !mv.captured.is_empty() && self.find_path(mv).is_some()
    }

    /// The first path of a chain, every stop of it: the one that takes its turns in the order of the jump tables. `None`
    /// if there is no such chain.
    #[must_use]
    pub fn path(self, mv: Move) -> Option<Vec<Point>> {
        self.find_path(mv).map(|path| path.stops[..path.count].to_vec())
    }

    fn find_path(self, mv: Move) -> Option<Path> {
        let mut path = Path { stops: [mv.from; MOST_STOPS], count: 1 };
        path.finish(Chain::begin(self, mv.from), mv, &mut Dead::none(mv.from)).then_some(path)
    }

    /// The number of orders in which the sheep of a chain can be jumped; 1 for a step.
    #[must_use]
    pub fn perft_weight(self, mv: Move) -> u64 {
        if mv.captured.is_empty() {
            return 1;
        }
        let mut orders = 0;
        each_effect(Chain::begin(self, mv.from), mv.captured, |at, captured, paths| {
            if (at, captured) == (mv.to, mv.captured) {
                orders = paths;
            }
        });
        orders
    }

    /// The moves of the foxes, chains counted once for each order of their jumps.
    #[must_use]
    pub fn count_fox_moves(self) -> u64 {
        let empty = self.empty();
        let mut count = 0;
        for from in self.foxes {
            count += u64::from((from.neighbours() & empty).len());
            each_effect(Chain::begin(self, from), BOARD, |_, _, paths| count += paths);
        }
        count
    }
}

/// Calls `visit` with every end and set of captured sheep, out of those allowed, that a chain can have, and in how many
/// orders of jumps. Chains of one length that have the same effect go on together: there may be millions of orders.
fn each_effect(start: Chain, allowed: PointSet, mut visit: impl FnMut(Point, PointSet, u64)) {
    let mut layer = vec![(start, 1)];
    while !layer.is_empty() {
        let mut longer: HashMap<(Point, PointSet), (Chain, u64)> = HashMap::new();
        for &(chain, paths) in &layer {
            for next in chain.next().filter(|next| next.captured.is_within(allowed)) {
                longer.entry((next.at, next.captured)).or_insert((next, 0)).1 += paths;
            }
        }
        longer.iter().for_each(|(&(at, captured), &(_, paths))| visit(at, captured, paths));
        layer = longer.into_values().collect();
    }
}

/// The chains of one fox that are already listed.
struct Found {
    /// Where they begin in the list.
    first: usize,
    /// All of them, once there are more than a [`FEW`].
    many: HashSet<Move>,
}

impl Found {
    fn follow(&mut self, chain: Chain, from: Point, out: &mut Vec<Move>) {
        for next in chain.next() {
            let mv = Move { from, to: next.at, captured: next.captured };
            // What follows depends only on where the fox is and what it has taken.
            if self.is_new(mv, out) {
                out.push(mv);
                self.follow(next, from, out);
            }
        }
    }

    #[inline]
    fn is_new(&mut self, mv: Move, out: &[Move]) -> bool {
        let listed = &out[self.first..];
        if listed.len() < FEW {
            return !listed.contains(&mv);
        }
        if self.many.is_empty() {
            self.many.extend(listed);
        }
        self.many.insert(mv)
    }
}

/// The most stops of a chain: one for each of its sheep, and where it begins.
const MOST_STOPS: usize = CAPTURED_BITS as usize + 1;

/// The stops of a chain. Paths are looked for in the search, for moves of its table: no memory is allocated for them.
struct Path {
    stops: [Point; MOST_STOPS],
    count: usize,
}

impl Path {
    /// Completes a path; `dead` keeps what led nowhere.
    fn finish(&mut self, chain: Chain, mv: Move, dead: &mut Dead) -> bool {
        if chain.captured == mv.captured {
            return chain.at == mv.to;
        }
        for next in chain.next().filter(|next| next.captured.is_within(mv.captured)) {
            if dead.contains(next.at, next.captured) {
                continue;
            }
            self.stops[self.count] = next.at;
            self.count += 1;
            if self.finish(next, mv, dead) {
                return true;
            }
            self.count -= 1;
            dead.insert(next.at, next.captured);
        }
        false
    }
}

/// Ends and captured sheep from which a chain cannot be completed; a hash set only where they are many.
struct Dead {
    few: [(Point, PointSet); 32],
    count: usize,
    many: HashSet<(Point, PointSet)>,
}

impl Dead {
    /// No dead ends yet; `any` fills the places that do not count.
    fn none(any: Point) -> Dead {
        Dead { few: [(any, PointSet::EMPTY); 32], count: 0, many: HashSet::new() }
    }

    fn contains(&self, at: Point, captured: PointSet) -> bool {
        self.few[..self.count].contains(&(at, captured)) || self.many.contains(&(at, captured))
    }

    fn insert(&mut self, at: Point, captured: PointSet) {
        match self.few.get_mut(self.count) {
            Some(place) => {
                *place = (at, captured);
                self.count += 1;
            }
            None => {
                self.many.insert((at, captured));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_between_fit_their_bits() {
        assert_eq!(BETWEEN.map(PointSet::len).into_iter().max(), Some(CAPTURED_BITS));
    }

    #[test]
    fn any_code_gives_a_move_with_that_code_or_none() {
        for counter in 0..200_000 {
            let code = engine::split_mix(counter) as u32;
            for code in [code, code & (STEP | 0xFFF), code & 0x7E00_1041] {
                if let Some(mv) = Move::by_code(code) {
                    assert_eq!(mv.code(), code);
                }
            }
        }
        assert_eq!(Move::by_code(u32::MAX), None);
    }

    #[test]
    fn the_thickest_board_of_chains_is_listed_without_trouble() {
        // The landing points are free and most points between them hold a sheep.
        let from = Point::new(4, 2).unwrap();
        let over = BETWEEN[class(from)];
        let board = Board { foxes: PointSet::one(from), sheep: over.into_iter().take(20).collect() };
        let mut moves = Vec::new();
        board.captures(&mut moves);
        let longest = moves.iter().max_by_key(|mv| mv.captured.len()).unwrap();
        let path = board.path(*longest).unwrap();
        assert_eq!(path.len() as u32, longest.captured.len() + 1);
        let orders = board.count_fox_moves();
        assert!(orders > moves.len() as u64);
        println!("{} chains in {orders} orders, the longest of {} jumps", moves.len(), path.len() - 1);
    }
}
