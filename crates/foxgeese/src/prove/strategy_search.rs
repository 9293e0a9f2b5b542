//! The search for the strategy: depth first over one play of the geese and every play of the foxes, with a
//! proof-number search at each new position.

use super::proof_number::Prover;
use super::won::Win;
use crate::board::Board;
use crate::evaluate::{Evaluation, for_geese};
use crate::plays::Play;
use crate::rules::Position;
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::{Game, Side};
use std::collections::{HashMap, HashSet};

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nodes of each proof-number search.
    pub leaf_nodes: u64,
    /// Plays of the geese tried in each position that the proof-number search leaves open.
    pub width: usize,
    /// Depth of the alpha-beta search that picks those plays, in plies.
    pub guide_depth: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { leaf_nodes: 300_000, width: 3, guide_depth: 7 }
    }
}

/// Told of each position that the search opens.
pub type Progress<'a> = &'a mut dyn FnMut(&Prover, &[u64]);

/// The search's state.
pub struct StrategySearch<'a> {
    /// The wins, and the proof-number search.
    pub prover: Prover,
    effort: Effort,
    guide: Searcher<Position, Evaluation>,
    /// Positions that failed, with the plays that were left.
    failed: HashMap<u64, u8>,
    /// Positions that the proof-number search has left open.
    open: HashSet<u64>,
    path: Vec<u64>,
    progress: Progress<'a>,
}

impl<'a> StrategySearch<'a> {
    /// A search that starts from what a prover knows.
    #[must_use]
    pub fn new(prover: Prover, effort: Effort, progress: Progress<'a>) -> StrategySearch<'a> {
        let guide = Searcher::new(Evaluation, Mode::Selective, 64 << 20);
        let (failed, open) = (HashMap::new(), HashSet::new());
        StrategySearch { prover, effort, guide, failed, open, path: Vec::new(), progress }
    }

    /// Looks for a win of the geese, who are to move, in at most `moves` of their plays; the number found.
    pub fn prove(&mut self, board: Board, moves: u8) -> Option<u8> {
        let key = board.canonical().0;
        if let Some(known) = self.prover.wins.moves(key) {
            return (known <= moves).then_some(known);
        }
        if moves == 0 || self.failed.get(&key).is_some_and(|&failed| failed >= moves) || self.path.contains(&key) {
            return None;
        }
        if !self.open.contains(&key) {
            if let Some(win) = self.prover.prove(board, self.effort.leaf_nodes) {
                return (win.moves <= moves).then_some(win.moves);
            }
            self.open.insert(key);
            (self.progress)(&self.prover, &self.path);
        }
        self.path.push(key);
        let found = self.try_plays(board, moves);
        self.path.pop();
        if found.is_none() {
            self.failed.insert(key, moves);
        }
        found
    }

    fn try_plays(&mut self, board: Board, moves: u8) -> Option<u8> {
        let position = Position::lettered(board, Side::First, 0);
        let mut left = position.legal_moves();
        for _ in 0..self.effort.width {
            let limits = Limits { depth: self.effort.guide_depth, ..Limits::default() };
            let play = self.guide.run_among(&position, &left, limits, &mut NoControl)?.best;
            left.retain(|&other| other != play);
            if let Some(most) = self.answer_all(board.after_goose(play), moves - 1) {
                self.prover.wins.insert(board, Win { moves: most + 1, play });
                return Some(most + 1);
            }
        }
        None
    }

    /// Whether every play of the foxes is answered; the most plays of the geese that it takes.
    fn answer_all(&mut self, board: Board, moves: u8) -> Option<u8> {
        if board.square_is_full() || board.foxes_are_blocked() {
            return Some(0);
        }
        let mut replies: Vec<(i32, Board)> = Vec::new();
        board.each_fox_play(|play: Play| {
            let after = board.after_fox(play);
            replies.push((for_geese(after), after));
        });
        if replies.iter().any(|(_, after)| after.geese.count_ones() < self.prover.least_geese) {
            return None;
        }
        // The replies that look worst for the geese come first, to fail early.
        replies.sort_by_key(|&(value, _)| value);
        let mut most = 0;
        for (_, after) in replies {
            most = most.max(self.prove(after, moves)?);
        }
        Some(most)
    }
}
