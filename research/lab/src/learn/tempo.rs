//! Halma: measures the tempo, the value of being the side to move, for each stage. It is half the
//! difference between the scores of searches of odd and of even depth.
//!
//! The tempo compensates the odd-even effect. Without it a reduced search, which is a ply shorter,
//! would consistently score a move higher or consistently lower than the full search.

use crate::learn::game_record::{GameRecord, positions};
use crate::learn::regression::NormalEquations;
use engine::Game;
use engine::search::{Limits, Mode, Searcher};
use engine::think::moves_for_every_grader;
use halma::learned::{Tables, to_go};
use halma::{Evaluation, Position};

/// One position in this many of a game is measured.
const SAMPLE_EVERY: usize = 10;
/// The maximum number of games measured.
const MAX_GAMES: usize = 600;
/// The size of a search's transposition table, in bytes.
const TABLE_BYTES: usize = 1 << 16;
/// The largest half difference, in points, that is used. Larger ones come from wins and losses, not
/// from the tempo.
const MAX_HALF_DIFFERENCE: f64 = 1_500.0;
/// The ridge penalty on each stage's tempo; small beside sums over hundreds of positions.
const RIDGE: f64 = 1.0;

/// Replaces the tempo of each stage by the one measured in positions of `games`.
pub(crate) fn with_tempo(tables: Tables, games: &[GameRecord]) -> Tables {
    let mut sums = NormalEquations::new(tables.stages.len());
    for (number, game) in games.iter().take(MAX_GAMES).enumerate() {
        let positions: Vec<Position> = positions(game);
        for position in
            positions.iter().skip(game.opening + number % SAMPLE_EVERY).step_by(SAMPLE_EVERY)
        {
            if position.outcome().is_some() {
                continue;
            }
            let half = half_difference(&tables, position);
            if half.abs() <= MAX_HALF_DIFFERENCE {
                let (low, high, part) = tables.bracket(to_go(position));
                let terms = [(low, 1.0 - part), (high, part)];
                sums.add(if low == high { &terms[..1] } else { &terms }, half);
            }
        }
    }
    let Some(tempos) = sums.solve(RIDGE, &[]) else { return tables };
    let mut tables = tables;
    for (stage, tempo) in tables.stages.to_mut().iter_mut().zip(tempos) {
        stage.tempo = tempo.round() as i16;
    }
    tables
}

/// Returns half the difference between the mean score of full-width searches of one and three plies
/// and the score of one of two plies. The tempo already in the tables is cancelled out.
fn half_difference(tables: &Tables, position: &Position) -> f64 {
    let moves = moves_for_every_grader(position);
    let seen = tables.as_searched(position, None);
    let tempo = f64::from(seen.worths().tempo());
    let [one, two, three] = [1, 2, 3].map(|depth| {
        let mut searcher = Searcher::new(Evaluation, Mode::FullWidth, TABLE_BYTES);
        let report =
            searcher.run_among(&seen, &moves, Limits { depth, ..Limits::default() }, &mut ());
        report.map_or(0.0, |report| f64::from(report.score))
    });
    ((one + three) / 2.0 - two) / 2.0 + tempo
}
