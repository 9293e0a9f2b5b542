//! A position of a game whose type is not known, and its moves as texts.
//!
//! The rules of a game are code of this process ([`engine::Game`]) or a program of its own, which can fail as a machine
//! fails: what may ask it returns a [`Result`] whose error is that failure.

use crate::analysis::ThreadTime;
use crate::analysis::better::{Better, better};
use crate::analysis::finding::{Effort, Finding};
use crate::analysis::position::{RatedMove, analyse, best_of, rate_moves};
use crate::own_game::RecordedPosition;
use crate::terms::own_input;
use anyhow::{Result, anyhow};
use engine::clock::NoClock;
use engine::protocol::Violation;
use engine::score::Score;
use engine::search::Knowledge;
use engine::think::{Algorithm, Settings, default_knowledge, moves_for_every_grader, think};
use engine::verdict::standing;
use engine::{Drawing, Explain, Outcome, RuleSet, Side, Task, TimeControl};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A position of a game whose type is not known.
pub type Position = Arc<dyn AnyPosition>;

/// A move as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyMove {
    /// The name of the move among the legal moves of its position: for a game of this process the move as an output file,
    /// for a program of rules the move as it calls it.
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
    pub fn input(&self) -> Result<String> {
        self.position.input_beside(self.control, self.clock, self.others)
    }
}

/// A position after a move.
pub struct Played {
    /// The move.
    pub mv: AnyMove,
    /// The position after it.
    pub position: Position,
}

/// A board for people.
pub struct Board {
    /// The board as text.
    pub picture: String,
    /// The drawing of the board, if the game has one.
    pub drawing: Option<Drawing>,
}

/// A position of a game whose type is not known. Moves are named by [`AnyMove::output`].
pub trait AnyPosition: Send + Sync {
    /// The position itself, for code that knows the game.
    fn as_any(&self) -> &dyn Any;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The reason why a finished game ended as it did, if it needs one.
    fn why_over(&self) -> Option<String>;

    /// In a draw that goes to the side with more time left: the side that wins it if both have the same.
    fn wins_by_time(&self) -> Option<Side> {
        None
    }

    /// One line with the side to move or, at the end, the result.
    fn standing(&self) -> String;

    /// The board as text.
    fn picture(&self) -> String;

    /// The board.
    fn board(&self) -> Board;

    /// The board after a legal move, with the move marked.
    fn board_after(&self, mv: &str) -> Result<Board>;

    /// All legal moves, in the order of the game's generator.
    fn legal_moves(&self) -> Vec<AnyMove>;

    /// The number of legal moves.
    fn legal_count(&self) -> usize;

    /// The position by the rules that suit every grader, as the game's agent reads it.
    fn by_agents_rules(&self) -> Result<Position>;

    /// One of the legal moves that no grader refuses, or of all if some grader refuses each: `choose` gets their number and
    /// returns an index. `None` if the game is over.
    fn choose_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Result<Option<AnyMove>>;

    /// The position after the legal move of this index. Panics beyond [`AnyPosition::legal_count`].
    fn after_index(&self, index: usize) -> Result<Position>;

    /// The legal move that the text of an output file names.
    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>>;

    /// The position after a legal move. Another move is an error.
    fn after(&self, mv: &str) -> Result<Position>;

    /// A legal move, and the position after it. Another move is an error.
    fn play(&self, mv: &str) -> Result<Played>;

    /// Whether no grader refuses this legal move, or every legal move is refused by some.
    fn suits_every_grader(&self, mv: &str) -> bool;

    /// The position as an input file, with the time that the side to move has left, and the other one.
    fn input_beside(&self, control: TimeControl, clock: Duration, others: Duration) -> Result<String>;

    /// The position as an input file, with the same time left for both sides.
    fn input(&self, control: TimeControl, clock: Duration) -> Result<String> {
        self.input_beside(control, clock, clock)
    }

    /// The position for a record, which can be shown without the game's rules; `None` for a game of this process.
    fn recorded(&self) -> Result<Option<RecordedPosition>> {
        Ok(None)
    }

    /// The position, and a clock where the text has room for it, as a text from which
    /// [`Rules::restore`](crate::game::Rules::restore) makes it again.
    fn stored(&self, control: TimeControl, clock: Duration) -> Result<String>;

    /// The number of lines of this many plies.
    fn perft(&self, depth: u32) -> Result<u64>;

    /// The move that looks best one ply ahead by the game's evaluation; `None` if it has none.
    fn greedy(&self) -> Result<Option<AnyMove>>;

    /// The choice of a reference player's search, by the rules that suit every grader: `minimax`, `alphabeta`, or one of
    /// the game's own. Only those of the game's own may look at the clock.
    ///
    /// # Errors
    /// The game has no such algorithm, or its rules fail.
    fn search(&self, algorithm: &str, depth: Option<u32>, clock: (TimeControl, Duration)) -> Result<Searched>;

    /// Every legal move with its value, the best first, and the depth of the search in plies.
    fn rate_moves(&self, effort: Effort) -> Result<(Vec<RatedMove<AnyMove>>, u32)>;

    /// The terms of the evaluation of the position as it is searched, in points for the side to move.
    fn terms(&self) -> Vec<(&'static str, Score)>;

    /// The move that the game's agent chooses after this many nodes, with a transposition table of 1 MiB.
    fn think(&self, nodes: u64) -> Result<AnyMove>;

    /// Analyses a legal move: what it was worth, and which move would have been better.
    fn analyse(&self, mv: &str, effort: Effort) -> Result<Finding>;

    /// The search's score for the side to move, whatever proofs say of it, and the depth of that search in plies.
    fn estimate(&self, effort: Effort) -> Result<(Score, u32)>;

    /// The better move of a finding about this move; `None` if the move was best.
    fn better(&self, mv: &str, finding: &Finding) -> Option<Better>;
}

/// The choice of a plain search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The best move.
    pub best: AnyMove,
    /// Its score for the side to move, in points.
    pub score: Option<Score>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
}

/// The move as texts.
pub fn named<A: Explain>(position: &A, mv: A::Move) -> AnyMove {
    AnyMove { output: position.write_move(mv), described: position.describe_move(mv) }
}

/// A clock for texts of which the position alone counts.
pub(crate) const ANY_CLOCK: Duration = Duration::from_secs(1);

/// The position by the rules that suit every grader, as the game's agent reads it.
fn by_agents_rules<A: Explain>(position: &A, control: TimeControl, clock: Duration) -> Result<Task<A>> {
    let input = A::write_task(&Task { position: position.clone(), control, clock });
    A::read_task(&input, <A::Rules as RuleSet>::AGENT).map_err(own_input)
}

/// The legal move of this name.
fn legal<A: Explain>(position: &A, name: &str) -> Result<A::Move> {
    engine::Protocol::read_move(position, name).map_err(|violation| anyhow!("{violation}"))
}

/// The legal move of this name, and the position after it.
fn played<A: Explain>(position: &A, name: &str) -> Result<(A::Move, A)> {
    let mv = legal(position, name)?;
    let mut after = position.clone();
    engine::Game::play(&mut after, mv);
    Ok((mv, after))
}

impl<A: Explain> AnyPosition for A {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn side_to_move(&self) -> Side {
        engine::Game::side_to_move(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        engine::Game::outcome(self)
    }

    fn why_over(&self) -> Option<String> {
        engine::Protocol::why_over(self)
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

    fn board_after(&self, name: &str) -> Result<Board> {
        let (mv, after) = played(self, name)?;
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

    fn by_agents_rules(&self) -> Result<Position> {
        Ok(Arc::new(by_agents_rules(self, TimeControl::Game, ANY_CLOCK)?.position))
    }

    fn choose_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Result<Option<AnyMove>> {
        if engine::Game::outcome(self).is_some() {
            return Ok(None);
        }
        let position = by_agents_rules(self, TimeControl::Game, ANY_CLOCK)?.position;
        let moves = moves_for_every_grader(&position);
        Ok((!moves.is_empty()).then(|| named(&position, moves[choose(moves.len())])))
    }

    fn after_index(&self, index: usize) -> Result<Position> {
        let mut after = self.clone();
        engine::Game::play(&mut after, engine::Game::legal_moves(self)[index]);
        Ok(Arc::new(after))
    }

    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>> {
        Ok(engine::Protocol::read_move(self, output).map(|mv| named(self, mv)))
    }

    fn after(&self, name: &str) -> Result<Position> {
        Ok(Arc::new(played(self, name)?.1))
    }

    fn play(&self, name: &str) -> Result<Played> {
        let (mv, after) = played(self, name)?;
        Ok(Played { mv: named(self, mv), position: Arc::new(after) })
    }

    fn suits_every_grader(&self, name: &str) -> bool {
        engine::Protocol::read_move(self, name).is_ok_and(|mv| moves_for_every_grader(self).contains(&mv))
    }

    fn input_beside(&self, control: TimeControl, clock: Duration, _: Duration) -> Result<String> {
        Ok(A::write_task(&Task { position: self.clone(), control, clock }))
    }

    fn stored(&self, control: TimeControl, clock: Duration) -> Result<String> {
        self.input(control, clock)
    }

    fn perft(&self, depth: u32) -> Result<u64> {
        Ok(engine::perft(&mut self.clone(), depth))
    }

    fn greedy(&self) -> Result<Option<AnyMove>> {
        let knowledge = default_knowledge::<A>();
        let found = engine::reference::greedy(self, |position| knowledge.evaluate(position));
        Ok(found.best.map(|mv| named(self, mv)))
    }

    fn search(
        &self,
        algorithm: &str,
        depth: Option<u32>,
        (control, clock): (TimeControl, Duration),
    ) -> Result<Searched> {
        let algorithm = match algorithm {
            "minimax" => Algorithm::Minimax,
            "alphabeta" => Algorithm::Alphabeta,
            name => anyhow::bail!("no algorithm '{name}'"),
        };
        let task = by_agents_rules(self, control, clock)?;
        let report = think(&task, &Settings { algorithm, depth, ..Settings::default() }, &NoClock);
        let (score, depth) = report.search.map_or((None, None), |search| (Some(search.score), Some(search.depth)));
        Ok(Searched { best: named(&task.position, report.best), score, depth })
    }

    fn rate_moves(&self, effort: Effort) -> Result<(Vec<RatedMove<AnyMove>>, u32)> {
        let (rated, depth) = rate_moves(self, effort, &ThreadTime);
        let named = rated.into_iter().map(|RatedMove { mv, score, chance, truth }| RatedMove {
            mv: named(self, mv),
            score,
            chance,
            truth,
        });
        Ok((named.collect(), depth))
    }

    fn terms(&self) -> Vec<(&'static str, Score)> {
        <A as Explain>::terms(&A::as_searched(self))
    }

    fn think(&self, nodes: u64) -> Result<AnyMove> {
        let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(nodes) };
        // The clock does not bear on the choice, since nobody measures it.
        let task = Task { position: self.clone(), control: TimeControl::Game, clock: Duration::from_secs(1) };
        Ok(named(self, think(&task, &settings, &NoClock).best))
    }

    fn analyse(&self, name: &str, effort: Effort) -> Result<Finding> {
        Ok(analyse(self, legal(self, name)?, effort, &ThreadTime))
    }

    fn estimate(&self, effort: Effort) -> Result<(Score, u32)> {
        let found = best_of(self, effort, &ThreadTime);
        Ok((found.score, found.depth))
    }

    fn better(&self, name: &str, finding: &Finding) -> Option<Better> {
        better(self, legal(self, name).ok()?, finding)
    }
}
