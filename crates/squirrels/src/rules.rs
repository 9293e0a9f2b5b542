//! The rules of Squirrels (squirrels.md, "Rules"): positions, moves, the end.

use crate::board::{ALL, Square, Squares, Values, each, neighbours};
use engine::{Game, Outcome, Side, split_mix};
use std::sync::Arc;

/// A move: the empty square that is taken. Whether it is a Raid or a Sneak, the square decides.
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
    /// A position of these pieces, the first side's (X) and the second's (O), which have no square in common.
    #[must_use]
    pub fn new(values: Arc<Values>, pieces: [Squares; 2], side: Side) -> Position {
        debug_assert!(pieces[0] & pieces[1] == 0 && (pieces[0] | pieces[1]) & !ALL == 0);
        let mut key = values.key() ^ if side == Side::First { 0 } else { SIDE_KEY };
        for (owner, keys) in PIECE_KEYS.iter().enumerate() {
            key = each(pieces[owner]).fold(key, |key, square| key ^ keys[square as usize]);
        }
        let sums = pieces.map(|pieces| values.sum(pieces));
        Position { values, pieces, sums, side, key }
    }

    /// The values of the squares.
    #[must_use]
    pub fn values(&self) -> &Arc<Values> {
        &self.values
    }

    /// A side's pieces.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> Squares {
        self.pieces[side.index()]
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Squares {
        ALL & !(self.pieces[0] | self.pieces[1])
    }

    /// A side's sum less the other's.
    #[inline]
    #[must_use]
    pub fn difference(&self, side: Side) -> i32 {
        self.sums[side.index()] - self.sums[side.other().index()]
    }

    /// Whether taking a square is a Raid for the side to move.
    #[inline]
    #[must_use]
    pub fn is_raid(&self, square: Square) -> bool {
        neighbours(square) & self.pieces(self.side) != 0
    }

    /// The enemy pieces that change sides when the side to move takes a square.
    #[inline]
    #[must_use]
    pub fn flips(&self, square: Square) -> Squares {
        if self.is_raid(square) { neighbours(square) & self.pieces(self.side.other()) } else { 0 }
    }

    /// By how much taking a square changes the difference of the sums, for the side to move.
    #[inline]
    #[must_use]
    pub fn swing(&self, square: Square) -> i32 {
        self.values.of(square) + 2 * self.values.sum(self.flips(square))
    }

    fn turn_over(&mut self, flips: Squares, to: Side) {
        let (to, from) = (to.index(), to.other().index());
        self.pieces[to] |= flips;
        self.pieces[from] &= !flips;
        for square in each(flips) {
            self.key ^= PIECE_KEYS[0][square as usize] ^ PIECE_KEYS[1][square as usize];
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
        (self.empty() == 0).then(|| Outcome::Margin(self.difference(Side::First)))
    }

    /// From A1 along the rows: the homework's order of children.
    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(each(self.empty()).map(Move));
    }

    fn play(&mut self, Move(square): Move) -> Squares {
        let flips = self.flips(square);
        let side = self.side;
        if flips != 0 {
            self.turn_over(flips, side);
        }
        self.pieces[side.index()] |= 1 << square;
        self.sums[side.index()] += self.values.of(square);
        self.key ^= PIECE_KEYS[side.index()][square as usize] ^ SIDE_KEY;
        self.side = side.other();
        flips
    }

    fn undo(&mut self, Move(square): Move, flips: Squares) {
        let side = self.side.other();
        self.pieces[side.index()] &= !(1 << square);
        self.sums[side.index()] -= self.values.of(square);
        self.key ^= PIECE_KEYS[side.index()][square as usize] ^ SIDE_KEY;
        if flips != 0 {
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
        u32::from(square)
    }

    fn decode(&self, code: u32) -> Option<Move> {
        (code < 32 && self.empty() >> code & 1 == 1).then_some(Move(code as Square))
    }
}
