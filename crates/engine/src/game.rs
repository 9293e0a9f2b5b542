//! The rules of a two-player game, as the search, the judge and the solver see them.

use std::fmt::Debug;
use std::hash::Hash;

/// One of the two players. Which colour or role each is, the game's [`Protocol::SIDES`](crate::Protocol::SIDES) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side named first in the game's `SIDES`.
    First,
    /// The side named second.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// A game that counts points: the first side's points less the second side's. More than zero is a win of the
    /// first side, and a win by more is better.
    Margin(i32),
}

impl Outcome {
    /// The winning side; `None` for a draw or equal points.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Margin(difference) if difference > 0 => Some(Side::First),
            Outcome::Margin(difference) if difference < 0 => Some(Side::Second),
            Outcome::Draw | Outcome::Margin(_) => None,
        }
    }
}

/// The rules of a two-player game with full information. The type that implements it is a position: plain state, cheap
/// to clone, with its key and whatever its evaluation sums up kept incrementally.
///
/// A position without an outcome has at least one move; a game in which a side may have none either ends there or
/// lists a pass.
///
/// `engine::conformance` checks that an implementation keeps these promises.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A move, small and plain. Moves with the same effect on the board should be equal.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// What [`Game::undo`] needs beside the move itself.
    type Undo;

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, each once, in an order that depends on the position alone. Appends nothing when the
    /// game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Makes a move. Unchecked: a move that is not legal here leaves a position without meaning; use
    /// [`Game::is_legal`] first for moves from outside.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move; afterwards the position equals what it was, field by field.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The Zobrist key of all that bears on the rest of the game: board, side to move, and history where it counts.
    fn key(&self) -> u64;

    /// The key of all that bears on the next `plies` plies: a search this deep finds the same in positions that share
    /// it. Differs from [`Game::key`] where history counts that cannot matter so soon; the transposition table uses it.
    /// With 0 plies it is the key of what the evaluation sees.
    fn key_within(&self, plies: u32) -> u64 {
        let _ = plies;
        self.key()
    }

    /// The same position with everything kept incrementally computed anew from the board. Equal to `self`, always.
    #[must_use]
    fn rebuilt(&self) -> Self;

    /// A code for a move, different for different moves of one position; never `u32::MAX`. The transposition table
    /// keeps it.
    fn encode(&self, mv: Self::Move) -> u32;

    /// The legal move with this code, if there is one. Must withstand any code: a table entry may belong to another
    /// position with the same key. Faster than generating all moves, where the game can.
    fn decode(&self, code: u32) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&mv| self.encode(mv) == code)
    }

    /// Whether the move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.decode(self.encode(mv)) == Some(mv)
    }

    /// The legal moves that perft counts, where the rules page counts moves that differ only in their path and the
    /// search does not.
    fn perft_leaves(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// As how many moves perft counts a listed move, where the rules page counts paths. The sum over all moves is
    /// [`Game::perft_leaves`].
    fn perft_weight(&self, mv: Self::Move) -> u64 {
        let _ = mv;
        1
    }

    /// Convenience for callers outside the search: all legal moves in a new vector.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }
}

/// Counts the lines of `depth` moves from a position: the figure that move generators are compared by.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    fn walk<G: Game>(position: &mut G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
        let start = moves.len();
        position.moves(moves);
        let end = moves.len();
        let mut lines = 0;
        for index in start..end {
            let mv = moves[index];
            let paths = position.perft_weight(mv);
            let undo = position.play(mv);
            lines += paths * if depth == 2 { position.perft_leaves() } else { walk(position, depth - 1, moves) };
            position.undo(mv, undo);
        }
        moves.truncate(start);
        lines
    }
    match depth {
        0 => 1,
        1 => position.perft_leaves(),
        _ => walk(position, depth, &mut Vec::new()),
    }
}

/// Pseudo-random 64-bit keys from a counter (the SplitMix64 step; Steele, Lea, Flood, 2014): for Zobrist tables that
/// are the same on every machine and in every build.
#[must_use]
pub const fn split_mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
