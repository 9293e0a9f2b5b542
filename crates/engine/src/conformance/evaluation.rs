//! The check that an estimate is for the side to move, whichever side that is.

use crate::game::{Game, Side};
use crate::search::Knowledge;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The minimum number of pairs of successive positions for a correlation.
const FEWEST_PAIRS: usize = 100;
/// The correlation below which the two sides' estimates contradict each other; without meaning it
/// is near 0.
const CONTRADICTION: f64 = -0.2;

/// Checks that the estimates of successive positions of random games, all from the first side's
/// view, rise and fall together: one move seldom reverses a game, so they do unless the sign is
/// wrong for one side to move. An evaluation that is wrong for both sides alike is not detected.
pub fn check_points_of_view<G: Game>(
    starts: &[G],
    knowledge: &impl Knowledge<G>,
    games: u32,
    plies: u32,
    seed: u64,
) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut pairs = Vec::new();
    for start in starts {
        for _ in 0..games {
            let mut position = start.clone();
            let mut before = None;
            for _ in 0..plies {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let now = (position.side_to_move(), f64::from(seen_by_first(&position, knowledge)));
                match (before, now) {
                    (Some((Side::First, first)), (Side::Second, second))
                    | (Some((Side::Second, second)), (Side::First, first)) => {
                        pairs.push((first, second));
                    }
                    _ => {}
                }
                before = Some(now);
                position.play(moves[random.random_range(0..moves.len())]);
            }
        }
    }
    if let Some(correlation) = correlation(&pairs) {
        assert!(
            correlation > CONTRADICTION,
            "the evaluation has the wrong sign for one side: before and after a move, its estimates seen by the first side \
             have a correlation of {correlation:.2} over {} moves of random games",
            pairs.len()
        );
    }
}

fn seen_by_first<G: Game>(position: &G, knowledge: &impl Knowledge<G>) -> i32 {
    match position.side_to_move() {
        Side::First => knowledge.evaluate(position),
        Side::Second => -knowledge.evaluate(position),
    }
}

/// Pearson's correlation coefficient; `None` for too few pairs or constant estimates.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < FEWEST_PAIRS {
        return None;
    }
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (first, second) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        pairs.iter().map(|pair| of(pair.0 - first, pair.1 - second)).sum::<f64>()
    };
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(&|x, y| x * y) / spread)
}
