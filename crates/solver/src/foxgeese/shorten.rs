//! Shorter wins by other moves within a set of won positions, and the part of the set that a strategy needs.

use crate::staged::Win;
use crate::staged::wins::Wins;
use foxgeese::board::Board;
use std::collections::HashSet;

/// Returns whether the move of the geese that led to `after` wins in less than `limit` moves, that one included, by the
/// wins known after the foxes' replies.
fn within(wins: &Wins, after: Board, limit: u16) -> bool {
    let later = |next: Board| wins.moves(next.canonical().0).is_none_or(|moves| moves + 1 >= limit);
    limit > 1 && (after.square_is_full() || !after.any_fox_move(later))
}

/// Examines every move of the geese in every won position, in passes, until a pass lowers no bound or `over` returns true.
/// Returns the number of passes.
pub(crate) fn shorten(wins: &mut Wins, over: impl Fn(&Wins) -> bool) -> u32 {
    let mut order: Vec<(u64, u16)> = wins.positions().map(|(packed, win)| (packed, win.moves)).collect();
    let mut passes = 0;
    loop {
        passes += 1;
        if pass(wins, &mut order) == 0 || over(wins) {
            return passes;
        }
    }
}

/// Does the same as [`shorten`] for only the positions that can arise from a board, as long as the longest line gets
/// shorter: far less work, but it finds less. Each pass changes which positions can arise.
pub(crate) fn shorten_lines(wins: &mut Wins, start: Board, over: impl Fn(&Wins) -> bool) {
    let mut before = u16::MAX;
    while let Some(win) = wins.get(start).filter(|win| win.moves < before && !over(wins)) {
        before = win.moves;
        let mut order = reachable(wins, start).into_iter().map(|(packed, win)| (packed, win.moves)).collect();
        pass(wins, &mut order);
    }
}

/// Examines every move of the geese in positions given with their bounds. Returns the number of bounds lowered.
fn pass(wins: &mut Wins, order: &mut Vec<(u64, u16)>) -> usize {
    // Positions near the end come first, so that most lowered bounds are used in the same pass.
    order.sort_unstable_by_key(|&(packed, moves)| (moves, packed));
    let mut changed = 0;
    for (packed, moves) in order {
        let board = Board::unpack(*packed).expect("packed by a board");
        let mut better = None;
        board.each_goose_move(|mv| {
            if within(wins, board.after_goose(mv), *moves) {
                *moves = wins.moves_after(board, mv).expect("every reply was just found to be won");
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

/// Returns the positions that can arise from a board if the geese play by the known wins, by rising packed board, each
/// with its win in the canonical image. Lowers bounds that are larger than the longest line from their position.
pub(crate) fn reachable(wins: &mut Wins, start: Board) -> Vec<(u64, Win)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut queue = vec![start];
    while let Some(board) = queue.pop() {
        let (packed, _) = board.canonical();
        if !seen.insert(packed) {
            continue;
        }
        let board = Board::unpack(packed).expect("packed by a board");
        let win = wins.get(board).expect("every reply of a kept win is known");
        found.push((packed, win));
        let after = board.after_goose(win.mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| queue.push(after.after_fox(reply)));
        }
    }
    // A win's bound is larger than those of the positions after it, which have been corrected by then.
    found.sort_unstable_by_key(|&(packed, win)| (win.moves, packed));
    for (packed, win) in &mut found {
        let board = Board::unpack(*packed).expect("packed by a board");
        win.moves = wins.moves_after(board, win.mv).expect("every reply of a kept win is known");
        wins.insert(board, *win);
    }
    found.sort_unstable_by_key(|&(packed, _)| packed);
    found
}
