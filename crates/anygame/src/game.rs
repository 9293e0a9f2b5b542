//! A game whose type is not known: what a judge, a course, a server, Python and the page need of
//! it.
//!
//! A game in Rust joins by [`AnyGame::of`], through [`Examine`] and the traits that it extends. Of
//! these the judge uses
//!
//! - `start`, `read_task`, `write_task`: openings and single positions are handed around as input
//!   files, so whatever bears on the rest of a game has to be in them;
//! - `read_move`, `write_move`, `describe_move`: records hold moves as output files;
//! - `encode`, `decode`: the codes of moves;
//! - `PLY_LIMIT`: when a referee calls a draw;
//! - `Rules::JUDGE`, what a judge refuses by, and `Rules::AGENT`, what its reference players keep
//!   to;
//! - `knowledge`, its `evaluate`: what reference players look at;
//! - `drawing`: the board on pages, by default a grid of symbols, else `picture`;
//! - `proven`, `counts`, `evaluation_parts`, `CURVE`: what analyses say besides scores;
//! - `SYMBOLS`: the pieces of the page's editor;
//! - the constants of [`Examine`];
//! - the agent's binary in the judge's folder, under the game's name, for `engine=NAME`.
//!
//! `examples/connect-four` is such a game, with an agent and a judge that knows it.

use crate::GameClock;
use crate::position::{AnyTask, Position};
use anyhow::Result;
#[cfg(doc)]
use engine::Examine;
use engine::drawing::Symbols;
use engine::protocol::InputError;
use engine::{Adapter, Curve, Remedy, Side, Symmetry, TimeControl, search};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

/// A game whose type is not known.
#[derive(Clone, Copy, Debug)]
pub struct AnyGame {
    /// The game's name in messages and tables.
    pub name: &'static str,
    /// The word for the game on command lines and in records.
    pub key: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The words for its sides.
    pub sides: [&'static str; 2],
    /// The side that moves first.
    pub first: Side,
    /// The game's usual move limit, in plies.
    pub ply_limit: u32,
    /// The rule set that is legal for every grader.
    pub agent_rules: &'static str,
    /// Winning chances from scores, in a game with scores.
    pub curve: Option<Curve>,
    /// The sides whose accuracy tells nothing ([`engine::Explain::NO_ACCURACY`]).
    pub no_accuracy: &'static [Side],
    /// The symmetries of the rules, the identity first ([`engine::Protocol::SYMMETRIES`]).
    pub symmetries: &'static [Symmetry],
    /// The symbols of the game's input files, for editors of positions.
    pub symbols: Option<Symbols>,
    /// The rules for people ([`Examine::RULES_PAGE`]).
    pub rules_page: Option<&'static str>,
    /// Positions that need the game's special rules ([`Examine::TEST_POSITIONS`]).
    pub test_positions: &'static [(&'static str, &'static str)],
    /// Advice on refused moves and files ([`Examine::REMEDIES`]).
    pub remedies: &'static [Remedy],
    /// The grading scheme of its own ([`Examine::SCHEME`]).
    pub scheme: Option<&'static str>,
    /// Programs for students to begin with ([`Examine::STARTERS`]).
    pub starters: &'static [(&'static str, &'static str)],
    /// What it asks of programs.
    pub interface: Interface,
    /// The game of a folder as the headers of records name it.
    pub in_records: Option<&'static FolderGame>,
    /// The rules.
    pub rules: &'static dyn Rules,
}

/// What a game, or a homework that is none, asks of programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interface {
    /// The folder of a game whose rules are a program, or of a homework.
    pub folder: Option<&'static Path>,
    /// The files of programs.
    pub files: GameFiles,
    /// Whether programs stay running for a game.
    pub talks: bool,
    /// The function or method of a hand-in in Python that is asked for moves, with its parameters,
    /// such as `agent(observation)` or `Agent.step(board, side)`; `*` stands for any letters of a
    /// class.
    pub function: Option<&'static str>,
    /// Program names that a course asks for, the first choice first; empty for the usual ones.
    pub programs: &'static [&'static str],
    /// Names or paths of files that a course hands out, which are no student's program.
    pub given: &'static [&'static str],
    /// Players of its own, besides the reference players of all games.
    pub opponents: &'static [Opponent],
    /// The usual clock, if the game has one of its own.
    pub clock: Option<GameClock>,
    /// Protocols besides files, each an `arena::player::protocol::PlayerProtocol`.
    pub protocols: &'static [&'static (dyn Any + Send + Sync)],
    /// Programs for submissions with another interface ([`Examine::ADAPTERS`]).
    pub adapters: &'static [Adapter],
}

impl Interface {
    /// The name of the function or method that is asked for moves.
    pub fn function_name(&self) -> Option<&'static str> {
        let (name, _) = self.function?.split_once('(')?;
        name.rsplit('.').next()
    }

    /// Whether it is that of a folder, for which this process has no agent.
    pub fn is_own(&self) -> bool {
        self.folder.is_some()
    }
}

/// A program in a game's folder that plays as a reference player.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// The name.
    pub name: &'static str,
    /// The command, which runs in a copy of the folder.
    pub command: &'static str,
    /// Its clock, if it is not that of the player against it.
    pub clock: Option<GameClock>,
}

/// A text that lives as long as the process.
pub fn kept(text: impl Into<String>) -> &'static str {
    text.into().leak()
}

/// Returns texts that live as long as the process.
pub fn kept_list(texts: impl IntoIterator<Item = String>) -> &'static [&'static str] {
    texts.into_iter().map(kept).collect::<Vec<_>>().leak()
}

/// A game whose rules are a program, as the header of a record names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FolderGame {
    /// The text of its `game.toml`.
    pub toml: String,
    /// The checksum of all files of its folder, in hexadecimal digits.
    pub checksum: String,
}

/// The files of a game's programs, in the directory of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFiles {
    /// The name of the file with the position.
    pub input: &'static str,
    /// The name of the file with the move.
    pub output: &'static str,
    /// The files that a program finds again in its next turn.
    pub keep: Keep,
}

/// The files that a program finds again in its next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All.
    All,
    /// These files; all others are as before the first turn.
    Only(&'static [&'static str]),
}

impl Default for GameFiles {
    fn default() -> GameFiles {
        GameFiles::USUAL
    }
}

impl GameFiles {
    /// The files of the games of this process.
    pub const USUAL: GameFiles =
        GameFiles { input: "input.txt", output: "output.txt", keep: Keep::All };

    /// A text about the usual files as one about these.
    pub fn named_in(&self, text: &str) -> String {
        text.replace(GameFiles::USUAL.input, self.input)
            .replace(GameFiles::USUAL.output, self.output)
    }
}

/// The rules of a game. For the name of a rule set `None` stands for the judge's own, the most
/// permissive one; an error about an unknown name lists those there are.
pub trait Rules: Debug + Send + Sync {
    /// The names of the rule sets.
    fn rule_sets(&'static self) -> Vec<&'static str>;

    /// The name of a rule set that was asked for, or of the judge's own.
    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str>;

    /// The starting position by a rule set.
    fn start(&'static self, rules: Option<&str>) -> Result<Position>;

    /// The start of a game by its number, from which rules may draw dice or cards.
    fn start_of(&'static self, rules: Option<&str>, _number: u64) -> Result<Position> {
        self.start(rules)
    }

    /// The position of a text that [`AnyPosition::stored`](crate::AnyPosition::stored) has made,
    /// and its clock. The inner error is the text's.
    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>>;

    /// Reads an input file. The inner error is the file's.
    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>>;

    /// Checks that a new process of a program of rules gives the same answers on these positions of
    /// a game. Beside each stands the output file from which the next move was read, if it is
    /// known.
    fn confirm(&'static self, _turns: &[(Position, Option<String>)]) -> Result<()> {
        Ok(())
    }

    /// Whether positions have proven results ([`AnyPosition::proven`](crate::AnyPosition::proven)).
    /// An error if the table of `judge solve` is damaged or of other rules.
    fn has_proofs(&'static self) -> Result<bool> {
        Ok(true)
    }

    /// Checks an output file against its input file. The inner error is the input file's.
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
pub struct Checked {
    /// The position of the input file.
    pub before: Position,
    /// The code of the move; `None` if it is refused.
    pub legal: Option<u32>,
    /// For people: the move, the board, and whether some graders refuse it; or the reason of the
    /// refusal.
    pub text: String,
}

impl AnyGame {
    /// A game with these names and rules, and nothing else.
    pub fn bare(name: &'static str, title: &'static str, rules: &'static dyn Rules) -> AnyGame {
        AnyGame {
            name,
            key: name,
            title,
            sides: ["", ""],
            first: Side::First,
            ply_limit: 1,
            agent_rules: "standard",
            curve: None,
            no_accuracy: &[],
            symmetries: &[Symmetry::None],
            symbols: None,
            rules_page: None,
            test_positions: &[],
            remedies: &[],
            scheme: None,
            starters: &[],
            interface: Interface::default(),
            in_records: None,
            rules,
        }
    }

    /// Whether the game is one of somebody's own: its rules are a program in a folder.
    pub fn is_own(&self) -> bool {
        self.interface.is_own()
    }

    /// The word for a side.
    pub fn side_word(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// Whether programs may count moves in files that stay from turn to turn, as for somebody's own
    /// game, whose input file need not tell all.
    pub fn may_count_moves(&self) -> bool {
        self.is_own() && self.interface.files.keep != Keep::Only(&[])
    }

    /// The programs of a game that run at a time: both, if they stay running.
    pub fn programs_at_a_time(&self) -> usize {
        if self.interface.talks { 2 } else { 1 }
    }

    /// Whether the game's input files tell the clock.
    pub fn tells_clock(&self) -> Result<bool> {
        if !self.is_own() {
            return Ok(true);
        }
        let start = self.rules.start(None)?;
        let file = |seconds| start.input(TimeControl::Single, Duration::from_secs(seconds));
        Ok(file(1)? != file(7)?)
    }

    /// Whether the game has an estimate of positions, by which plain searches choose.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn has_estimate(&self) -> Result<bool> {
        Ok(!self.is_own() || self.rules.start(None)?.greedy()?.is_some())
    }

    /// The expected result of the side to move by a search, from 0 to 1, in a game with scores.
    pub fn expected<M>(&self, found: &search::Report<M>, side: Side) -> Option<f64> {
        self.curve.map(|curve| curve.expected(curve.levelled(found.score, found.depth), side))
    }
}
