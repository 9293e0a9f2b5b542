//! Shorter wins from a set of won positions, and the part of it that a strategy from one board needs.

use super::won::{Win, Wins};
use foxgeese::board::Board;
use foxgeese::moves::Move;
use std::collections::HashSet;

/// The number of the geese's moves to the end if they play `mv`, from the wins known after the foxes' replies; `None`
/// if one of those is not known.
pub(crate) fn moves_after(wins: &Wins, board: Board, mv: Move) -> Option<u16> {
    let after = board.after_goose(mv);
    if after.square_is_full() || after.foxes_are_blocked() {
        return Some(1);
    }
    let mut most = Some(0);
    after.each_fox_move(|reply| {
        most = most.and_then(|most: u16| {
            let packed = after.after_fox(reply).canonical().0;
            wins.moves(packed).map(|moves| most.max(moves))
        });
    });
    most.map(|most| most + 1)
}

/// Whether the geese, after whose move this board is, win in less than `limit` moves, that one included, by the wins known
/// after the foxes' replies.
fn within(wins: &Wins, after: Board, limit: u16) -> bool {
    let later = |next: Board| wins.moves(next.canonical().0).is_none_or(|moves| moves + 1 >= limit);
    limit > 1 && (after.square_is_full() || !after.any_reply(later))
}

/// Looks at every move of the geese in every known position, again and again, until no bound gets smaller or `over` is
/// true of the wins. Returns the number of passes.
pub(crate) fn shorten(wins: &mut Wins, over: impl Fn(&Wins) -> bool) -> u32 {
    let mut order: Vec<(u64, u16)> = wins.packed().collect();
    let mut passes = 0;
    loop {
        passes += 1;
        if pass(wins, &mut order) == 0 || over(wins) {
            return passes;
        }
    }
}

/// The same for the positions that can arise from a board alone, which are others after each pass, as long as the longest
/// line gets shorter: far less work, but less is found.
pub(crate) fn shorten_lines(wins: &mut Wins, start: Board, over: impl Fn(&Wins) -> bool) {
    let mut before = u16::MAX;
    while let Some(win) = wins.get(start).filter(|win| win.moves < before && !over(wins)) {
        before = win.moves;
        let mut order = reachable(wins, start).into_iter().map(|(packed, win)| (packed, win.moves)).collect();
        pass(wins, &mut order);
    }
}

/// Looks at every move of the geese in these positions, given with their bounds: the number of bounds that are smaller now.
fn pass(wins: &mut Wins, order: &mut Vec<(u64, u16)>) -> usize {
    // Positions near the end first, so that most of a pass's news is used in the same pass.
    order.sort_unstable_by_key(|&(packed, moves)| (moves, packed));
    let mut changed = 0;
    for (packed, moves) in order {
        let board = Board::unpack(*packed).expect("packed by a board");
        let mut better = None;
        board.each_goose_move(|mv| {
            if within(wins, board.after_goose(mv), *moves) {
                *moves = moves_after(wins, board, mv).expect("every reply was just found to be won");
                better = Some(mv);
            }
        });
        if let Some(mv) = better {
            wins.insert(board, Win { moves: *moves, mv });
            changed += 1;
        }
    }
    changed
}

/// The positions that can arise from a board if the geese play by the known wins: by rising packed board, each with
/// its win in the canonical image. A bound that was larger than its line is set right.
pub(crate) fn reachable(wins: &mut Wins, start: Board) -> Vec<(u64, Win)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut left = vec![start];
    while let Some(board) = left.pop() {
        let (packed, _) = board.canonical();
        if !seen.insert(packed) {
            continue;
        }
        let board = Board::unpack(packed).expect("packed by a board");
        let win = wins.get(board).expect("every reply of a kept win is known");
        found.push((packed, win));
        let after = board.after_goose(win.mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| left.push(after.after_fox(reply)));
        }
    }
    // A win's bound is larger than those of the positions after it, which are right by then.
    found.sort_unstable_by_key(|&(packed, win)| (win.moves, packed));
    for (packed, win) in &mut found {
        let board = Board::unpack(*packed).expect("packed by a board");
        win.moves = moves_after(wins, board, win.mv).expect("every reply of a kept win is known");
        wins.insert(board, *win);
    }
    found.sort_unstable_by_key(|&(packed, _)| packed);
    found
}
