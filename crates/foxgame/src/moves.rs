//! Moves: steps, and chains of jumps.

use crate::board::{BOARD, Board, Point, PointSet, TABLE, WAYS, shift};
use std::collections::{HashMap, HashSet};

/// A step or a chain of jumps. Chains that differ only in the order of their jumps are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The point where the piece starts.
    pub from: Point,
    /// The point where it ends; equal to `from` for a chain that comes back.
    pub to: Point,
    /// The captured sheep; empty for a step.
    pub captured: PointSet,
}

impl Move {
    /// The step from one point to another.
    pub const fn step(from: Point, to: Point) -> Move {
        Move { from, to, captured: PointSet::EMPTY }
    }
}

/// For each parity class, the points that chains from points of that class can jump over, 21 at
/// most. A chain never leaves the parity class of its first point.
const JUMPABLE: [PointSet; 4] = {
    let mut sets = [PointSet::EMPTY; 4];
    let mut index = 0;
    while index < TABLE {
        if let Some(from) = Point::from_index(index) {
            let mut way = 0;
            while way < WAYS.len() {
                let over = shift(PointSet::from_bits(1 << index), way);
                if !shift(over, way).is_empty() {
                    sets[parity_class(from)] = sets[parity_class(from)].or(over);
                }
                way += 1;
            }
        }
        index += 1;
    }
    sets
};

/// The parity class of a point, from 0 to 3: the lowest bits of its row and its column.
const fn parity_class(point: Point) -> usize {
    (point.y() & 1) << 1 | point.x() & 1
}

const STEP: u32 = 1 << 31;
const CAPTURED_BITS: u32 = 21;

impl Move {
    /// The move packed into 32 bits. A step has bit 31 set, `from` in bits 6 to 11 and `to` in bits
    /// 0 to 5. A chain has, from the lowest bit, the captured sheep as a subset of the points that
    /// chains from `from` can jump over (21 bits), `to` without its parities (4 bits), and `from`
    /// (6 bits).
    #[inline]
    pub fn code(self) -> u32 {
        let from = self.from.index() as u32;
        if self.captured.is_empty() {
            return STEP | from << 6 | self.to.index() as u32;
        }
        let jumpable = JUMPABLE[parity_class(self.from)].bits();
        let place = |sheep: Point| (jumpable & ((1 << sheep.index()) - 1)).count_ones();
        let captured = self.captured.into_iter().fold(0, |set, sheep| set | 1 << place(sheep));
        let to = (self.to.y() >> 1 << 2 | self.to.x() >> 1) as u32;
        captured | to << CAPTURED_BITS | from << (CAPTURED_BITS + 4)
    }

    /// The move that a code stands for, which need not be legal in any position; `None` if no move
    /// has this code.
    #[inline]
    pub fn from_code(code: u32) -> Option<Move> {
        if code & STEP != 0 {
            let from = Point::from_index((code >> 6 & 63) as usize)?;
            let to = Point::from_index((code & 63) as usize)?;
            return (code & !STEP < 1 << 12).then_some(Move::step(from, to));
        }
        let from = Point::from_index((code >> (CAPTURED_BITS + 4)) as usize)?;
        let index = (code >> CAPTURED_BITS & 15) as usize;
        let to = Point::new((index & 3) << 1 | from.x() & 1, index >> 2 << 1 | from.y() & 1)?;
        let mut jumpable = JUMPABLE[parity_class(from)].into_iter();
        let mut set = code & ((1 << CAPTURED_BITS) - 1);
        let mut captured = PointSet::EMPTY;
        while set != 0 {
            let Some(sheep) = jumpable.next() else { break };
            if set & 1 != 0 {
                captured.insert(sheep);
            }
            set >>= 1;
        }
        (set == 0 && !captured.is_empty()).then_some(Move { from, to, captured })
    }
}

/// An unfinished chain of jumps: the fox is on `at`, and its starting point counts as empty.
#[derive(Clone, Copy)]
struct Chain {
    at: Point,
    sheep: PointSet,
    empty: PointSet,
    captured: PointSet,
}

impl Chain {
    fn begin(board: Board, from: Point) -> Chain {
        Chain {
            at: from,
            sheep: board.sheep,
            empty: board.empty().with(from),
            captured: PointSet::EMPTY,
        }
    }

    #[inline]
    fn next(self) -> impl Iterator<Item = Chain> {
        let jumps = self.at.jumps().iter();
        jumps
            .filter(move |jump| self.sheep.contains(jump.over) && self.empty.contains(jump.to))
            .map(move |jump| Chain {
                at: jump.to,
                sheep: self.sheep.without(jump.over),
                empty: self.empty.with(jump.over),
                captured: self.captured.with(jump.over),
            })
    }
}

/// The number of chains from which on duplicates are found by a hash set, not by linear search.
const LINEAR_LIMIT: usize = 64;

impl Board {
    /// Calls `visit` with every step of the sheep, the most advanced sheep first.
    #[inline]
    pub fn each_sheep_move(self, mut visit: impl FnMut(Move)) {
        let empty = self.empty();
        for from in self.sheep {
            (from.ahead() & empty).into_iter().for_each(|to| visit(Move::step(from, to)));
        }
    }

    /// Appends every move of the foxes once: chains of jumps, then steps.
    pub fn fox_moves(self, out: &mut Vec<Move>) {
        self.captures(out);
        let empty = self.empty();
        for from in self.foxes {
            (from.neighbours() & empty).into_iter().for_each(|to| out.push(Move::step(from, to)));
        }
    }

    /// Appends every chain of jumps once.
    #[inline]
    pub fn captures(self, out: &mut Vec<Move>) {
        for from in self.foxes {
            let mut found = ListedChains { first: out.len(), many: HashSet::new() };
            found.follow(Chain::begin(self, from), from, out);
        }
    }

    /// Whether a fox can make this chain of jumps.
    pub fn allows_chain(self, mv: Move) -> bool {
        self.foxes.contains(mv.from) && !mv.captured.is_empty() && self.find_path(mv).is_some()
    }

    /// All stops of a legal move, its start and its end included. Of several paths of a chain it
    /// is the one that comes first in the order of the jump tables.
    pub fn stops(self, mv: Move) -> Vec<Point> {
        if mv.captured.is_empty() {
            return vec![mv.from, mv.to];
        }
        self.find_path(mv).map_or(Vec::new(), |path| path.stops[..path.count].to_vec())
    }

    fn find_path(self, mv: Move) -> Option<Path> {
        let mut path = Path { stops: [mv.from; MOST_STOPS], count: 1 };
        path.finish(Chain::begin(self, mv.from), mv, &mut DeadEnds::none(mv.from)).then_some(path)
    }

    /// The number of orders in which a chain can capture its sheep; 1 for a step.
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

    /// The number of moves of the foxes, where a chain counts once for each order of its jumps.
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

/// Calls `visit` with the end, the captured sheep and the number of jump orders of every chain that
/// captures only sheep in `allowed`. The search is breadth-first and merges chains of one length
/// with the same effect, because a board may have millions of orders.
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

struct ListedChains {
    /// The index of the first of them in the move list.
    first: usize,
    /// All of them, once there are at least [`LINEAR_LIMIT`]; empty before.
    many: HashSet<Move>,
}

impl ListedChains {
    fn follow(&mut self, chain: Chain, from: Point, out: &mut Vec<Move>) {
        for next in chain.next() {
            let mv = Move { from, to: next.at, captured: next.captured };
            // What follows depends only on the fox's point and the captured sheep.
            if self.is_new(mv, out) {
                out.push(mv);
                self.follow(next, from, out);
            }
        }
    }

    #[inline]
    fn is_new(&mut self, mv: Move, out: &[Move]) -> bool {
        let listed = &out[self.first..];
        if listed.len() < LINEAR_LIMIT {
            return !listed.contains(&mv);
        }
        if self.many.is_empty() {
            self.many.extend(listed);
        }
        self.many.insert(mv)
    }
}

const MOST_STOPS: usize = CAPTURED_BITS as usize + 1;

/// The stops of a chain. A fixed array, because the search validates the moves of its transposition
/// table with it and must not allocate.
struct Path {
    stops: [Point; MOST_STOPS],
    count: usize,
}

impl Path {
    /// Completes the path of `mv` by depth-first search and returns whether it exists.
    fn finish(&mut self, chain: Chain, mv: Move, dead: &mut DeadEnds) -> bool {
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

/// The points and captured sheep from which a path cannot be completed: the first 32 in an array,
/// the rest in a hash set.
struct DeadEnds {
    few: [(Point, PointSet); 32],
    count: usize,
    many: HashSet<(Point, PointSet)>,
}

impl DeadEnds {
    /// The empty set; `any` is a point that fills the unused entries.
    fn none(any: Point) -> DeadEnds {
        DeadEnds { few: [(any, PointSet::EMPTY); 32], count: 0, many: HashSet::new() }
    }

    fn contains(&self, at: Point, captured: PointSet) -> bool {
        self.few[..self.count].contains(&(at, captured)) || self.many.contains(&(at, captured))
    }

    fn insert(&mut self, at: Point, captured: PointSet) {
        if let Some(place) = self.few.get_mut(self.count) {
            *place = (at, captured);
            self.count += 1;
        } else {
            self.many.insert((at, captured));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_code_gives_a_move_with_that_code_or_none() {
        for counter in 0..200_000 {
            let code = engine::split_mix(counter) as u32;
            for code in [code, code & (STEP | 0xFFF), code & 0x7E00_1041] {
                if let Some(mv) = Move::from_code(code) {
                    assert_eq!(mv.code(), code);
                }
            }
        }
        assert_eq!(JUMPABLE.map(PointSet::len).into_iter().max(), Some(CAPTURED_BITS));
        assert_eq!(Move::from_code(u32::MAX), None);
    }

    #[test]
    fn the_thickest_board_of_chains_is_listed_without_trouble() {
        // All landing points are empty, and most points between them hold a sheep.
        let from = Point::new(4, 2).unwrap();
        let over = JUMPABLE[parity_class(from)];
        let board =
            Board { foxes: PointSet::one(from), sheep: over.into_iter().take(20).collect() };
        let mut moves = Vec::new();
        board.captures(&mut moves);
        let longest = *moves.iter().max_by_key(|mv| mv.captured.len()).unwrap();
        assert_eq!(board.stops(longest).len() as u32, longest.captured.len() + 1);
        assert!(board.count_fox_moves() > moves.len() as u64);
    }
}
