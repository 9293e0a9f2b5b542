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

use crate::game_files::GameFiles;
use crate::own_game::OwnGame;
use crate::player::exit::Program;
use crate::player::process::ProcessPlayer;
use crate::player::reference::Reference;
use crate::player::spec::{EngineSpec, PlayerKind};
use crate::player::{OtherPlayer, Player};
#[cfg(doc)]
use crate::position::AnyPosition;
use crate::position::{AnyTask, Position};
use crate::terms::{Bounds, Clock, Opening, Openings, rule_set};
use anyhow::{Context, Result, anyhow, bail};
use engine::protocol::InputError;
use engine::{Adapter, Examine, Remedy, RuleSet, Side};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// A game whose type is not known.
#[derive(Clone, Copy, Debug)]
pub struct AnyGame {
    /// The game's name in messages and tables.
    pub name: &'static str,
    /// The word for the game on command lines and in records: its name, or its folder.
    pub key: &'static str,
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
    /// The files of its programs.
    pub files: GameFiles,
    /// Names of programs that a course asks for, the first choice first; empty for the usual ones.
    pub programs: &'static [&'static str],
    /// Files that a course hands out, which are no student's program: names, or paths in the game's
    /// folder.
    pub given: &'static [&'static str],
    /// The usual clock, if the game has one of its own.
    pub clock: Option<Clock>,
    /// The folder of a game whose rules are a program ([`crate::rules_program`]); `None` if they are code of this process.
    pub folder: Option<&'static Path>,
    /// The game of such a folder as the headers of records name it.
    pub own: Option<&'static OwnGame>,
    /// Players of other kinds.
    pub other_player: OtherPlayer,
    /// The rules.
    pub rules: &'static dyn Rules,
}

/// The rules of a game: positions from names and texts. Where a function takes the name of a rule set, `None` stands for the
/// judge's own, the most permissive one; an error about an unknown name lists those there are.
pub trait Rules: Debug + Send + Sync {
    /// The names of the rule sets.
    fn rule_sets(&'static self) -> Vec<&'static str>;

    /// The name of a rule set that was asked for, or of the judge's own.
    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str>;

    /// The starting position by a rule set.
    fn start(&'static self, rules: Option<&str>) -> Result<Position>;

    /// The position of a text that [`AnyPosition::stored`] has made, by a rule set, and its clock, if it has one. The inner
    /// error is the text's.
    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>>;

    /// Reads an input file by a rule set. The inner error is the file's.
    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>>;

    /// Checks, if the rules are a program, that a new process of it gives the same answers on the
    /// positions of a game, in order. Beside each stands the output file from which the move to the
    /// next one was read, if it is known.
    ///
    /// # Errors
    /// An answer is another one.
    fn confirm(&'static self, _turns: &[(Position, Option<String>)]) -> Result<()> {
        Ok(())
    }

    /// Checks an output file against its input file by a rule set. The inner error is the input file's.
    fn check(&'static self, answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>>;
}

/// The result of reading an input file.
pub type FromInput<T> = std::result::Result<T, InputError>;

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
    /// A game of this process.
    pub fn of<A: Examine>() -> AnyGame {
        AnyGame {
            name: A::NAME,
            key: A::NAME,
            title: A::TITLE,
            sides: A::SIDES,
            first: A::start(<A::Rules as RuleSet>::JUDGE).side_to_move(),
            ply_limit: A::PLY_LIMIT,
            protocols: &[],
            agent_rules: <A::Rules as RuleSet>::AGENT.name(),
            rules_page: A::RULES_PAGE,
            test_positions: A::TEST_POSITIONS,
            remedies: A::REMEDIES,
            adapters: A::ADAPTERS,
            scheme: A::SCHEME,
            files: GameFiles::USUAL,
            programs: &[],
            given: &[],
            clock: None,
            folder: None,
            own: None,
            other_player: |_, _| None,
            rules: &OwnRules::<A>(PhantomData),
        }
    }

    /// Where games start unless somebody says otherwise. Programs for a game of somebody's own may count moves in files, and
    /// have to see the start.
    pub fn usual_openings(&self) -> Openings {
        if self.folder.is_some() { Openings::Start } else { Openings::Random(4) }
    }

    /// The player of a specification. Only random players use the seed.
    ///
    /// # Errors
    /// The program cannot be started, or the game has no such player.
    pub fn player(&self, spec: &EngineSpec, bounds: &Bounds, seed: u64) -> Result<Box<dyn Player>> {
        if let Some(player) = (self.other_player)(spec, bounds) {
            return player;
        }
        Ok(match &spec.kind {
            PlayerKind::Files { command, directory, own_command } => {
                let program = Program { command, home: directory.as_deref(), own_command: *own_command };
                let player = ProcessPlayer::new(&program, self.files, spec.margin, bounds);
                Box::new(player.with_context(|| format!("engine '{}'", spec.name))?)
            }
            PlayerKind::Monitor { .. } => bail!("engine '{}': this game has no monitor", spec.name),
            other => Box::new(Reference::new(other.clone(), seed)),
        })
    }

    /// Whether the game has an estimate of positions, by which greedy players and plain searches choose.
    ///
    /// # Errors
    /// The game's rules fail.
    pub fn has_estimate(&self) -> Result<bool> {
        Ok(self.folder.is_none() || self.rules.start(None)?.greedy()?.is_some())
    }

    /// The word for a side.
    pub fn side_word(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The side to move in an opening.
    ///
    /// # Errors
    /// The opening cannot be read.
    pub fn side_to_move(&self, opening: &Opening) -> Result<Side> {
        let task = self.rules.restore(&opening.input, None)?.map_err(|error| anyhow!("line {error}"))?;
        Ok(task.position.side_to_move())
    }
}

/// The rules of a game of this process.
#[derive(Debug)]
struct OwnRules<A>(PhantomData<fn() -> A>);

impl<A: Examine> Rules for OwnRules<A> {
    fn rule_sets(&'static self) -> Vec<&'static str> {
        <A::Rules as RuleSet>::ALL.iter().map(|(name, _)| *name).collect()
    }

    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str> {
        rule_set::<A::Rules>(name).map(RuleSet::name)
    }

    fn start(&'static self, rules: Option<&str>) -> Result<Position> {
        Ok(Arc::new(A::start(rule_set(rules)?)))
    }

    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.read_task(stored, rules)
    }

    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        let task = A::read_task(input, rule_set(rules)?);
        Ok(task.map(|task| AnyTask::new(Arc::new(task.position), task.control, task.clock)))
    }

    fn check(&'static self, answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>> {
        let verdict = engine::Verdict::<A>::of(answer.input, answer.output, rule_set(rules)?);
        Ok(verdict.map(|verdict| {
            let text = verdict.words(answer.file);
            if verdict.found.is_ok() { Checked::Legal(text) } else { Checked::Refused(text) }
        }))
    }
}
