//! The end of a game whose armies have passed each other: what is left is a race, so one side's moves alone are searched
//! for the fewest that fill the camp.
//!
//! A beam search over sets of own pieces finds a plan at once and better ones as it widens; an exhaustive search below
//! its length then proves the plan shortest where that is within reach.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, Square, Squares, WHITE};
use crate::farthest::Farthest;
use crate::jumps::{Jumps, Nets};
use crate::race_worths::{FARTHEST, RACE_WORTH};
use crate::rules::{Move, Position, piece_key};
use engine::{Game, Side};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of Zobrist keys, which need no hashing.
type Keys = HashSet<u64, BuildHasherDefault<KeyItself>>;

/// The hasher of numbers that are random already.
#[derive(Clone, Copy, Default)]
struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A way to fill the camp without the opponent's help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The side's moves, in order; at least one.
    pub moves: Vec<Move>,
    /// Whether no shorter plan exists, which is then proven.
    pub shortest: bool,
}

/// The widest beam, in positions a move.
const WIDEST: usize = 1 << 16;
/// The narrowest beam, in positions a move: a plan of fifteen moves takes it less than a millisecond.
const NARROWEST: usize = 4;
/// How many times as wide the next beam is.
const WIDER: usize = 4;
/// The effort, in positions a move, from which on it is tried to prove a plan the shortest: less is better spent on a wider
/// beam.
const LEAST_PROOF: usize = 1_024;
/// The most moves that a plan may take.
const LONGEST: usize = 90;

/// Whether the armies have passed each other for good: no piece can touch an opponent's again unless it turns back.
#[must_use]
pub fn has_begun(position: &Position) -> bool {
    let sums = |side| position.pieces(side).into_iter().map(|square| square.x() + square.y());
    let (black, white) = (sums(BLACK).min(), sums(WHITE).max());
    let apart = matches!((black, white), (Some(black), Some(white)) if black >= white + 3);
    apart && position.pieces(position.side_to_move()).and(CAMPS[position.side_to_move().index()]).is_empty()
}

/// The steps between a side's farthest piece outside its target and the nearest hole; 0 if there is none.
#[must_use]
pub fn steps_of_farthest(position: &Position, side: Side) -> u8 {
    let target = Position::target(side);
    let open = target.minus(position.pieces(side.other()));
    Farthest::new(open.minus(position.pieces(side)), position.pieces(side).minus(target)).steps()
}

/// The shortest plan found for the side to move, as if the opponent stood still. `stop` ends the search when it returns
/// true; it is asked every 128 positions, and told whether there is a plan by then. `None` if no plan was found in that time.
#[must_use]
pub fn plan(position: &Position, mut stop: impl FnMut(bool) -> bool) -> Option<Plan> {
    let mut racer = Racer::new(position, &mut stop);
    let mut best: Option<Vec<Move>> = None;
    let mut width = NARROWEST;
    while width <= WIDEST && !racer.stopped {
        let longest = best.as_ref().map_or(LONGEST, |moves| moves.len() - 1);
        if let Some(shorter) = racer.beam(width, longest) {
            let shortest = shorter.len() as u32 <= racer.least_moves(racer.start);
            racer.has_plan = true;
            best = Some(shorter);
            if shortest {
                return best.map(|moves| Plan { moves, shortest });
            }
        }
        width *= WIDER;
        if best.is_some() && width >= LEAST_PROOF && !racer.stopped && racer.exhaust_below(best.as_ref()?.len(), width)
        {
            return best.map(|moves| Plan { moves, shortest: true });
        }
    }
    best.map(|moves| Plan { moves, shortest: false })
}

struct Racer<'a> {
    side: Side,
    start: Squares,
    /// The opponent's pieces, which stand still, and the jumps over them alone.
    others: Squares,
    jumps: Jumps,
    /// Squares of the camp that have to be filled.
    open: Squares,
    /// The opposing camp, which no piece leaves, and one's own, which none enters again.
    target: Squares,
    camp: Squares,
    stop: &'a mut dyn FnMut(bool) -> bool,
    stopped: bool,
    has_plan: bool,
    expanded: u64,
}

/// A position of a beam's layer.
#[derive(Clone, Copy)]
struct Reached {
    pieces: Squares,
    worth: i32,
    key: u64,
    /// The index in the layer before.
    parent: u32,
    mv: Move,
}

/// A move out of a layer, not made yet.
#[derive(Clone, Copy)]
struct Child {
    score: i32,
    worth: i32,
    key: u64,
    parent: u32,
    mv: Move,
}

/// Leaves at most `width` children, the best, and returns the least score of them. Ties go by the key, so that the result
/// depends on the position alone.
fn keep_best(children: &mut Vec<Child>, width: usize) -> i32 {
    if children.len() > width {
        children.select_nth_unstable_by_key(width - 1, |child| (-child.score, child.key));
        children.truncate(width);
    }
    children.last().map_or(i32::MIN, |child| child.score)
}

impl<'a> Racer<'a> {
    fn new(position: &Position, stop: &'a mut dyn FnMut(bool) -> bool) -> Racer<'a> {
        let side = position.side_to_move();
        let others = position.pieces(side.other());
        let target = Position::target(side);
        let camp = CAMPS[side.index()];
        let start = position.pieces(side);
        let (jumps, open) = (Jumps::new(others), target.minus(others));
        Racer { side, start, others, jumps, open, target, camp, stop, stopped: false, has_plan: false, expanded: 0 }
    }

    /// A lower bound of the moves that fill the camp: the number of its holes, since a move brings in at most one
    /// piece.
    fn least_moves(&self, pieces: Squares) -> u32 {
        self.open.minus(pieces).len()
    }

    fn must_stop(&mut self) -> bool {
        self.expanded += 1;
        self.stopped |= self.expanded.is_multiple_of(128) && (self.stop)(self.has_plan);
        self.stopped
    }

    fn each_move(&self, pieces: Squares, mut visit: impl FnMut(Square, Square)) {
        let occupied = pieces.or(self.others);
        let mut jumps = self.jumps.clone();
        pieces.each(|square| jumps.toggle(square));
        let mut nets = Nets::new(&jumps, &RACE_WORTH);
        pieces.each(|from| {
            let all = NEIGHBOURS[from.index()].minus(occupied).or(nets.reachable(from)).minus(self.camp);
            let allowed = if self.target.contains(from) { all.and(self.target) } else { all };
            allowed.each(|to| visit(from, to));
        });
    }

    /// The shortest plan that a beam of this width finds, of at most `longest` moves.
    fn beam(&mut self, width: usize, longest: usize) -> Option<Vec<Move>> {
        let worths = &RACE_WORTH[self.side.index()];
        let side = self.side;
        let key = |square: Square| piece_key(side, square);
        let worth = self.start.into_iter().map(|square| i32::from(worths[square.index()])).sum();
        let first = Reached { pieces: self.start, worth, key: 0, parent: 0, mv: Move::PASS };
        let mut layers = vec![vec![first]];
        let mut seen = Keys::from_iter([0]);
        let mut children: Vec<Child> = Vec::new();
        for length in 1..=longest {
            children.clear();
            let mut least = i32::MIN;
            let layer = layers.last()?;
            for (index, reached) in layer.iter().enumerate() {
                if self.must_stop() {
                    return None;
                }
                // Too far from the goal for the moves that are left.
                if self.least_moves(reached.pieces) as usize > longest - (length - 1) {
                    continue;
                }
                let mut finish = None;
                let farthest = Farthest::new(self.open.minus(reached.pieces), reached.pieces.minus(self.target));
                self.each_move(reached.pieces, |from, to| {
                    let worth = reached.worth + i32::from(worths[to.index()]) - i32::from(worths[from.index()]);
                    if worth < least {
                        return;
                    }
                    let mut steps = 0;
                    // What moves within the target, or into it, changes the holes.
                    if self.target.contains(to) {
                        let mut pieces = reached.pieces;
                        pieces.toggle(from);
                        pieces.toggle(to);
                        let holes = self.open.minus(pieces);
                        if holes.is_empty() {
                            finish = Some(Move { from, to });
                        } else {
                            steps = Farthest::new(holes, pieces.minus(self.target)).steps();
                        }
                    } else {
                        steps = farthest.after(from, to);
                    }
                    let score = worth - FARTHEST * i32::from(steps);
                    let key = reached.key ^ key(from) ^ key(to);
                    if score >= least && seen.insert(key) {
                        children.push(Child { score, worth, key, parent: index as u32, mv: Move { from, to } });
                    }
                });
                if let Some(mv) = finish {
                    return Some(Self::trace(&layers, index, mv));
                }
                if children.len() > 4 * width {
                    least = keep_best(&mut children, width);
                }
            }
            keep_best(&mut children, width);
            children.sort_unstable_by_key(|child| (-child.score, child.key));
            let next = children.iter().map(|child| {
                let mut pieces = layer[child.parent as usize].pieces;
                pieces.toggle(child.mv.from);
                pieces.toggle(child.mv.to);
                Reached { pieces, worth: child.worth, key: child.key, parent: child.parent, mv: child.mv }
            });
            let next: Vec<Reached> = next.collect();
            layers.push(next);
        }
        None
    }

    fn trace(layers: &[Vec<Reached>], last: usize, mv: Move) -> Vec<Move> {
        let mut moves = vec![mv];
        let mut index = last;
        for layer in layers.iter().skip(1).rev() {
            moves.push(layer[index].mv);
            index = layer[index].parent as usize;
        }
        moves.reverse();
        moves
    }

    /// Whether it is proven that no plan shorter than `length` exists, with effort of about `width` positions a move.
    fn exhaust_below(&mut self, length: usize, width: usize) -> bool {
        if length < 2 {
            return true;
        }
        let mut effort = width as u64 * length as u64;
        let mut seen = vec![Keys::default(); length];
        self.proves_none(self.start, 0, length - 1, &mut seen, &mut effort)
    }

    fn proves_none(
        &mut self,
        pieces: Squares,
        key: u64,
        moves_left: usize,
        seen: &mut [Keys],
        effort: &mut u64,
    ) -> bool {
        let holes_before = self.least_moves(pieces) as usize;
        if holes_before > moves_left {
            return true;
        }
        if holes_before == 0 || moves_left == 0 || *effort == 0 || self.must_stop() {
            return false;
        }
        if !seen[moves_left].insert(key) {
            return true;
        }
        *effort -= 1;
        let mut children = Vec::new();
        self.each_move(pieces, |from, to| {
            let fills = self.open.contains(to) && !self.open.contains(from);
            if fills || holes_before < moves_left {
                children.push(Move { from, to });
            }
        });
        children.into_iter().all(|Move { from, to }| {
            let mut next = pieces;
            next.toggle(from);
            next.toggle(to);
            let next_key = key ^ piece_key(self.side, from) ^ piece_key(self.side, to);
            self.proves_none(next, next_key, moves_left - 1, seen, effort)
        })
    }
}
