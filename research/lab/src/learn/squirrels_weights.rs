//! `lab squirrels-weights`: fits the weights of the learned evaluation, by a ridge regression of
//! exact values of random positions on their features (`crates/squirrels/src/features.rs`).

use crate::learn::regression::NormalEquations;
use anyhow::{Context, Result};
use clap::Args;
use engine::Game;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::board::{SQUARES, Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::features::{FEATURES, NAMES, features};
use squirrels::rules::X;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab squirrels-weights --positions 600 --most 13     print how well the weights predict held-out values
  lab squirrels-weights --out crates/squirrels/data/weights.rs    write the weights for the agent
The same options give the same file.
Exit code: 0, or 2 if the file cannot be written or the weights are not determined.";

/// Options of `lab squirrels-weights`.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of positions; one in five is held out
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,

    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The least number of empty squares
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=25))]
    least: u32,

    /// The largest number of empty squares
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=25))]
    most: u32,

    /// The file to write the weights into
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A sample of the regression.
struct Sample {
    empty: u32,
    features: [i32; FEATURES],
    /// The exact value minus the present difference.
    rest: f64,
    /// Whether the sample is held out, to test the weights on it.
    held_out: bool,
}

/// The coefficients for one parity of the number of empty squares: each weight is a linear function
/// of that number. First come all intercepts, then all slopes.
type Coefficients = Vec<f64>;

/// Runs `lab squirrels-weights`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let samples: Vec<Sample> =
        (0..options.positions).map(|number| solved_sample(options, number)).collect();
    let positions = options.positions;
    let lines = fit(options, &samples).with_context(|| {
        format!("{positions} positions do not determine the weights; --positions takes more")
    })?;
    let mut report = String::new();
    for empty in options.least..=options.most {
        let _ = writeln!(report, "{}", error_report(options, &samples, &lines, empty));
    }
    print!("{report}");
    for empty in [options.most - 1, options.most] {
        println!("weights with {empty} empty squares:");
        for (name, weight) in NAMES.iter().zip(weights(options, &lines, empty)) {
            println!("  {weight:+.3} {name}");
        }
    }
    match &options.out {
        Some(file) => write_file(file, &weights_file(options, &lines, &report)),
        None => Ok(()),
    }
}

/// Creates and solves a random position: random values, then moves half of which are random and
/// half of the largest swing.
fn solved_sample(options: &Options, number: u64) -> Sample {
    let mut random = StdRng::seed_from_u64(engine::split_mix(options.seed) ^ number);
    let counts = u64::from(options.most.saturating_sub(options.least)) + 1;
    let empty = options.least + (number % counts) as u32;
    let values =
        Arc::new(Values::new(std::array::from_fn(|_| random.random_range(1..=99_u8).into())));
    let mut position = Position::new(values, [Squares::EMPTY; 2], X);
    while position.empty().len() > empty {
        let moves = position.legal_moves();
        let any = moves[random.random_range(0..moves.len())];
        let best = moves.into_iter().max_by_key(|mv| position.swing(mv.0)).unwrap_or(any);
        position.play(if random.random_range(0..2) == 0 { any } else { best });
    }
    let table = Table::for_empty(position.empty(), Table::bytes_for(position.empty().len()));
    let mut solver = Solver::new(position.values(), &table, |_, _| false);
    let value = solver.solve(&position, |_, _| ()).expect("nothing stops it").value;
    let side = position.side_to_move();
    Sample {
        empty,
        features: features(
            position.values().sums(),
            position.pieces(side),
            position.pieces(side.other()),
        ),
        rest: f64::from(value - position.difference(side)),
        held_out: (number / counts).is_multiple_of(5),
    }
}

/// Returns the coordinate of a number of empty squares on the lines: 0 in the middle of the fitted
/// range.
fn coordinate(options: &Options, empty: u32) -> f64 {
    f64::from(empty.clamp(options.least, options.most))
        - f64::from(options.least + options.most) / 2.0
}

/// Fits the lines for even and for odd numbers of empty squares. `None` if the samples do not
/// determine them.
fn fit(options: &Options, samples: &[Sample]) -> Option<[Coefficients; 2]> {
    /// The ridge penalty on the squares of the coefficients; errors are in points squared.
    const RIDGE: f64 = 1e5;
    let of = |parity| {
        let mut sums = NormalEquations::new(2 * FEATURES);
        for sample in samples.iter().filter(|sample| !sample.held_out && sample.empty % 2 == parity)
        {
            let factor = coordinate(options, sample.empty);
            let factors = [1.0, factor].into_iter();
            let terms = factors.flat_map(|factor| {
                sample.features.iter().map(move |&feature| f64::from(feature) * factor)
            });
            let terms: Vec<(usize, f64)> = terms.enumerate().collect();
            sums.add(&terms, sample.rest);
        }
        sums.solve(RIDGE, &[])
    };
    Some([of(0)?, of(1)?])
}

/// Returns the weights of all features for a number of empty squares.
fn weights(options: &Options, lines: &[Coefficients; 2], empty: u32) -> Vec<f64> {
    let line = &lines[empty as usize % 2];
    // Outside the fitted range, take the nearest number of the same parity.
    let mut nearest = empty;
    while nearest < options.least {
        nearest += 2;
    }
    while nearest > options.most.max(options.least + 1) {
        nearest -= 2;
    }
    let (middle, slope) = line.split_at(FEATURES);
    middle
        .iter()
        .zip(slope)
        .map(|(middle, slope)| middle + slope * coordinate(options, nearest))
        .collect()
}

/// Reports the root-mean-square error of the weights on held-out samples, as a line of text.
fn error_report(
    options: &Options,
    samples: &[Sample],
    lines: &[Coefficients; 2],
    empty: u32,
) -> String {
    let weights = weights(options, lines, empty);
    let held_out: Vec<&Sample> =
        samples.iter().filter(|sample| sample.held_out && sample.empty == empty).collect();
    let count = held_out.len().max(1) as f64;
    let mean = held_out.iter().map(|sample| sample.rest).sum::<f64>() / count;
    let root = |error: &dyn Fn(&Sample) -> f64| {
        (held_out.iter().map(|sample| error(sample).powi(2)).sum::<f64>() / count).sqrt()
    };
    let estimate = |sample: &Sample| {
        sample
            .features
            .iter()
            .zip(&weights)
            .map(|(&feature, weight)| f64::from(feature) * weight)
            .sum::<f64>()
    };
    format!(
        "{empty} empty squares, {} boards not fitted to: error {:.1} points, and {:.1} of the present difference with its mean",
        held_out.len(),
        root(&|sample| sample.rest - estimate(sample)),
        root(&|sample| sample.rest - mean),
    )
}

/// Returns the text of `data/weights.rs`.
fn weights_file(options: &Options, lines: &[Coefficients; 2], report: &str) -> String {
    let Options { positions, seed, least, most, .. } = options;
    let mut text = format!(
        "// Weights of the learned evaluation, in 1,024ths: a line for each number of empty squares from 0 to {SQUARES}.\n\
         // Written by `lab squirrels-weights --positions {positions} --seed {seed} --least {least}
         // --most {most}`:\n"
    );
    for line in report.lines() {
        let _ = writeln!(text, "// {line}");
    }
    text.push_str("[\n");
    for empty in 0..=SQUARES as u32 {
        let row: Vec<String> = weights(options, lines, empty)
            .iter()
            .map(|weight| ((weight * 1_024.0).round() as i16).to_string())
            .collect();
        let _ = writeln!(text, "    [{}],", row.join(", "));
    }
    text.push_str("]\n");
    text
}

/// Writes the file atomically.
fn write_file(file: &Path, text: &str) -> Result<()> {
    let part = file.with_extension("part");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, file))
        .with_context(|| format!("{}: cannot be written", file.display()))
}
