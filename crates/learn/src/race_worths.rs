//! What squares are worth in a Halma race: fitted to how many moves races still last, as wide beams plan them.

use crate::fit::Term;
use crate::games::{Terms, play};
use crate::halma_tables::{HalmaTables, mirror_ties};
use crate::played::positions;
use crate::regression::Sums;
use engine::{Game, RuleSet, Side, split_mix};
use halma::board::{SIZE, Square, Squares};
use halma::learned::{PLACES, Tables, place_of};
use halma::race::{self, steps_of_farthest};
use halma::{Move, Position, Rules};
use std::fmt::Write;

/// How races are collected.
#[derive(Clone, Copy, Debug)]
pub struct Races {
    /// Nodes a move in these games.
    pub nodes: u64,
    /// Positions, in hundreds, that a plan may look at.
    pub effort: u32,
    /// The seed of games and walks.
    pub seed: u64,
}

/// A position of a race: the places of the pieces, the steps between the farthest piece and its hole, and the moves that the
/// shortest plan takes that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The number of the game.
    pub game: u64,
    places: Vec<usize>,
    steps: u8,
    moves: usize,
}

/// What each row and column to the far corner costs in moves, before anything is fitted: squares that no sample has are worth
/// this much less.
const WAY: f64 = 1.0 / 6.0;
/// The penalties on the size of what is fitted on top of that, and on its second differences, from square to neighbouring square.
const RIDGE: f64 = 3.0;
const TIES: f64 = 30.0;
/// A tie across the edge of the target counts as this part: a piece that has arrived may be worth much more.
const ACROSS: f64 = 0.1;
/// One game in so many is held out of the first fit.
const HELD_OUT_EVERY: u64 = 8;
/// The moves that a walk strays to, and those beside it that are looked at, are among so many that bring most.
const STRAYED: u64 = 8;
const BESIDE: u64 = 25;
/// Positions of a game are searched for its end up to this length, in plies.
const LONGEST: usize = 320;

fn with_pieces(position: &Position, side: Side, own: Squares) -> Position {
    let mut pieces = Side::BOTH.map(|side| position.pieces(side));
    pieces[side.index()] = own;
    Position::new(pieces, side, Rules::Addendum)
}

fn after(position: &Position, side: Side, mv: Move) -> Position {
    let mut own = position.pieces(side);
    own.toggle(mv.from);
    own.toggle(mv.to);
    with_pieces(position, side, own)
}

fn sampled(position: &Position, side: Side, game: u64, moves: usize) -> Sample {
    let places = position.pieces(side).into_iter().map(|square| place_of(side, square)).collect();
    Sample { game, places, steps: steps_of_farthest(position, side), moves }
}

impl Races {
    fn plan(&self, position: &Position) -> Option<Vec<Move>> {
        let mut asked = 0;
        let stop = |_| {
            asked += 1;
            asked > self.effort
        };
        race::plan(position, stop).map(|plan| plan.moves)
    }

    /// The samples of one game's race: along walks that follow plans and stray from them, and beside those.
    #[must_use]
    pub fn of_game(&self, game: u64) -> Vec<Sample> {
        let tables = Tables::chosen();
        let terms = Terms { nodes: self.nodes, opening: (2, 12), random_every: 30, longest: LONGEST };
        let seed = split_mix(self.seed << 32 ^ game);
        let played = play(&HalmaTables, [tables, tables], Rules::ALL.len() - 1, terms, seed);
        let mut samples = Vec::new();
        let Some(last) = positions::<Position>(&played).pop().filter(|_| played.margin.is_some()) else {
            return samples;
        };
        for side in Side::BOTH {
            let start = with_pieces(&last, side, last.pieces(side));
            let strewn = self.strewn(&start, side, game);
            for start in [start, strewn] {
                if race::has_begun(&start) {
                    self.walk(start, side, game, &mut samples);
                }
            }
        }
        samples
    }

    /// The position with some pieces on squares drawn at random: games seldom leave pieces in the corners, and a plan has to
    /// fetch them all the same.
    fn strewn(&self, position: &Position, side: Side, game: u64) -> Position {
        let mut drawn = split_mix(self.seed ^ game << 24 ^ (2 + side.index() as u64));
        let mut own = position.pieces(side);
        for _ in 0..2 + drawn % 4 {
            drawn = split_mix(drawn);
            let to = Square::new(drawn as u8);
            let outside = own.minus(Position::target(side));
            let (count, nth) = (outside.into_iter().count(), (drawn >> 8) as usize);
            let from = outside.into_iter().nth(nth % count.max(1));
            if let Some(from) = from.filter(|_| !own.or(position.pieces(side.other())).contains(to)) {
                own.toggle(from);
                own.toggle(to);
            }
        }
        with_pieces(position, side, own)
    }

    fn walk(&self, start: Position, side: Side, game: u64, samples: &mut Vec<Sample>) {
        let mut drawn = split_mix(self.seed ^ game << 20 ^ side.index() as u64);
        let mut draw = |below: u64| {
            drawn = split_mix(drawn);
            (drawn % below) as usize
        };
        let mut position = start;
        for _ in 0..LONGEST {
            if position.has_filled(side) {
                break;
            }
            let Some(plan) = self.plan(&position) else { break };
            samples.push(sampled(&position, side, game, plan.len()));
            let mut moves: Vec<Move> = position.legal_moves();
            moves.retain(|mv| !mv.is_pass());
            let way = |square: Square| (square.x() + square.y()) as i32 * if side == Side::First { 1 } else { -1 };
            moves.sort_by_key(|mv| way(mv.from) - way(mv.to));
            let among = |most: u64| most.min(moves.len() as u64);
            for _ in 0..2 {
                let beside = after(&position, side, moves[draw(among(BESIDE))]);
                if !beside.has_filled(side)
                    && let Some(plan) = self.plan(&beside)
                {
                    samples.push(sampled(&beside, side, game, plan.len()));
                }
            }
            let strays = draw(3) == 0;
            position = after(&position, side, if strays { moves[draw(among(STRAYED))] } else { plan[0] });
            if !strays && draw(2) == 0 && plan.len() > 1 {
                position = after(&position, side, plan[1]);
            }
        }
    }
}

/// Numbers fitted to races.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceWorths {
    coefficients: Vec<f64>,
    /// The part of the variance of held-out lengths that is explained, and the root of the mean square of what is left, in
    /// moves.
    pub held_out: (f64, f64),
}

const FARTHEST: usize = PLACES;
const ONE: usize = PLACES + 1;

fn terms(sample: &Sample) -> Vec<Term> {
    let mut factors = [0.0; ONE + 1];
    sample.places.iter().for_each(|&place| factors[place] += 1.0);
    factors[FARTHEST] = f64::from(sample.steps);
    factors[ONE] = 1.0;
    factors.into_iter().enumerate().filter(|&(_, factor)| factor != 0.0).collect()
}

fn sum(coefficients: &[f64], sample: &Sample) -> f64 {
    terms(sample).into_iter().map(|(number, factor)| coefficients[number] * factor).sum()
}

/// The coefficients before anything is fitted.
fn before() -> Vec<f64> {
    let mut coefficients = vec![0.0; ONE + 1];
    for square in Square::all() {
        coefficients[place_of(Side::First, square)] = WAY * (2 * (SIZE - 1) - square.x() - square.y()) as f64;
    }
    coefficients
}

/// Fits the numbers; `None` if they are not determined.
#[must_use]
pub fn fit(samples: &[Sample]) -> Option<RaceWorths> {
    let target = Position::target(Side::First);
    let ties = mirror_ties(|squares| {
        let inside = squares.map(|square| target.contains(square));
        TIES * if inside == [inside[0]; 3] { 1.0 } else { ACROSS }
    });
    let before = before();
    let solved = |kept: &dyn Fn(&Sample) -> bool| {
        let mut sums = Sums::new(ONE + 1);
        for sample in samples.iter().filter(|sample| kept(sample)) {
            sums.add(&terms(sample), sample.moves as f64 - sum(&before, sample));
        }
        let fitted = sums.solve(RIDGE, &ties)?;
        Some(before.iter().zip(fitted).map(|(before, more)| before + more).collect::<Vec<f64>>())
    };
    let held = |sample: &Sample| sample.game.is_multiple_of(HELD_OUT_EVERY);
    let coefficients = solved(&|sample| !held(sample))?;
    let mean = samples.iter().map(|sample| sample.moves as f64).sum::<f64>() / samples.len() as f64;
    let (mut left, mut whole, mut count) = (0.0, 0.0, 0.0);
    for sample in samples.iter().filter(|sample| held(sample)) {
        left += (sample.moves as f64 - sum(&coefficients, sample)).powi(2);
        whole += (sample.moves as f64 - mean).powi(2);
        count += 1.0;
    }
    Some(RaceWorths { coefficients: solved(&|_| true)?, held_out: (1.0 - left / whole, (left / count).sqrt()) })
}

impl RaceWorths {
    /// The text of Halma's file `data/race.txt`, without comments: hundredths of a move.
    #[must_use]
    pub fn text(&self) -> String {
        let hundredths = |value: f64| (100.0 * value).round() as i64;
        let mut text = format!("farthest {}\n", hundredths(self.coefficients[FARTHEST]));
        for row in 0..SIZE {
            let first = row * (row + 1) / 2;
            let numbers = self.coefficients[first..=first + row].iter().map(|&moves| hundredths(-moves).to_string());
            let _ = writeln!(text, "{}", numbers.collect::<Vec<_>>().join(" "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_of_a_game_is_sampled_and_nearer_pieces_make_it_shorter() {
        let races = Races { nodes: 30, effort: 3, seed: 1 };
        let samples: Vec<Sample> = (0..3).flat_map(|game| races.of_game(game)).collect();
        assert_eq!(samples, (0..3).flat_map(|game| races.of_game(game)).collect::<Vec<_>>());
        assert!(samples.len() > 30 && samples.iter().all(|sample| (1..60).contains(&sample.moves)));
        let fitted = fit(&samples).unwrap();
        assert!(fitted.text().starts_with("farthest ") && fitted.text().lines().count() == 1 + SIZE);
        let worth = |x, y| -fitted.coefficients[place_of(Side::First, Square::at(x, y))];
        assert!(worth(11, 10) > worth(8, 7), "{} for {}", worth(11, 10), worth(8, 7));
    }
}
