//! `lab tune`: tunes an engine's parameters by games between two versions of it.

mod spsa;

use anyhow::{Context, Result, anyhow, bail};
use arena::AnyGame;
use arena::keys::Keys;
use arena::openings::Book;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{End, Recorder, read_lines};
use arena::referee::GameOrder;
use arena::terms::Bounds;
use arena::terms::LimitRule;
use arena::terms::Openings;
use clap::Args;
use serde::{Deserialize, Serialize};
use spsa::{Parameter, SpsaPlan};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use terminal::games::find;
use terminal::games::name_parser;
use terminal::interrupt;
use terminal::layers::{announce, check_agreed};
use terminal::output::print;
use terminal::progress::Progress;
use terminal::settings::BoxSettings;

/// Explanations and an example for the help text.
pub(crate) const EXAMPLE: &str = "\
Each pair of games moves all parameters up or down at random, plays the two versions against each other from the same opening
with sides swapped, and moves the parameters a step towards the version that scored more (SPSA). The engine gets its parameters
by an option at the end of its command: --set NAME=VALUE,NAME=VALUE,...
^C ends the run after the current pair; --resume continues it.

Example (the parameters and their ranges: crates/halma/src/tunable.rs):
  cargo build --release -p halma --features tuning --target-dir target/tuning
  lab tune --game halma --engine cmd=target/tuning/release/halma time=0.5 --pairs 400 --concurrency 2 \\
    --parameter late=400,0,2000,60 --parameter apart=5,0,50,2 --record scratch/tune.jsonl
and then a match to test the result:
  judge match --game halma --engine cmd='target/tuning/release/halma --set late=431' name=tuned time=1 \\
    --engine cmd=target/tuning/release/halma name=chosen time=1 --games 2000 --sprt elo0=0 elo1=20";

/// Options of `lab tune`.
#[derive(Args)]
pub(crate) struct TuneOptions {
    /// The game
    #[arg(long, value_parser = name_parser(), required_unless_present = "resume")]
    game: Option<String>,

    /// The engine, as KEY=VALUE words like those of judge match
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required_unless_present = "resume")]
    engine: Vec<String>,

    /// A parameter: the engine's name for it, its start value, its bounds, and how far the last pair moves it
    #[arg(long, value_name = "NAME=START,LEAST,MOST,STEP", required_unless_present = "resume")]
    parameter: Vec<Parameter>,

    /// The engine's option for its parameters
    #[arg(long, value_name = "OPTION", default_value = "--set", allow_hyphen_values = true)]
    option: String,

    /// Number of pairs of games
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,

    /// How far results move the parameters: two wins in the last pair move each by twice this share of its STEP
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    rate: f64,

    /// Number of games at the same time; 2 plays both games of a pair at once
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    concurrency: u32,

    /// The openings: start, random:PLIES, or dir:DIRECTORY of input files
    #[arg(long, value_name = "KIND", default_value = "random:4")]
    openings: Openings,

    /// The seed of the openings and the directions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    sandbox: BoxSettings,

    /// Write every pair to this new file of JSON lines
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Continue the run of an interrupted record, with the settings in it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "game", "engine", "parameter"])]
    resume: Option<PathBuf>,
}

/// The first line of a record: all settings that decide the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TuneHeader {
    tuning: u32,
    game: String,
    engine: EngineSpec,
    option: String,
    openings: Openings,
    plan: SpsaPlan,
    /// The limits and sandbox layers of the engine's processes.
    #[serde(default)]
    bounds: Bounds,
}

/// The version of the record's format.
const VERSION: u32 = 2;

/// A played pair of games, and the values after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PlayedPair {
    pair: u32,
    versions: [Vec<i32>; 2],
    points: f64,
    values: Vec<f64>,
}

/// Runs `lab tune`, and prints the tuned values.
pub(crate) fn tune(options: &TuneOptions) -> Result<ExitCode> {
    let agreed = |header: &TuneHeader| {
        check_agreed(std::slice::from_ref(&header.engine), &header.bounds, options.sandbox.yes_unsafe)
    };
    let (header, mut values, first, mut recorder) = match &options.resume {
        Some(path) => {
            let resumed = resume(path)?;
            agreed(&resumed.0)?;
            resumed
        }
        None => {
            let header = header(options)?;
            agreed(&header)?;
            let recorder = match &options.record {
                Some(path) => Recorder::create(path, &header)?,
                None => Recorder::nowhere(),
            };
            (header.clone(), header.plan.start(), 0, recorder)
        }
    };
    let game = find(&header.game)?;
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
        recorder.append(&PlayedPair { pair: done, versions: trial.versions, points, values: values.clone() })?;
        done += 1;
        bar.done(done as usize, &describe(plan, &values));
    }
    bar.finish();
    print(&format!("after {done} of {} pairs: {}\n", plan.pairs, describe(plan, &values)));
    if done < plan.pairs {
        match options.resume.as_ref().or(options.record.as_ref()) {
            Some(path) => eprintln!("interrupted; continue with: lab tune --resume {}", path.display()),
            None => eprintln!("interrupted; without --record the run cannot be continued"),
        }
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes values in the form of the engine's option.
fn words<V: Display>(plan: &SpsaPlan, values: impl IntoIterator<Item = V>) -> String {
    let word = |(parameter, value): (&Parameter, V)| format!("{}={value}", parameter.name);
    plan.parameters.iter().zip(values).map(word).collect::<Vec<_>>().join(",")
}

/// Writes values rounded to whole numbers.
fn describe(plan: &SpsaPlan, values: &[f64]) -> String {
    words(plan, values.iter().map(|value| value.round()))
}

/// Returns the header of a new record.
fn header(options: &TuneOptions) -> Result<TuneHeader> {
    let game = options.game.clone().unwrap_or_default();
    let engine = Keys::parse(options.engine.iter().map(String::as_str))?.engine(find(&game)?)?;
    if !matches!(engine.kind, PlayerKind::Files { .. }) {
        bail!("--engine: expected a program that takes parameters by {}, found '{}'", options.option, engine.name);
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
    let plan = SpsaPlan { parameters, pairs: options.pairs, rate: options.rate, seed };
    let (option, openings) = (options.option.clone(), options.openings.clone());
    let bounds = options.sandbox.bounds_of_known()?;
    Ok(TuneHeader { tuning: VERSION, game, engine, option, openings, plan, bounds })
}

/// Plays both games of a pair. Returns their ends, each with 1 if the first version played the first side, or else -1.
fn play_pair(
    game: &AnyGame,
    header: &TuneHeader,
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
            (play(&orders[0]), other.join().unwrap_or_else(|_| Err(anyhow!("a game ended with a panic"))))
        })
    } else {
        (play(&orders[0]), play(&orders[1]))
    };
    let (one, other) = (one?, other?);
    for (end, order) in [(&one, &orders[0]), (&other, &orders[1])] {
        // A version that makes no move is a mistake in the settings, not a result.
        if let Some(fault) = &end.fault
            && end.plies < 2
        {
            let (player, said) = (&order.engines[fault.player].name, fault.stderr.trim());
            bail!("pair {}: {player} does not play: {}: {said}", pair + 1, end.reason);
        }
    }
    Ok([(one, 1.0), (other, -1.0)])
}

/// Returns the engine with its parameters.
fn engine_with(header: &TuneHeader, version: &[i32], name: &str) -> EngineSpec {
    let mut spec = header.engine.clone();
    spec.name = name.to_string();
    if let PlayerKind::Files { command, .. } = &mut spec.kind {
        command.extend([header.option.clone(), words(&header.plan, version)]);
    }
    spec
}

/// Returns 1 if the first side has won, -1 if the second has, and 0 for a draw.
fn points_of_first(end: &End) -> f64 {
    match end.winner {
        Some(0) => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    }
}

/// Reads a record to continue: its header, the last values, the number of pairs, and the file to append to.
fn resume(path: &Path) -> Result<(TuneHeader, Vec<f64>, u32, Recorder)> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    // The pair of an incomplete last line is played again.
    let (first, pairs) = read_lines::<PlayedPair>(&text);
    let Ok(header) = serde_json::from_str::<TuneHeader>(first) else {
        bail!("{name}: line 1: expected the header of a record of lab tune");
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
