//! Random games from the positions of a program of rules.

use crate::analysis::finding::Effort;
use crate::random::{Purpose, generator};
use anygame::Position;
use anygame::tree::{Tried, monte_carlo};
use anyhow::Result;
use engine::Side;
use rand::RngExt;
use std::time::Instant;

/// The positions of an analysis' effort for which a random game stands.
pub(super) const POSITIONS_A_GAME: u64 = 100;
/// The fewest and most random games of an analysis.
pub(super) const FEWEST_GAMES: u64 = 50;
pub(super) const MOST_GAMES: u64 = 1_000;

/// The random games after each legal move, and the most games that the effort allows.
pub(super) fn tried(position: &Position, effort: Effort) -> Result<(Vec<Tried>, u32)> {
    let games = match effort {
        Effort::Nodes(nodes) => (nodes / POSITIONS_A_GAME).clamp(FEWEST_GAMES, MOST_GAMES) as u32,
        Effort::Time(_) => MOST_GAMES as u32,
    };
    Ok((random_games(position, games, effort, (games, 0))?, games))
}

/// The mean result, for the side that has moved, of random games after its move.
pub(super) fn mean_after(
    after: &Position,
    mover: Side,
    games: u32,
    effort: Effort,
    seed: u32,
) -> Result<f64> {
    let replies = random_games(after, games, effort, (seed, 1))?;
    let (games, result) = replies
        .iter()
        .fold((0, 0.0), |(games, sum), reply| (games + reply.games, sum + reply.result));
    let mean = result / f64::from(games.max(1));
    Ok(if after.side_to_move() == mover { mean } else { 1.0 - mean })
}

/// So many random games, or as many as an effort in seconds allows; a seed and a number draw them.
fn random_games(
    position: &Position,
    games: u32,
    effort: Effort,
    (seed, number): (u32, u64),
) -> Result<Vec<Tried>> {
    let mut random = generator(u64::from(seed), Purpose::Players, number);
    let (begin, mut count) = (Instant::now(), 0);
    let is_enough = &mut || {
        count += 1;
        matches!(effort, Effort::Time(seconds) if begin.elapsed().as_secs_f64() > seconds)
            && count > FEWEST_GAMES
    };
    monte_carlo(position, games, &mut |count| random.random_range(0..count), is_enough)
}

/// Winning chances from -1 to 1, to four decimals.
pub(super) fn chance(mean: f64) -> f64 {
    ((2.0 * mean - 1.0) * 1e4).round() / 1e4
}
