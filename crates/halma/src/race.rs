//! The plan of a race: once the armies have passed each other, one side's moves alone are searched
//! for the fewest that fill the camp.
//!
//! A beam search over sets of own pieces finds a plan at once and shorter plans as the beam widens;
//! an exhaustive search for shorter plans then proves the plan shortest where the effort allows.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, Square, Squares, WHITE};
use crate::jumps::Jumps;
use crate::learned::Tables;
use crate::rules::{Move, Position, piece_key};
use engine::{Game, Side};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of Zobrist keys, which serve as their own hash values.
type Keys = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// A hasher that returns the key itself, for keys that are random numbers already.
#[derive(Clone, Copy, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

/// A sequence of one side's moves that fills the camp without the opponent's help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The moves in order; at least one.
    pub moves: Vec<Move>,
    /// Whether it is proven that no shorter plan exists.
    pub shortest: bool,
}

/// The largest width of the beam, in positions for each move.
const MAX_WIDTH: usize = 1 << 16;
/// The first width of the beam, in positions for each move: such a beam finds a plan of fifteen
/// moves in less than a millisecond.
const MIN_WIDTH: usize = 16;
/// The factor between the widths of consecutive beams.
const WIDTH_FACTOR: usize = 4;
/// The effort, in positions for each move, from which a proof that the plan is shortest is
/// attempted; a smaller effort is better spent on a wider beam.
const MIN_PROOF_WIDTH: usize = 1_024;
/// The positions between two calls of the function that may stop the search.
const POSITIONS_A_POLL: u64 = 128;
/// The largest number of moves of a plan.
const MAX_PLAN_LENGTH: usize = 90;

/// Returns whether the armies have passed each other for good: no piece can touch an opponent's
/// piece again unless it turns back. The side to move has also left its camp.
#[must_use]
pub fn has_begun(position: &Position) -> bool {
    let sums = |side| position.pieces(side).into_iter().map(|square| square.x() + square.y());
    let (black, white) = (sums(BLACK).min(), sums(WHITE).max());
    let apart = matches!((black, white), (Some(black), Some(white)) if black >= white + 3);
    apart
        && position
            .pieces(position.side_to_move())
            .and(CAMPS[position.side_to_move().index()])
            .is_empty()
}

/// Returns the shortest plan found for the side to move, with the opponent's pieces standing still;
/// `None` if none was found. The search calls `stop` every 128 positions with whether it has found
/// a plan, and ends when `stop` returns true.
#[must_use]
pub fn plan(position: &Position, stop: impl FnMut(bool) -> bool) -> Option<Plan> {
    plan_no_longer_than(position, &[], POSITIONS_A_POLL, stop)
}

/// Returns the shortest plan found like [`plan`], with a call of `stop` every so many positions.
/// The moves that are `known` may already be a plan: no longer one is returned then. They are
/// ignored if they are none.
#[must_use]
pub fn plan_no_longer_than(
    position: &Position,
    known: &[Move],
    positions_a_poll: u64,
    mut stop: impl FnMut(bool) -> bool,
) -> Option<Plan> {
    let mut search = RaceSearch { positions_a_poll, ..RaceSearch::new(position, &mut stop) };
    let mut best: Option<Vec<Move>> = search.fills_camp(known).then(|| known.to_vec());
    search.has_plan = best.is_some();
    if best.as_ref().is_some_and(|moves| moves.len() as u32 <= search.least_moves(search.start)) {
        return best.map(|moves| Plan { moves, shortest: true });
    }
    let mut width = MIN_WIDTH;
    while width <= MAX_WIDTH && !search.stopped {
        let longest = best.as_ref().map_or(MAX_PLAN_LENGTH, |moves| moves.len() - 1);
        if let Some(shorter) = search.beam(width, longest) {
            let shortest = shorter.len() as u32 <= search.least_moves(search.start);
            search.has_plan = true;
            best = Some(shorter);
            if shortest {
                return best.map(|moves| Plan { moves, shortest });
            }
        }
        width *= WIDTH_FACTOR;
        if best.is_some()
            && width >= MIN_PROOF_WIDTH
            && !search.stopped
            && search.proves_shortest(best.as_ref()?.len(), width)
        {
            return best.map(|moves| Plan { moves, shortest: true });
        }
    }
    best.map(|moves| Plan { moves, shortest: false })
}

/// The search for one side's plan.
struct RaceSearch<'a> {
    side: Side,
    start: Squares,
    /// The opponent's pieces, which stand still.
    others: Squares,
    /// The jumps over the opponent's pieces alone.
    jumps: Jumps,
    /// The squares of the target that must be filled with own pieces.
    open: Squares,
    /// The opposing camp, which no piece leaves again.
    target: Squares,
    /// The own camp, which no piece enters again.
    camp: Squares,
    /// The worths of own pieces in the tables for this root.
    worths: [i16; 256],
    stop: &'a mut dyn FnMut(bool) -> bool,
    stopped: bool,
    has_plan: bool,
    expanded: u64,
    /// The positions between two calls of `stop`.
    positions_a_poll: u64,
}

/// A candidate for a layer of the beam: a move that may not have been made yet.
#[derive(Clone, Copy)]
struct Candidate {
    /// The sum of the worths of the pieces after the move.
    worth: i32,
    key: u64,
    /// The index of the parent in the previous layer.
    parent: u32,
    mv: Move,
}

impl Candidate {
    /// Orders candidates, the best first. Ties are broken by the key, so that the result depends on
    /// the position alone.
    fn rank(&self) -> (i32, u64) {
        (-self.worth, self.key)
    }
}

/// Keeps the best `width` candidates and returns the least worth among them.
fn keep_best(candidates: &mut Vec<Candidate>, width: usize) -> i32 {
    if candidates.len() > width {
        candidates.select_nth_unstable_by_key(width - 1, Candidate::rank);
        candidates.truncate(width);
    }
    candidates.last().map_or(i32::MIN, |candidate| candidate.worth)
}

impl<'a> RaceSearch<'a> {
    fn new(position: &Position, stop: &'a mut dyn FnMut(bool) -> bool) -> RaceSearch<'a> {
        let side = position.side_to_move();
        let others = position.pieces(side.other());
        let target = Position::target(side);
        let camp = CAMPS[side.index()];
        let start = position.pieces(side);
        let worths = *Tables::in_use().at_root(position, None).table(side);
        let (jumps, open) = (Jumps::new(others), target.minus(others));
        RaceSearch {
            side,
            start,
            others,
            jumps,
            open,
            target,
            camp,
            worths,
            stop,
            stopped: false,
            has_plan: false,
            expanded: 0,
            positions_a_poll: POSITIONS_A_POLL,
        }
    }

    /// Returns a lower bound of the moves that fill the camp: the number of its holes, since a move
    /// fills at most one.
    fn least_moves(&self, pieces: Squares) -> u32 {
        self.open.minus(pieces).len()
    }

    /// Returns whether a move leaves one hole less.
    fn fills_hole(&self, from: Square, to: Square) -> bool {
        self.open.contains(to) && !self.open.contains(from)
    }

    /// Counts a position and returns whether the search must end; calls `stop` at times.
    fn must_stop(&mut self) -> bool {
        self.expanded += 1;
        self.stopped |= self.expanded % self.positions_a_poll == 0 && (self.stop)(self.has_plan);
        self.stopped
    }

    /// Returns whether these moves, one after the other, are possible and fill the camp.
    fn fills_camp(&self, moves: &[Move]) -> bool {
        let mut pieces = self.start;
        let are_possible = moves.iter().all(|mv| {
            let mut is_possible = false;
            self.each_move(pieces, |from, to| is_possible |= Move { from, to } == *mv);
            if is_possible {
                pieces.toggle(mv.from);
                pieces.toggle(mv.to);
            }
            is_possible
        });
        !moves.is_empty() && are_possible && self.least_moves(pieces) == 0
    }

    /// Calls a function with the start and the end of each move of a set of pieces.
    fn each_move(&self, pieces: Squares, mut visit: impl FnMut(Square, Square)) {
        let occupied = pieces.or(self.others);
        let mut jumps = self.jumps;
        pieces.each(|square| jumps.toggle(square));
        pieces.each(|from| {
            let all =
                NEIGHBOURS[from.index()].minus(occupied).or(jumps.reachable(from)).minus(self.camp);
            let allowed = if self.target.contains(from) { all.and(self.target) } else { all };
            allowed.each(|to| visit(from, to));
        });
    }

    /// Returns the shortest plan of at most `longest` moves that a beam of this width finds.
    fn beam(&mut self, width: usize, longest: usize) -> Option<Vec<Move>> {
        let worths = self.worths;
        let side = self.side;
        let key = |square: Square| piece_key(side, square);
        let worth = self.start.into_iter().map(|square| i32::from(worths[square.index()])).sum();
        let first = Candidate { worth, key: 0, parent: 0, mv: Move::PASS };
        let mut layers = vec![vec![(self.start, first)]];
        let mut seen = Keys::from_iter([0]);
        let mut candidates: Vec<Candidate> = Vec::new();
        for length in 1..=longest {
            candidates.clear();
            let mut least = i32::MIN;
            let layer = layers.last()?;
            for (index, &(pieces, node)) in layer.iter().enumerate() {
                if self.must_stop() {
                    return None;
                }
                // Lower-bound pruning: the holes left exceed the moves left.
                let holes = self.least_moves(pieces) as usize;
                if holes > longest - (length - 1) {
                    continue;
                }
                let mut finish = None;
                self.each_move(pieces, |from, to| {
                    if holes == 1 && self.fills_hole(from, to) {
                        finish = Some(Move { from, to });
                    }
                    let worth = node.worth + i32::from(worths[to.index()])
                        - i32::from(worths[from.index()]);
                    let key = node.key ^ key(from) ^ key(to);
                    if worth >= least && seen.insert(key) {
                        let (parent, mv) = (index as u32, Move { from, to });
                        candidates.push(Candidate { worth, key, parent, mv });
                    }
                });
                if let Some(mv) = finish {
                    return Some(Self::trace(&layers, index, mv));
                }
                if candidates.len() > 4 * width {
                    least = keep_best(&mut candidates, width);
                }
            }
            keep_best(&mut candidates, width);
            candidates.sort_unstable_by_key(Candidate::rank);
            let next = candidates.iter().map(|candidate| {
                let mut pieces = layer[candidate.parent as usize].0;
                pieces.toggle(candidate.mv.from);
                pieces.toggle(candidate.mv.to);
                (pieces, *candidate)
            });
            let next = next.collect();
            layers.push(next);
        }
        None
    }

    /// Returns the moves that lead to a position of the last layer, followed by `mv`.
    fn trace(layers: &[Vec<(Squares, Candidate)>], last: usize, mv: Move) -> Vec<Move> {
        let mut moves = vec![mv];
        let mut index = last;
        for layer in layers.iter().skip(1).rev() {
            let (_, made) = layer[index];
            moves.push(made.mv);
            index = made.parent as usize;
        }
        moves.reverse();
        moves
    }

    /// Returns whether an exhaustive search proves that no plan shorter than `length` exists, with
    /// an effort of at most `width * length` positions.
    fn proves_shortest(&mut self, length: usize, width: usize) -> bool {
        if length < 2 {
            return true;
        }
        let mut effort = width as u64 * length as u64;
        let mut seen = vec![Keys::default(); length];
        self.proves_no_plan(self.start, 0, length - 1, &mut seen, &mut effort)
    }

    /// Returns whether no sequence of at most `moves_left` moves fills the camp; `false` if one
    /// does or the effort is used up. The search is depth-first. `seen` holds the keys already
    /// searched, by the moves left.
    fn proves_no_plan(
        &mut self,
        pieces: Squares,
        key: u64,
        moves_left: usize,
        seen: &mut [Keys],
        effort: &mut u64,
    ) -> bool {
        let holes_before = self.least_moves(pieces) as usize;
        // Lower-bound pruning: a move fills at most one hole.
        if holes_before > moves_left {
            return true;
        }
        if holes_before == 0 || moves_left == 0 || *effort == 0 || self.must_stop() {
            return false;
        }
        // Transposition: the same set of pieces was searched before with as many moves left.
        if !seen[moves_left].insert(key) {
            return true;
        }
        *effort -= 1;
        let mut children = Vec::new();
        self.each_move(pieces, |from, to| {
            // When every move left must fill a hole, other moves are pruned.
            if holes_before < moves_left || self.fills_hole(from, to) {
                children.push(Move { from, to });
            }
        });
        children.into_iter().all(|Move { from, to }| {
            let mut next = pieces;
            next.toggle(from);
            next.toggle(to);
            let next_key = key ^ piece_key(self.side, from) ^ piece_key(self.side, to);
            self.proves_no_plan(next, next_key, moves_left - 1, seen, effort)
        })
    }
}
