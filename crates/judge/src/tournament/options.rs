//! The options of `judge match` and `judge tournament`, and tournament files.

use crate::names::name_parser;
use crate::settings::GameSettings;
use anyhow::{Context, Result, anyhow};
use arena::adjudication::Resign;
use arena::player::keys::Keys;
use arena::terms::{Openings, Shape, Shard};
use clap::Args;
use engine::agent::files::read_input;
use engine::protocol::without_mark;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

/// Options that a match and a tournament have in common.
#[derive(Args)]
pub(crate) struct MatchOptions {
    /// The game
    #[arg(long, value_parser = name_parser())]
    pub game: Option<String>,

    /// An engine, as KEY=VALUE words; once for each engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Append)]
    pub engine: Vec<String>,

    /// Keys for all engines that do not have them of their own
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub each: Vec<String>,

    /// Games of each two engines that meet; even, since each opening is played twice with sides swapped [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,

    /// The openings of the games: start, random:PLIES, or dir:DIRECTORY of input files [default: random:4]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<Openings>,

    #[command(flatten)]
    pub settings: GameSettings,

    /// Append every move and result to this new file of JSON lines
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Go on with a record that was interrupted; all that decides the games comes from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "engine", "game", "games", "seed", "openings", "each"])]
    pub resume: Option<PathBuf>,

    /// Stop as soon as the sequential test of two engines has its verdict: elo0=A elo1=B alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub sprt: Vec<String>,

    /// Games after which the standings are printed, each time; 0 for only at the end
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    pub interval: u32,

    /// Write the games in a form that rating tools such as Ordo read
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

/// Options of `judge tournament`.
#[derive(Args)]
pub(crate) struct TournamentOptions {
    #[command(flatten)]
    pub games: MatchOptions,

    /// A TOML or JSON file with engines and settings; options on the command line go before it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The pairings [default: roundrobin]
    #[arg(long, value_enum)]
    pub shape: Option<Shape>,

    /// Let the submissions of a class play each other: a directory that judge intake has made, or one with a directory for each;
    /// engines of --engine come before them
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "resume")]
    pub from: Option<PathBuf>,

    /// The command that runs a submission of --from, in a copy of its directory
    #[arg(long, value_name = "COMMAND", requires = "from")]
    pub cmd: Option<String>,

    /// Run a submission of --from by the command in its own file `command`, if it has one
    #[arg(long, requires = "from")]
    pub own_commands: bool,

    /// Only the best so many submissions of --from, by the points in --grades
    #[arg(long, value_name = "COUNT", requires_all = ["from", "grades"], value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub best: Option<u32>,

    /// The CSV file of judge grade-all that says who is best
    #[arg(long, value_name = "FILE", requires = "best")]
    pub grades: Option<PathBuf>,

    /// The rounds of --shape swiss [default: as many as it takes to tell one winner]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with = "resume")]
    pub rounds: Option<u32>,

    /// End a game that a player's own scores (`depth N score S` on standard error) call lost, SCORE or more below 0 for
    /// MOVES of its moves in a row, such as 600/3
    #[arg(long, value_name = "SCORE/MOVES", conflicts_with = "resume")]
    pub resign: Option<Resign>,

    /// End a game as a draw if both players' own scores are near 0: movenumber=40 movecount=8 score=10
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., conflicts_with = "resume")]
    pub draw: Vec<String>,

    /// Write a page of the ranking for a browser, with all results; in a folder beside it the games
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// Play only part I of N of the schedule; `judge merge` joins the records
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

/// The entries of a tournament file beside [`GameSettings`].
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Entries {
    pub game: Option<String>,
    pub engine: Vec<Keys>,
    pub each: Keys,
    pub shape: Option<Shape>,
    pub games: Option<u32>,
    pub openings: Option<String>,
}

/// The keys of [`Entries`].
const ENTRIES: [&str; 6] = ["game", "engine", "each", "shape", "games", "openings"];

/// Reads a tournament file, TOML unless its name ends in `.json`.
pub(super) fn read_config(path: &Path) -> Result<(Entries, GameSettings)> {
    let name = path.display();
    let text = read_input(path).with_context(|| format!("{name}: cannot be read"))?;
    let text = without_mark(&text);
    if path.extension().is_some_and(|extension| extension == "json") {
        let all: Map<String, Value> = serde_json::from_str(text).with_context(|| name.to_string())?;
        let (entries, settings) = all.into_iter().partition(|(key, _)| ENTRIES.contains(&key.as_str()));
        let part = |part: Map<String, Value>| Value::Object(part);
        let read = || -> serde_json::Result<_> {
            Ok((serde_json::from_value(part(entries))?, serde_json::from_value(part(settings))?))
        };
        read().with_context(|| name.to_string())
    } else {
        let at_line = |error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            anyhow!("{name}:{line}: {}", error.message())
        };
        let document = DeTable::parse(text).map_err(at_line)?.into_inner();
        let (entries, settings): (Vec<_>, Vec<_>) =
            document.into_iter().partition(|(key, _)| ENTRIES.contains(&key.get_ref().as_ref()));
        Ok((of_table(entries).map_err(at_line)?, of_table(settings).map_err(at_line)?))
    }
}

/// Reads a part of a document; errors name their place in it.
fn of_table<'a, T: DeserializeOwned>(
    part: Vec<(Spanned<DeString<'a>>, Spanned<DeValue<'a>>)>,
) -> Result<T, toml::de::Error> {
    let table = Spanned::new(0..0, DeValue::Table(part.into_iter().collect()));
    T::deserialize(ValueDeserializer::from(table))
}
