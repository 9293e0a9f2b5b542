//! A game without its type: what tournaments, grading and tables need of it.

use crate::openings::{first_mover, middle_position, random_opening, side_to_move};
use crate::player::{NoOthers, OtherPlayers};
use crate::record::End;
use crate::referee::{GameOrder, Sink, play_game};
use crate::terms::{Opening, rule_set};
use anyhow::Result;
use engine::{Course, Playable, RuleSet, Side};

/// A game whose type is known only to the functions it holds.
#[derive(Clone, Copy, Debug)]
pub struct AnyGame {
    /// The game's name on command lines.
    pub name: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The words for its sides.
    pub sides: [&'static str; 2],
    /// The side that moves first.
    pub first: Side,
    /// The game's usual move limit, in plies.
    pub ply_limit: u32,
    /// The usual scheme by which programs for it are graded.
    pub course: Course,
    /// Protocols of its programs beside files, as `proto=NAME` has them.
    pub protocols: &'static [&'static str],
    /// Algorithms that only this game has, each a reference player: name and help.
    pub algorithms: &'static [(&'static str, &'static str)],
    /// The names of its rule sets.
    pub rule_sets: fn() -> Vec<&'static str>,
    /// The name of a rule set that was asked for, or of the judge's own; an error lists those there are.
    pub check_rules: fn(Option<&str>) -> Result<&'static str>,
    /// Plays a game.
    pub play: fn(&GameOrder, Sink) -> Result<End>,
    /// Makes an opening of a number of random plies.
    pub random_opening: fn(u32, u64) -> Result<Opening>,
    /// Makes a position from the middle of a game, given how far through it, from 0 to 1.
    pub middle_position: fn(f64, u64) -> Result<Opening>,
    /// The side to move in an opening.
    pub side_to_move: fn(&Opening) -> Result<Side>,
}

impl AnyGame {
    /// A game whose programs live by files.
    #[must_use]
    pub fn of<A: Playable>() -> AnyGame {
        AnyGame::with_players::<A, NoOthers>()
    }

    /// A game that has players of other kinds as well.
    #[must_use]
    pub fn with_players<A: Playable, X: OtherPlayers<A>>() -> AnyGame {
        AnyGame {
            name: A::NAME,
            title: A::TITLE,
            sides: A::SIDES,
            first: first_mover::<A>(),
            ply_limit: A::PLY_LIMIT,
            course: A::COURSE,
            protocols: X::PROTOCOLS,
            algorithms: A::ALGORITHMS,
            rule_sets: || <A::Rules as RuleSet>::ALL.iter().map(|(name, _)| *name).collect(),
            check_rules: |name| rule_set::<A::Rules>(name).map(RuleSet::name),
            play: play_game::<A, X>,
            random_opening: random_opening::<A>,
            middle_position: middle_position::<A>,
            side_to_move: side_to_move::<A>,
        }
    }
}
