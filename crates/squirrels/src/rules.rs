//! The rules of Squirrels (`docs/rules/squirrels.md`).

use crate::board::{ALL, Square, Squares, Values, flips};
use engine::{Game, Outcome, Side, split_mix};
use std::sync::Arc;

/// The first of the two sides.
pub const X: Side = Side::First;
/// The second of the two sides.
pub const O: Side = Side::Second;

/// A move: the empty square that is taken. The position decides whether it is a Raid or a Sneak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub Square);

/// A position, with its Zobrist key and both sides' sums kept incrementally.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    values: Arc<Values>,
    pieces: [Squares; 2],
    sums: [i32; 2],
    side: Side,
    key: u64,
}

static PIECE_KEYS: [[u64; 32]; 2] = {
    let mut keys = [[0; 32]; 2];
    let mut index = 0;
    while index < 64 {
        keys[index / 32][index % 32] = split_mix(index as u64);
        index += 1;
    }
    keys
};
const SIDE_KEY: u64 = split_mix(64);

impl Position {
    /// A position with these pieces of X and of O, which must not overlap.
    pub fn new(values: Arc<Values>, pieces: [Squares; 2], side: Side) -> Position {
        debug_assert!(!pieces[0].meets(pieces[1]) && (pieces[0] | pieces[1]).is_within(ALL));
        let mut key = values.key() ^ if side == X { 0 } else { SIDE_KEY };
        for (owner, keys) in PIECE_KEYS.iter().enumerate() {
            key = pieces[owner].into_iter().fold(key, |key, square| key ^ keys[square.index()]);
        }
        let sums = pieces.map(|pieces| values.sum(pieces));
        Position { values, pieces, sums, side, key }
    }

    /// The values of the squares.
    pub fn values(&self) -> &Arc<Values> {
        &self.values
    }

    /// The pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> Squares {
        self.pieces[side.index()]
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> Squares {
        ALL - (self.pieces[0] | self.pieces[1])
    }

    /// The sum of the values of a side's squares.
    pub fn points(&self, side: Side) -> i32 {
        self.sums[side.index()]
    }

    /// The sum of a side's values minus the other side's.
    #[inline]
    pub fn difference(&self, side: Side) -> i32 {
        self.sums[side.index()] - self.sums[side.other().index()]
    }

    /// Whether taking a square is a Raid for the side to move; otherwise it is a Sneak.
    #[inline]
    pub fn is_raid(&self, square: Square) -> bool {
        square.neighbours().meets(self.pieces(self.side))
    }

    /// The opponent's pieces that change sides when a square is taken.
    #[inline]
    pub fn flips(&self, square: Square) -> Squares {
        flips(self.pieces(self.side), self.pieces(self.side.other()), square)
    }

    /// The change of the difference of the sums, for the side to move, when it takes a square.
    #[inline]
    pub fn swing(&self, square: Square) -> i32 {
        self.values.of(square) + 2 * self.values.sum(self.flips(square))
    }

    fn turn_over(&mut self, flips: Squares, to: Side) {
        let (to, from) = (to.index(), to.other().index());
        self.pieces[to] |= flips;
        self.pieces[from] -= flips;
        for square in flips {
            self.key ^= PIECE_KEYS[0][square.index()] ^ PIECE_KEYS[1][square.index()];
        }
        let value = self.values.sum(flips);
        self.sums[to] += value;
        self.sums[from] -= value;
    }
}

impl Game for Position {
    type Move = Move;
    /// The pieces that changed sides.
    type Undo = Squares;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.empty().is_empty().then(|| Outcome::Margin(self.difference(X)))
    }

    /// In the homework's order of children: row by row from A1.
    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.empty().into_iter().map(Move));
    }

    fn play(&mut self, Move(square): Move) -> Squares {
        let flips = self.flips(square);
        let side = self.side;
        if !flips.is_empty() {
            self.turn_over(flips, side);
        }
        self.pieces[side.index()].insert(square);
        self.sums[side.index()] += self.values.of(square);
        self.key ^= PIECE_KEYS[side.index()][square.index()] ^ SIDE_KEY;
        self.side = side.other();
        flips
    }

    fn undo(&mut self, Move(square): Move, flips: Squares) {
        let side = self.side.other();
        self.pieces[side.index()].remove(square);
        self.sums[side.index()] -= self.values.of(square);
        self.key ^= PIECE_KEYS[side.index()][square.index()] ^ SIDE_KEY;
        if !flips.is_empty() {
            self.turn_over(flips, side.other());
        }
        self.side = side;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn rebuilt(&self) -> Position {
        Position::new(Arc::clone(&self.values), self.pieces, self.side)
    }

    fn encode(&self, Move(square): Move) -> u32 {
        square.index() as u32
    }

    fn decode(&self, code: u32) -> Option<Move> {
        Square::from_index(code as usize).filter(|&square| self.empty().contains(square)).map(Move)
    }
}
