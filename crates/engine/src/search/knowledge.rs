//! Game-specific knowledge of the search: evaluation, move ordering and selective options.

use crate::game::{Game, Side};
use crate::score::Score;

/// The evaluation, move ordering and selective options of a game. Only [`Knowledge::evaluate`] is
/// required, and no other method may change the value of a full-width search.
pub trait Knowledge<G: Game>: Clone + Send + Sync {
    /// A static estimate for the side to move, within
    /// ±[`MAX_ESTIMATE`](crate::score::MAX_ESTIMATE). The position is not finished, and the
    /// estimate depends on it alone.
    fn evaluate(&self, position: &G) -> Score;

    /// The ordering score of a move; larger ones are searched earlier. It must be cheap: it is
    /// called for every generated move. The history score, within
    /// ±[`HISTORY_LIMIT`](super::HISTORY_LIMIT), is added.
    fn order(&self, position: &G, mv: G::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// The value of a position one ply above the leaves, and the best move, without making the
    /// moves. The value is exact within `alpha..beta`, otherwise a bound on the same side of the
    /// window. `None` if the moves must be made, as when one of them may end the game.
    fn frontier(&self, position: &G, alpha: Score, beta: Score) -> Option<(Score, G::Move)> {
        let _ = (position, alpha, beta);
        None
    }

    /// The value of a position two plies above the leaves, as [`Knowledge::frontier`] gives it one
    /// ply above them, with the best move and the best reply. Called when neither the transposition
    /// table nor the killers settle the node. The position must be left as it was.
    ///
    /// After the best `most_moves` moves, further ones whose replies must be searched one by one
    /// may be skipped (late-move pruning).
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

    /// Appends the moves that the quiescence search tries: captures and the like.
    fn noisy(&self, position: &G, out: &mut Vec<G::Move>) {
        let _ = (position, out);
    }

    /// An upper bound on the plies until the game must end. A full-width search to that depth is
    /// exact.
    fn plies_to_end(&self, position: &G) -> Option<u32> {
        let _ = position;
        None
    }

    /// The estimated number of moves that the side to move still has to make; the clock is divided
    /// among them.
    fn moves_left(&self, position: &G) -> u32 {
        let _ = position;
        40
    }

    /// The estimated number of positions that a search stores per second, from which the size of
    /// the transposition table follows.
    fn stored_per_second(&self) -> u32 {
        1_500_000
    }

    /// The selective options that pay when `searches` is the side to move at the root.
    fn selectivity(&self, searches: Side) -> Selectivity {
        let _ = searches;
        Selectivity::NONE
    }

    /// Half the width of the first aspiration window: about the change of the score from one
    /// iteration to the next.
    fn aspiration(&self) -> Score {
        30
    }
}

/// Search options that trade exactness for depth, each chosen per game by a gain measured in
/// matches. Full-width mode turns all of them off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selectivity {
    /// Late-move reductions: late moves are first searched to a reduced depth, and again to the
    /// full depth if they raise alpha.
    pub late_moves: Option<LateMoves>,
    /// Late-move pruning: late moves are skipped near the leaves.
    pub late_pruning: Option<LatePruning>,
    /// Whether a position repeated on the current line scores as a draw, for games where play can
    /// go in circles.
    pub repetition_is_draw: bool,
}

impl Selectivity {
    /// All options turned off.
    pub const NONE: Selectivity =
        Selectivity { late_moves: None, late_pruning: None, repetition_is_draw: false };
}

/// Late-move reductions: a move is reduced by `base + ln(depth) * ln(move number) / divisor` plies,
/// rounded down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateMoves {
    /// The minimum depth, in plies, at which late moves are reduced.
    pub least_depth: u32,
    /// The number of moves of a node before any is reduced.
    pub full_moves: usize,
    /// The constant part of the reduction, in plies.
    pub base: f32,
    /// The divisor of the logarithmic part.
    pub divisor: f32,
}

/// Late-move pruning: outside the principal variation, at most `base + factor * depth * depth`
/// moves of a node are searched, and more only while all of them lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatePruning {
    /// The maximum depth, in plies, at which late moves are skipped.
    pub most_depth: u32,
    /// The number of moves that are searched at every depth.
    pub base: usize,
    /// The number of further moves for each unit of the squared depth.
    pub factor: usize,
}
