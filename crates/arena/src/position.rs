//! A position of a game whose type is not known, and its moves as texts.

use crate::analysis::ThreadTime;
use crate::analysis::better::{Better, better};
use crate::analysis::finding::{Effort, Finding};
use crate::analysis::position::{RatedMove, analyse, best_of, rate_moves};
use engine::clock::NoClock;
use engine::protocol::Violation;
use engine::score::Score;
use engine::think::{Settings, moves_for_every_grader, think};
use engine::verdict::standing;
use engine::{Drawing, Explain, Outcome, Side, Task, TimeControl};
use std::time::Duration;

/// A move as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyMove {
    /// The move as an output file. It identifies the move among the legal moves of its position.
    pub output: String,
    /// The move for people, on one line.
    pub described: String,
}

/// A position after a move.
pub struct Played {
    /// The move.
    pub mv: AnyMove,
    /// The position after it.
    pub position: Box<dyn AnyPosition>,
}

/// A board for people.
pub struct Board {
    /// The board as text.
    pub picture: String,
    /// The drawing of the board, if the game has one.
    pub drawing: Option<Drawing>,
}

/// A position of a game whose type is not known. Moves are named by their output files.
pub trait AnyPosition: Send + Sync {
    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// One line with the side to move or, at the end, the result.
    fn standing(&self) -> String;

    /// The board as text.
    fn picture(&self) -> String;

    /// The board.
    fn board(&self) -> Board;

    /// The board after the legal move that an output file names, with the move marked.
    fn board_after(&self, output: &str) -> Result<Board, Violation>;

    /// All legal moves, in the order of the game's generator.
    fn legal_moves(&self) -> Vec<AnyMove>;

    /// The number of legal moves.
    fn legal_count(&self) -> usize;

    /// The position after the legal move of this index. Panics beyond [`AnyPosition::legal_count`].
    fn after_index(&self, index: usize) -> Box<dyn AnyPosition>;

    /// The legal move that an output file names.
    fn read_move(&self, output: &str) -> Result<AnyMove, Violation>;

    /// The position after the legal move that an output file names.
    fn play(&self, output: &str) -> Result<Played, Violation>;

    /// Whether no grader refuses this legal move, or every legal move is refused by some.
    fn suits_every_grader(&self, output: &str) -> bool;

    /// The position as an input file.
    fn input(&self, control: TimeControl, clock: Duration) -> String;

    /// The number of lines of this many plies.
    fn perft(&self, depth: u32) -> u64;

    /// Every legal move with its value, the best first, and the depth of the search in plies.
    fn rate_moves(&self, effort: Effort) -> (Vec<RatedMove<AnyMove>>, u32);

    /// The terms of the evaluation of the position as it is searched, in points for the side to move.
    fn terms(&self) -> Vec<(&'static str, Score)>;

    /// The move that the game's agent chooses after this many nodes, with a transposition table of 1 MiB.
    fn think(&self, nodes: u64) -> AnyMove;

    /// Analyses a move: what it was worth, and which move would have been better.
    fn analyse(&self, output: &str, effort: Effort) -> Result<Finding, Violation>;

    /// The search's score for the side to move, whatever proofs say of it, and the depth of that search in plies.
    fn estimate(&self, effort: Effort) -> (Score, u32);

    /// The better move of a finding about this move; `None` if the move was best.
    fn better(&self, output: &str, finding: &Finding) -> Option<Better>;
}

/// The move as texts.
pub(crate) fn named<A: Explain>(position: &A, mv: A::Move) -> AnyMove {
    AnyMove { output: position.write_move(mv), described: position.describe_move(mv) }
}

/// The legal move that an output file names, and the position after it.
fn played<A: Explain>(position: &A, output: &str) -> Result<(A::Move, A), Violation> {
    let mv = engine::Protocol::read_move(position, output)?;
    let mut after = position.clone();
    engine::Game::play(&mut after, mv);
    Ok((mv, after))
}

impl<A: Explain> AnyPosition for A {
    fn side_to_move(&self) -> Side {
        engine::Game::side_to_move(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        engine::Game::outcome(self)
    }

    fn standing(&self) -> String {
        standing(self)
    }

    fn picture(&self) -> String {
        engine::Protocol::picture(self, None)
    }

    fn board(&self) -> Board {
        Board { picture: engine::Protocol::picture(self, None), drawing: engine::Protocol::drawing(self, None) }
    }

    fn board_after(&self, output: &str) -> Result<Board, Violation> {
        let (mv, after) = played(self, output)?;
        Ok(Board {
            picture: engine::Protocol::picture(&after, Some(mv)),
            drawing: engine::Protocol::drawing(&after, Some((self, mv))),
        })
    }

    fn legal_moves(&self) -> Vec<AnyMove> {
        engine::Game::legal_moves(self).into_iter().map(|mv| named(self, mv)).collect()
    }

    fn legal_count(&self) -> usize {
        engine::Game::legal_moves(self).len()
    }

    fn after_index(&self, index: usize) -> Box<dyn AnyPosition> {
        let mut after = self.clone();
        engine::Game::play(&mut after, engine::Game::legal_moves(self)[index]);
        Box::new(after)
    }

    fn read_move(&self, output: &str) -> Result<AnyMove, Violation> {
        Ok(named(self, engine::Protocol::read_move(self, output)?))
    }

    fn play(&self, output: &str) -> Result<Played, Violation> {
        let (mv, after) = played(self, output)?;
        Ok(Played { mv: named(self, mv), position: Box::new(after) })
    }

    fn suits_every_grader(&self, output: &str) -> bool {
        engine::Protocol::read_move(self, output).is_ok_and(|mv| moves_for_every_grader(self).contains(&mv))
    }

    fn input(&self, control: TimeControl, clock: Duration) -> String {
        A::write_task(&Task { position: self.clone(), control, clock })
    }

    fn perft(&self, depth: u32) -> u64 {
        engine::perft(&mut self.clone(), depth)
    }

    fn rate_moves(&self, effort: Effort) -> (Vec<RatedMove<AnyMove>>, u32) {
        let (rated, depth) = rate_moves(self, effort, &ThreadTime);
        let named = rated.into_iter().map(|RatedMove { mv, score, chance, truth }| RatedMove {
            mv: named(self, mv),
            score,
            chance,
            truth,
        });
        (named.collect(), depth)
    }

    fn terms(&self) -> Vec<(&'static str, Score)> {
        <A as Explain>::terms(&A::as_searched(self))
    }

    fn think(&self, nodes: u64) -> AnyMove {
        let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(nodes) };
        // The clock does not bear on the choice, since nobody measures it.
        let task = Task { position: self.clone(), control: TimeControl::Game, clock: Duration::from_secs(1) };
        named(self, think(&task, &settings, &NoClock).best)
    }

    fn analyse(&self, output: &str, effort: Effort) -> Result<Finding, Violation> {
        Ok(analyse(self, engine::Protocol::read_move(self, output)?, effort, &ThreadTime))
    }

    fn estimate(&self, effort: Effort) -> (Score, u32) {
        let found = best_of(self, effort, &ThreadTime);
        (found.score, found.depth)
    }

    fn better(&self, output: &str, finding: &Finding) -> Option<Better> {
        better(self, engine::Protocol::read_move(self, output).ok()?, finding)
    }
}
