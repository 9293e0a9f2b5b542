//! Shortening of a strategy's longest line: at the positions on lines that are among the longest, shallow searches look
//! for shorter wins, and the staged search proves other moves of the geese.

use super::deepen::deepen;
use super::shorten::{reachable, shorten, shorten_lines};
use crate::staged::stages::Stages;
use crate::staged::wins::Wins;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Returns the positions on those lines of the strategy that take at least `least` moves from the start to the end.
fn on_long_lines(wins: &mut Wins, start: Board, least: u16) -> Vec<Board> {
    let mut positions = reachable(wins, start);
    // By falling number of moves to the end: every position comes after those that lead to it.
    positions.sort_unstable_by_key(|&(packed, win)| (std::cmp::Reverse(win.moves), packed));
    let mut distance_from_start: HashMap<u64, u16> = HashMap::from([(start.canonical().0, 0)]);
    let mut found = Vec::new();
    for (packed, win) in positions {
        let board = Board::unpack(packed).expect("packed by a board");
        let moves_from_start = distance_from_start[&packed];
        if moves_from_start + win.moves >= least {
            found.push(board);
        }
        let after = board.after_goose(win.mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| {
                let next = distance_from_start.entry(after.after_fox(reply).canonical().0).or_insert(0);
                *next = (*next).max(moves_from_start + 1);
            });
        }
    }
    found
}

/// The method of a round of [`improve`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// Other moves into won positions, by [`shorten`].
    Known,
    /// Searches that leave the won positions for up to this number of moves of the geese, by [`deepen`].
    Deep(u8),
    /// Proofs of the positions after other moves.
    Other,
}

/// The report of a round of [`improve`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// The number of the geese's moves in the longest line.
    pub longest: u16,
    /// The number of positions that the round examines.
    pub positions: usize,
    /// The method applied to them.
    pub method: Method,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Round { longest, positions, method } = self;
        write!(f, "longest line {longest}, ")?;
        match method {
            Method::Known => write!(f, "{positions} positions: other moves into them"),
            Method::Deep(depth) => write!(f, "{positions} positions on long lines: shorter wins {depth} moves deep"),
            Method::Other => write!(f, "{positions} positions on long lines: other moves"),
        }
    }
}

/// Shortens the longest lines until `over` returns true or nothing more is found; calls `report` before each round.
pub(crate) fn improve(
    stages: &mut Stages<'_>,
    start: Board,
    over: impl Fn(&Wins) -> bool,
    mut report: impl FnMut(Round),
) {
    let mut tried: HashSet<Board> = HashSet::new();
    let mut slack: u16 = 0;
    while !over(&stages.known.wins) {
        let wins = &mut stages.known.wins;
        report(Round { longest: moves(wins, start), positions: wins.len(), method: Method::Known });
        shorten_lines(wins, start, &over);
        if !over(wins) {
            shorten(wins, &over);
        }
        deepen_all(wins, start, &over, &mut report);
        let longest = moves(&stages.known.wins, start);
        let boards = on_long_lines(&mut stages.known.wins, start, longest - slack);
        let fresh: Vec<Board> = boards.into_iter().filter(|board| !tried.contains(board)).collect();
        if over(&stages.known.wins) || slack > longest / 2 {
            return;
        }
        if fresh.is_empty() {
            slack += 2;
            continue;
        }
        report(Round { longest, positions: fresh.len(), method: Method::Other });
        for board in fresh {
            if over(&stages.known.wins) {
                break;
            }
            tried.insert(board);
            try_moves(stages, board);
        }
    }
}

/// Returns the number of the geese's moves in the longest line from the start.
fn moves(wins: &Wins, start: Board) -> u16 {
    wins.get(start).map_or(0, |win| win.moves)
}

/// The most moves of the geese outside of the won positions in a shallow search.
const DEEPEST: u8 = 5;
/// The number of moves by which a line may be shorter than the longest and still be examined: it is among the longest soon.
const MARGIN: u16 = 2;
/// The depth grows unless the longest line got shorter, or at least one in this number of positions did.
const WORTHWHILE: usize = 50;

/// Runs shallow searches of growing depth from the positions on long lines, those near the end first.
fn deepen_all(wins: &mut Wins, start: Board, over: impl Fn(&Wins) -> bool, mut report: impl FnMut(Round)) {
    let mut depth = 1;
    while depth <= DEEPEST && !over(wins) {
        let longest = moves(wins, start);
        let boards = on_long_lines(wins, start, longest.saturating_sub(MARGIN));
        let count = boards.len();
        report(Round { longest, positions: count, method: Method::Deep(depth) });
        let (mut gained, mut failed) = (0, HashMap::new());
        for board in boards.into_iter().rev() {
            if over(wins) {
                return;
            }
            gained += usize::from(deepen(wins, &mut failed, board, depth).is_some());
        }
        shorten(wins, &over);
        if moves(wins, start) == longest && gained * WORTHWHILE < count {
            depth += 1;
        }
    }
}

/// The number of the geese's moves tried in a position: those with the best evaluations.
const MOVES: usize = 6;
/// The level of effort spent on each reply.
const LEVEL: u8 = 2;
/// The number of stages spent on each reply.
const STAGES: u64 = 60;

/// Tries to prove every reply of the foxes to other moves of the geese; stops at the first reply that fails.
fn try_moves(stages: &mut Stages<'_>, board: Board) {
    let mut moves = Vec::new();
    board.each_goose_move(|mv| moves.push(board.after_goose(mv)));
    moves.retain(|after| !after.foxes_can_jump());
    moves.sort_by_key(|&after| -for_geese(after));
    for after in moves.into_iter().take(MOVES) {
        let mut replies = Vec::new();
        after.each_fox_move(|reply| replies.push(after.after_fox(reply)));
        let _ = replies.into_iter().all(|reply| stages.prove_within(reply, LEVEL, STAGES));
    }
}
