//! A position of a game whose type is not known, and its moves.

use analysis::better::Better;
use analysis::finding::{Effort, Finding};
use anyhow::Result;
use engine::clock::Clock;
use engine::drawing::Place;
use engine::explain::Count;
use engine::protocol::Violation;
use engine::search::Observer;
use engine::think::{Report, Settings};
use engine::{Drawing, Outcome, Proven, Side, TimeControl};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

// Whatever a position can do is in each game's module for browsers. The page has no use for what
// stands behind this condition: without it Halma's module is 3 % smaller by gzip.
#[cfg(not(target_arch = "wasm32"))]
use {analysis::position::RatedMove, engine::score::Score};

/// A position of a game whose type is not known.
pub type Position = Arc<dyn AnyPosition>;

/// A move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyMove {
    /// The code of the move.
    pub code: u32,
    /// The name among the legal moves: the output file, or what a program of rules calls the move.
    pub output: String,
    /// The move for people, on one line.
    pub described: String,
}

/// A position to play from, and a clock: the content of an input file.
#[derive(Clone)]
pub struct AnyTask {
    /// The position to play from.
    pub position: Position,
    /// The meaning of the clock.
    pub control: TimeControl,
    /// The CPU time that the side to move has left.
    pub clock: Duration,
    /// The CPU time that the other side has left.
    pub others: Duration,
}

impl AnyTask {
    /// A task with the same time left for both sides.
    pub fn new(position: Position, control: TimeControl, clock: Duration) -> AnyTask {
        AnyTask { position, control, clock, others: clock }
    }

    /// The input file.
    ///
    /// # Errors
    /// The game's rules fail.
    pub fn input(&self) -> Result<String> {
        self.position.input_beside(self.control, self.clock, self.others)
    }
}

/// A clock for texts of which the position alone counts.
pub const ANY_CLOCK: Duration = Duration::from_secs(1);

/// The parts into which a choice by weights divides their sum.
const PARTS: usize = 1 << 24;

/// A board for people.
pub struct Board {
    /// The board as text.
    pub picture: String,
    /// The drawing of the board, if the game has one.
    pub drawing: Option<Drawing>,
}

/// A position of a game whose type is not known, with the moves that led to it as far as they are
/// known. Moves are told by codes, unique in one position. The rules may be a program, which can
/// fail as a machine fails: what may ask it returns a [`Result`].
pub trait AnyPosition: Send + Sync {
    /// The position as one of its game's own type.
    fn as_any(&self) -> &dyn Any;

    /// The name of the game.
    fn game(&self) -> &str;

    /// The name of the rule set.
    fn rules(&self) -> &'static str;

    /// Whether two positions are the same for the rest of the game.
    fn is_same(&self, other: &dyn AnyPosition) -> bool;

    /// A hash, equal for the same positions.
    fn key(&self) -> u64;

    /// The position before the last move, and that move's code, if known.
    fn last(&self) -> Option<(Position, u32)>;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Why a finished game ended, if that needs words.
    fn why_over(&self) -> Option<String>;

    /// The moves that the rules have counted, and the number at which they end the game.
    fn counted_moves(&self) -> Option<(u32, u32)> {
        None
    }

    /// Whether both sides move at the same time, and the first side has moved: the side to move does
    /// not see that move.
    fn is_second_half(&self) -> bool {
        false
    }

    /// Where both sides move at the same time and the first side is to move: the position in which
    /// the second side is asked if nobody knows the first side's move.
    fn second_half(&self) -> Result<Option<Position>> {
        Ok(None)
    }

    /// In a draw that goes to the side with more time left: the winner at equal times.
    fn wins_by_time(&self) -> Option<Side> {
        None
    }

    /// The side to move or the result, as a line.
    fn standing(&self) -> String;

    /// The board as text.
    fn picture(&self) -> String;

    /// The board as text with the last move marked.
    fn marked_picture(&self) -> String {
        self.picture()
    }

    /// The board with the last move marked, if the game has drawings.
    fn drawing(&self) -> Option<Drawing>;

    /// The counts that people can make on the board, by side.
    fn counts(&self) -> [Vec<Count>; 2] {
        Default::default()
    }

    /// The codes of the legal moves in the generator's order; none when the game is over.
    fn codes(&self) -> Vec<u32>;

    /// The legal moves that no grader refuses, or all if each is refused.
    fn undisputed(&self) -> Vec<u32> {
        self.codes()
    }

    /// How often a random player plays each of [`AnyPosition::codes`], in proportion; `None` for
    /// all alike.
    fn weights(&self) -> Option<&[f64]> {
        None
    }

    /// Whether some graders refuse a legal move.
    fn is_disputed(&self, _code: u32) -> bool {
        false
    }

    /// The move of a code; `None` if it is not legal.
    fn move_of(&self, code: u32) -> Option<AnyMove>;

    /// All legal moves, in the order of [`AnyPosition::codes`].
    fn legal_moves(&self) -> Vec<AnyMove> {
        self.codes().into_iter().filter_map(|code| self.move_of(code)).collect()
    }

    /// The code of the legal move with this name ([`AnyMove::output`]).
    fn code_of(&self, name: &str) -> Result<u32>;

    /// The move in an output file.
    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>>;

    /// The move in a text that nobody has handed in, such as a guess for advice: nobody is blamed
    /// for a refusal, so that it is not confirmed.
    fn move_in(&self, output: &str) -> Result<Option<AnyMove>> {
        Ok(self.read_move(output)?.ok())
    }

    /// The legal move here that is a move of the same position by another rule set.
    #[cfg(not(target_arch = "wasm32"))]
    fn same_move(&self, other: &dyn AnyPosition, code: u32) -> Result<AnyMove>;

    /// The path of a legal move, and the places whose piece it changes.
    fn path_and_changes(&self, _code: u32) -> Option<(Vec<Place>, Vec<Place>)> {
        None
    }

    /// The position after a legal move.
    fn play(self: Arc<Self>, code: u32) -> Result<Position>;

    /// The position on a board that a symmetry of the game turns, if the game has any.
    #[cfg(not(target_arch = "wasm32"))]
    fn turned(&self, _symmetry: engine::Symmetry) -> Option<Position> {
        None
    }

    /// The position by the rules that suit every grader.
    #[cfg(not(target_arch = "wasm32"))]
    fn by_agents_rules(&self) -> Result<Position>;

    /// Where something is hidden: positions that agree with what the side to move knows, each drawn
    /// by a number; none if the rules cannot guess. `None` in other games, whose positions searches
    /// may look at.
    fn guesses(
        &self,
        _count: u32,
        _number: &mut dyn FnMut() -> u32,
    ) -> Result<Option<Vec<Position>>> {
        Ok(None)
    }

    /// The winner of a random game from here, if the rules play it as a whole; the inner `None` is
    /// a draw.
    fn played_out(&self, _number: &mut dyn FnMut() -> u32) -> Option<Option<Side>> {
        None
    }

    /// The input file, with the time left to the side to move and to the other.
    fn input_beside(
        &self,
        control: TimeControl,
        clock: Duration,
        others: Duration,
    ) -> Result<String>;

    /// A text from which [`Rules::restore`](crate::game::Rules::restore) makes the position, and
    /// the clock if it has room for it.
    fn stored(&self, control: TimeControl, clock: Duration) -> Result<String>;

    /// The number of lines of this many plies; fewer if `stop` says so.
    #[cfg(not(target_arch = "wasm32"))]
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Result<u64>;

    /// The best move one ply ahead by the game's estimate, if it has one.
    #[cfg(not(target_arch = "wasm32"))]
    fn greedy(&self) -> Result<Option<u32>>;

    /// Chooses a move as the game's agent does. `control` counts if the settings limit neither
    /// depth nor nodes. An error if the game is over or has no such algorithm.
    fn think(
        &self,
        control: (TimeControl, Duration),
        settings: &Settings,
        clock: &dyn Clock,
        observer: &mut dyn Observer<u32>,
    ) -> Result<Report<u32>>;

    /// The result with best play, if known without a search. The game must not be over.
    fn proven(&self) -> Option<Proven<u32>> {
        None
    }

    /// Every legal move with its value, the best first, and the depth in plies.
    #[cfg(not(target_arch = "wasm32"))]
    fn rate_moves(&self, effort: Effort, clock: &dyn Clock) -> Result<(Vec<RatedMove<u32>>, u32)>;

    /// The parts of the evaluation, in points for the side to move.
    #[cfg(not(target_arch = "wasm32"))]
    fn evaluation_parts(&self) -> Vec<(&'static str, Score)> {
        Vec::new()
    }

    /// Analyses a legal move: its value, and which move would have been better.
    fn analyse(&self, code: u32, effort: Effort, clock: &dyn Clock) -> Result<Finding>;

    /// The better move of a finding about this move, if there is one.
    fn better(&self, code: u32, finding: &Finding) -> Option<Better>;
}

impl dyn AnyPosition {
    /// The input file with the same time for both sides.
    pub fn input(&self, control: TimeControl, clock: Duration) -> Result<String> {
        self.input_beside(control, clock, clock)
    }

    /// The board, with the last move marked if it is known.
    pub fn board(&self) -> Board {
        Board { picture: self.marked_picture(), drawing: self.drawing() }
    }

    /// A legal move that no grader refuses, or any if each is refused: `choose` gets a number and
    /// returns a smaller one. `None` if the game is over.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn choose_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Result<Option<AnyMove>> {
        if self.outcome().is_some() {
            return Ok(None);
        }
        let lawful = self.by_agents_rules()?;
        let codes = lawful.undisputed();
        if codes.is_empty() {
            return Ok(None);
        }
        self.same_move(&*lawful, lawful.any_of(&codes, choose)).map(Some)
    }

    /// Chooses one of these legal moves by their weights, or any if all have none.
    pub(crate) fn any_of(&self, codes: &[u32], choose: &mut dyn FnMut(usize) -> usize) -> u32 {
        let weight = |code: &u32| {
            self.weights().and_then(|weights| weights.get(*code as usize)).copied().unwrap_or(0.0)
        };
        let sum: f64 = codes.iter().map(weight).sum();
        if sum <= 0.0 {
            return codes[choose(codes.len())];
        }
        let mut left = sum * (choose(PARTS) as f64 + 0.5) / PARTS as f64;
        let chosen = codes.iter().find(|code| {
            left -= weight(code);
            left < 0.0
        });
        *chosen.unwrap_or(&codes[codes.len() - 1])
    }
}
