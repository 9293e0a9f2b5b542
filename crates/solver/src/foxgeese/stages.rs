//! The search for the whole strategy, stage by stage: depth first, over every board that a stage can end with.

use super::known::Known;
use super::stage::{Effort, Found, StageSearch, distance};
use foxgeese::board::Board;
use foxgeese::moves::Move;
use foxgeese::strategy::Win;
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

/// The search's state.
pub(crate) struct Stages<'a> {
    /// The won positions and the boards given up so far.
    pub known: Known,
    search: StageSearch,
    efforts: Vec<Effort>,
    stages: u64,
    /// The number of stages after which none is begun.
    last_stage: u64,
    depth: usize,
    tell: &'a mut dyn FnMut(Progress, Board),
}

impl<'a> Stages<'a> {
    /// A search that tries each stage with one effort after the other, and calls `tell` after each stage searched.
    pub(crate) fn new(efforts: Vec<Effort>, tell: &'a mut dyn FnMut(Progress, Board)) -> Stages<'a> {
        Stages {
            known: Known::default(),
            search: StageSearch::new(22),
            efforts,
            stages: 0,
            last_stage: u64::MAX,
            depth: 0,
            tell,
        }
    }

    /// Looks for a win with the first `efforts` efforts and in at most `stages` stages. A board that fails is given up
    /// only if all of its stages were searched.
    pub(crate) fn prove_within(&mut self, board: Board, efforts: usize, stages: u64) -> bool {
        let all = std::mem::take(&mut self.efforts);
        self.efforts = all.iter().copied().take(efforts).collect();
        self.last_stage = self.stages + stages;
        let proven = self.prove(board);
        self.last_stage = u64::MAX;
        self.efforts = all;
        proven
    }

    /// Looks for a win of the geese, who are to move. All that is found is in [`Stages::known`].
    pub(crate) fn prove(&mut self, board: Board) -> bool {
        let packed = board.canonical().0;
        if self.known.wins.moves(packed).is_some() {
            return true;
        }
        if self.known.dead.contains(&packed) {
            return false;
        }
        self.depth += 1;
        let proven = (0..self.efforts.len()).any(|index| self.try_stage(board, self.efforts[index]));
        self.depth -= 1;
        if !proven && self.stages < self.last_stage {
            self.known.dead.insert(packed);
        }
        proven
    }

    /// Finds a stage, and proves all that it can end with; if one of its ends fails, finds another.
    fn try_stage(&mut self, board: Board, effort: Effort) -> bool {
        loop {
            if self.stages >= self.last_stage {
                return false;
            }
            self.stages += 1;
            let found = self.search.run(board, &self.known, effort);
            let progress = Progress {
                depth: self.depth,
                stages: self.stages,
                nodes: self.search.total_nodes,
                wins: self.known.wins.len(),
                dead: self.known.dead.len(),
            };
            (self.tell)(progress, board);
            let Some(found) = found else { return false };
            let mut walk =
                Walk { known: &self.known, found: &found, seen: HashSet::new(), inside: vec![], ends: vec![] };
            walk.follow(board);
            let (inside, mut ends) = (walk.inside, walk.ends);
            // The ends that look worst come first, to fail early.
            ends.sort_by_key(|end| std::cmp::Reverse(distance(*end, end.region())));
            if ends.into_iter().all(|end| self.prove(end)) {
                inside.into_iter().for_each(|(board, mv)| self.keep(board, mv));
                return true;
            }
        }
    }

    /// Keeps a win all of whose replies are known to be won.
    fn keep(&mut self, board: Board, mv: Move) {
        let after = board.after_goose(mv);
        let mut most = 0;
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| {
                let win = self.known.wins.get(after.after_fox(reply));
                most = most.max(win.expect("every reply of a kept win is known").moves);
            });
        }
        self.known.wins.insert(board, Win { moves: most + 1, mv });
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
        let (packed, mirrored) = board.canonical();
        if self.known.wins.moves(packed).is_some() || !self.seen.insert(packed) {
            return;
        }
        let Some(&(_, mv)) = self.found.get(&packed) else {
            self.ends.push(board);
            return;
        };
        let mv = if mirrored { mv.mirrored() } else { mv };
        let after = board.after_goose(mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| self.follow(after.after_fox(reply)));
        }
        self.inside.push((board, mv));
    }
}
