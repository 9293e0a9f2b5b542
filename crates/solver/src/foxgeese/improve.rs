//! Shorter longest lines: where a line is among the longest, shorter wins are looked for by shallow searches, and other
//! moves of the geese are proven, too.

use super::deepen::deepen;
use super::shorten::{reachable, shorten, shorten_lines};
use super::stages::Stages;
use super::won::Wins;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Positions on lines of at least this many moves, the strategy's own, from the start on.
fn on_long_lines(wins: &mut Wins, start: Board, least: u16) -> Vec<Board> {
    let mut positions = reachable(wins, start);
    // By falling distance to the end, every position comes after those that lead to it.
    positions.sort_unstable_by_key(|&(packed, win)| (std::cmp::Reverse(win.moves), packed));
    let mut depth: HashMap<u64, u16> = HashMap::from([(start.canonical().0, 0)]);
    let mut found = Vec::new();
    for (packed, win) in positions {
        let board = Board::unpack(packed).expect("packed by a board");
        let here = depth[&packed];
        if here + win.moves >= least {
            found.push(board);
        }
        let after = board.after_goose(win.mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| {
                let next = depth.entry(after.after_fox(reply).canonical().0).or_insert(0);
                *next = (*next).max(here + 1);
            });
        }
    }
    found
}

/// What a round of [`improve`] does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// It looks at other moves into known positions.
    Known,
    /// It leaves the known positions for up to so many moves of the geese.
    Deep(u8),
    /// It proves what other moves lead to.
    Other,
}

/// One round of [`improve`], as it is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// The number of the geese's moves in the longest line.
    pub longest: u16,
    /// The number of positions that are looked at.
    pub positions: usize,
    /// What is done with them.
    pub way: Way,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Round { longest, positions, way } = self;
        write!(f, "longest line {longest}, ")?;
        match way {
            Way::Known => write!(f, "{positions} positions: other moves into them"),
            Way::Deep(depth) => write!(f, "{positions} positions on long lines: shorter wins {depth} moves deep"),
            Way::Other => write!(f, "{positions} positions on long lines: other moves"),
        }
    }
}

/// Makes the longest lines shorter until `over` is true of the wins; calls `tell` before each round.
pub(crate) fn improve(stages: &mut Stages, start: Board, over: impl Fn(&Wins) -> bool, mut tell: impl FnMut(Round)) {
    let mut tried: HashSet<Board> = HashSet::new();
    let mut slack: u16 = 0;
    while !over(&stages.known.wins) {
        let wins = &mut stages.known.wins;
        tell(Round { longest: moves(wins, start), positions: wins.len(), way: Way::Known });
        shorten_lines(wins, start, &over);
        if !over(wins) {
            shorten(wins, &over);
        }
        deepen_all(wins, start, &over, &mut tell);
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
        tell(Round { longest, positions: fresh.len(), way: Way::Other });
        for board in fresh {
            if over(&stages.known.wins) {
                break;
            }
            tried.insert(board);
            try_moves(stages, board);
        }
    }
}

/// The number of the geese's moves in the longest line.
fn moves(wins: &Wins, start: Board) -> u16 {
    wins.get(start).map_or(0, |win| win.moves)
}

/// The most moves of the geese outside of the known positions that a shallow search leads through.
const DEEPEST: u8 = 5;
/// The number of moves by which lines may be shorter than the longest and be looked at, too: they are the longest soon.
const MARGIN: u16 = 2;
/// The number of positions of which one must have gained for another round at the same depth.
const WORTHWHILE: usize = 50;

/// Shallow searches from the positions on long lines, those near the end first, deeper and deeper.
fn deepen_all(wins: &mut Wins, start: Board, over: impl Fn(&Wins) -> bool, mut tell: impl FnMut(Round)) {
    let mut depth = 1;
    while depth <= DEEPEST && !over(wins) {
        let longest = moves(wins, start);
        let boards = on_long_lines(wins, start, longest.saturating_sub(MARGIN));
        let count = boards.len();
        tell(Round { longest, positions: count, way: Way::Deep(depth) });
        let (mut gained, mut vain) = (0, HashMap::new());
        for board in boards.into_iter().rev() {
            if over(wins) {
                return;
            }
            gained += usize::from(deepen(wins, &mut vain, board, depth).is_some());
        }
        shorten(wins, &over);
        if moves(wins, start) == longest && gained * WORTHWHILE < count {
            depth += 1;
        }
    }
}

/// The number of the geese's moves tried in a position: those that look best.
const MOVES: usize = 6;
/// The level of the efforts spent on each reply.
const LEVEL: u8 = 2;
/// The number of stages spent on each reply.
const STAGES: u64 = 60;

/// Proves what the foxes can reply to other moves of the geese, as far as it goes.
fn try_moves(stages: &mut Stages, board: Board) {
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
