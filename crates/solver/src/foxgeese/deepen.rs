//! Shorter wins by a shallow search from known positions into known positions.
//!
//! `shorten` only looks one play ahead, and only at positions that were proven on the way to something else. Here the
//! geese may leave the known positions for a few plays, if every reply leads back into them with plays to spare.

use super::shorten::moves_after;
use super::won::Wins;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use foxgeese::plays::Play;
use foxgeese::strategy::Win;
use std::collections::HashMap;

/// Plays of the geese looked at in a position that is not the first: those that look best.
const PLAYS: usize = 12;

/// What was looked for in vain: by packed canonical board, the plays allowed and the depth.
type Vain = HashMap<u64, (u8, u8)>;

/// Looks from a known position for a win that takes at least one play less, through at most `depth` plays of the
/// geese outside of the known positions. What it finds is kept, and the new number of plays returned.
pub fn deepen(wins: &mut Wins, vain: &mut Vain, board: Board, depth: u8) -> Option<u8> {
    let moves = wins.get(board)?.moves;
    within(wins, vain, board, moves.checked_sub(1)?, depth + 1, usize::MAX)
}

/// The plays in which the geese, who are to move, win, if they are at most `limit`.
fn within(wins: &mut Wins, vain: &mut Vain, board: Board, limit: u8, depth: u8, width: usize) -> Option<u8> {
    let packed = board.canonical().0;
    if let Some(moves) = wins.moves(packed).filter(|&moves| moves <= limit) {
        return Some(moves);
    }
    if depth == 0 || limit == 0 || vain.get(&packed).is_some_and(|&(most, deep)| most >= limit && deep >= depth) {
        return None;
    }
    let mut plays: Vec<(i32, Play)> = Vec::with_capacity(24);
    board.each_goose_play(|play| {
        let after = board.after_goose(play);
        let gift = after.foxes_can_jump();
        plays.push((60 * i32::from(gift) - for_geese(after), play));
    });
    plays.sort_by_key(|&(value, _)| value);
    plays.truncate(width);
    for (_, play) in plays {
        if all_within(wins, vain, board.after_goose(play), limit - 1, depth - 1) {
            let moves = moves_after(wins, board, play).expect("every reply was just found to be won");
            wins.insert(board, Win { moves, play });
            return Some(moves);
        }
    }
    vain.insert(packed, (limit, depth));
    None
}

/// Whether the geese win in at most so many plays whatever the foxes, who are to move, reply.
fn all_within(wins: &mut Wins, vain: &mut Vain, after: Board, limit: u8, depth: u8) -> bool {
    if after.square_is_full() || after.foxes_are_blocked() {
        return true;
    }
    let mut open = Vec::with_capacity(10);
    let mut hopeless = false;
    after.each_fox_play(|reply| {
        let next = after.after_fox(reply);
        if wins.moves(next.canonical().0).is_none_or(|moves| moves > limit) {
            hopeless |= depth == 0;
            open.push(next);
        }
    });
    !hopeless && open.into_iter().all(|next| within(wins, vain, next, limit, depth, PLAYS).is_some())
}
