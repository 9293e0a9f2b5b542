//! The games that a program knows. The process is given the list once, before its command line is read.

use anyhow::{Result, anyhow};
use arena::AnyGame;
use clap::builder::PossibleValuesParser;
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

/// Returns the game with this name.
///
/// # Errors
/// There is no such game; the message lists those there are.
pub fn find(name: &str) -> Result<&'static AnyGame> {
    let names = || all().iter().map(|game| game.name).collect::<Vec<_>>().join(" or ");
    let found = all().iter().find(|game| game.name == name);
    found.ok_or_else(|| anyhow!("game: expected {}, found '{name}'", names()))
}

/// Returns the rule set that programs are tried by before they are handed in: the one with this name, or the strictest, which
/// every grader accepts.
///
/// # Errors
/// The game has no such rule set; the message lists those it has.
pub fn strict_rules(game: &AnyGame, name: Option<&str>) -> Result<&'static str> {
    game.rules.check_rules(Some(name.unwrap_or(game.agent_rules)))
}

/// Returns the line that names the rule set a command keeps to, and how to choose another. Empty for a game with one rule set.
pub fn rules_line(game: &AnyGame, rules: &str) -> String {
    let sets = game.rules.rule_sets();
    let others: Vec<String> =
        sets.iter().filter(|name| **name != rules).map(|name| format!("--rules {name}")).collect();
    match others.is_empty() {
        true => String::new(),
        false => format!("rules: {rules} (others: {})\n", others.join(", ")),
    }
}

/// Parses a game's name on a command line.
pub fn name_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(all().iter().map(|game| game.name).collect::<Vec<_>>())
}

/// Lists all games, a line each; only their names if so asked.
pub fn list(names_only: bool) -> String {
    let line = |game: &AnyGame| {
        let AnyGame { name, title, sides, rules, .. } = game;
        if names_only {
            return format!("{name}\n");
        }
        format!("{name:<10} {title}; {}; rules: {}\n", sides.join(", "), rules.rule_sets().join(", "))
    };
    all().iter().map(line).collect()
}
