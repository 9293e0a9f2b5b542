//! The staged proof: a search for a strategy of a flock that wins against everything the foxes do.
//!
//! A board is closed if no piece of the flock could be jumped from anywhere that the foxes can walk to. Between closed
//! boards of falling distance from the end, a proof-number search finds a way that the foxes cannot avoid ([`stage`]).
//! [`stages`] proves every board that such a way can end with, depth first, and keeps the wins ([`wins`], [`known`]).
//! [`search`] runs this level of effort by level of effort, with a file that a later run continues from
//! ([`checkpoint`]). A game takes part by implementing [`StagedBoard`].

pub(crate) mod checkpoint;
pub(crate) mod known;
mod numbers;
pub(crate) mod search;
pub(crate) mod stage;
pub(crate) mod stages;
pub(crate) mod wins;

/// The number of bits of a packed board.
pub(crate) const BOARD_BITS: u32 = 43;

/// A win from a position with the flock to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Win<M> {
    /// Moves of the flock to the end, this one included, whatever the foxes do: an upper bound, at most
    /// `2^`[`StagedBoard::MOVES_BITS`]` - 1`.
    pub moves: u16,
    /// The flock's move.
    pub mv: M,
}

/// The measures of a board with the flock to move that decide whether a stage may end there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measures {
    /// The number of jumps that there would be from anywhere the foxes can walk to: 0 on a closed board.
    pub threats: u32,
    /// The distance from the end of the game: see [`StagedBoard::distance`].
    pub distance: u32,
}

/// A board of a game in which a flock hems in foxes. Boards that are mirror images of each other count
/// as one.
pub(crate) trait StagedBoard: Copy {
    /// A move of the flock.
    type Move: Copy + PartialEq;

    /// The first bytes of the search's file.
    const MAGIC: &'static [u8; 8];

    /// The number of bits that a stored win has for the flock's moves to the end, at most 12.
    const MOVES_BITS: u32;

    /// The size of the flock at the start of the game.
    const FULL_FLOCK: u32;

    /// Returns the packed form, of [`BOARD_BITS`] bits with the flock in the lower 33, of the board or of its mirror
    /// image, whichever is smaller, and whether it is the mirror image's.
    fn canonical(self) -> (u64, bool);

    /// Returns the board of a packed form; `None` if no board has it.
    fn unpack(packed: u64) -> Option<Self>;

    /// Returns a move of the flock mirrored left to right.
    fn mirrored(mv: Self::Move) -> Self::Move;

    /// Returns the code of a move of the flock.
    fn code_of_move(mv: Self::Move) -> u8;

    /// Returns the move of a code; `None` if no move has it.
    fn move_of_code(code: u8) -> Option<Self::Move>;

    /// Returns whether the flock has won with its last move.
    fn is_won(self) -> bool;

    /// Returns the board after a move of the flock.
    fn after_flock_move(self, mv: Self::Move) -> Self;

    /// Calls `visit` with each move of the flock, the board after it, and whether it begins or ends near the foxes'
    /// region, that is at most two points away from it.
    fn each_flock_move(self, visit: impl FnMut(Self::Move, Self, bool));

    /// Calls `visit` with the board after each move of the foxes.
    fn each_after_fox_move(self, visit: impl FnMut(Self));

    /// Returns the distance of the flock from the end of the game. It falls from stage to stage.
    fn distance(self) -> u32;

    /// Returns the board's threats and distance.
    fn measures(self) -> Measures;

    /// Returns the agent's evaluation for the flock.
    fn value(self) -> i32;

    /// Returns the size of the flock.
    fn flock_size(self) -> u32;

    /// Returns whether a fox can jump.
    fn foxes_can_jump(self) -> bool;

    /// Returns the number of empty points beside the foxes.
    fn empty_beside_foxes(self) -> u32;

    /// Calls `visit` with every board after a move of the foxes; with none if the game is over.
    fn each_reply(self, visit: impl FnMut(Self)) {
        if !self.is_won() {
            self.each_after_fox_move(visit);
        }
    }
}

/// Returns the move as it is on the canonical board if `image` is false, otherwise mirrored left to right: the same
/// function converts back.
pub(crate) fn mirrored_if<B: StagedBoard>(image: bool, mv: B::Move) -> B::Move {
    if image { B::mirrored(mv) } else { mv }
}
