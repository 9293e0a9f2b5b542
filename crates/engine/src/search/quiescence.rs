//! The search below the horizon: noisy moves only, until the position is quiet.

use super::{Control, Knowledge, Mode, Searcher};
use crate::game::Game;
use crate::score::{Score, outcome_score};

impl<G: Game, K: Knowledge<G>> Searcher<G, K> {
    /// The value of a leaf that is not finished. In full-width mode this is the evaluation.
    pub(super) fn leaf(
        &mut self,
        position: &mut G,
        alpha: Score,
        beta: Score,
        ply: u32,
        control: &mut impl Control<G::Move>,
    ) -> Score {
        let estimate = self.knowledge.evaluate(position);
        if self.mode == Mode::FullWidth || estimate >= beta || ply >= super::MAX_PLY {
            return estimate;
        }
        let start = self.arena.len();
        self.generated.clear();
        self.knowledge.noisy(position, &mut self.generated);
        if self.generated.is_empty() {
            return estimate;
        }
        self.list_generated(position);
        let end = self.arena.len();
        self.arena[start..end].sort_unstable_by_key(|candidate| -candidate.order);
        let mut best = estimate;
        for index in start..end {
            let mv = self.arena[index].mv;
            let undo = position.play(mv);
            let score = -self.quiet(position, -beta, -alpha.max(best), ply + 1, control);
            position.undo(mv, undo);
            if self.stopped {
                break;
            }
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        self.arena.truncate(start);
        best
    }

    fn quiet(
        &mut self,
        position: &mut G,
        alpha: Score,
        beta: Score,
        ply: u32,
        control: &mut impl Control<G::Move>,
    ) -> Score {
        if self.count_node(control) {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome, position.side_to_move(), ply);
        }
        self.leaf(position, alpha, beta, ply, control)
    }
}
