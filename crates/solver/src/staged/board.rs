//! What the staged proof asks of a board of Foxes and Geese beyond the game's rules.

use foxgeese::board::{Board, Cells, neighbours};
use foxgeese::moves::Move;
use foxgeese::rules::MOST_GEESE;
use foxgeese::strategy;

/// The number of bits of a packed board.
pub(crate) const BOARD_BITS: u32 = 43;

/// The measures of a board with the geese to move that decide whether a stage may end there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measures {
    /// The number of jumps that there would be from anywhere the foxes can walk to: 0 on a closed board.
    pub threats: u32,
    /// See [`distance`].
    pub distance: u32,
}

/// Returns the threats and the distance of a board.
#[inline]
pub(crate) fn measures(board: Board) -> Measures {
    let region = board.region();
    Measures { threats: board.threats(region), distance: distance_with(board, region) }
}

/// Returns the distance of the geese from having shut the foxes in, which falls from stage to stage: four for each cell of
/// the foxes' region, three for each goose lost.
pub(crate) fn distance(board: Board) -> u32 {
    distance_with(board, board.region())
}

fn distance_with(board: Board, region: Cells) -> u32 {
    4 * region.len() + 3 * MOST_GEESE.saturating_sub(board.geese.len())
}

/// Returns the move of a code; `None` if no move has it.
pub(crate) fn move_of_code(code: u8) -> Option<Move> {
    Some(strategy::move_of_code(code)).filter(|mv| mv.from != mv.to)
}

/// Returns the move as it is on the canonical board if `image` is false, otherwise mirrored left to right: the same
/// function converts back.
pub(crate) fn mirrored_if(image: bool, mv: Move) -> Move {
    if image { mv.mirrored() } else { mv }
}

/// Whether the geese have won with their last move.
#[inline]
pub(crate) fn is_won(board: Board) -> bool {
    board.square_is_full() || board.foxes_are_blocked()
}

/// Calls `visit` with each move of the geese, the board after it, and whether it begins or ends near the foxes' region,
/// that is at most two cells away from it.
#[inline]
pub(crate) fn each_goose_move(board: Board, mut visit: impl FnMut(Move, Board, bool)) {
    let region = board.region();
    let beside = region | neighbours(region);
    let near = beside | neighbours(beside);
    board.each_goose_move(|mv| visit(mv, board.after_goose(mv), near.contains(mv.from) || near.contains(mv.to)));
}

/// Calls `visit` with every board after a move of the foxes; with none if the game is over.
#[inline]
pub(crate) fn each_reply(board: Board, mut visit: impl FnMut(Board)) {
    if !is_won(board) {
        board.each_fox_move(|mv| visit(board.after_fox(mv)));
    }
}

/// Returns the number of empty cells beside the foxes.
#[inline]
pub(crate) fn empty_beside_foxes(board: Board) -> u32 {
    (neighbours(board.foxes) & board.empty()).len()
}
