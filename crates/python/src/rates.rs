//! Expected results of all moves of a position, and moves drawn by them.

use crate::chance::Chance;
use engine::Explain;
use engine::search::{Knowledge, Limits, Mode, Report, Searcher};
use engine::think::default_knowledge;

/// The size in bytes of the transposition table that the searches of all moves share.
const TABLE_BYTES: usize = 1 << 20;
/// The size in bytes of the transposition table of the searches for several lines.
const LINES_TABLE_BYTES: usize = 16 << 20;
/// The weight of the best move when a move is drawn. Weights are whole numbers, so that the last
/// bits of `exp`, which differ between machines, do not bear on the choice.
const BEST_WEIGHT: f64 = (1 << 20) as f64;

/// Returns the expected result of each of the moves for the side to move, from 0 (a loss) to 1 (a
/// win). The nodes are divided equally among the moves. `stop` ends it early, with estimates for
/// the rest.
pub(crate) fn rate_moves<G: Explain>(
    position: &G,
    moves: &[G::Move],
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Vec<f64> {
    let mover = position.side_to_move();
    let limits = Limits { nodes: (nodes / moves.len().max(1) as u64).max(1), ..Limits::default() };
    let mut searcher = Searcher::new(default_knowledge::<G>(), Mode::Selective, TABLE_BYTES);
    let curve = G::curve();
    let mut rate = |&mv: &G::Move| {
        let after = position.after(mv);
        if let Some(outcome) = after.outcome() {
            return outcome.winner().map_or(0.5, |winner| f64::from(u8::from(winner == mover)));
        }
        let side = after.side_to_move();
        let searched = G::as_searched(&after);
        let score = match searcher.run(&searched, limits, &mut || stop()) {
            Some(report) if report.depth > 0 => curve.levelled(report.score, report.depth),
            _ => default_knowledge::<G>().evaluate(&searched),
        };
        let expected = curve.expected(score, side);
        if side == mover { expected } else { 1.0 - expected }
    };
    moves.iter().map(&mut rate).collect()
}

/// Searches for so many best moves of a position: for each, the moves that were found before are
/// left out. The nodes are divided equally. `stop` ends it early. The best one comes first, by the
/// scores of its search.
pub(crate) fn best_lines<G: Explain>(
    position: &G,
    count: usize,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Vec<Report<G::Move>> {
    let mut left = position.legal_moves();
    let count = count.min(left.len());
    let limits = Limits { nodes: (nodes / count.max(1) as u64).max(1), ..Limits::default() };
    let mut searcher = Searcher::new(default_knowledge::<G>(), Mode::Selective, LINES_TABLE_BYTES);
    let mut lines: Vec<Report<G::Move>> = Vec::new();
    while lines.len() < count
        && let Some(report) = searcher.run_among(position, &left, limits, &mut || stop())
    {
        left.retain(|&mv| mv != report.best);
        lines.push(report);
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    lines
}

/// Draws an index, with weights that are proportional to `exp(expected / temperature)`.
pub(crate) fn draw(expected: &[f64], temperature: f64, chance: &mut Chance) -> usize {
    let best = expected.iter().copied().fold(0.0, f64::max);
    let weight = |&each: &f64| (((each - best) / temperature).exp() * BEST_WEIGHT).round() as usize;
    let mut place = chance.below(expected.iter().map(weight).sum());
    for (index, each) in expected.iter().enumerate() {
        let weight = weight(each);
        if place < weight {
            return index;
        }
        place -= weight;
    }
    unreachable!("the place is below the sum of all weights")
}
