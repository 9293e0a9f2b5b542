//! The knowledge that a search needs of a game beyond its rules.

use crate::game::{Game, Side};
use crate::score::Score;

/// A game's knowledge: evaluation, ordering, and which selective options pay.
///
/// Only [`Knowledge::evaluate`] is required. Everything else has a neutral default, and nothing here may change the
/// value of a full-width search.
pub trait Knowledge<G: Game>: Clone + Send + Sync {
    /// An estimate for the side to move, within ±[`MAX_ESTIMATE`](crate::score::MAX_ESTIMATE), of a position that is
    /// not finished. Depends on the position alone.
    fn evaluate(&self, position: &G) -> Score;

    /// The order in which moves should be tried: larger is earlier. Cheap: it is asked for every move generated. The
    /// search adds its history score, which lies within ±[`HISTORY_LIMIT`](super::HISTORY_LIMIT).
    fn order(&self, position: &G, mv: G::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// The value of a position one ply above the leaves, without playing its moves, where the evaluation allows it.
    ///
    /// Returns the best move and its value for the side to move if the value lies within `alpha..beta`, and otherwise a
    /// bound on the same side of the window; `None` if the moves must be made, as when one of them may end the game.
    fn frontier(&self, position: &G, alpha: Score, beta: Score) -> Option<(Score, G::Move)> {
        let _ = (position, alpha, beta);
        None
    }

    /// The value of a position two plies above the leaves, as [`Knowledge::frontier`] gives it one ply above them, with
    /// the best move and the best reply; the position is left as it was. Asked for when neither the transposition table
    /// nor the moves known beforehand settle the node. Moves whose replies have to be looked for one by one may be left
    /// out after the best `most_moves`: selective searches do not ask for more.
    fn pre_frontier(
        &self,
        position: &mut G,
        alpha: Score,
        beta: Score,
        most_moves: usize,
    ) -> Option<(Score, [G::Move; 2])> {
        let _ = (position, alpha, beta, most_moves);
        None
    }

    /// Appends the moves that a quiescence search should look at: captures and the like. None by default, which makes
    /// every leaf quiet.
    fn noisy(&self, position: &G, out: &mut Vec<G::Move>) {
        let _ = (position, out);
    }

    /// An upper bound of the plies until the game must be over, if there is one: a search that deep is exact.
    fn plies_to_end(&self, position: &G) -> Option<u32> {
        let _ = position;
        None
    }

    /// An estimate of the moves that the side to move has still to make in this game; the clock is shared out over
    /// them.
    fn moves_left(&self, position: &G) -> u32 {
        let _ = position;
        40
    }

    /// An estimate of the positions that a search stores in a second: the transposition table's size follows from it.
    fn stored_per_second(&self) -> u32 {
        1_500_000
    }

    /// The selective options that gain in this game when this side searches: the one to move at the root. None by default.
    fn selectivity(&self, searches: Side) -> Selectivity {
        let _ = searches;
        Selectivity::NONE
    }

    /// Half the first aspiration window: about the size by which the score changes from one iteration to the next.
    fn aspiration(&self) -> Score {
        30
    }
}

/// Options of the search that give up exactness for depth. Each belongs to a game, with a gain measured in matches;
/// full-width mode turns all of them off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selectivity {
    /// Late-move reductions: late moves are searched less deeply first, and again in full if they turn out well.
    pub late_moves: Option<LateMoves>,
    /// Late-move pruning: late moves are left out near the leaves.
    pub late_pruning: Option<LatePruning>,
    /// Whether a position that occurred before on the line being searched counts as a draw, which helps games where
    /// play can go in circles.
    pub repetition_is_draw: bool,
}

impl Selectivity {
    /// The options all turned off.
    pub const NONE: Selectivity = Selectivity { late_moves: None, late_pruning: None, repetition_is_draw: false };
}

/// Late-move reductions: `base + ln(depth) ln(number of the move) / divisor` plies, rounded down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateMoves {
    /// The least depth at which late moves are reduced.
    pub least_depth: u32,
    /// Moves that are searched in full, before any is reduced.
    pub full_moves: usize,
    /// The plies by which every late move is reduced.
    pub base: f32,
    /// The divisor of the rest of the reduction: the larger, the fewer plies.
    pub divisor: f32,
}

/// Late-move pruning: away from the principal variation, at most `base + factor * depth * depth` moves of a node are
/// searched, and more only while all of them lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatePruning {
    /// The largest depth at which late moves are left out.
    pub most_depth: u32,
    /// Moves that are searched at every depth.
    pub base: usize,
    /// Moves that are searched beyond `base`, for each unit of the square of the depth.
    pub factor: usize,
}
