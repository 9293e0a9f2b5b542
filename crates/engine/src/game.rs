//! The rules of a two-player game.

use std::fmt::Debug;
use std::hash::Hash;

/// One of the two players, named by [`Protocol::SIDES`](crate::Protocol::SIDES).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first side.
    First,
    /// The second side.
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
    /// The first side's points minus the second's, in a game that counts them: the more the better
    /// for the first side.
    Margin(i32),
}

impl Outcome {
    /// The winning side; `None` for a draw or equal points.
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
/// A position without an outcome has at least one move: where a side may have none, either the game
/// ends or a pass is a move. `engine::conformance` checks this contract.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A small, plain value. Moves with the same effect on the board should be equal.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// What [`Game::undo`] needs besides the move.
    type Undo;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The result; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, each once, in an order that depends on the position alone; nothing
    /// when the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Makes a move, unchecked: check moves from outside with [`Game::is_legal`].
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// The position after a move, unchecked.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    /// Takes back the last move: the position equals the one before it, field by field.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The Zobrist key of everything that affects the rest of the game: board, side to move, and
    /// history where it counts.
    fn key(&self) -> u64;

    /// The key of everything that affects the next `plies` plies, for the transposition table. It
    /// differs from [`Game::key`] in games whose history counts but cannot matter so soon. With 0
    /// plies it is the key of what the evaluation depends on.
    fn key_within(&self, plies: u32) -> u64 {
        let _ = plies;
        self.key()
    }

    /// The same position with its incrementally kept state recomputed from the board.
    #[must_use]
    fn rebuilt(&self) -> Self;

    /// A code for a move, distinct among the legal moves of a position and never `u32::MAX`.
    fn encode(&self, mv: Self::Move) -> u32;

    /// The legal move with this code, if there is one. Any code may come: a table entry may belong
    /// to another position. A game should override it where it can avoid generating all moves.
    fn decode(&self, code: u32) -> Option<Self::Move> {
        self.legal_moves().into_iter().find(|&mv| self.encode(mv) == code)
    }

    /// Whether the move is legal in this position.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.decode(self.encode(mv)) == Some(mv)
    }

    /// The number of legal moves as perft counts them: more than [`Game::moves`] lists where the
    /// rules count moves that differ only in their path.
    fn perft_leaves(&self) -> u64 {
        self.legal_moves().len() as u64
    }

    /// The number of moves that perft counts for one listed move. The sum over all moves is
    /// [`Game::perft_leaves`].
    fn perft_weight(&self, mv: Self::Move) -> u64 {
        let _ = mv;
        1
    }

    /// All legal moves in a new vector, for callers outside the search.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }
}

/// Counts the lines of play of `depth` moves from a position (perft).
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
            let below = match depth {
                2 => position.perft_leaves(),
                _ => walk(position, depth - 1, moves),
            };
            lines += paths * below;
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

/// A pseudo-random number for a counter (SplitMix64; Steele, Lea, Flood, 2014), for Zobrist tables
/// that are the same on every machine.
pub const fn split_mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The FNV-1a checksum of bytes, 64 bits (Fowler, Noll, Vo).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
