//! A shallow search for shorter wins, from won positions through others back to won positions.
//!
//! `shorten` looks only one move ahead, and only at positions that are known to be won. Here the geese may leave those
//! positions for a few moves, if every reply leads back into them early enough.

use crate::staged::Win;
use crate::staged::wins::Wins;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use std::collections::HashMap;

/// The number of the geese's moves searched below the root: those with the best evaluations.
const MOVES: usize = 12;

/// The searches that failed: by packed canonical board, the limit of moves and the depth.
type FailedSearches = HashMap<u64, (u16, u8)>;

/// Searches from a won position for a win that is at least one move shorter, with at most `depth` moves of the geese
/// outside of the won positions. Adds the wins found to `wins` and returns the new number of moves.
pub(crate) fn deepen(wins: &mut Wins, failed: &mut FailedSearches, board: Board, depth: u8) -> Option<u16> {
    let moves = wins.get(board)?.moves;
    within(wins, failed, board, moves.checked_sub(1)?, depth + 1, usize::MAX)
}

/// Returns the number of moves in which the geese, who are to move, win, if it is at most `limit`. Searches the `width`
/// moves with the best evaluations.
fn within(
    wins: &mut Wins,
    failed: &mut FailedSearches,
    board: Board,
    limit: u16,
    depth: u8,
    width: usize,
) -> Option<u16> {
    let packed = board.canonical().0;
    if let Some(moves) = wins.moves(packed).filter(|&moves| moves <= limit) {
        return Some(moves);
    }
    if depth == 0 || limit == 0 || failed.get(&packed).is_some_and(|&(most, deep)| most >= limit && deep >= depth) {
        return None;
    }
    let mut moves: Vec<(i32, Move)> = Vec::with_capacity(24);
    board.each_goose_move(|mv| {
        let after = board.after_goose(mv);
        let gift = after.foxes_can_jump();
        moves.push((60 * i32::from(gift) - for_geese(after), mv));
    });
    moves.sort_by_key(|&(value, _)| value);
    moves.truncate(width);
    for (_, mv) in moves {
        if all_within(wins, failed, board.after_goose(mv), limit - 1, depth - 1) {
            let moves = wins.moves_after(board, mv).expect("every reply was just found to be won");
            wins.insert(board, Win { moves, mv });
            return Some(moves);
        }
    }
    failed.insert(packed, (limit, depth));
    None
}

/// Returns whether the geese win in at most `limit` moves after every reply of the foxes, who are to move.
fn all_within(wins: &mut Wins, failed: &mut FailedSearches, after: Board, limit: u16, depth: u8) -> bool {
    if after.square_is_full() || after.foxes_are_blocked() {
        return true;
    }
    let mut open = Vec::with_capacity(10);
    let mut hopeless = false;
    after.each_fox_move(|reply| {
        let next = after.after_fox(reply);
        if wins.moves(next.canonical().0).is_none_or(|moves| moves > limit) {
            hopeless |= depth == 0;
            open.push(next);
        }
    });
    !hopeless && open.into_iter().all(|next| within(wins, failed, next, limit, depth, MOVES).is_some())
}
