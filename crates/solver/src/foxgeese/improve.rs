//! Shorter longest lines: where a line is among the longest, other plays of the geese are proven, too.

use super::shorten::{reachable, shorten};
use super::stages::Stages;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use std::collections::{HashMap, HashSet};

/// Positions on lines of at least this many plays, the strategy's own, from the start on.
fn on_long_lines(stages: &Stages, start: Board, least: u8) -> Vec<Board> {
    let wins = &stages.known.wins;
    let mut positions = reachable(wins, start);
    // By falling distance to the end, every position comes after those that lead to it.
    positions.sort_unstable_by_key(|&(packed, win)| (std::cmp::Reverse(win.moves), packed));
    let mut depth: HashMap<u64, u8> = HashMap::from([(start.canonical().0, 0)]);
    let mut found = Vec::new();
    for (packed, win) in positions {
        let board = Board::unpack(packed).expect("packed by a board");
        let here = depth[&packed];
        if here + win.moves >= least {
            found.push(board);
        }
        let after = board.after_goose(win.play);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_play(|reply| {
                let next = depth.entry(after.after_fox(reply).canonical().0).or_insert(0);
                *next = (*next).max(here + 1);
            });
        }
    }
    found
}

/// Tries other plays on the longest lines until `over` says so, and returns the plays in the longest line left. `tell` is told of
/// each round: the plays in the longest line and the positions that were looked at.
pub fn improve(stages: &mut Stages, start: Board, over: impl Fn() -> bool, mut tell: impl FnMut(u8, usize)) -> u8 {
    let mut tried: HashSet<Board> = HashSet::new();
    let mut slack = 0;
    loop {
        shorten(&mut stages.known.wins);
        let longest = stages.known.wins.get(start).map_or(0, |win| win.moves);
        let boards = on_long_lines(stages, start, longest - slack);
        let fresh: Vec<Board> = boards.into_iter().filter(|board| !tried.contains(board)).collect();
        tell(longest, fresh.len());
        if over() || slack > longest / 2 {
            return longest;
        }
        if fresh.is_empty() {
            slack += 2;
            continue;
        }
        for board in fresh {
            if over() {
                break;
            }
            tried.insert(board);
            try_plays(stages, board);
        }
    }
}

/// Plays of the geese tried in a position: those that look best.
const PLAYS: usize = 6;
/// Efforts and stages spent on each reply.
const EFFORTS: usize = 2;
const STAGES: u64 = 60;

/// Proves what the foxes can reply to other plays of the geese, as far as it goes.
fn try_plays(stages: &mut Stages, board: Board) {
    let mut plays = Vec::new();
    board.each_goose_play(|play| plays.push(board.after_goose(play)));
    plays.retain(|after| !after.foxes_can_jump());
    plays.sort_by_key(|&after| -for_geese(after));
    for after in plays.into_iter().take(PLAYS) {
        let mut replies = Vec::new();
        after.each_fox_play(|reply| replies.push(after.after_fox(reply)));
        let _ = replies.into_iter().all(|reply| stages.prove_within(reply, EFFORTS, STAGES));
    }
}
