//! The rules of a two-player game: the interface of the search, the judge and the solver.

use std::fmt::Debug;
use std::hash::Hash;

/// One of the two players. The game's [`Protocol::SIDES`](crate::Protocol::SIDES) names the colour
/// or role of each.
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

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns 0 for the first side, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won.
    Win(Side),
    /// A draw.
    Draw,
    /// The difference of points in a game that counts them: the first side's points minus the
    /// second side's. A positive margin is a win of the first side, and a larger one is better.
    Margin(i32),
}

impl Outcome {
    /// Returns the winning side; `None` for a draw or equal points.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Margin(difference) if difference > 0 => Some(Side::First),
            Outcome::Margin(difference) if difference < 0 => Some(Side::Second),
            Outcome::Draw | Outcome::Margin(_) => None,
        }
    }
}

/// The rules of a two-player game with perfect information. The implementing type is a position:
/// plain state, cheap to clone, whose key and parts of the evaluation are kept incrementally.
///
/// A position without an outcome has at least one move. In a game where a side may have none,
/// either the game ends there or a pass is a move.
///
/// `engine::conformance` checks that an implementation keeps to this contract.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A move: a small, plain value. Moves with the same effect on the board should be equal.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The data that [`Game::undo`] needs besides the move itself.
    type Undo;

    /// Returns the side to move.
    fn side_to_move(&self) -> Side;

    /// Returns the result; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, each once, in an order that depends on the position alone. Appends
    /// nothing when the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Makes a move, unchecked: an illegal move leaves an invalid position. Check moves from
    /// outside with [`Game::is_legal`] first.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Returns the position after a move, unchecked like [`Game::play`].
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    /// Takes back the last move. Afterwards the position equals the one before the move, field by
    /// field.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Returns the Zobrist key of everything that affects the rest of the game: board, side to
    /// move, and history where it counts.
    fn key(&self) -> u64;

    /// Returns the key of everything that affects the next `plies` plies: searches to this depth of
    /// positions with the same key have the same result. The transposition table uses it. It
    /// differs from [`Game::key`] in games whose history counts but cannot matter so soon. With 0
    /// plies it is the key of what the evaluation depends on.
    fn key_within(&self, plies: u32) -> u64 {
        let _ = plies;
        self.key()
    }

    /// Returns the same position with its incrementally kept state recomputed from the board.
    /// Always equal to `self`.
    #[must_use]
    fn rebuilt(&self) -> Self;

    /// Returns a code for a move, distinct among the legal moves of a position and never
    /// `u32::MAX`. The transposition table stores it.
    fn encode(&self, mv: Self::Move) -> u32;

    /// Returns the legal move with this code, if there is one. It must accept any code, since a
    /// table entry may belong to another position with the same key. A game should override it
    /// where it can avoid generating all moves.
    fn decode(&self, code: u32) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&mv| self.encode(mv) == code)
    }

    /// Returns whether the move is legal in this position.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.decode(self.encode(mv)) == Some(mv)
    }

    /// Returns the number of legal moves as perft counts them: in games whose rules count moves
    /// that differ only in their path, more than [`Game::moves`] lists.
    fn perft_leaves(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// Returns the number of moves that perft counts for one listed move: its paths, where the
    /// rules count them. The sum over all moves is [`Game::perft_leaves`].
    fn perft_weight(&self, mv: Self::Move) -> u64 {
        let _ = mv;
        1
    }

    /// Returns all legal moves in a new vector, for callers outside the search.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }
}

/// Counts the lines of play of `depth` moves from a position (perft), the standard check of move
/// generators.
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
            lines += paths
                * if depth == 2 {
                    position.perft_leaves()
                } else {
                    walk(position, depth - 1, moves)
                };
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

/// Returns a pseudo-random 64-bit number for a counter (the SplitMix64 step; Steele, Lea, Flood,
/// 2014), for Zobrist tables that are the same on every machine and in every build.
pub const fn split_mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
