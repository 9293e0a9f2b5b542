//! A game whose type is not known: what a judge, a course and a server need of it.
//!
//! A stranger's game joins by [`AnyGame::of`]; everything works for it through [`engine::Examine`] and the traits that it
//! extends. What of them is used:
//!
//! - `start`, `read_task`, `write_task`: openings and single positions are handed around as input files, so whatever
//!   bears on the rest of a game (history, numbers of moves) has to be in them;
//! - `read_move`, `write_move`, `describe_move`: records hold moves as output files and are replayed from them;
//! - `PLY_LIMIT`: when a referee calls a draw;
//! - `Rules::JUDGE`, what a judge refuses by, and `Rules::AGENT`, what its reference players keep to;
//! - `knowledge`, its `evaluate`: what reference players look at;
//! - `drawing`: the board on pages, a grid of the input file's symbols unless the game has its own; without one they show
//!   `picture`;
//! - `proven`, `counts`, `terms`, `CURVE`: what analyses say beyond scores; all have defaults;
//! - `RULES_PAGE`: the rules for people, and where a refusal points to;
//! - `ADAPTERS`: how `judge intake` lets submissions for another interface play;
//! - `TEST_POSITIONS`, `REMEDIES`: what `judge try` asks, and what it says about refused moves;
//! - `SCHEME`: how programs are graded unless told otherwise;
//! - the agent's binary beside the judge's, under the game's name, for `engine=NAME`.
//!
//! `examples/connect-four` is such a crate: a game, its agent, and a judge that knows it.

use crate::openings::{first_mover, middle_position, random_opening};
use crate::player::spec::EngineSpec;
use crate::player::{NoOthers, OtherPlayers, Turn, new_player};
use crate::position::{AnyMove, AnyPosition, named};
use crate::record::End;
use crate::referee::{GameOrder, Sink, play_game};
use crate::terms::{Bounds, Opening, own_input, rule_set};
use anyhow::{Result, anyhow};
use engine::protocol::InputError;
use engine::{Adapter, Examine, Remedy, RuleSet, Side, TimeControl};
use std::time::Duration;

/// A game whose type is known only to the functions it holds. Where a function takes the name of a rule set, `None` stands
/// for the judge's own, the most permissive one; an error about an unknown name lists those there are.
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
    /// Protocols of its programs beside files, as `proto=NAME` has them.
    pub protocols: &'static [&'static str],
    /// Algorithms that only this game has, each a reference player: name and help.
    pub algorithms: &'static [(&'static str, &'static str)],
    /// The rule set that is legal for every grader.
    pub agent_rules: &'static str,
    /// The rules for people ([`Examine::RULES_PAGE`]).
    pub rules_page: Option<&'static str>,
    /// The positions that show whether a program knows the game's special rules ([`Examine::TEST_POSITIONS`]).
    pub test_positions: &'static [(&'static str, &'static str)],
    /// Advice on moves and files that the game refuses ([`Examine::REMEDIES`]).
    pub remedies: &'static [Remedy],
    /// Programs that let submissions for another interface play ([`Examine::ADAPTERS`]).
    pub adapters: &'static [Adapter],
    /// The grading scheme of its own ([`Examine::SCHEME`]).
    pub scheme: Option<&'static str>,
    /// The names of its rule sets.
    pub rule_sets: fn() -> Vec<&'static str>,
    /// The name of a rule set that was asked for, or of the judge's own.
    pub check_rules: fn(Option<&str>) -> Result<&'static str>,
    /// The starting position by a rule set.
    pub start: fn(Option<&str>) -> Result<Box<dyn AnyPosition>>,
    /// Reads an input file by a rule set. The inner error is the file's.
    pub read_task: fn(&str, Option<&str>) -> Result<FromInput<AnyTask>>,
    /// Checks an output file against its input file by a rule set. The inner error is the input file's.
    pub check: fn(&Answer, Option<&str>) -> Result<FromInput<Checked>>,
    /// Plays a game.
    pub play: fn(&GameOrder, Sink) -> Result<End>,
    /// Asks a player for its move in the position of an input file, by a rule set.
    pub ask: fn(&EngineSpec, &Bounds, &str, &str) -> Result<Turn<AnyMove>>,
    /// Makes an opening of a number of random plies.
    pub random_opening: fn(u32, u64) -> Result<Opening>,
    /// Makes a position from the middle of a game, given how far through it, from 0 to 1.
    pub middle_position: fn(f64, u64) -> Result<Opening>,
}

/// The result of reading an input file.
pub type FromInput<T> = std::result::Result<T, InputError>;

/// An input file that was read.
pub struct AnyTask {
    /// The position to play from.
    pub position: Box<dyn AnyPosition>,
    /// The meaning of the clock.
    pub control: TimeControl,
    /// The CPU time left.
    pub clock: Duration,
}

/// An output file to be checked against its input file.
pub struct Answer<'a> {
    /// The text of the input file.
    pub input: &'a str,
    /// The text of the output file.
    pub output: &'a str,
    /// The name of the output file, for messages.
    pub file: &'a str,
}

/// The result of a check.
pub enum Checked {
    /// The move is legal; it, the board after it, and whether some graders refuse it, as lines.
    Legal(String),
    /// The move is refused; the reason, in one line or more.
    Refused(String),
}

impl AnyGame {
    /// A game whose programs live by files.
    pub fn of<A: Examine>() -> AnyGame {
        AnyGame::with_players::<A, NoOthers>()
    }

    /// A game that has players of other kinds as well.
    pub fn with_players<A: Examine, X: OtherPlayers<A>>() -> AnyGame {
        AnyGame {
            name: A::NAME,
            title: A::TITLE,
            sides: A::SIDES,
            first: first_mover::<A>(),
            ply_limit: A::PLY_LIMIT,
            protocols: X::PROTOCOLS,
            algorithms: A::ALGORITHMS,
            agent_rules: <A::Rules as RuleSet>::AGENT.name(),
            rules_page: A::RULES_PAGE,
            test_positions: A::TEST_POSITIONS,
            remedies: A::REMEDIES,
            adapters: A::ADAPTERS,
            scheme: A::SCHEME,
            rule_sets: || <A::Rules as RuleSet>::ALL.iter().map(|(name, _)| *name).collect(),
            check_rules: |name| rule_set::<A::Rules>(name).map(RuleSet::name),
            start: |rules| Ok(Box::new(A::start(rule_set(rules)?))),
            read_task: read_task::<A>,
            check: check::<A>,
            play: play_game::<A, X>,
            ask: ask::<A, X>,
            random_opening: random_opening::<A>,
            middle_position: middle_position::<A>,
        }
    }

    /// The side to move in an opening.
    ///
    /// # Errors
    /// The opening cannot be read.
    pub fn side_to_move(&self, opening: &Opening) -> Result<Side> {
        let task = (self.read_task)(&opening.input, None)?.map_err(|error| anyhow!("line {error}"))?;
        Ok(task.position.side_to_move())
    }
}

fn read_task<A: Examine>(input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
    let task = A::read_task(input, rule_set(rules)?);
    Ok(task.map(|task| AnyTask { position: Box::new(task.position), control: task.control, clock: task.clock }))
}

fn check<A: Examine>(answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>> {
    let verdict = engine::Verdict::<A>::of(answer.input, answer.output, rule_set(rules)?);
    Ok(verdict.map(|verdict| {
        let text = verdict.words(answer.file);
        if verdict.found.is_ok() { Checked::Legal(text) } else { Checked::Refused(text) }
    }))
}

fn ask<A: Examine, X: OtherPlayers<A>>(
    spec: &EngineSpec,
    bounds: &Bounds,
    input: &str,
    rules: &str,
) -> Result<Turn<AnyMove>> {
    let task = A::read_task(input, rule_set(Some(rules))?).map_err(own_input)?;
    let Turn { answer, cpu, wall, traces } = new_player::<A, X>(spec, bounds, 1)?.turn(&task)?;
    Ok(Turn { answer: answer.map(|mv| named(&task.position, mv)), cpu, wall, traces })
}
