//! The games that a program knows, set once before its command line is read.

use anygame::AnyGame;
use anyhow::{Result, bail};
use arena::plain::counted;
use arena::record::{Record, Replayed, Withdrawn};
use arena::rules_program::{is_folder, load, of_record};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use homework::{Assignment, Homework};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static GAMES: OnceLock<Vec<AnyGame>> = OnceLock::new();

/// Sets the games of this process. Only the first call has an effect.
pub fn set(games: Vec<AnyGame>) {
    let _ = GAMES.set(games);
}

/// Returns all games; none before [`set`].
pub fn all() -> &'static [AnyGame] {
    GAMES.get().map_or(&[], Vec::as_slice)
}

/// The game of this name or folder; the error lists the names, or says that it is a homework.
pub fn find(name: &str) -> Result<&'static AnyGame> {
    find_assignment(name)?.game()
}

/// The game or homework of this name or folder; the error lists the names.
pub fn find_assignment(name: &str) -> Result<Assignment> {
    if let Some(game) = all().iter().find(|game| game.name == name) {
        return Ok(game.into());
    }
    if !is_folder(name) {
        let names: Vec<&str> = all().iter().map(|game| game.name).collect();
        let names = names.join(" or ");
        bail!("game: expected {names}, or the folder of a game, found '{name}'");
    }
    let folder = folder_of(Path::new(name));
    Ok(match Homework::is_in(&folder) {
        true => Homework::read(&folder)?.into(),
        false => load(&folder)?.into(),
    })
}

/// The game of a record, or what the record keeps of it if its folder is not there.
pub fn game_of(record: &Record) -> Result<&'static AnyGame> {
    let found = find(&record.header.game);
    match &record.header.own {
        Some(_) if found.is_err() => of_record(record),
        _ => found,
    }
}

/// Says which recorded games of other files were replayed, and which are played again. `name` is
/// that of a game by its number.
pub fn note_replayed(game: &AnyGame, replayed: &Replayed, name: impl Fn(u32) -> String) {
    let (same, withdrawn) = (replayed.same.len(), replayed.withdrawn.len());
    let games = counted(same + withdrawn, "recorded game was", "recorded games were");
    eprintln!(
        "note: {}: {games} not played by the files that the game has now; replayed by these, {same} end as before, {withdrawn} {}",
        game.key,
        if withdrawn == 1 { "is played again" } else { "are played again" }
    );
    for Withdrawn { game, why } in &replayed.withdrawn {
        eprintln!("  {}: {why}", name(*game));
    }
}

/// Where a record names a folder that is not there, one of the same name here.
fn folder_of(named: &Path) -> PathBuf {
    let here = named.file_name().map(PathBuf::from).filter(|here| !named.exists() && here.is_dir());
    here.unwrap_or_else(|| named.to_owned())
}

/// The rule set of this name, or the strictest, which every grader accepts.
pub fn strict_rules(game: &AnyGame, name: Option<&str>) -> Result<&'static str> {
    game.rules.check_rules(Some(name.unwrap_or(game.agent_rules)))
}

/// A line on the rule set and the others; empty in a game with one.
pub fn rules_line(game: &AnyGame, rules: &str) -> String {
    let mut others = game.rules.rule_sets();
    others.retain(|name| *name != rules);
    let others: Vec<String> = others.iter().map(|name| format!("--rules {name}")).collect();
    match others.is_empty() {
        true => String::new(),
        false => format!("rules: {rules} (others: {})\n", others.join(", ")),
    }
}

/// The options `--game` and `--homework` of a command.
#[derive(Args, Clone)]
pub struct GameOption {
    /// The game, or the folder of a game of your own or of a homework
    #[arg(
        id = "game", long = "game", value_name = "GAME",
        value_parser = name_parser(), required_unless_present = "homework"
    )]
    name: Option<String>,

    /// The folder of a homework (docs/homework.md), or of the cases of the game's own homework, as
    /// of judge grade-cases: programs get them instead of the game's turns
    #[arg(long, value_name = "FOLDER")]
    homework: Option<PathBuf>,
}

impl GameOption {
    /// The game, or the homework that either option names.
    pub fn assignment(&self) -> Result<Assignment> {
        if let Some(folder) = self.homework.as_deref().filter(|folder| Homework::is_in(folder)) {
            if self.name.is_some() {
                bail!("--game: not beside the folder of a homework with a {}", homework::FILE);
            }
            return Ok(Homework::read(folder)?.into());
        }
        let named = find_assignment(self.name.as_deref().unwrap_or_default())?;
        Ok(match (&self.homework, named) {
            (Some(folder), Assignment::Game(game)) => Homework::of_cases(folder, game)?.into(),
            (_, named) => named,
        })
    }

    /// The game, also that of the cases; an error for a homework that is none.
    pub fn game(&self) -> Result<&'static AnyGame> {
        self.assignment()?.game()
    }

    /// Returns the word for the game or the homework.
    pub fn word(&self) -> String {
        let folder = || self.homework.as_ref().map(|folder| folder.display().to_string());
        self.name.clone().or_else(folder).unwrap_or_default()
    }
}

/// The game of a command, as its first argument, and its rule set.
#[derive(Args)]
pub struct GameAndRules {
    /// The game, or the folder of a game of your own
    #[arg(value_parser = name_parser())]
    pub game: String,
    /// The rule set [default: the most permissive]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
}

impl GameAndRules {
    /// The game and the name of the rule set.
    pub fn find(&self) -> Result<(&'static AnyGame, &'static str)> {
        let game = find(&self.game)?;
        Ok((game, game.rules.check_rules(self.rules.as_deref())?))
    }
}

/// Parses a game's name, or the path of its folder, on a command line.
pub fn name_parser() -> GameParser {
    GameParser(PossibleValuesParser::new(all().iter().map(|game| game.name).collect::<Vec<_>>()))
}

/// A parser of games: see [`name_parser`].
#[derive(Clone)]
pub struct GameParser(PossibleValuesParser);

impl TypedValueParser for GameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        match value.to_str() {
            Some(name) if is_folder(name) && !all().iter().any(|game| game.name == name) => {
                Ok(name.to_string())
            }
            _ => self.0.parse_ref(command, option, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// A line for each of these games, or of all, or only their names.
pub fn list(names_only: bool, which: &[String]) -> Result<String> {
    let width = all().iter().map(|game| game.name.len()).max().unwrap_or_default() + 1;
    let line = |game: &AnyGame| {
        let AnyGame { name, title, sides, rules, .. } = game;
        if names_only {
            return format!("{name}\n");
        }
        format!(
            "{name:<width$} {title}; {}; rules: {}\n",
            sides.join(", "),
            rules.rule_sets().join(", ")
        )
    };
    match which.is_empty() {
        true => Ok(all().iter().map(line).collect()),
        false => which.iter().map(|name| find(name).map(line)).collect(),
    }
}
