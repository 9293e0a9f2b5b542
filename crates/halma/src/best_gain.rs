//! The move of one side that gains most in worth, found without making moves.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, Square, Squares, WHITE};
use crate::jumps::{ParityJumps, Reached};
use crate::parity::{ByParity, CAMPS_BY_PARITY, PARITIES, bit_of, parity_of, spread, square_of};
use crate::rules::{Move, Position, Rules};
use crate::worth::{Worths, WorthsByParity};
use engine::Side;
use engine::search::Score;

/// A move and its gain in worth, in points.
pub(crate) type Gain = (Score, Move);

/// Returns a side's move of the largest gain, or the first found that gains at least `enough`.
/// Pieces on the squares of `first` are tried first.
pub(crate) fn best_gain(
    position: &Position,
    side: Side,
    enough: Score,
    first: Squares,
) -> Option<Gain> {
    let mut reached = Reached::default();
    let best = FreeMoves::new(position, side).best::<false>(&mut reached, enough, first);
    best.or_else(|| best_of_listed(position, side, &mut reached))
}

/// Returns a side's move of the largest gain, and the squares that its pieces reach by jumps.
pub(crate) fn best_gain_and_reach(position: &Position, side: Side) -> (Option<Gain>, Reached) {
    let mut reached = Reached::default();
    let best =
        FreeMoves::new(position, side).best::<true>(&mut reached, Score::MAX, Squares::EMPTY);
    (best.or_else(|| best_of_listed(position, side, &mut reached)), reached)
}

/// Returns the move of the largest gain among all legal moves of a side.
#[cold]
fn best_of_listed(position: &Position, side: Side, reached: &mut Reached) -> Option<Gain> {
    let worth = position.worths().table(side);
    let mut best = None;
    position.each_piece_of(side, reached, |from, destinations| {
        destinations.each(|to| improve(&mut best, worth, from, to));
    });
    best
}

/// Returns the worth of the square `to` less that of `from`, in points.
#[inline]
pub(crate) fn gain(worth: &[i16; 256], from: Square, to: Square) -> Score {
    Score::from(worth[to.index()]) - Score::from(worth[from.index()])
}

/// Replaces `best` if the move gains more.
#[inline]
pub(crate) fn improve(best: &mut Option<Gain>, worth: &[i16; 256], from: Square, to: Square) {
    let gain = gain(worth, from, to);
    if best.is_none_or(|(most, _)| gain > most) {
        *best = Some((gain, Move { from, to }));
    }
}

/// The moves of a side that addendum rule 2 allows first: those out of its camp if it has pieces
/// there, all its moves if it has none or keeps to the base rules. A side that has pieces in its
/// camp and no such move has other moves.
pub(crate) struct FreeMoves<'a> {
    position: &'a Position,
    /// The pieces that may move.
    pieces: Squares,
    worths: &'a Worths,
    by_parity: &'a WorthsByParity,
    side: Side,
    target: Squares,
    /// The squares where no piece of the side may end its move.
    forbidden: Squares,
    /// The squares of each parity where no chain may end.
    own_camp: &'static ByParity,
    /// The squares of each parity that some jump leads to; [`UNKNOWN`] until first needed.
    landings: ByParity,
}

/// Stands for landings that have not been computed.
const UNKNOWN: u64 = u64::MAX;

impl<'a> FreeMoves<'a> {
    #[inline]
    pub(crate) fn new(position: &'a Position, side: Side) -> FreeMoves<'a> {
        let is_addendum = position.rules(side) == Rules::Addendum;
        let occupied = position.pieces(BLACK).or(position.pieces(WHITE));
        let pieces = position.pieces(side);
        let must_leave = pieces.and(CAMPS[side.index()]);
        FreeMoves {
            position,
            pieces: if is_addendum && !must_leave.is_empty() { must_leave } else { pieces },
            worths: position.worths(),
            by_parity: position.worths().by_parity(side),
            side,
            target: Position::target(side),
            forbidden: if is_addendum { CAMPS[side.index()].or(occupied) } else { occupied },
            own_camp: if is_addendum { &CAMPS_BY_PARITY[side.index()] } else { &[0; PARITIES] },
            landings: [UNKNOWN; PARITIES],
        }
    }

    /// Returns the pieces that have such moves, or may have.
    #[inline]
    pub(crate) fn pieces(&self) -> Squares {
        self.pieces
    }

    /// Whether there is a move.
    #[inline]
    pub(crate) fn exist(&mut self) -> bool {
        let mut exist = false;
        self.pieces.visit_until(false, |from| {
            exist = !self.destinations(from, [u64::MAX; PARITIES]).is_empty();
            exist
        });
        exist
    }

    /// Whether some jump, of whichever piece, leads to one of these squares of a parity.
    #[inline]
    fn may_land(&mut self, parity: usize, jumps: ParityJumps, set: u64) -> bool {
        if self.landings[parity] == UNKNOWN {
            self.landings[parity] = jumps.after_one(u64::MAX);
        }
        self.landings[parity] & set != 0
    }

    /// Returns those squares of a parity where a chain of a piece may end that stays in the target
    /// if it is there.
    #[inline]
    fn allowed(&self, parity: usize, stays: bool) -> u64 {
        if stays {
            CAMPS_BY_PARITY[self.side.other().index()][parity]
        } else {
            !self.own_camp[parity]
        }
    }

    /// Returns the squares where a piece may end its move; of those that it jumps to, only those of
    /// `wanted`.
    #[inline]
    pub(crate) fn destinations(&mut self, from: Square, wanted: ByParity) -> Squares {
        let stays = self.target.contains(from);
        let steps = NEIGHBOURS[from.index()].minus(self.forbidden);
        let steps = if stays { steps.and(self.target) } else { steps };
        let parity = parity_of(from);
        let jumps = self.position.jumps().of_parity(parity);
        if !self.may_land(parity, jumps, wanted[parity]) {
            return steps;
        }
        steps.or(spread(
            parity,
            jumps.reachable(bit_of(from)) & wanted[parity] & self.allowed(parity, stays),
        ))
    }

    /// Returns the move of the largest gain, or the first found that gains at least `enough`. Adds
    /// squares that the pieces jump to to `reached`, which is empty: all of them if `ALL` is set.
    fn best<const ALL: bool>(
        mut self,
        reached: &mut Reached,
        enough: Score,
        first: Squares,
    ) -> Option<Gain> {
        /// Less than any gain, and far enough from overflow.
        const NONE: Score = Score::MIN / 2;
        let (side, worths, by_parity) = (self.side, self.worths, self.by_parity);
        let worth = worths.table(side);
        let (mut best, mut best_move) = (NONE, Move::PASS);
        let pieces = self.pieces;
        for set in [first.and(pieces), pieces] {
            // Pieces at the rear gain most and come first: reading order for Black, the reverse for
            // White.
            set.visit_until(side == WHITE, |from| {
                let here = Score::from(worth[from.index()]);
                let stays = self.target.contains(from);
                let neighbours = worths.neighbours(side, from);
                if Score::from(worth[usize::from(neighbours[0])]) - here > best {
                    let may_enter =
                        |to| !self.forbidden.contains(to) && (!stays || self.target.contains(to));
                    if let Some(&to) = neighbours.iter().find(|&&to| may_enter(Square::new(to))) {
                        let gain = Score::from(worth[usize::from(to)]) - here;
                        if gain > best {
                            (best, best_move) = (gain, Move { from, to: Square::new(to) });
                        }
                    }
                }
                let parity = parity_of(from);
                let jumps = self.position.jumps().of_parity(parity);
                // The squares that would gain more.
                let better =
                    if best == NONE { u64::MAX } else { by_parity.above(parity, best + here) };
                if !ALL && best != NONE && !self.may_land(parity, jumps, better) {
                    return best >= enough;
                }
                let landings = jumps.after_one(bit_of(from));
                // A piece whose first jumps all lead to squares reached before reaches no others.
                if landings == 0
                    || (reached.contains(parity, landings) && !reached.meets(parity, better))
                {
                    return best >= enough;
                }
                let squares = jumps.closure(landings);
                reached.add(parity, squares);
                let mut squares = squares & better & self.allowed(parity, stays);
                while squares != 0 {
                    let bit = squares.trailing_zeros();
                    squares &= squares - 1;
                    let gain = by_parity.of(parity, bit) - here;
                    if gain > best {
                        (best, best_move) = (gain, Move { from, to: square_of(parity, bit) });
                    }
                }
                best >= enough
            });
            if best >= enough {
                break;
            }
        }
        (best != NONE).then_some((best, best_move))
    }
}
