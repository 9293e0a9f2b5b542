//! The games that a judge knows, without their types.
//!
//! A stranger's game joins by [`Game::of`] and [`run`](crate::run); everything works for it through
//! [`engine::Playable`] alone. What of that trait the judge leans on:
//!
//! - `start`, `read_task`, `write_task`: openings and single positions are handed around as input files, so whatever
//!   bears on the rest of a game (history, numbers of moves) has to be in them;
//! - `read_move`, `write_move`, `describe_move`: records hold moves as output files and are replayed from them;
//! - `PLY_LIMIT`: when a referee calls a draw;
//! - `COURSE`: how programs are graded unless told otherwise;
//! - `Rules::JUDGE`, what the judge refuses by, and `Rules::AGENT`, what its reference players keep to;
//! - `knowledge().evaluate`: what reference players look at;
//! - `drawing`: the board on replay pages, a grid of the input file's symbols unless the game has its own; without one they
//!   show `picture`;
//! - `proven`, `counts`, `terms`, `CURVE`: what analyses say beyond scores; all have defaults;
//! - `extreme_board`: what the soak asks beside random positions;
//! - the agent's binary beside the judge's, under the game's name, for `engine=NAME` and `make score`.
//!
//! `examples/connect-four` is such a crate: a game, its agent, and a judge that knows it.

use crate::check::{self, CheckOptions, ShowOptions, Verdict};
use crate::inputs;
use crate::monitor::player::MonitorPrograms;
use crate::perft::{self, PerftOptions};
use crate::preflight::turn::Preflight;
use crate::replay::frames::{Frame, frames};
use crate::soak::question::Quiz;
use anyhow::{Result, anyhow};
use arena::AnyGame;
use arena::analysis::questions::{Question, questions};
use arena::player::{NoOthers, OtherPlayers};
use arena::record::{Header, MoveRecord};
use engine::Playable;
use std::sync::OnceLock;

/// A game without its type.
#[derive(Clone, Copy)]
pub struct Game {
    /// What games and tournaments need of it.
    pub(crate) arena: AnyGame,
    /// `judge check`.
    pub(crate) check: fn(&CheckOptions) -> Result<Verdict>,
    /// `judge show`.
    pub(crate) show: fn(&ShowOptions) -> Result<String>,
    /// `judge perft`.
    pub(crate) perft: fn(&PerftOptions) -> Result<()>,
    /// The positions of a recorded game.
    pub(crate) frames: fn(&Header, &str, &[MoveRecord]) -> Result<Vec<Frame>>,
    /// The moves of a recorded game, for analysis.
    pub(crate) questions: fn(&Header, &str, &[MoveRecord]) -> Result<Vec<Question>>,
    /// The input file of the turn after some moves of a recorded game.
    pub(crate) position: fn(&Header, &str, &[String; 2], &[MoveRecord]) -> Result<String>,
    /// What the soak needs of it.
    pub(crate) quiz: Quiz,
    /// What `judge try` needs of it.
    pub(crate) preflight: Preflight,
    /// The rules for people, a page of Markdown ([`Game::with_rules_page`]).
    pub(crate) rules_page: Option<&'static str>,
}

impl Game {
    /// A game whose programs live by files.
    #[must_use]
    pub fn of<A: Playable>() -> Game {
        Game::with_players::<A, NoOthers>()
    }

    /// A game that has players of other kinds as well.
    #[must_use]
    pub fn with_players<A: Playable, X: OtherPlayers<A>>() -> Game {
        Game {
            arena: AnyGame::with_players::<A, X>(),
            check: check::check::<A>,
            show: check::show::<A>,
            perft: perft::perft::<A>,
            frames: frames::<A>,
            questions: questions::<A>,
            position: inputs::input::<A>,
            quiz: Quiz::of::<A>(),
            preflight: Preflight::of::<A, X>(),
            rules_page: None,
        }
    }

    /// The same game with its rules for people, as `judge rules` prints them: a page of Markdown whose sections begin with
    /// `## `. A section `Messages` may have a table of two columns, some words of a message and the name of the section
    /// that tells the rule: refusals then name that section.
    #[must_use]
    pub fn with_rules_page(self, page: &'static str) -> Game {
        Game { rules_page: Some(page), ..self }
    }
}

/// The five games of Menagerie.
#[must_use]
pub fn menagerie() -> Vec<Game> {
    vec![
        Game::of::<halma::Position>().with_rules_page(include_str!("../data/rules/halma.md")),
        Game::of::<wolves::Position>().with_rules_page(include_str!("../data/rules/wolves.md")),
        Game::of::<squirrels::Position>().with_rules_page(include_str!("../data/rules/squirrels.md")),
        Game::with_players::<foxgame::Position, MonitorPrograms>()
            .with_rules_page(include_str!("../data/rules/foxgame.md")),
        Game::of::<foxgeese::Position>().with_rules_page(include_str!("../data/rules/foxgeese.md")),
    ]
}

static GAMES: OnceLock<Vec<Game>> = OnceLock::new();

/// Sets the games that this judge knows, once; without that it knows those of [`menagerie`].
pub(crate) fn set(games: Vec<Game>) {
    let _ = GAMES.set(games);
}

/// All games.
pub(crate) fn all() -> &'static [Game] {
    GAMES.get_or_init(menagerie)
}

/// The game of a name; an error lists the names there are.
pub(crate) fn find(name: &str) -> Result<&'static Game> {
    let names = || all().iter().map(|game| game.arena.name).collect::<Vec<_>>().join(" or ");
    let found = all().iter().find(|game| game.arena.name == name);
    found.ok_or_else(|| anyhow!("game: expected {}, found '{name}'", names()))
}

/// All games, a line each.
pub(crate) fn list(names_only: bool) -> String {
    let line = |game: &Game| {
        let AnyGame { name, title, sides, rule_sets, .. } = &game.arena;
        if names_only {
            return format!("{name}\n");
        }
        format!("{name:<10} {title}; {}; rules: {}\n", sides.join(", "), rule_sets().join(", "))
    };
    all().iter().map(line).collect()
}
