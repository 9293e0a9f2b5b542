//! The search for the whole strategy, stage by stage: depth first, over every board that a stage can end with.

use super::board::{State, after_fox, after_sheep, canonical, mirrored, state};
use super::known::Known;
use super::stage::{Effort, Found, StageSearch, distance};
use super::won::Win;
use foxgame::board::Board;
use foxgame::evaluate::region;
use foxgame::rules::Move;
use std::collections::HashSet;
use std::fmt;

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// The number of stages entered and not yet left.
    pub depth: usize,
    /// The number of stages searched.
    pub stages: u64,
    /// The nodes of all searches.
    pub nodes: u64,
    /// The number of won positions known.
    pub wins: usize,
    /// The number of boards given up.
    pub dead: usize,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { depth, stages, nodes, wins, dead } = self;
        write!(f, "{wins} won positions, {stages} stages searched, {nodes} nodes, {dead} boards given up, {depth} deep")
    }
}

/// The number of stages tried from one board at one level.
const TRIES: u32 = 12;

/// The search's state.
pub(crate) struct Stages<'a> {
    /// The won positions and the boards given up so far.
    pub known: Known,
    search: StageSearch,
    effort: fn(u8) -> Effort,
    stages: u64,
    depth: usize,
    tell: &'a mut dyn FnMut(Progress, Board),
}

impl<'a> Stages<'a> {
    /// A search with an effort for each level, which calls `tell` after each stage searched.
    pub(crate) fn new(effort: fn(u8) -> Effort, tell: &'a mut dyn FnMut(Progress, Board)) -> Stages<'a> {
        Stages {
            known: Known::default(),
            search: StageSearch::new(22),
            effort,
            stages: 0,
            depth: 0,
            tell,
        }
    }

    /// Looks for a win of SHEEP, who is to move, with the effort of a level. All that is found is in [`Stages::known`].
    pub(crate) fn prove(&mut self, board: Board, level: u8) -> bool {
        let packed = canonical(board).0;
        if self.known.wins.moves(packed).is_some() {
            return true;
        }
        if self.known.dead.get(&packed).is_some_and(|&given_up| given_up >= level) {
            return false;
        }
        self.depth += 1;
        let proven = (0..TRIES).map(|attempt| self.try_stage(board, level, attempt > 0)).find(|tried| *tried != Some(false));
        self.depth -= 1;
        if proven != Some(Some(true)) {
            self.known.dead.insert(packed, level);
        }
        proven == Some(Some(true))
    }

    /// Finds a stage, and proves all that it can end with: whether that worked; `None` if there is no stage.
    fn try_stage(&mut self, board: Board, level: u8, again: bool) -> Option<bool> {
        self.stages += 1;
        let found = self.search.run(board, &self.known, (self.effort)(level), again);
        let progress = Progress {
            depth: self.depth,
            stages: self.stages,
            nodes: self.search.total_nodes,
            wins: self.known.wins.len(),
            dead: self.known.dead.len(),
        };
        (self.tell)(progress, board);
        let found = found?;
        let mut walk = Walk { known: &self.known, found: &found, seen: HashSet::new(), inside: vec![], ends: vec![] };
        walk.follow(board);
        let (inside, mut ends) = (walk.inside, walk.ends);
        // The ends that look worst come first, to fail early.
        ends.sort_by_key(|end| std::cmp::Reverse(distance(*end, region(*end))));
        let proven = ends.into_iter().all(|end| self.prove(end, level));
        if proven {
            inside.into_iter().for_each(|(board, mv)| self.keep(board, mv));
        }
        Some(proven)
    }

    /// Keeps a win all of whose replies are known to be won.
    fn keep(&mut self, board: Board, mv: Move) {
        let mut most = 0;
        each_reply(after_sheep(board, mv), |next| {
            let win = self.known.wins.get(next);
            most = most.max(win.expect("every reply of a kept win is known").moves);
        });
        self.known.wins.insert(board, Win { moves: most + 1, mv });
    }
}

/// Calls `visit` with every board after a move of FOX with which the game goes on; none if it is over already.
pub(crate) fn each_reply(after: Board, mut visit: impl FnMut(Board)) {
    if state(after, false) != State::Open {
        return;
    }
    let mut moves = Vec::with_capacity(32);
    after.fox_moves(&mut moves);
    for mv in moves {
        let next = after_fox(after, mv);
        if state(next, true) == State::Open {
            visit(next);
        }
    }
}

/// A walk along a stage's way, which collects the boards on it, those near its end first, and the boards it ends with.
struct Walk<'a> {
    known: &'a Known,
    found: &'a Found,
    seen: HashSet<u64>,
    inside: Vec<(Board, Move)>,
    ends: Vec<Board>,
}

impl Walk<'_> {
    fn follow(&mut self, board: Board) {
        let (packed, image) = canonical(board);
        if self.known.wins.moves(packed).is_some() || !self.seen.insert(packed) {
            return;
        }
        let Some(&(_, mv)) = self.found.get(&packed) else {
            self.ends.push(board);
            return;
        };
        let mv = if image { mirrored(mv) } else { mv };
        each_reply(after_sheep(board, mv), |next| self.follow(next));
        self.inside.push((board, mv));
    }
}
