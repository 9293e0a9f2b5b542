//! The one list of games that the judge knows.
//!
//! A new game needs its type in the list below and its crate in `Cargo.toml`. Check, perft, match, tournament, grade,
//! replay and watch then know it, through [`engine::Agent`] alone. What of that trait the judge leans on:
//!
//! - `start`, `read_task`, `write_task`: openings and single positions are handed around as input files, so whatever
//!   bears on the rest of a game (history, numbers of moves) has to be in them;
//! - `read_move`, `write_move`, `describe_move`: records hold moves as output files and are replayed from them;
//! - `PLY_LIMIT`: when a referee calls a draw;
//! - `Rules::JUDGE`, what the judge refuses by, and `Rules::AGENT`, what its reference players keep to;
//! - `knowledge().evaluate`: what reference players look at;
//! - `drawing`: the board on replay pages; without one they show `picture`;
//! - the agent's binary beside the judge's, under the game's name, for `engine=NAME` and `make score`.
//!
//! A grading scheme of the game's own is a few lines in `grade/course.rs`; without them it has Halma's. Whatever a game
//! has beyond matches (a server, a course's own files) is a module of its own with its own subcommand in `main.rs`.

use crate::record::End;
use crate::referee::{self, GameOrder, Opening, Sink};
use clap::builder::PossibleValuesParser;
use engine::{Agent, Protocol, RuleSet, Side};

/// Something to do with a game that is known only when the program runs: a function over game types.
pub trait Visitor {
    /// What it gives.
    type Output;

    /// Does it for a game.
    fn visit<A: Agent>(self) -> Self::Output;
}

macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$game as engine::Protocol>::NAME),+];

        /// Calls a visitor with the game of this name; `None` if there is no such game.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if name == <$game as engine::Protocol>::NAME {
                return Some(visitor.visit::<$game>());
            })+
            None
        }
    };
}

games![halma::Position, wolves::Position, squirrels::Position, foxgame::Position, foxgeese::Position];

/// A game without its type: what a tournament needs of it.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name for people.
    pub title: &'static str,
    /// The words for its sides.
    pub sides: [&'static str; 2],
    /// The side that moves first.
    pub first: Side,
    /// Its usual move limit, in plies.
    pub ply_limit: u32,
    /// The name of a rule set that was asked for, or of the judge's own; an error lists those there are.
    pub check_rules: fn(Option<&str>) -> anyhow::Result<&'static str>,
    /// Plays a game.
    pub play: fn(&GameOrder, Sink) -> anyhow::Result<End>,
    /// Makes an opening of so many random plies.
    pub random_opening: fn(u32, u64) -> anyhow::Result<Opening>,
    /// Makes a position from the middle of a game: so far through it, from 0 to 1.
    pub middle_position: fn(f64, u64) -> anyhow::Result<Opening>,
    /// The side to move in an opening.
    pub side_to_move: fn(&Opening) -> anyhow::Result<Side>,
}

/// The game of a name; an error lists the names there are.
pub fn kind(name: &str) -> anyhow::Result<Kind> {
    visit(name, ToKind).ok_or_else(|| anyhow::anyhow!("game: expected {}, found '{name}'", NAMES.join(" or ")))
}

struct ToKind;

impl Visitor for ToKind {
    type Output = Kind;

    fn visit<A: Agent>(self) -> Kind {
        Kind {
            title: A::TITLE,
            sides: A::SIDES,
            first: referee::first_mover::<A>(),
            ply_limit: A::PLY_LIMIT,
            check_rules: |name| rule_set::<<A as Protocol>::Rules>(name).map(RuleSet::name),
            play: referee::play_game::<A>,
            random_opening: referee::random_opening::<A>,
            middle_position: referee::middle_position::<A>,
            side_to_move: referee::side_to_move::<A>,
        }
    }
}

/// All games, a line each.
#[must_use]
pub fn list(names_only: bool) -> String {
    let line = |name: &str| match visit(name, Describe).filter(|_| !names_only) {
        Some(description) => format!("{name:<10} {description}\n"),
        None => format!("{name}\n"),
    };
    NAMES.iter().map(|name| line(name)).collect()
}

struct Describe;

impl Visitor for Describe {
    type Output = String;

    fn visit<A: Agent>(self) -> String {
        let rules: Vec<&str> = <A::Rules as RuleSet>::ALL.iter().map(|(name, _)| *name).collect();
        format!("{}; {}; rules: {}", A::TITLE, A::SIDES.join(", "), rules.join(", "))
    }
}

/// For command lines: takes a game's name.
#[must_use]
pub fn name_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES)
}

/// The rule set of a name; without a name the judge's own choice. An error lists the names there are.
pub fn rule_set<R: RuleSet>(name: Option<&str>) -> anyhow::Result<R> {
    let Some(name) = name else { return Ok(R::JUDGE) };
    R::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = R::ALL.iter().map(|(known, _)| *known).collect();
        anyhow::anyhow!("--rules: expected {}, found '{name}'", names.join(" or "))
    })
}
