//! A game as it was played, the positions that it went through, and its result.

use engine::{Protocol, RuleSet, Side};

/// A game as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The number of the rule set among [`RuleSet::ALL`].
    pub rules: usize,
    /// Plies of the opening, which was drawn at random.
    pub opening: usize,
    /// The codes of all moves.
    pub moves: Vec<u32>,
    /// By how much the first side won, in moves; `None` for a game without an end.
    pub margin: Option<f64>,
}

/// The positions of a game, the start's first.
pub fn positions<G: Protocol>(played: &Played) -> Vec<G> {
    let mut position = G::start(G::Rules::ALL[played.rules].1);
    let mut positions = vec![position.clone()];
    for &code in &played.moves {
        let Some(mv) = position.decode(code) else { break };
        position.play(mv);
        positions.push(position.clone());
    }
    positions
}

/// The result of a game for the version that played for `side`: 1, 1/2 or 0.
#[must_use]
pub fn points(played: &Played, side: Side) -> f64 {
    let margin = played.margin.unwrap_or(0.0) * if side == Side::First { 1.0 } else { -1.0 };
    if margin > 0.0 {
        1.0
    } else if margin < 0.0 {
        0.0
    } else {
        0.5
    }
}
