//! The differences between the games: where a game begins, how deep a proof may be, and which
//! puzzles count.

use engine::{Explain, Game, RuleSet};
use rand::RngExt;
use rand::rngs::StdRng;
use squirrels::board::{Squares, Values};
use std::array;
use std::sync::Arc;

/// A game with what the finder of only moves needs. The rules are those of the agents.
pub(crate) trait Source: Explain {
    /// The depth of a proof, in plies.
    const DEPTH: u32;
    /// The last positions of a game that are looked at.
    const LAST: usize = Self::DEPTH as usize + 4;
    /// The number of games that are played, if the command line gives none.
    const GAMES: u64;
    /// The fewest legal moves of a position.
    const FEWEST: usize = 5;
    /// The fewest plies to the end of the game. A win by the next move is no puzzle.
    const SHORTEST: u32 = 3;
    /// The fewest cells, counted by their owners, in which two puzzles differ, mirrored or not.
    const UNLIKE: usize;
    /// Whether a move that does not win in time is refuted, too. Where nobody wins by force for
    /// long, a move that loses by force is rare.
    const IN_TIME: bool = false;
    /// The unit of the results in the file: plies to the end, or points.
    const UNIT: &'static str = "plies";

    /// The position that a game begins with.
    fn opening(_random: &mut StdRng) -> Self {
        Self::start(Self::Rules::AGENT)
    }

    /// Whether a position may be a puzzle.
    fn is_wanted(&self) -> bool {
        self.legal_moves().len() >= Self::FEWEST
    }

    /// Whether a move makes room: its piece has already come to where it has to go.
    fn makes_room(&self, _mv: Self::Move) -> bool {
        false
    }
}

impl Source for halma::Position {
    const DEPTH: u32 = 5;
    const GAMES: u64 = 3_000;
    const UNLIKE: usize = 6;

    fn makes_room(&self, mv: Self::Move) -> bool {
        halma::Position::target(self.side_to_move()).contains(mv.from)
    }
}

impl Source for wolves::Position {
    const DEPTH: u32 = 9;
    const GAMES: u64 = 2_000;
    const UNLIKE: usize = 5;
}

impl Source for squirrels::Position {
    const DEPTH: u32 = 10;
    const LAST: usize = Self::DEPTH as usize;
    const GAMES: u64 = 1_000;
    const SHORTEST: u32 = 0;
    const UNLIKE: usize = 6;
    const UNIT: &'static str = "points";

    /// An empty board of random values.
    fn opening(random: &mut StdRng) -> Self {
        let values =
            Arc::new(Values::new(array::from_fn(|_| random.random_range(1..=99_u8).into())));
        squirrels::Position::new(values, [Squares::EMPTY; 2], squirrels::rules::X)
    }
}

impl Source for foxgame::Position {
    const DEPTH: u32 = 7;
    const LAST: usize = 40;
    const GAMES: u64 = 3_000;
    const UNLIKE: usize = 5;
    const IN_TIME: bool = true;
}

impl Source for foxgeese::Position {
    const DEPTH: u32 = 7;
    const LAST: usize = 40;
    const GAMES: u64 = 3_000;
    const UNLIKE: usize = 6;
    const IN_TIME: bool = true;

    /// Positions in which the limit of moves is far: it is what decides most games between agents,
    /// and no idea of a move.
    fn is_wanted(&self) -> bool {
        self.legal_moves().len() >= Self::FEWEST && self.moves_made() < 90
    }
}
