//! The record of a played game: its moves, its positions and its result.

use engine::{Protocol, RuleSet, Side};

/// The record of a played game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameRecord {
    /// The index of the rule set in [`RuleSet::ALL`].
    pub rules: usize,
    /// The length of the random opening, in plies.
    pub opening: usize,
    /// The codes of all moves, the opening's included.
    pub moves: Vec<u32>,
    /// The first side's margin, in moves; `None` for a game without a result.
    pub margin: Option<f64>,
}

/// Returns all positions of a game, the starting position first.
pub(crate) fn positions<G: Protocol>(played: &GameRecord) -> Vec<G> {
    let mut position = G::start(G::Rules::ALL[played.rules].1);
    let mut positions = vec![position.clone()];
    for &code in &played.moves {
        let Some(mv) = position.decode(code) else { break };
        position.play(mv);
        positions.push(position.clone());
    }
    positions
}

/// Returns the points of the version that played `side`: 1, 1/2 or 0. A game without a result
/// counts as drawn.
pub(crate) fn points(played: &GameRecord, side: Side) -> f64 {
    let margin = played.margin.unwrap_or(0.0) * if side == Side::First { 1.0 } else { -1.0 };
    if margin > 0.0 {
        1.0
    } else if margin < 0.0 {
        0.0
    } else {
        0.5
    }
}
