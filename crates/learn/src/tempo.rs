//! What it is worth to be the side to move, by stage: half of what a search of an odd number of plies sees more than one of an
//! even number.
//!
//! Without it a reduced search, which is a ply shorter, would always find a move better or always worse than the full one.

use crate::played::{Played, positions};
use crate::regression::Sums;
use engine::Game;
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::think::moves_for_every_grader;
use halma::learned::{Tables, to_go};
use halma::{Evaluation, Position};

/// One position in so many of a game is looked at.
const EVERY: usize = 10;
/// Games that are looked at, at most.
const MOST_GAMES: usize = 600;
/// Bytes of a search's table.
const TABLE: usize = 1 << 16;
/// Half differences beyond this come from wins and losses, not from the right to move.
const LARGEST: f64 = 1_500.0;
/// The penalty on the square of each stage's tempo, beside sums over hundreds of positions.
const RIDGE: f64 = 1.0;

/// The tables with the tempo of each stage, measured in positions of games.
pub(crate) fn with_tempo(tables: Tables, games: &[Played]) -> Tables {
    let mut sums = Sums::new(tables.stages.len());
    for (number, game) in games.iter().take(MOST_GAMES).enumerate() {
        let positions: Vec<Position> = positions(game);
        for position in positions.iter().skip(game.opening + number % EVERY).step_by(EVERY) {
            if position.outcome().is_some() {
                continue;
            }
            let half = half_difference(&tables, position);
            if half.abs() <= LARGEST {
                let (low, high, part) = tables.between(to_go(position));
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

/// Half of what searches of one and three plies see more than one of two, all of them full width, with no tempo counted.
fn half_difference(tables: &Tables, position: &Position) -> f64 {
    let moves = moves_for_every_grader(position);
    let seen = tables.seen(position);
    let tempo = f64::from(seen.worths().tempo());
    let [one, two, three] = [1, 2, 3].map(|depth| {
        let mut searcher = Searcher::new(Evaluation, Mode::FullWidth, TABLE);
        let report = searcher.run_among(&seen, &moves, Limits { depth, ..Limits::default() }, &mut NoControl);
        report.map_or(0.0, |report| f64::from(report.score))
    });
    ((one + three) / 2.0 - two) / 2.0 + tempo
}
