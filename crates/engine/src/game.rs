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
    Points(i32),
}

impl Outcome {
    /// The winning side; `None` for a draw or equal points.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Points(difference) if difference > 0 => Some(Side::First),
            Outcome::Points(difference) if difference < 0 => Some(Side::Second),
            Outcome::Draw | Outcome::Points(_) => None,
        }
    }
}

/// The rules of a two-player game with full information. The type that implements it is a position: plain state, cheap
/// to clone, with its key and whatever its evaluation sums up kept incrementally.
///
/// A position without an outcome has at least one play; a game in which a side may have none either ends there or
/// lists a pass.
///
/// [`conformance`](crate::conformance) checks that an implementation keeps these promises.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// A play, small and plain. Plays with the same effect on the board should be one move.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// What [`Game::undo`] needs beside the play itself.
    type Undo;

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal play, each once, in an order that depends on the position alone. Appends nothing when the
    /// game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Makes a play. Unchecked: a play that is not legal here leaves a position without meaning; use
    /// [`Game::is_legal`] first for plays from outside.
    fn play(&mut self, play: Self::Move) -> Self::Undo;

    /// Takes back the last play; afterwards the position equals what it was, field by field.
    fn undo(&mut self, play: Self::Move, undo: Self::Undo);

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

    /// A code for a play, different for different plays of one position; never `u32::MAX`. The transposition table
    /// keeps it.
    fn encode(&self, play: Self::Move) -> u32;

    /// The legal play with this code, if there is one. Must withstand any code: a table entry may belong to another
    /// position with the same key. Faster than generating all plays, where the game can.
    fn decode(&self, code: u32) -> Option<Self::Move> {
        let mut plays = Vec::new();
        self.moves(&mut plays);
        plays.into_iter().find(|&play| self.encode(play) == code)
    }

    /// Whether the play is legal here.
    fn is_legal(&self, play: Self::Move) -> bool {
        self.decode(self.encode(play)) == Some(play)
    }

    /// The legal plays that perft counts, where the rules page counts plays that differ only in their path and the
    /// search does not.
    fn count_moves(&self) -> u64 {
        let mut plays = Vec::new();
        self.moves(&mut plays);
        plays.len() as u64
    }

    /// As how many plays perft counts a listed play, where the rules page counts paths. The sum over all plays is
    /// [`Game::count_moves`].
    fn count_paths(&self, play: Self::Move) -> u64 {
        let _ = play;
        1
    }

    /// Convenience for callers outside the search: all legal plays in a new vector.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut plays = Vec::new();
        self.moves(&mut plays);
        plays
    }
}

/// Counts the lines of `depth` plays from a position: the figure that move generators are compared by.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    fn walk<G: Game>(position: &mut G, depth: u32, plays: &mut Vec<G::Move>) -> u64 {
        let start = plays.len();
        position.moves(plays);
        let end = plays.len();
        let mut lines = 0;
        for index in start..end {
            let play = plays[index];
            let paths = position.count_paths(play);
            let undo = position.play(play);
            lines += paths * if depth == 2 { position.count_moves() } else { walk(position, depth - 1, plays) };
            position.undo(play, undo);
        }
        plays.truncate(start);
        lines
    }
    match depth {
        0 => 1,
        1 => position.count_moves(),
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
