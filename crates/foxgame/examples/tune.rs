//! Fits the evaluation's weights to games against itself, and moves matches between two sets of weights.
//!
//!     cargo run --release -p menagerie-foxgame --example tune -- fit 2000 2000 1 > new-weights.txt
//!     cargo run --release -p menagerie-foxgame --example tune -- duel 100 2000 1 new-weights.txt 4

use engine::search::{Knowledge, Limits, Mode, NoControl, Searcher};
use engine::{Game, Outcome};
use foxgame::evaluate::{PHASES, POINTS_PER_LOGIT, measure, phase};
use foxgame::feature::{self, Weights};
use foxgame::rules::{FOX, SHEEP};
use foxgame::weights::{self, WEIGHTS};
use foxgame::{Evaluation, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A position of a game: its features with their share of the beginning, and the result for the sheep, 0 to 1.
struct Sample {
    amounts: Vec<(u16, f32)>,
    early: f32,
    result: f32,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<u64>().ok()).expect("a number");
    match arguments.first().map(String::as_str) {
        Some("fit") => {
            let samples = play_games(number(1), number(2), number(3));
            eprintln!("{} positions", samples.len());
            print!("{}", weights::text(&fit(&samples)));
        }
        Some("duel") => duel(number(1), number(2), number(3), arguments.get(4).expect("a file of weights"), number(5)),
        _ => eprintln!("usage: tune fit GAMES NODES SEED, or tune duel OPENINGS NODES SEED WEIGHTS FOX_SHARE"),
    }
}

fn searcher(evaluation: Evaluation) -> Searcher<Position, Evaluation> {
    Searcher::new(evaluation, Mode::Selective, 4 << 20)
}

fn opening(random: &mut StdRng) -> Position {
    loop {
        let mut position = Position::initial();
        for _ in 0..random.random_range(2..12) {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position.play(moves[random.random_range(0..moves.len())]);
            }
        }
        if position.outcome().is_none() && position.board().sheep.len() > 17 {
            return position;
        }
    }
}

fn result_for_sheep(outcome: Outcome) -> f32 {
    match outcome.winner() {
        Some(SHEEP) => 1.0,
        Some(FOX) => 0.0,
        None => 0.5,
    }
}

fn play_games(games: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut sheep_wins = 0.0;
    for game in 0..games {
        let mut random = StdRng::seed_from_u64(seed << 32 | game);
        let mut position = opening(&mut random);
        let mut searcher = searcher(Evaluation::default());
        let first = samples.len();
        // More nodes for the foxes, who win too few games otherwise.
        let share = [1.0, 2.0, 4.0, 8.0][random.random_range(0..4)];
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            if random.random_range(0..25) == 0 {
                position.play(moves[random.random_range(0..moves.len())]);
                continue;
            }
            let budget = if position.side_to_move() == FOX { nodes as f64 * share } else { nodes as f64 };
            let limits = Limits { nodes: budget as u64, ..Limits::default() };
            let report = searcher.run(&position, limits, &mut NoControl).expect("not over");
            let mut noisy = Vec::new();
            Evaluation::default().noisy(&position, &mut noisy);
            if noisy.is_empty() && !report.proven {
                samples.push(sample(&position));
            }
            position.play(report.best);
        }
        let result = result_for_sheep(position.outcome().expect("over"));
        sheep_wins += result;
        samples[first..].iter_mut().for_each(|sample| sample.result = result);
        if game % 100 == 99 {
            eprintln!("{} games, sheep {sheep_wins}", game + 1);
        }
    }
    samples
}

fn sample(position: &Position) -> Sample {
    let mut totals = [0; feature::COUNT];
    measure(position.board(), position.side_to_move(), |feature, amount| totals[feature] += amount);
    let amounts = totals.iter().enumerate().filter(|(_, amount)| **amount != 0);
    Sample {
        amounts: amounts.map(|(feature, &amount)| (feature as u16, amount as f32)).collect(),
        early: phase(position.board()) as f32 / PHASES as f32,
        result: 0.0,
    }
}

/// Logistic regression by stochastic gradient descent with a step for each weight (Adagrad), drawn towards the weights
/// in use.
fn fit(samples: &[Sample]) -> Weights {
    const ROUNDS: usize = 30;
    let old: Vec<f32> = WEIGHTS.iter().flatten().map(|&weight| f32::from(weight) / POINTS_PER_LOGIT).collect();
    let mut weights = old.clone();
    let mut squares = vec![1e-6_f32; weights.len()];
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..ROUNDS {
        let mut loss = 0.0_f64;
        for _ in 0..samples.len() {
            let sample = &samples[random.random_range(0..samples.len())];
            let shares = [sample.early, 1.0 - sample.early];
            let logit: f32 = sample
                .amounts
                .iter()
                .map(|&(feature, amount)| {
                    let at = 2 * usize::from(feature);
                    amount * (weights[at] * shares[0] + weights[at + 1] * shares[1])
                })
                .sum();
            let chance = 1.0 / (1.0 + (-logit).exp());
            let error = chance - sample.result;
            loss -= f64::from((1.0 - error.abs()).max(1e-6).ln());
            for &(feature, amount) in &sample.amounts {
                for (part, share) in shares.into_iter().enumerate() {
                    let at = 2 * usize::from(feature) + part;
                    let gradient = error * amount * share + 1e-5 * (weights[at] - old[at]);
                    squares[at] += gradient * gradient;
                    weights[at] -= 0.05 * gradient / squares[at].sqrt();
                }
            }
        }
        if round % 5 == 4 {
            eprintln!("round {}: loss {:.4}", round + 1, loss / samples.len() as f64);
        }
    }
    let mut rounded = [[0; 2]; feature::COUNT];
    for (index, weight) in weights.into_iter().enumerate() {
        rounded[index / 2][index % 2] = (weight * POINTS_PER_LOGIT).round().clamp(-3e4, 3e4) as i16;
    }
    rounded
}

/// The weights in a file that has been printed by `fit`, or has pairs alone.
fn read_weights(file: &str) -> &'static Weights {
    let text = std::fs::read_to_string(file).expect("the file of weights");
    Box::leak(Box::new(weights::read(&text).expect("weights")))
}

/// Four games from each opening, every set of weights in every role against every other: what each role's choice gains
/// shows within a column or a row. FOX gets so many times the nodes, for SHEEP wins nearly all games otherwise.
fn duel(openings: u64, nodes: u64, seed: u64, file: &str, fox_share: u64) {
    let sets = [("old", Evaluation::default()), ("new", Evaluation::with(read_weights(file)))];
    let mut points = [[0.0; 2]; 2];
    for number in 0..openings {
        let start = opening(&mut StdRng::seed_from_u64(seed << 32 | number));
        for (fox, sheep) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut searchers = [searcher(sets[fox].1), searcher(sets[sheep].1)];
            let mut position = start.clone();
            while position.outcome().is_none() {
                let side = position.side_to_move();
                let share = if side == FOX { fox_share } else { 1 };
                let limits = Limits { nodes: nodes * share, ..Limits::default() };
                let report = searchers[side.index()].run(&position, limits, &mut NoControl).expect("not over");
                position.play(report.best);
            }
            points[fox][sheep] += result_for_sheep(position.outcome().expect("over"));
        }
        if number % 10 == 9 || number + 1 == openings {
            eprintln!("{} openings", number + 1);
            for (fox, row) in points.iter().enumerate() {
                let [old, new] = row.map(|points| 100.0 * points / (number + 1) as f32);
                println!("FOX {}: SHEEP old scores {old:.1} %, SHEEP new {new:.1} %", sets[fox].0);
            }
        }
    }
}
