//! A position of a game whose type is not known, and its moves.

use analysis::better::Better;
use analysis::finding::{Effort, Finding};
use analysis::position::RatedMove;
use anyhow::Result;
use engine::clock::Clock;
use engine::drawing::Place;
use engine::explain::Count;
use engine::protocol::Violation;
use engine::score::Score;
use engine::search::Observer;
use engine::think::{Report, Settings};
use engine::{Drawing, Outcome, Proven, Side, TimeControl};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A position of a game whose type is not known.
pub type Position = Arc<dyn AnyPosition>;

/// A move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyMove {
    /// The code of the move.
    pub code: u32,
    /// The name of the move among the legal moves of its position: for a game of this process the
    /// move as an output file, for a program of rules the move as it calls it.
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

/// A position of a game whose type is not known, with the moves that led to it from the first one
/// known. Moves are told by their codes, which are unique among the moves of one position.
///
/// The rules of a game are code of this process ([`engine::Game`]) or a program of its own, which
/// can fail as a machine fails: what may ask it returns a [`Result`] whose error is that failure.
pub trait AnyPosition: Send + Sync {
    /// The position as one of its game's own type.
    fn as_any(&self) -> &dyn Any;

    /// The name of the game.
    fn game(&self) -> &str;

    /// The name of the rule set.
    fn rules(&self) -> &'static str;

    /// Whether nothing distinguishes two positions for the rest of the game, whatever moves led to
    /// them.
    fn is_same(&self, other: &dyn AnyPosition) -> bool;

    /// A hash of the position: equal for positions that are the same.
    fn key(&self) -> u64;

    /// The position before the last move, and the code of that move, if they are known.
    fn last(&self) -> Option<(Position, u32)>;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The reason why a finished game ended as it did, if it needs one.
    fn why_over(&self) -> Option<String>;

    /// The number of moves that the rules have counted so far, and the number at which they end the
    /// game; `None` in games without such a count.
    fn counted_moves(&self) -> Option<(u32, u32)> {
        None
    }

    /// In a draw that goes to the side with more time left: the side that wins it if both have the
    /// same.
    fn wins_by_time(&self) -> Option<Side> {
        None
    }

    /// One line with the side to move or, at the end, the result.
    fn standing(&self) -> String;

    /// The board as text, without marks.
    fn picture(&self) -> String;

    /// The board as text, with the last move marked if it is known.
    fn marked_picture(&self) -> String {
        self.picture()
    }

    /// The drawing of the board with the last move marked if it is known; `None` if the game has
    /// none.
    fn drawing(&self) -> Option<Drawing>;

    /// Counts that people can make on the board, by side.
    fn counts(&self) -> [Vec<Count>; 2] {
        Default::default()
    }

    /// The codes of the legal moves, in the order of the game's generator; none when the game is
    /// over.
    fn codes(&self) -> Vec<u32>;

    /// The codes of the legal moves that no grader refuses, or of all if some grader refuses each.
    fn undisputed(&self) -> Vec<u32> {
        self.codes()
    }

    /// How often a random player plays each legal move, in proportion and in the order of
    /// [`AnyPosition::codes`]: numbers of at least 0. `None` if it plays all equally often.
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
    fn legal_moves(&self) -> Vec<AnyMove>;

    /// The code of the legal move with this name ([`AnyMove::output`]). Another name is an error.
    fn code_of(&self, name: &str) -> Result<u32>;

    /// The legal move that the text of an output file names.
    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>>;

    /// The legal move that a move of the same position by another rule set is.
    ///
    /// # Errors
    /// There is none.
    fn same_move(&self, other: &dyn AnyPosition, code: u32) -> Result<AnyMove>;

    /// The path of places of a legal move, and the places whose piece it changes.
    fn path_and_changes(&self, _code: u32) -> Option<(Vec<Place>, Vec<Place>)> {
        None
    }

    /// The position after a legal move. Another code is an error.
    fn play(self: Arc<Self>, code: u32) -> Result<Position>;

    /// The position by the rules that suit every grader, as the game's agent reads it.
    fn by_agents_rules(&self) -> Result<Position>;

    /// In a game with chance or hidden information: positions that agree with all that the side to
    /// move knows, with the same moves, each drawn by a number; none if the rules cannot guess.
    /// `None` in any other game, whose positions searches may look at.
    ///
    /// # Errors
    /// The game's rules fail.
    fn guesses(
        &self,
        _count: u32,
        _number: &mut dyn FnMut() -> u32,
    ) -> Result<Option<Vec<Position>>> {
        Ok(None)
    }

    /// The winner of a game of random moves from here, where the rules play it as a whole; the
    /// inner `None` is a draw. `number` draws it.
    fn played_out(&self, _number: &mut dyn FnMut() -> u32) -> Option<Option<Side>> {
        None
    }

    /// The position as an input file, with the time that the side to move has left, and the other
    /// one.
    fn input_beside(
        &self,
        control: TimeControl,
        clock: Duration,
        others: Duration,
    ) -> Result<String>;

    /// The position as an input file, with the same time left for both sides.
    fn input(&self, control: TimeControl, clock: Duration) -> Result<String> {
        self.input_beside(control, clock, clock)
    }

    /// The position, and a clock where the text has room for it, as a text from which
    /// [`Rules::restore`](crate::game::Rules::restore) makes it again.
    fn stored(&self, control: TimeControl, clock: Duration) -> Result<String>;

    /// The number of lines of this many plies; a smaller one if `stop` says so.
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Result<u64>;

    /// The move that looks best one ply ahead by the game's estimate; `None` if it has none.
    ///
    /// # Errors
    /// The game's rules fail.
    fn greedy(&self) -> Result<Option<u32>>;

    /// Chooses a move as the game's agent does, by [`think`](engine::think::think) for a game of
    /// this process. `control` is the time control and the clock; it counts if the settings limit
    /// neither depth nor nodes.
    ///
    /// # Errors
    /// The game is over, has no such algorithm, or its rules fail.
    fn think(
        &self,
        control: (TimeControl, Duration),
        settings: &Settings,
        clock: &dyn Clock,
        observer: &mut dyn Observer<u32>,
    ) -> Result<Report<u32>>;

    /// The result with best play of both sides, if it is known without a search. The position must
    /// not be finished.
    fn proven(&self) -> Option<Proven<u32>> {
        None
    }

    /// Every legal move with its value, the best first, and the depth of the search in plies.
    /// `clock` is used for an effort in time.
    fn rate_moves(&self, effort: Effort, clock: &dyn Clock) -> Result<(Vec<RatedMove<u32>>, u32)>;

    /// The parts of the evaluation of the position as it is searched, in points for the side to
    /// move.
    fn evaluation_parts(&self) -> Vec<(&'static str, Score)> {
        Vec::new()
    }

    /// Analyses a legal move: what it was worth, and which move would have been better. `clock` is
    /// used for an effort in time.
    fn analyse(&self, code: u32, effort: Effort, clock: &dyn Clock) -> Result<Finding>;

    /// The better move of a finding about this move; `None` if the move was best.
    fn better(&self, code: u32, finding: &Finding) -> Option<Better>;
}

impl dyn AnyPosition {
    /// The board, with the last move marked if it is known.
    pub fn board(&self) -> Board {
        Board { picture: self.marked_picture(), drawing: self.drawing() }
    }

    /// One of the legal moves that no grader refuses, or of all if some grader refuses each:
    /// `choose` gets their number and returns an index. `None` if the game is over.
    ///
    /// # Errors
    /// The game's rules fail.
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

    /// One of these legal moves, by their weights. A move without weight is chosen if all have none.
    /// `choose` gets a number and returns a smaller one.
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
