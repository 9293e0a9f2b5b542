//! The rules of Halma (docs/rules/halma.md): positions, moves and the end of the game.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, PIECES, SIZE, Square, Squares};
use crate::formula;
use crate::jumps::{Jumps, Reached};
use crate::parity::{bit_of, parity_of, spread};
use crate::worth::Worths;
use engine::{Game, Outcome, RuleSet, Side, split_mix};
use std::sync::{Arc, LazyLock};

/// A rule set, which decides the moves that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The base rules.
    Base,
    /// The base rules with the course's addendum: no move into the own camp, and pieces that can
    /// leave it must do so.
    Addendum,
}

impl RuleSet for Rules {
    const ALL: &'static [(&'static str, Self)] =
        &[("base", Rules::Base), ("addendum", Rules::Addendum)];
    const AGENT: Self = Rules::Addendum;
    const JUDGE: Self = Rules::Base;
}

/// A move, given by the squares where the piece starts and ends. Steps and chains of jumps are not
/// distinguished, since their effect is the same; the path is computed when the move is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square where the piece starts.
    pub from: Square,
    /// The square where the piece ends; equal to `from` in a pass.
    pub to: Square,
}

impl Move {
    /// The pass, the only legal move of a side that cannot move.
    pub const PASS: Move = Move { from: Square::new(0), to: Square::new(0) };

    /// Returns whether the move is a pass.
    #[inline]
    #[must_use]
    pub fn is_pass(self) -> bool {
        self.from == self.to
    }
}

/// A position. The Zobrist key, the single jumps open from each square and both sides' sums of
/// worths are updated incrementally.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pieces: [Squares; 2],
    jumps: Jumps,
    side: Side,
    rules: [Rules; 2],
    key: u64,
    worth: [i32; 2],
    worths: Arc<Worths>,
}

static PIECE_KEYS: [[u64; 256]; 2] = {
    let mut keys = [[0; 256]; 2];
    let mut index = 0;
    while index < 512 {
        keys[index / 256][index % 256] = split_mix(index as u64);
        index += 1;
    }
    keys
};
/// Returns the Zobrist key of a side's piece on a square.
pub(crate) fn piece_key(side: Side, square: Square) -> u64 {
    PIECE_KEYS[side.index()][square.index()]
}

/// The part of the key that says whose move it is.
pub(crate) const SIDE_KEY: u64 = split_mix(512);

/// The squares of the camp that are further from the camp's corner along one axis and not nearer
/// along the other, by side and square of its camp (addendum, rule 2).
static FURTHER_FROM_CORNER: LazyLock<[Box<[Squares; 256]>; 2]> = LazyLock::new(|| {
    Side::BOTH.map(|side| {
        let mut table = Box::new([Squares::EMPTY; 256]);
        let corner = if side == BLACK { Square::at(0, 0) } else { Square::at(SIZE - 1, SIZE - 1) };
        let distance = |square: Square| square.abs_diff(corner);
        for from in CAMPS[side.index()] {
            let (dx, dy) = distance(from);
            table[from.index()] = CAMPS[side.index()]
                .into_iter()
                .filter(|&to| to != from && distance(to).0 >= dx && distance(to).1 >= dy)
                .collect();
        }
        table
    })
});

impl Position {
    /// Creates a position with the worths of the formula. No square is in both sets.
    #[must_use]
    pub fn new(pieces: [Squares; 2], side: Side, rules: Rules) -> Position {
        Position::from_parts(pieces, side, [rules; 2], Arc::clone(formula::worths()))
    }

    /// Creates a position with a rule set for each side and the given worths.
    fn from_parts(
        pieces: [Squares; 2],
        side: Side,
        rules: [Rules; 2],
        worths: Arc<Worths>,
    ) -> Position {
        debug_assert!(pieces[0].and(pieces[1]).is_empty());
        let mut key = worths.key() ^ if side == BLACK { 0 } else { SIDE_KEY };
        let mut worth = [0; 2];
        for owner in Side::BOTH {
            for square in pieces[owner.index()] {
                key ^= piece_key(owner, square);
                worth[owner.index()] += worths.of(owner, square);
            }
        }
        Position {
            pieces,
            jumps: Jumps::new(pieces[0].or(pieces[1])),
            side,
            rules,
            key,
            worth,
            worths,
        }
    }

    /// Returns the position with the pieces of each square on another one.
    pub(crate) fn with_squares_at(&self, image: impl Fn(Square) -> Square) -> Position {
        let pieces = self.pieces.map(|pieces| pieces.into_iter().map(&image).collect());
        Position::from_parts(pieces, self.side, self.rules, Arc::clone(&self.worths))
    }

    /// Returns the starting position. White moves first in the course's examples, but either side
    /// may.
    #[must_use]
    pub fn initial(side: Side, rules: Rules) -> Position {
        Position::new(CAMPS, side, rules)
    }

    /// Returns a side's pieces.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> Squares {
        self.pieces[side.index()]
    }

    /// Returns the rule set that applies to a side.
    #[inline]
    #[must_use]
    pub fn rules(&self, side: Side) -> Rules {
        self.rules[side.index()]
    }

    /// Returns the same position with another rule set for one side.
    #[must_use]
    pub fn with_rules(mut self, side: Side, rules: Rules) -> Position {
        self.rules[side.index()] = rules;
        self
    }

    /// Returns the same position with other worths of the squares. Its key differs as well, so that
    /// transposition table entries of one are never found for the other.
    #[must_use]
    pub fn with_worths(&self, worths: Arc<Worths>) -> Position {
        Position::from_parts(self.pieces, self.side, self.rules, worths)
    }

    /// Returns the worths of the squares.
    #[inline]
    #[must_use]
    pub fn worths(&self) -> &Worths {
        &self.worths
    }

    #[inline]
    pub(crate) fn shared_worths(&self) -> &Arc<Worths> {
        &self.worths
    }

    /// Returns the sum of the worths of a side's pieces ([`Position::worths`]).
    #[inline]
    #[must_use]
    pub fn worth(&self, side: Side) -> i32 {
        self.worth[side.index()]
    }

    /// Returns the single jumps open from each square.
    #[must_use]
    pub fn jumps(&self) -> &Jumps {
        &self.jumps
    }

    /// Returns the camp that a side must fill.
    #[inline]
    #[must_use]
    pub fn target(side: Side) -> Squares {
        CAMPS[side.other().index()]
    }

    /// Returns the empty squares of a side's target.
    #[inline]
    #[must_use]
    pub fn holes(&self, side: Side) -> Squares {
        Self::target(side).minus(self.pieces[0]).minus(self.pieces[1])
    }

    /// Returns whether a side has reached its goal: its target is full, and at least one of the
    /// pieces there is its own.
    #[inline]
    #[must_use]
    pub fn has_filled(&self, side: Side) -> bool {
        self.holes(side).is_empty() && !Self::target(side).and(self.pieces(side)).is_empty()
    }

    /// Returns the squares where a side's piece on `from` may end by the base rules, and adds those
    /// that it jumps to to `reached`.
    #[inline]
    fn destinations(&self, side: Side, from: Square, reached: &mut Reached) -> Squares {
        let occupied = self.pieces[0].or(self.pieces[1]);
        let parity = parity_of(from);
        let jumps = self.jumps.of_parity(parity).reachable(bit_of(from));
        reached.add(parity, jumps);
        let all = NEIGHBOURS[from.index()].minus(occupied).or(spread(parity, jumps));
        let target = Self::target(side);
        if target.contains(from) { all.and(target) } else { all }
    }

    /// Returns whether the base rules allow a move for a piece of the side to move.
    fn can_end(&self, mv: Move) -> bool {
        let target = Self::target(self.side);
        let occupied = self.pieces[0].or(self.pieces[1]);
        !occupied.contains(mv.to)
            && (NEIGHBOURS[mv.from.index()].contains(mv.to) || self.jumps.reaches(mv.from, mv.to))
            && (target.contains(mv.to) || !target.contains(mv.from))
    }

    /// Returns whether addendum rule 2 applies to a side: it keeps to the addendum and has a piece
    /// in its own camp.
    #[inline]
    #[must_use]
    pub fn is_bound_to_leave(&self, side: Side) -> bool {
        self.rules(side) == Rules::Addendum
            && !self.pieces(side).and(CAMPS[side.index()]).is_empty()
    }

    /// Calls a function with each piece of the side to move that can move and all its destinations,
    /// the pieces in reading order.
    #[inline]
    pub fn each_piece(&self, visit: impl FnMut(Square, Squares)) {
        self.each_piece_of(self.side, &mut Reached::default(), visit);
    }

    /// Calls a function with each piece of a side that can move and all its destinations, in
    /// reading order, as if that side were to move. The squares that the pieces looked at jump to
    /// are added to `reached`.
    #[inline]
    pub fn each_piece_of(
        &self,
        side: Side,
        reached: &mut Reached,
        mut visit: impl FnMut(Square, Squares),
    ) {
        let own = self.pieces(side);
        let camp = CAMPS[side.index()];
        if self.is_bound_to_leave(side) && self.each_piece_leaving(side, reached, &mut visit) {
            return;
        }
        own.each(|from| {
            let destinations = self.destinations(side, from, reached);
            let stays_out = self.rules(side) == Rules::Addendum && !camp.contains(from);
            visit_nonempty(
                from,
                if stays_out { destinations.minus(camp) } else { destinations },
                &mut visit,
            );
        });
    }

    /// Calls a function with the moves that addendum rule 2 demands: out of the own camp, or else
    /// further from its corner. Returns `false` if there are none.
    fn each_piece_leaving(
        &self,
        side: Side,
        reached: &mut Reached,
        visit: &mut impl FnMut(Square, Squares),
    ) -> bool {
        let camp = CAMPS[side.index()];
        let mut reach = [(Square::new(0), Squares::EMPTY); PIECES];
        let mut count = 0;
        let mut found = false;
        self.pieces(side).and(camp).each(|from| {
            let destinations = self.destinations(side, from, reached);
            reach[count] = (from, destinations);
            count += 1;
            found |= visit_nonempty(from, destinations.minus(camp), visit);
        });
        if !found {
            for &(from, destinations) in &reach[..count] {
                let further = destinations.and(FURTHER_FROM_CORNER[side.index()][from.index()]);
                found |= visit_nonempty(from, further, visit);
            }
        }
        found
    }

    /// Moves a side's piece and updates everything that is kept incrementally. A second call with
    /// `from` and `to` swapped undoes it.
    fn move_piece(&mut self, from: Square, to: Square, side: Side) {
        let owner = side.index();
        self.pieces[owner].toggle(from);
        self.pieces[owner].toggle(to);
        self.jumps.toggle(from);
        self.jumps.toggle(to);
        self.key ^= PIECE_KEYS[owner][from.index()] ^ PIECE_KEYS[owner][to.index()];
        self.worth[owner] += self.worths.of(side, to) - self.worths.of(side, from);
    }
}

/// Calls a function with a piece and its destinations if there are any, and returns whether there
/// are.
#[inline]
fn visit_nonempty(
    from: Square,
    destinations: Squares,
    visit: &mut impl FnMut(Square, Squares),
) -> bool {
    let some = !destinations.is_empty();
    if some {
        visit(from, destinations);
    }
    some
}

impl Game for Position {
    type Move = Move;
    type Undo = ();

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Returns the win of the side that has just moved, if it has filled its target: the other side
    /// cannot have won.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let mover = self.side.other();
        self.has_filled(mover).then_some(Outcome::Win(mover))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let before = out.len();
        self.each_piece(|from, destinations| destinations.each(|to| out.push(Move { from, to })));
        if out.len() == before {
            out.push(Move::PASS);
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if !mv.is_pass() {
            self.move_piece(mv.from, mv.to, self.side);
        }
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    #[inline]
    fn undo(&mut self, mv: Move, (): ()) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
        if !mv.is_pass() {
            self.move_piece(mv.to, mv.from, self.side);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn rebuilt(&self) -> Position {
        Position::from_parts(self.pieces, self.side, self.rules, Arc::clone(&self.worths))
    }

    #[inline]
    fn encode(&self, mv: Move) -> u32 {
        (mv.from.index() << 8 | mv.to.index()) as u32
    }

    fn decode(&self, code: u32) -> Option<Move> {
        let mv =
            Move { from: Square::new(u8::try_from(code >> 8).ok()?), to: Square::new(code as u8) };
        let own = self.pieces(self.side);
        let camp = CAMPS[self.side.index()];
        if self.outcome().is_some() {
            return None;
        }
        if mv.is_pass() {
            return (mv == Move::PASS && self.perft_leaves() == 1 && self.legal_moves() == [mv])
                .then_some(mv);
        }
        if !own.contains(mv.from) || !self.can_end(mv) {
            return None;
        }
        let leaves = camp.contains(mv.from) && !camp.contains(mv.to);
        let legal = match self.rules(self.side) {
            Rules::Base => true,
            Rules::Addendum if leaves => true,
            Rules::Addendum if !self.is_bound_to_leave(self.side) => !camp.contains(mv.to),
            Rules::Addendum => {
                let mut listed = false;
                self.each_piece(|from, destinations| {
                    listed |= from == mv.from && destinations.contains(mv.to)
                });
                listed
            }
        };
        legal.then_some(mv)
    }

    fn perft_leaves(&self) -> u64 {
        if self.outcome().is_some() {
            return 0;
        }
        let mut count = 0;
        self.each_piece(|_, destinations| count += u64::from(destinations.len()));
        count.max(1)
    }
}
