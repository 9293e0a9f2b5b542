//! Learns the evaluation of searches by the clock: exact values of random positions, regressed on what the evaluation sees
//! of them (`features.rs`). `cargo run --release -p menagerie-squirrels --example learn_evaluation -- --help` has examples.

use clap::Parser;
use engine::Game;
use learn::regression::Sums;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::board::{SQUARES, Squares, Values};
use squirrels::exact::{Solver, Table};
use squirrels::features::{FEATURES, NAMES, features};
use squirrels::rules::X;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

#[derive(Parser)]
#[command(after_help = "\
Examples:
  learn_evaluation --positions 600 --most 13          how well the weights predict values that they were not fitted to
  learn_evaluation --out crates/squirrels/data/weights.rs     and leave the weights for the agent
The same options give the same file.
Exit code: 0, or 2 if the file cannot be written or the weights are not determined.")]
struct Options {
    /// The number of positions; one in five is not fitted to
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

    /// The file to leave the weights in
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A position as the fit sees it.
struct Seen {
    empty: u32,
    features: [i32; FEATURES],
    /// The exact value, less the present difference.
    rest: f64,
    /// Whether the weights are only tested on it.
    tested: bool,
}

/// Coefficients of the weights of one parity: each is a straight line over the number of empty squares.
type Lines = Vec<f64>;

fn main() -> ExitCode {
    let options = Options::parse();
    let seen: Vec<Seen> = (0..options.positions).map(|number| solved(&options, number)).collect();
    let Some(lines) = fit(&options, &seen) else {
        eprintln!("{} positions do not determine the weights; --positions takes more", options.positions);
        return ExitCode::from(2);
    };
    let mut report = String::new();
    for empty in options.least..=options.most {
        let _ = writeln!(report, "{}", errors(&options, &seen, &lines, empty));
    }
    print!("{report}");
    for empty in [options.most - 1, options.most] {
        println!("weights with {empty} empty squares:");
        for (name, weight) in NAMES.iter().zip(weights(&options, &lines, empty)) {
            println!("  {weight:+.3} {name}");
        }
    }
    match &options.out {
        Some(file) => leave(file, &text(&options, &lines, &report)),
        None => ExitCode::SUCCESS,
    }
}

/// A random position, solved: random values, and moves at random or of the largest swing, as often.
fn solved(options: &Options, number: u64) -> Seen {
    let mut random = StdRng::seed_from_u64(engine::split_mix(options.seed) ^ number);
    let counts = u64::from(options.most.saturating_sub(options.least)) + 1;
    let empty = options.least + (number % counts) as u32;
    let values = Arc::new(Values::new(std::array::from_fn(|_| random.random_range(1..=99_u8).into())));
    let mut position = Position::new(values, [Squares::EMPTY; 2], X);
    while position.empty().len() > empty {
        let moves = position.legal_moves();
        let any = moves[random.random_range(0..moves.len())];
        let best = moves.into_iter().max_by_key(|mv| position.swing(mv.0)).unwrap_or(any);
        position.play(if random.random_range(0..2) == 0 { any } else { best });
    }
    let table = Table::for_empty(position.empty(), Table::bytes_for(position.empty().len()));
    let mut solver = Solver::new(position.values(), &table, || false);
    let value = solver.solve(&position, |_, _| ()).expect("nothing stops it").value;
    let side = position.side_to_move();
    Seen {
        empty,
        features: features(position.values().sums(), position.pieces(side), position.pieces(side.other())),
        rest: f64::from(value - position.difference(side)),
        tested: (number / counts).is_multiple_of(5),
    }
}

/// Where on its line a weight is taken: 0 in the middle.
fn place(options: &Options, empty: u32) -> f64 {
    f64::from(empty.clamp(options.least, options.most)) - f64::from(options.least + options.most) / 2.0
}

/// The lines of the even numbers of empty squares and of the odd ones.
fn fit(options: &Options, seen: &[Seen]) -> Option<[Lines; 2]> {
    /// The penalty on the squares of the coefficients, beside sums of squares of points.
    const RIDGE: f64 = 1e5;
    let of = |parity| {
        let mut sums = Sums::new(2 * FEATURES);
        for seen in seen.iter().filter(|seen| !seen.tested && seen.empty % 2 == parity) {
            let place = place(options, seen.empty);
            let factors = [1.0, place].into_iter();
            let terms =
                factors.flat_map(|factor| seen.features.iter().map(move |&feature| f64::from(feature) * factor));
            let terms: Vec<(usize, f64)> = terms.enumerate().collect();
            sums.add(&terms, seen.rest);
        }
        sums.solve(RIDGE, &[])
    };
    Some([of(0)?, of(1)?])
}

/// The weights of all features with a number of empty squares.
fn weights(options: &Options, lines: &[Lines; 2], empty: u32) -> Vec<f64> {
    let line = &lines[empty as usize % 2];
    // Beyond what was fitted to, the nearest of the same parity.
    let mut nearest = empty;
    while nearest < options.least {
        nearest += 2;
    }
    while nearest > options.most.max(options.least + 1) {
        nearest -= 2;
    }
    let (middle, slope) = line.split_at(FEATURES);
    middle.iter().zip(slope).map(|(middle, slope)| middle + slope * place(options, nearest)).collect()
}

/// How far the weights are from values that they were not fitted to, in words.
fn errors(options: &Options, seen: &[Seen], lines: &[Lines; 2], empty: u32) -> String {
    let weights = weights(options, lines, empty);
    let tested: Vec<&Seen> = seen.iter().filter(|seen| seen.tested && seen.empty == empty).collect();
    let count = tested.len().max(1) as f64;
    let mean = tested.iter().map(|seen| seen.rest).sum::<f64>() / count;
    let root =
        |error: &dyn Fn(&Seen) -> f64| (tested.iter().map(|seen| error(seen).powi(2)).sum::<f64>() / count).sqrt();
    let estimate = |seen: &Seen| {
        seen.features.iter().zip(&weights).map(|(&feature, weight)| f64::from(feature) * weight).sum::<f64>()
    };
    format!(
        "{empty} empty squares, {} boards not fitted to: error {:.1} points, and {:.1} of the present difference with its mean",
        tested.len(),
        root(&|seen| seen.rest - estimate(seen)),
        root(&|seen| seen.rest - mean),
    )
}

/// The text of the file of weights.
fn text(options: &Options, lines: &[Lines; 2], report: &str) -> String {
    let Options { positions, seed, least, most, .. } = options;
    let mut text = format!(
        "// Weights of the learned evaluation, in 1,024ths: a line for each number of empty squares from 0 to {SQUARES}.\n\
         // Written by the example `learn_evaluation --positions {positions} --seed {seed} --least {least} --most {most}`:\n"
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

/// Writes the file whole or not at all.
fn leave(file: &Path, text: &str) -> ExitCode {
    let part = file.with_extension("part");
    match std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, file)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: cannot be written: {error}", file.display());
            ExitCode::from(2)
        }
    }
}
