//! `lab halma-race-worths`: fits a linear model of the length of a Halma race to the lengths of plans found by beam search,
//! and prints the file `crates/halma/data/race.txt`. The present file guides the plans, so that a second run starts
//! from a better model.

use crate::learn::game_record::positions;
use crate::learn::games::{GameConditions, play};
use crate::learn::halma_tables::{HalmaTables, mirror_ties};
use crate::learn::model::{Term, sum_of};
use crate::learn::regression::NormalEquations;
use anyhow::{Context, Result};
use clap::Args;
use engine::{Game, RuleSet, Side, split_mix};
use halma::board::{SIZE, Square, Squares};
use halma::learned::{PLACES, Tables, place_of};
use halma::race::{self, steps_of_farthest};
use halma::{Move, Position, Rules};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example:
  lab halma-race-worths 500 3 > race.txt
The same arguments give the same file.";

/// Options of `lab halma-race-worths`.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of games whose races are sampled
    games: u64,

    /// The seed of the games and of the walks
    seed: u64,
}

/// The nodes searched for each move of the games that lead to the races.
const NODES: u64 = 1_000;
/// The effort limit of a plan, in hundreds of positions.
const EFFORT: u32 = 64;
/// The number of games between two lines of progress.
const LINES_EVERY: u64 = 50;

/// Runs `lab halma-race-worths`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let &Options { games, seed } = options;
    let sampling = RaceSampling { nodes: NODES, effort: EFFORT, seed };
    let samples = Mutex::new(Vec::<Sample>::new());
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let found = sampling.of_game(game);
                    samples.lock().expect("no thread has panicked").extend(found);
                    if (game + 1).is_multiple_of(LINES_EVERY) {
                        eprintln!("{} of {games} games", game + 1);
                    }
                }
            });
        }
    });
    let mut samples = samples.into_inner().expect("no thread has panicked");
    samples.sort_by_key(|sample| sample.game);
    let fitted = fit(&samples).context("no fit is determined: more games are needed")?;
    let (explained, left) = fitted.held_out;
    println!(
        "# What Halma's squares are worth in a race, in hundredths of a move, and what each step of the farthest piece costs;"
    );
    println!(
        "# by `lab halma-race-worths {games} {seed}`: {} positions of {games} games at {NODES} nodes a move, plans of {EFFORT}00 positions;",
        samples.len()
    );
    println!("# R2 of held-out lengths {explained:.3}, {left:.2} moves left.");
    print!("{}", fitted.text());
    Ok(())
}

/// The settings for collecting race samples.
#[derive(Clone, Copy, Debug)]
struct RaceSampling {
    nodes: u64,
    /// The effort limit of a plan, in hundreds of positions.
    effort: u32,
    /// The seed of the games and the walks.
    seed: u64,
}

/// A sample for the fit: the places of a side's pieces, the steps from the farthest piece to its hole, and the number of
/// moves of the shortest plan found.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    /// The number of the game that the position is from.
    game: u64,
    places: Vec<usize>,
    steps: u8,
    moves: usize,
}

/// The prior of the fit: the cost, in moves, of each row and each column to the far corner. It determines the values of
/// squares that no sample covers.
const PRIOR_COST: f64 = 1.0 / 6.0;
/// The ridge penalty on the difference from the prior.
const RIDGE: f64 = 3.0;
/// The penalty on the second differences of neighbouring squares.
const TIES: f64 = 30.0;
/// The factor on ties across the edge of the target camp: a piece that has arrived may be worth much more.
const TIE_ACROSS_TARGET: f64 = 0.1;
/// One game in this many is held out of the first fit, for validation.
const HELD_OUT_EVERY: u64 = 8;
/// The number of moves, those that advance most, of which a straying walk chooses one.
const STRAY_CHOICES: u64 = 8;
/// The number of moves, those that advance most, from which positions beside a walk are sampled.
const BESIDE_CHOICES: u64 = 25;
/// The maximum length of a game, in plies, and of a walk, in steps.
const LONGEST: usize = 320;

/// Returns the position with other pieces of a side, which is to move.
fn with_pieces(position: &Position, side: Side, own: Squares) -> Position {
    let mut pieces = Side::BOTH.map(|side| position.pieces(side));
    pieces[side.index()] = own;
    Position::new(pieces, side, Rules::Addendum)
}

/// Returns the position after a side's move, with the same side to move.
fn after(position: &Position, side: Side, mv: Move) -> Position {
    let mut own = position.pieces(side);
    own.toggle(mv.from);
    own.toggle(mv.to);
    with_pieces(position, side, own)
}

/// Returns the sample of a position and the length of its plan.
fn sample_of(position: &Position, side: Side, game: u64, moves: usize) -> Sample {
    let places = position.pieces(side).into_iter().map(|square| place_of(side, square)).collect();
    Sample { game, places, steps: steps_of_farthest(position, side), moves }
}

impl RaceSampling {
    /// Plans a race within the effort limit.
    fn plan(&self, position: &Position) -> Option<Vec<Move>> {
        let mut asked = 0;
        let stop = |_| {
            asked += 1;
            asked > self.effort
        };
        race::plan(position, stop).map(|plan| plan.moves)
    }

    /// Returns the samples of one game's race, from positions on and beside random walks that follow plans and sometimes
    /// stray.
    fn of_game(&self, game: u64) -> Vec<Sample> {
        let tables = Tables::in_use();
        let conditions = GameConditions { nodes: self.nodes, opening: (2, 12), random_every: 30, longest: LONGEST };
        let seed = split_mix(self.seed << 32 ^ game);
        let played = play(&HalmaTables, [tables, tables], Rules::ALL.len() - 1, conditions, seed);
        let mut samples = Vec::new();
        let Some(last) = positions::<Position>(&played).pop().filter(|_| played.margin.is_some()) else {
            return samples;
        };
        for side in Side::BOTH {
            let start = with_pieces(&last, side, last.pieces(side));
            let scattered = self.scattered(&start, side, game);
            for start in [start, scattered] {
                if race::has_begun(&start) {
                    self.walk(start, side, game, &mut samples);
                }
            }
        }
        samples
    }

    /// Returns the position with a few pieces moved to random squares. Games seldom leave pieces in the corners, but the
    /// model has to cover these squares, too.
    fn scattered(&self, position: &Position, side: Side, game: u64) -> Position {
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

    /// Walks along plans, sometimes straying, and collects samples on the way and beside it.
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
            samples.push(sample_of(&position, side, game, plan.len()));
            let mut moves: Vec<Move> = position.legal_moves();
            moves.retain(|mv| !mv.is_pass());
            let way = |square: Square| (square.x() + square.y()) as i32 * if side == Side::First { 1 } else { -1 };
            moves.sort_by_key(|mv| way(mv.from) - way(mv.to));
            let among = |most: u64| most.min(moves.len() as u64);
            for _ in 0..2 {
                let beside = after(&position, side, moves[draw(among(BESIDE_CHOICES))]);
                if !beside.has_filled(side)
                    && let Some(plan) = self.plan(&beside)
                {
                    samples.push(sample_of(&beside, side, game, plan.len()));
                }
            }
            let strays = draw(3) == 0;
            position = after(&position, side, if strays { moves[draw(among(STRAY_CHOICES))] } else { plan[0] });
            if !strays && draw(2) == 0 && plan.len() > 1 {
                position = after(&position, side, plan[1]);
            }
        }
    }
}

/// A model of race lengths, fitted to samples.
#[derive(Clone, Debug, PartialEq)]
struct RaceWorths {
    coefficients: Vec<f64>,
    /// On held-out samples: the coefficient of determination (R2), and the root mean square error in moves.
    held_out: (f64, f64),
}

/// The number of the coefficient of the farthest piece's steps.
const FARTHEST: usize = PLACES;
/// The number of the intercept.
const INTERCEPT: usize = PLACES + 1;

/// Returns the terms of a sample in the model.
fn terms(sample: &Sample) -> Vec<Term> {
    let mut factors = [0.0; INTERCEPT + 1];
    sample.places.iter().for_each(|&place| factors[place] += 1.0);
    factors[FARTHEST] = f64::from(sample.steps);
    factors[INTERCEPT] = 1.0;
    factors.into_iter().enumerate().filter(|&(_, factor)| factor != 0.0).collect()
}

/// Returns the length of a race by the model.
fn sum(coefficients: &[f64], sample: &Sample) -> f64 {
    sum_of(&terms(sample), coefficients)
}

/// Returns the coefficients of the prior ([`PRIOR_COST`]).
fn prior() -> Vec<f64> {
    let mut coefficients = vec![0.0; INTERCEPT + 1];
    for square in Square::all() {
        coefficients[place_of(Side::First, square)] = PRIOR_COST * (2 * (SIZE - 1) - square.x() - square.y()) as f64;
    }
    coefficients
}

/// Fits the model; `None` if its coefficients are not determined.
fn fit(samples: &[Sample]) -> Option<RaceWorths> {
    let target = Position::target(Side::First);
    let ties = mirror_ties(|squares| {
        let inside = squares.map(|square| target.contains(square));
        TIES * if inside == [inside[0]; 3] { 1.0 } else { TIE_ACROSS_TARGET }
    });
    let prior = prior();
    let solved = |kept: &dyn Fn(&Sample) -> bool| {
        let mut sums = NormalEquations::new(INTERCEPT + 1);
        for sample in samples.iter().filter(|sample| kept(sample)) {
            sums.add(&terms(sample), sample.moves as f64 - sum(&prior, sample));
        }
        let fitted = sums.solve(RIDGE, &ties)?;
        Some(prior.iter().zip(fitted).map(|(prior, more)| prior + more).collect::<Vec<f64>>())
    };
    let held = |sample: &Sample| sample.game.is_multiple_of(HELD_OUT_EVERY);
    let coefficients = solved(&|sample| !held(sample))?;
    let mean = samples.iter().map(|sample| sample.moves as f64).sum::<f64>() / samples.len() as f64;
    let (mut residual, mut total, mut count) = (0.0, 0.0, 0.0);
    for sample in samples.iter().filter(|sample| held(sample)) {
        residual += (sample.moves as f64 - sum(&coefficients, sample)).powi(2);
        total += (sample.moves as f64 - mean).powi(2);
        count += 1.0;
    }
    Some(RaceWorths { coefficients: solved(&|_| true)?, held_out: (1.0 - residual / total, (residual / count).sqrt()) })
}

impl RaceWorths {
    /// Formats the model for Halma's file `data/race.txt`, without comments, in hundredths of a move.
    fn text(&self) -> String {
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
        let sampling = RaceSampling { nodes: 30, effort: 3, seed: 1 };
        let samples: Vec<Sample> = (0..3).flat_map(|game| sampling.of_game(game)).collect();
        assert_eq!(samples, (0..3).flat_map(|game| sampling.of_game(game)).collect::<Vec<_>>());
        assert!(samples.len() > 30 && samples.iter().all(|sample| (1..60).contains(&sample.moves)));
        let fitted = fit(&samples).unwrap();
        assert!(fitted.text().starts_with("farthest ") && fitted.text().lines().count() == 1 + SIZE);
        let worth = |x, y| -fitted.coefficients[place_of(Side::First, Square::at(x, y))];
        assert!(worth(11, 10) > worth(8, 7), "{} for {}", worth(11, 10), worth(8, 7));
    }
}
