//! `judge tune`: fits an engine's numbers by games of two versions of it against each other.

mod spsa;

use crate::games::find;
use crate::interrupt;
use crate::names::name_parser;
use crate::output::print;
use crate::progress::Progress;
use crate::settings::BoxSettings;
use crate::walls::announce;
use anyhow::{Context, Result, anyhow, bail};
use arena::AnyGame;
use arena::openings::Book;
use arena::player::keys::Keys;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{End, Recorder, read_lines};
use arena::referee::GameOrder;
use arena::terms::Bounds;
use arena::terms::LimitRule;
use arena::terms::Openings;
use clap::Args;
use serde::{Deserialize, Serialize};
use spsa::{Parameter, Plan};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
In each pair of games all numbers are moved up or down at random, the two versions meet with sides swapped on the same
opening, and the numbers take a step towards the version that scored (SPSA). The engine is given its numbers by an option
at the end of its command: --set NAME=VALUE,NAME=VALUE,...
^C finishes the pair that is running; --resume goes on.

Example (the numbers and their ranges: crates/halma/src/tunable.rs):
  cargo build --release -p menagerie-halma --features tuning --target-dir target/tuning
  judge tune --game halma --engine cmd=target/tuning/release/halma time=0.5 --pairs 400 --concurrency 2 \\
    --parameter late=400,0,2000,60 --parameter apart=5,0,50,2 --record scratch/tune.jsonl
and then let the result prove itself:
  judge match --game halma --engine cmd='target/tuning/release/halma --set late=431' name=tuned time=1 \\
    --engine cmd=target/tuning/release/halma name=chosen time=1 --games 2000 --sprt elo0=0 elo1=20";

/// Options of `judge tune`.
#[derive(Args)]
pub(crate) struct TuneOptions {
    /// The game
    #[arg(long, value_parser = name_parser(), required_unless_present = "resume")]
    game: Option<String>,

    /// The engine, as KEY=VALUE words like those of judge match
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required_unless_present = "resume")]
    engine: Vec<String>,

    /// A number: its name for the engine, where it starts, its bounds, and by how much to move it in the last pair
    #[arg(long, value_name = "NAME=START,LEAST,MOST,STEP", required_unless_present = "resume")]
    parameter: Vec<Parameter>,

    /// The engine's option for its numbers
    #[arg(long, value_name = "OPTION", default_value = "--set", allow_hyphen_values = true)]
    option: String,

    /// Pairs of games
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,

    /// How far results move the numbers: after the last pair, twice this part of a number's STEP for two wins
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    rate: f64,

    /// Games at a time; 2 plays both games of a pair at once
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    concurrency: u32,

    /// What games start from: start, random:PLIES, or dir:DIRECTORY of input files
    #[arg(long, value_name = "KIND", default_value = "random:4")]
    openings: Openings,

    /// The seed of the openings and the directions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    walls: BoxSettings,

    /// Append every pair to this new file of JSON lines
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Go on with a record that was interrupted; all that decides the games comes from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "game", "engine", "parameter"])]
    resume: Option<PathBuf>,
}

/// The first line of a record: all that decides the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    tuning: u32,
    game: String,
    engine: EngineSpec,
    option: String,
    openings: Openings,
    plan: Plan,
    /// Limits and walls of the engine's processes.
    #[serde(default)]
    bounds: Bounds,
}

const VERSION: u32 = 2;

/// A pair that was played, and the values after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pair {
    pair: u32,
    versions: [Vec<i32>; 2],
    points: f64,
    values: Vec<f64>,
}

/// Tunes, and prints the values.
pub(crate) fn tune(options: &TuneOptions) -> Result<ExitCode> {
    let (header, mut values, first, mut recorder) = match &options.resume {
        Some(path) => resume(path)?,
        None => {
            let header = header(options)?;
            let recorder = match &options.record {
                Some(path) => Recorder::create(path, &header)?,
                None => Recorder::nowhere(),
            };
            (header.clone(), header.plan.start(), 0, recorder)
        }
    };
    let game = &find(&header.game)?.arena;
    let plan = &header.plan;
    let book = Book::open(&header.openings, plan.seed, game.random_opening)?;
    announce(std::slice::from_ref(&header.engine), &header.bounds)?;
    interrupt::catch()?;
    let bar = Progress::new(plan.pairs as usize);
    let mut done = first;
    while done < plan.pairs && !interrupt::asked() {
        let trial = plan.trial(&values, done);
        let ends = play_pair(game, &header, &book, done, &trial.versions, options.concurrency > 1)?;
        let points: f64 = ends.iter().map(|(end, sign)| sign * points_of_first(end)).sum();
        values = plan.step(&values, &trial, points);
        recorder.append(&Pair { pair: done, versions: trial.versions, points, values: values.clone() })?;
        done += 1;
        bar.done(done as usize, &describe(plan, &values));
    }
    bar.finish();
    print(&format!("after {done} of {} pairs: {}\n", plan.pairs, describe(plan, &values)));
    if done < plan.pairs {
        match options.resume.as_ref().or(options.record.as_ref()) {
            Some(path) => eprintln!("interrupted; go on with: judge tune --resume {}", path.display()),
            None => eprintln!("interrupted; without --record there is nothing to go on from"),
        }
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

/// The values in the form that the engine's option takes.
fn words<V: Display>(plan: &Plan, values: impl IntoIterator<Item = V>) -> String {
    let word = |(parameter, value): (&Parameter, V)| format!("{}={value}", parameter.name);
    plan.parameters.iter().zip(values).map(word).collect::<Vec<_>>().join(",")
}

fn describe(plan: &Plan, values: &[f64]) -> String {
    words(plan, values.iter().map(|value| value.round()))
}

fn header(options: &TuneOptions) -> Result<Header> {
    let game = options.game.clone().unwrap_or_default();
    let engine = Keys::parse(options.engine.iter().map(String::as_str))?.engine(&find(&game)?.arena)?;
    if !matches!(engine.kind, PlayerKind::Files { .. }) {
        bail!("--engine: expected a program that takes numbers by {}, found '{}'", options.option, engine.name);
    }
    if !(options.rate > 0.0 && options.rate <= 10.0) {
        bail!("--rate: expected more than 0 and at most 10, found {}", options.rate);
    }
    let mut names: Vec<&str> = options.parameter.iter().map(|parameter| parameter.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("--parameter: {} is given twice", twice[0]);
    }
    let (parameters, seed) = (options.parameter.clone(), options.seed);
    let plan = Plan { parameters, pairs: options.pairs, rate: options.rate, seed };
    let (option, openings) = (options.option.clone(), options.openings.clone());
    let bounds = options.walls.bounds()?;
    Ok(Header { tuning: VERSION, game, engine, option, openings, plan, bounds })
}

/// Both games of a pair: their ends, and 1 if the first version moves for the first side, or else -1.
fn play_pair(
    game: &AnyGame,
    header: &Header,
    book: &Book,
    pair: u32,
    versions: &[Vec<i32>; 2],
    at_once: bool,
) -> Result<[(End, f64); 2]> {
    let [plus, minus] = [0, 1].map(|index| engine_with(header, &versions[index], ["plus", "minus"][index]));
    let order = |number: u32, engines: [EngineSpec; 2]| -> Result<GameOrder> {
        Ok(GameOrder {
            game: number,
            engines,
            opening: book.opening(pair).with_context(|| format!("pair {}", pair + 1))?,
            rules: None,
            single: false,
            max_plies: game.ply_limit,
            at_limit: LimitRule::default(),
            bounds: header.bounds.clone(),
            seed: engine::split_mix(header.plan.seed ^ u64::from(number) << 20),
            adjudication: Default::default(),
        })
    };
    let orders = [order(2 * pair + 1, [plus.clone(), minus.clone()])?, order(2 * pair + 2, [minus, plus])?];
    let play = |order: &GameOrder| (game.play)(order, &mut |_| Ok(()));
    let (one, other) = if at_once {
        thread::scope(|scope| {
            let other = scope.spawn(|| play(&orders[1]));
            (play(&orders[0]), other.join().unwrap_or_else(|_| Err(anyhow!("a game was cut short by a panic"))))
        })
    } else {
        (play(&orders[0]), play(&orders[1]))
    };
    let (one, other) = (one?, other?);
    for (end, order) in [(&one, &orders[0]), (&other, &orders[1])] {
        // A version that does not play is a mistake in the set-up, not a result.
        if let Some(fault) = &end.fault
            && end.plies < 2
        {
            let (player, said) = (&order.engines[fault.player].name, fault.stderr.trim());
            bail!("pair {}: {player} does not play: {}: {said}", pair + 1, end.reason);
        }
    }
    Ok([(one, 1.0), (other, -1.0)])
}

/// The engine with its numbers.
fn engine_with(header: &Header, version: &[i32], name: &str) -> EngineSpec {
    let mut spec = header.engine.clone();
    spec.name = name.to_string();
    if let PlayerKind::Files { command, .. } = &mut spec.kind {
        command.extend([header.option.clone(), words(&header.plan, version)]);
    }
    spec
}

/// 1 if the first side has won, -1 if the second has, 0 for a draw.
fn points_of_first(end: &End) -> f64 {
    match end.winner {
        Some(0) => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    }
}

/// Reads a record: its header, the values and number of pairs reached, and the file to go on with.
fn resume(path: &Path) -> Result<(Header, Vec<f64>, u32, Recorder)> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    // The pair of a line without its end is played again.
    let (first, pairs) = read_lines::<Pair>(&text);
    let Ok(header) = serde_json::from_str::<Header>(first) else {
        bail!("{name}: line 1: expected the header of a record of judge tune");
    };
    if header.tuning != VERSION {
        bail!("{name}: line 1: expected version {VERSION}, found {}", header.tuning);
    }
    let (mut values, mut done) = (header.plan.start(), 0);
    for line in pairs {
        let (number, pair) = line.with_context(|| name.to_string())?;
        if pair.pair != done || pair.values.len() != values.len() {
            bail!("{name}: line {number}: expected pair {done} with {} values", values.len());
        }
        (values, done) = (pair.values, done + 1);
    }
    Ok((header, values, done, Recorder::resume(path)?))
}
