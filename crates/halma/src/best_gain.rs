//! The move of one side that gains most in worth, found without making moves.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, Square, Squares, WHITE};
use crate::jumps::{ClassJumps, Reached};
use crate::parity::{ByClass, CAMPS_BY_CLASS, CLASSES, bit_of, class_of, spread, square_of};
use crate::rules::{Move, Position, Rules};
use crate::worth::{Worths, WorthsByClass};
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
    by_class: &'a WorthsByClass,
    side: Side,
    target: Squares,
    /// The squares where no piece of the side may end its move.
    forbidden: Squares,
    /// The squares of each class where no chain may end.
    own_camp: &'static ByClass,
    /// The squares of each class that some jump leads to; [`UNKNOWN`] until first needed.
    landings: ByClass,
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
            by_class: position.worths().by_class(side),
            side,
            target: Position::target(side),
            forbidden: if is_addendum { CAMPS[side.index()].or(occupied) } else { occupied },
            own_camp: if is_addendum { &CAMPS_BY_CLASS[side.index()] } else { &[0; CLASSES] },
            landings: [UNKNOWN; CLASSES],
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
            exist = !self.destinations(from, [u64::MAX; CLASSES]).is_empty();
            exist
        });
        exist
    }

    /// Whether some jump, of whichever piece, leads to one of these squares of a class.
    #[inline]
    fn may_land(&mut self, class: usize, jumps: ClassJumps, set: u64) -> bool {
        if self.landings[class] == UNKNOWN {
            self.landings[class] = jumps.after_one(u64::MAX);
        }
        self.landings[class] & set != 0
    }

    /// Returns those squares of a class where a chain of a piece may end that stays in the target
    /// if it is there.
    #[inline]
    fn allowed(&self, class: usize, stays: bool) -> u64 {
        if stays { CAMPS_BY_CLASS[self.side.other().index()][class] } else { !self.own_camp[class] }
    }

    /// Returns the squares where a piece may end its move; of those that it jumps to, only those of
    /// `wanted`.
    #[inline]
    pub(crate) fn destinations(&mut self, from: Square, wanted: ByClass) -> Squares {
        let stays = self.target.contains(from);
        let steps = NEIGHBOURS[from.index()].minus(self.forbidden);
        let steps = if stays { steps.and(self.target) } else { steps };
        let class = class_of(from);
        let jumps = self.position.jumps().of_class(class);
        if !self.may_land(class, jumps, wanted[class]) {
            return steps;
        }
        steps.or(spread(
            class,
            jumps.reachable(bit_of(from)) & wanted[class] & self.allowed(class, stays),
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
        let (side, worths, by_class) = (self.side, self.worths, self.by_class);
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
                let class = class_of(from);
                let jumps = self.position.jumps().of_class(class);
                // The squares that would gain more.
                let better =
                    if best == NONE { u64::MAX } else { by_class.above(class, best + here) };
                if !ALL && best != NONE && !self.may_land(class, jumps, better) {
                    return best >= enough;
                }
                let landings = jumps.after_one(bit_of(from));
                // A piece whose first jumps all lead to squares reached before reaches no others.
                if landings == 0
                    || (reached.contains(class, landings) && !reached.meets(class, better))
                {
                    return best >= enough;
                }
                let squares = jumps.closure(landings);
                reached.add(class, squares);
                let mut squares = squares & better & self.allowed(class, stays);
                while squares != 0 {
                    let bit = squares.trailing_zeros();
                    squares &= squares - 1;
                    let gain = by_class.of(class, bit) - here;
                    if gain > best {
                        (best, best_move) = (gain, Move { from, to: square_of(class, bit) });
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
