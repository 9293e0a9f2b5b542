//! Game-specific knowledge of the search: evaluation, move ordering and selective options.

use crate::game::{Game, Side};
use crate::score::Score;

/// Game-specific knowledge of the search: evaluation, move ordering and the selective options that
/// pay.
///
/// Only [`Knowledge::evaluate`] is required; everything else has a neutral default. No other method
/// may change the value of a full-width search.
pub trait Knowledge<G: Game>: Clone + Send + Sync {
    /// Returns a static estimate for the side to move, within
    /// ±[`MAX_ESTIMATE`](crate::score::MAX_ESTIMATE). The position is not finished, and the
    /// estimate depends on it alone.
    fn evaluate(&self, position: &G) -> Score;

    /// Returns the ordering score of a move; moves with larger scores are searched earlier. It must
    /// be cheap, as it is called for every generated move. The search adds the move's history
    /// score, which lies within ±[`HISTORY_LIMIT`](super::HISTORY_LIMIT).
    fn order(&self, position: &G, mv: G::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// Returns the value of a position one ply above the leaves, computed without making the moves,
    /// where the evaluation allows it.
    ///
    /// If the value for the side to move lies within `alpha..beta`, it is exact; otherwise it is a
    /// bound on the same side of the window. The move is the best one. `None` if the moves must be
    /// made, as when one of them may end the game.
    fn frontier(&self, position: &G, alpha: Score, beta: Score) -> Option<(Score, G::Move)> {
        let _ = (position, alpha, beta);
        None
    }

    /// Returns the value of a position two plies above the leaves, as [`Knowledge::frontier`] does
    /// one ply above them, with the best move and the best reply.
    ///
    /// The search calls it when neither the transposition table nor the killer moves settle the
    /// node. The position must be left as it was. After the best `most_moves` moves, further ones
    /// whose replies must be searched one by one may be skipped (late-move pruning); `most_moves`
    /// is `usize::MAX` where nothing may be pruned, as in full-width mode.
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

    /// Appends the moves that the quiescence search tries: captures and the like. The default
    /// appends none, which makes every leaf quiet.
    fn noisy(&self, position: &G, out: &mut Vec<G::Move>) {
        let _ = (position, out);
    }

    /// Returns an upper bound on the plies until the game must end, if there is one. A full-width
    /// search to that depth is exact.
    fn plies_to_end(&self, position: &G) -> Option<u32> {
        let _ = position;
        None
    }

    /// Returns an estimate of the number of moves that the side to move still has to make in this
    /// game. The clock is divided among them.
    fn moves_left(&self, position: &G) -> u32 {
        let _ = position;
        40
    }

    /// Returns an estimate of the number of positions that a search stores per second, from which
    /// the size of the transposition table follows. A game whose search is much faster or slower
    /// than others has a number of its own.
    fn stored_per_second(&self) -> u32 {
        1_500_000
    }

    /// Returns the selective options that pay in this game when `searches` is the side to move at
    /// the root. None by default.
    fn selectivity(&self, searches: Side) -> Selectivity {
        let _ = searches;
        Selectivity::NONE
    }

    /// Returns half the width of the first aspiration window: about the change of the score from
    /// one iteration to the next.
    fn aspiration(&self) -> Score {
        30
    }
}

/// Search options that trade exactness for depth. Each is chosen per game, by a gain measured in
/// matches; full-width mode turns all of them off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selectivity {
    /// Late-move reductions: late moves are first searched to a reduced depth, and again to the
    /// full depth if they raise alpha.
    pub late_moves: Option<LateMoves>,
    /// Late-move pruning: late moves are skipped near the leaves.
    pub late_pruning: Option<LatePruning>,
    /// Whether a position repeated on the current line of the search scores as a draw, which helps
    /// in games where play can go in circles.
    pub repetition_is_draw: bool,
}

impl Selectivity {
    /// All options turned off.
    pub const NONE: Selectivity =
        Selectivity { late_moves: None, late_pruning: None, repetition_is_draw: false };
}

/// Parameters of late-move reductions: a move is reduced by `base + ln(depth) * ln(move number) /
/// divisor` plies, rounded down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateMoves {
    /// The minimum depth, in plies, at which late moves are reduced.
    pub least_depth: u32,
    /// The number of moves of a node that are searched to the full depth before any is reduced.
    pub full_moves: usize,
    /// The constant part of the reduction, in plies.
    pub base: f32,
    /// The divisor of the logarithmic part: the larger it is, the smaller the reductions.
    pub divisor: f32,
}

/// Parameters of late-move pruning: outside the principal variation, at most `base + factor * depth
/// * depth` moves of a node are searched, and more only while all of them lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatePruning {
    /// The maximum depth, in plies, at which late moves are skipped.
    pub most_depth: u32,
    /// The number of moves that are searched at every depth.
    pub base: usize,
    /// The number of further moves for each unit of the squared depth.
    pub factor: usize,
}
