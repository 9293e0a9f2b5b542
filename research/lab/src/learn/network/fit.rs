//! The fit of the network's weights: stochastic gradient descent by Adam (Kingma and Ba 2015) with
//! decoupled weight decay (Loshchilov and Hutter 2019).
//!
//! A sample is a position, the root, and one some plies later in its game, the leaf. What the
//! root's worths, from tables and network, say of the leaf should be the leaf's target: the game's
//! margin mixed with the scores of the searches on the way to its end (TD(lambda)).

use crate::learn::halma_tables::TURN;
use crate::learn::network::games::ScoredGame;
use anyhow::Result;
use engine::{Game, Side};
use halma::board::{PIECES, Square};
use halma::learned::{PLACES, Tables, place_of, to_go};
use halma::network::{HIDDEN, POINTS, SHIFT, WEIGHTS};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::ops::RangeInclusive;
use terminal::interrupt;

/// The distance of a leaf from its root, in plies.
const AHEAD: RangeInclusive<usize> = 5..=16;
/// The weight of what comes later in a target, for each ply with a score.
const LAMBDA: f32 = 0.96;
/// The limit of scores, in moves; larger ones are clamped to it.
const LARGEST_SCORE: f32 = 15.0;
/// The error, in moves, beyond which the gradient no longer grows.
const LARGEST_ERROR: f32 = 4.0;
/// The number of samples for each step.
const BATCH: usize = 512;
/// The rate of the first step. It falls linearly to a fiftieth.
const RATE: f32 = 0.002;
/// The weight decay.
const DECAY: f32 = 0.0005;
/// Adam's decay rates of the mean of gradients and of that of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];
/// One game in this many is held out.
const HELD_OUT: u32 = 16;

/// The first row of [`Weights`] for the other side's pieces; those for own pieces come before.
const OTHER: usize = 256;
/// The row of the hidden units' biases.
const BIASES: usize = 2 * OTHER;
/// The first row for the outputs.
const OUTPUTS: usize = BIASES + 1;
/// The first row of the outputs' biases.
const OUTPUT_BIASES: usize = OUTPUTS + 256;

/// A position as a fit sees it.
struct Seen {
    /// The squares of each side's pieces.
    squares: [[u8; PIECES]; 2],
    side: Side,
    to_go: u16,
    /// The target, in moves for the first side.
    target: f32,
}

/// A game as a fit sees it.
pub(crate) struct SeenGame {
    opening: usize,
    positions: Vec<Seen>,
}

impl SeenGame {
    /// Returns what a fit knows of a game; `None` for a game without a margin.
    ///
    /// # Errors
    /// If a move of the game is illegal.
    pub(crate) fn new(game: &ScoredGame) -> Result<Option<SeenGame>> {
        let Some(margin) = game.margin else { return Ok(None) };
        let mut target = margin as f32;
        let scores = game.moves.iter().map(|&(_, score)| score).chain([None]);
        let scored: Vec<_> = game.positions()?.into_iter().zip(scores).collect();
        let mut positions: Vec<Seen> = Vec::with_capacity(scored.len());
        for (position, score) in scored.into_iter().rev() {
            if let Some(score) = score {
                let moves = (score as f32 / POINTS as f32).clamp(-LARGEST_SCORE, LARGEST_SCORE);
                target = (1.0 - LAMBDA) * moves + LAMBDA * target;
            }
            let squares = Side::BOTH.map(|side| {
                let mut squares = position.pieces(side).into_iter();
                [(); PIECES].map(|()| squares.next().map_or(0, |square| square.index() as u8))
            });
            let side = position.side_to_move();
            positions.push(Seen { squares, side, to_go: to_go(&position) as u16, target });
        }
        positions.reverse();
        Ok(Some(SeenGame { opening: game.opening, positions }))
    }
}

/// A root and a leaf, perhaps mirrored at the long diagonal.
struct Sample<'a> {
    root: &'a Seen,
    leaf: &'a Seen,
    mirrored: bool,
}

impl Sample<'_> {
    /// Draws a leaf for the root at a ply of a game; `None` if the game ends before it.
    fn draw<'a>(game: &'a SeenGame, ply: u16, random: &mut StdRng) -> Option<Sample<'a>> {
        let ply = usize::from(ply);
        let (ahead, mirrored) = (random.random_range(AHEAD), random.random());
        let leaf = game.positions.get(ply + ahead)?;
        Some(Sample { root: &game.positions[ply], leaf, mirrored })
    }

    /// Returns the squares of a side's pieces, as another side sees them, mirrored or not.
    fn squares(&self, of: &Seen, side: Side, seen_by: Side) -> [usize; PIECES] {
        of.squares[side.index()].map(|square| {
            let square = usize::from(if seen_by == Side::First { square } else { 255 - square });
            if self.mirrored { (square & 15) << 4 | square >> 4 } else { square }
        })
    }
}

/// The worths of the tables by distance to go and place, in moves.
struct TableWorths(Vec<[f32; PLACES]>);

impl TableWorths {
    fn new(tables: &Tables) -> TableWorths {
        let of_root = |to_go| {
            let (low, high, part) = tables.bracket(to_go);
            let [low, high] = [low, high].map(|stage| &tables.stages[stage].worths);
            let worth = |place: usize| {
                let (low, high) = (f32::from(low[place]), f32::from(high[place]));
                (low + (high - low) * part as f32) / POINTS as f32
            };
            std::array::from_fn(worth)
        };
        TableWorths((0..=1_000).map(of_root).collect())
    }

    /// Returns the part of a sample's target that the tables and the right to move leave.
    fn left(&self, sample: &Sample) -> f32 {
        let worths = &self.0[usize::from(sample.root.to_go).min(self.0.len() - 1)];
        let mut sum = 0.0;
        for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
            for square in sample.leaf.squares[side.index()] {
                sum += sign * worths[place_of(side, Square::new(square))];
            }
            if side == sample.leaf.side {
                sum += sign * TURN as f32;
            }
        }
        sample.leaf.target - sum
    }
}

/// The weights of a [`Network`](halma::network::Network) before they are rounded, in its order and
/// in rows of [`HIDDEN`].
pub(crate) struct Weights(Vec<[f32; HIDDEN]>);

impl Weights {
    fn zero() -> Weights {
        Weights(vec![[0.0; HIDDEN]; WEIGHTS / HIDDEN])
    }

    /// Creates small random weights, the same for the same generator.
    fn random(random: &mut StdRng) -> Weights {
        let mut weights = Weights::zero();
        let (hidden, outputs) = weights.0.split_at_mut(BIASES);
        let (biases, outputs) = outputs.split_at_mut(OUTPUTS - BIASES);
        biases.as_flattened_mut().fill(0.1);
        for (rows, largest) in [(hidden, 0.15), (&mut outputs[..OUTPUT_BIASES - OUTPUTS], 0.01)] {
            rows.as_flattened_mut()
                .iter_mut()
                .for_each(|weight| *weight = random.random_range(-largest..largest));
        }
        weights
    }

    /// Returns the bytes of `network.bin`.
    pub(crate) fn rounded(&self) -> Vec<u8> {
        let round = |weight: f32| (weight * (1 << SHIFT) as f32).round().clamp(-127.0, 127.0);
        self.0.as_flattened().iter().map(|&weight| round(weight) as i8 as u8).collect()
    }

    /// Returns the hidden units by side, and what the network adds to the score of a sample's leaf
    /// for the first side, in moves.
    fn added(&self, sample: &Sample) -> ([[f32; HIDDEN]; 2], f32) {
        let mut added = 0.0;
        let hidden = Side::BOTH.map(|side| {
            let mut hidden = self.0[BIASES];
            for (first, pieces) in [(0, side), (OTHER, side.other())] {
                for square in sample.squares(sample.root, pieces, side) {
                    add(&mut hidden, &self.0[first + square]);
                }
            }
            let hidden = hidden.map(|sum| sum.max(0.0));
            let (mut outputs, mut biases) = ([0.0; HIDDEN], 0.0);
            for square in sample.squares(sample.leaf, side, side) {
                add(&mut outputs, &self.0[OUTPUTS + square]);
                biases += self.0[OUTPUT_BIASES + square / HIDDEN][square % HIDDEN];
            }
            let products = hidden.iter().zip(outputs).map(|(unit, output)| unit * output);
            let sum = products.sum::<f32>() + biases;
            added += if side == Side::First { sum } else { -sum };
            hidden
        });
        (hidden, added)
    }

    /// Adds to a gradient that of `error` times what the network adds for a sample.
    fn add_gradient(
        &self,
        sample: &Sample,
        hidden: &[[f32; HIDDEN]; 2],
        error: f32,
        gradient: &mut Weights,
    ) {
        for side in Side::BOTH {
            let error = if side == Side::First { error } else { -error };
            let hidden = &hidden[side.index()];
            let by_outputs = hidden.map(|unit| error * unit);
            let mut outputs = [0.0; HIDDEN];
            for square in sample.squares(sample.leaf, side, side) {
                gradient.0[OUTPUT_BIASES + square / HIDDEN][square % HIDDEN] += error;
                add(&mut gradient.0[OUTPUTS + square], &by_outputs);
                add(&mut outputs, &self.0[OUTPUTS + square]);
            }
            let by_sums: [f32; HIDDEN] =
                std::array::from_fn(
                    |unit| {
                        if hidden[unit] > 0.0 { error * outputs[unit] } else { 0.0 }
                    },
                );
            add(&mut gradient.0[BIASES], &by_sums);
            for (first, pieces) in [(0, side), (OTHER, side.other())] {
                for square in sample.squares(sample.root, pieces, side) {
                    add(&mut gradient.0[first + square], &by_sums);
                }
            }
        }
    }
}

/// Adds a row to another.
#[inline]
fn add(sums: &mut [f32; HIDDEN], row: &[f32; HIDDEN]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// The state of Adam: the means of gradients and of their squares, and the share of each mean that
/// is still its first value, 0.
struct Adam {
    mean: Weights,
    square: Weights,
    unseen: [f32; 2],
}

impl Adam {
    /// Makes a step, and clears the gradient.
    fn step(&mut self, weights: &mut Weights, gradient: &mut Weights, rate: f32) {
        self.unseen = std::array::from_fn(|which| self.unseen[which] * BETAS[which]);
        let [mean_scale, square_scale] = self.unseen.map(|unseen| 1.0 / (1.0 - unseen));
        for (row, weights) in weights.0.iter_mut().enumerate() {
            let decay = if row == BIASES || row >= OUTPUT_BIASES { 0.0 } else { DECAY };
            let (means, squares) = (&mut self.mean.0[row], &mut self.square.0[row]);
            let slopes = &mut gradient.0[row];
            for unit in 0..HIDDEN {
                let slope = std::mem::take(&mut slopes[unit]);
                means[unit] = BETAS[0] * means[unit] + (1.0 - BETAS[0]) * slope;
                squares[unit] = BETAS[1] * squares[unit] + (1.0 - BETAS[1]) * slope * slope;
                let size = (squares[unit] * square_scale).sqrt() + 1e-8;
                let step = means[unit] * mean_scale / size + decay * weights[unit];
                weights[unit] -= rate * step;
            }
        }
    }
}

/// Returns the roots, by game and ply, of the games held out or of the others.
fn roots(games: &[SeenGame], held_out: bool) -> Vec<(u32, u16)> {
    let chosen = (0_u32..).zip(games);
    let chosen = chosen.filter(|(number, _)| number.is_multiple_of(HELD_OUT) == held_out);
    let plies = |game: &SeenGame| game.opening as u16..game.positions.len() as u16;
    chosen.flat_map(|(number, game)| plies(game).map(move |ply| (number, ply))).collect()
}

/// Returns the shares of the targets' variance that the tables alone and the tables with the
/// network explain. The mean of targets counts as 0, since either side may win.
fn explained(
    games: &[SeenGame],
    held_out: &[(u32, u16)],
    tables: &TableWorths,
    weights: &Weights,
) -> [f64; 2] {
    let random = &mut StdRng::seed_from_u64(0);
    let (mut all, mut left) = (0.0, [0.0; 2]);
    for &(game, ply) in held_out {
        let Some(sample) = Sample::draw(&games[game as usize], ply, random) else { continue };
        let without = tables.left(&sample);
        all += f64::from(sample.leaf.target).powi(2);
        left[0] += f64::from(without).powi(2);
        left[1] += f64::from(without - weights.added(&sample).1).powi(2);
    }
    left.map(|left| 1.0 - left / all)
}

/// Fits weights to games, from random ones, and returns them; `None` if the user interrupts it.
/// Calls `show` with the number of finished batches and of all, and `log` with a line for each
/// epoch. The same seed and games give the same weights.
///
/// # Errors
/// If `log` fails.
pub(crate) fn fit(
    games: &[SeenGame],
    epochs: usize,
    seed: u64,
    show: impl Fn(usize, usize),
    log: impl Fn(&str) -> Result<()>,
) -> Result<Option<Weights>> {
    let random = &mut StdRng::seed_from_u64(seed);
    let tables = TableWorths::new(Tables::in_use());
    let (mut order, held_out) = (roots(games, false), roots(games, true));
    let (mut weights, mut gradient) = (Weights::random(random), Weights::zero());
    let mut adam = Adam { mean: Weights::zero(), square: Weights::zero(), unseen: [1.0; 2] };
    let steps = order.len() / BATCH * epochs;
    let mut step = 0;
    for epoch in 1..=epochs {
        order.shuffle(random);
        for batch in order.chunks_exact(BATCH) {
            if interrupt::asked() {
                return Ok(None);
            }
            for &(game, ply) in batch {
                let Some(sample) = Sample::draw(&games[game as usize], ply, random) else {
                    continue;
                };
                let (hidden, added) = weights.added(&sample);
                let error = (added - tables.left(&sample)).clamp(-LARGEST_ERROR, LARGEST_ERROR);
                weights.add_gradient(&sample, &hidden, error / BATCH as f32, &mut gradient);
            }
            step += 1;
            let rate = RATE * (1.0 - step as f32 / (steps + 1) as f32).max(0.02);
            adam.step(&mut weights, &mut gradient, rate);
            show(step, steps);
        }
        let [without, with] = explained(games, &held_out, &tables, &weights);
        log(&format!(
            "epoch {epoch}: {} samples; of the held-out targets' variance the tables explain {without:.4}, with the network {with:.4}",
            order.len()
        ))?;
    }
    Ok(Some(weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::games::GameConditions;
    use crate::learn::network::CONDITIONS;
    use crate::learn::network::games::play;
    use halma::Position;
    use halma::network::Network;

    /// A game, its positions, and random weights, of which every second one of an output is large.
    fn game_and_weights() -> (SeenGame, Vec<Position>, Weights) {
        let game = play(None, Some(1), GameConditions { nodes: 30, ..CONDITIONS }, 3);
        let mut weights = Weights::random(&mut StdRng::seed_from_u64(5));
        for (row, weights) in weights.0.iter_mut().enumerate().skip(BIASES) {
            weights.iter_mut().step_by(2).for_each(|weight| *weight += 0.002 * (row % 61) as f32);
        }
        (SeenGame::new(&game).unwrap().unwrap(), game.positions().unwrap(), weights)
    }

    #[test]
    fn tables_and_network_say_of_a_leaf_what_they_say_in_a_search() {
        let (game, positions, weights) = game_and_weights();
        let bytes: &[u8; WEIGHTS] = (&*weights.rounded().leak()).try_into().unwrap();
        let mut weights = Weights::zero();
        for (weight, &byte) in weights.0.as_flattened_mut().iter_mut().zip(bytes) {
            *weight = f32::from(byte as i8) / 64.0;
        }
        assert_eq!(weights.rounded(), bytes);
        let tables = TableWorths::new(Tables::in_use());
        for ply in (0..positions.len() - 16).step_by(7) {
            let sample = Sample {
                root: &game.positions[ply],
                leaf: &game.positions[ply + 9],
                mirrored: false,
            };
            let leaf = |network| {
                let worths = Tables::in_use().at_root(&positions[ply], network);
                let leaf = positions[ply + 9].with_worths(worths);
                (leaf.worth(Side::First) - leaf.worth(Side::Second)) as f32
            };
            let turn = if sample.leaf.side == Side::First { TURN } else { -TURN } as f32;
            let without = (sample.leaf.target - tables.left(&sample) - turn) * POINTS as f32;
            let added = weights.added(&sample).1 * POINTS as f32;
            // The worth of each piece is rounded.
            assert!((without - leaf(None)).abs() <= 19.0, "{without}");
            let expected = leaf(Some(Network::new(bytes))) - leaf(None);
            assert!((added - expected).abs() <= 20.0, "{added} for {expected}");
            assert!(added != 0.0);
        }
    }

    #[test]
    fn a_mirrored_sample_is_that_of_the_mirrored_positions() {
        let (game, _, weights) = game_and_weights();
        let mirror = |seen: &Seen| {
            let squares = seen.squares.map(|own| own.map(|square| square.rotate_left(4)));
            Seen { squares, ..*seen }
        };
        let (root, leaf) = (&game.positions[40], &game.positions[47]);
        let mirrored = weights.added(&Sample { root, leaf, mirrored: true }).1;
        let (root, leaf) = (&mirror(root), &mirror(leaf));
        assert_eq!(weights.added(&Sample { root, leaf, mirrored: false }).1, mirrored);
    }

    #[test]
    fn the_gradient_of_a_sample_is_that_of_differences() {
        let (game, _, mut weights) = game_and_weights();
        let (root, leaf) = (&game.positions[40], &game.positions[47]);
        let sample = Sample { root, leaf, mirrored: true };
        let mut gradient = Weights::zero();
        let (hidden, _) = weights.added(&sample);
        weights.add_gradient(&sample, &hidden, 1.0, &mut gradient);
        let mut checked = 0;
        for weight in (0..WEIGHTS).step_by(37) {
            let mut added = |change: f32| {
                weights.0.as_flattened_mut()[weight] += change;
                let added = weights.added(&sample).1;
                weights.0.as_flattened_mut()[weight] -= change;
                added
            };
            let slope = (added(0.001) - added(-0.001)) / 0.002;
            let expected = gradient.0.as_flattened()[weight];
            assert!((slope - expected).abs() <= 0.01, "{weight}: {expected} for {slope}");
            checked += usize::from(expected.abs() > 0.1);
        }
        assert!(checked > 20, "{checked}");
    }
}
