//! The options of `judge match` and `judge tournament`, and the reader of tournament files.

use anyhow::{Result, bail};
use arena::adjudication::Resign;
use arena::keys::Keys;
use arena::terms::{Openings, Shape, Shard};
use arena::toml_text;
use clap::Args;
use course::class::Commands;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use terminal::games::name_parser;
use terminal::settings::GameSettings;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};

#[derive(Args)]
pub(crate) struct MatchOptions {
    /// The game, or the folder of a game of your own
    #[arg(long, value_parser = name_parser())]
    pub game: Option<String>,

    /// An engine, as KEY=VALUE arguments; repeat for each engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Append)]
    pub engine: Vec<String>,

    /// Keys for all engines, which keys of --engine override
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub each: Vec<String>,

    /// Games between each two engines, an even number: sides are swapped [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,

    /// The openings of the games: start, random:PLIES, or dir:DIRECTORY of input files [default:
    /// random:4; start for a game of your own]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<Openings>,

    #[command(flatten)]
    pub settings: GameSettings,

    /// Write every move and result to this new file of JSON lines
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Replace the file of --record if it is an older record
    #[arg(long, requires = "record")]
    pub overwrite: bool,

    /// Continue an interrupted record, with the games, engines and settings of the record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "engine", "game", "games", "seed", "openings", "each"])]
    pub resume: Option<PathBuf>,

    /// Stop when a sequential probability ratio test has a result: elo0=A elo1=B alpha=0.05
    /// beta=0.05 model=normalized|logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub sprt: Vec<String>,

    /// Print the standings after each such number of games; 0 prints them only at the end
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    pub interval: u32,

    /// Write the results of the games as PGN tags, for rating tools such as Ordo
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct TournamentOptions {
    #[command(flatten)]
    pub games: MatchOptions,

    /// A TOML file with engines and settings, which options on the command line override
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The pairings [default: roundrobin]
    #[arg(long, value_enum)]
    pub shape: Option<Shape>,

    /// Add the submissions of a class as engines after those of --engine: a directory made by judge
    /// intake, or one with a directory for each submission
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "resume")]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub commands: Commands,

    /// Add only so many submissions of --from, those with the most points in --grades, and all that
    /// have as many as the last of them
    #[arg(long, value_name = "COUNT", requires_all = ["from", "grades"], value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub best: Option<u32>,

    /// The CSV file of judge grade-all with the points for --best
    #[arg(long, value_name = "FILE", requires = "best")]
    pub grades: Option<PathBuf>,

    /// The rounds of --shape swiss [default: as many as are needed for a single winner]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with = "resume")]
    pub rounds: Option<u32>,

    /// End a game as lost when a player's own scores (`depth N score S` on standard error) are
    /// SCORE or more below 0 for MOVES of its moves in a row, such as 600/3
    #[arg(long, value_name = "SCORE/MOVES", conflicts_with = "resume")]
    pub resign: Option<Resign>,

    /// End a game as a draw when both players' own scores are near 0: movenumber=40 movecount=8
    /// score=10
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., conflicts_with = "resume")]
    pub draw: Vec<String>,

    /// Write a page with the ranking and all results, and pages with the games beside it
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// Play only part I of N of the schedule; `judge merge` joins the records
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

/// The entries of a tournament file other than [`GameSettings`].
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

const ENTRIES: [&str; 6] = ["game", "engine", "each", "shape", "games", "openings"];

pub(super) fn read_config(path: &Path) -> Result<(Entries, GameSettings)> {
    let name = path.display();
    if path.extension().is_some_and(|extension| extension == "json") {
        bail!(
            "{name}: tournament files are TOML (docs/scaling.md); `judge tournament --help` shows one"
        );
    }
    let text = &toml_text::read(path)?;
    let at_line = |error: toml::de::Error| {
        toml_text::at(&name, text, error.span().map_or(0, |span| span.start), error.message())
    };
    let document = DeTable::parse(text).map_err(at_line)?.into_inner();
    let (entries, settings): (Vec<_>, Vec<_>) =
        document.into_iter().partition(|(key, _)| ENTRIES.contains(&key.get_ref().as_ref()));
    Ok((of_table(entries).map_err(at_line)?, of_table(settings).map_err(at_line)?))
}

/// Deserializes some entries of a TOML document. Errors have the position in the document.
fn of_table<'a, T: DeserializeOwned>(
    part: Vec<(Spanned<DeString<'a>>, Spanned<DeValue<'a>>)>,
) -> Result<T, toml::de::Error> {
    let table = Spanned::new(0..0, DeValue::Table(part.into_iter().collect()));
    T::deserialize(ValueDeserializer::from(table))
}
