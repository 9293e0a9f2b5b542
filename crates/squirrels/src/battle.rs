//! Games between any two players: the homework's algorithms, and the competition player with fixed numbers of nodes
//! instead of a clock, so that results repeat on every machine.

use crate::evaluate::Evaluation;
use crate::exact::{Solver, Table};
use crate::homework;
use crate::rules::{Move, Position};
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::{Game, Side};
use std::fmt;
use std::str::FromStr;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// One of the homework's.
    Homework(homework::Player),
    /// Iterative deepening with so many nodes a move, and the rest solved from so many empty squares on.
    Iterative {
        /// Nodes a move.
        nodes: u64,
        /// The most empty squares to solve; 0 for never.
        solve: u32,
    },
}

impl Player {
    /// The move; `None` on a full board.
    #[must_use]
    pub fn play(self, position: &Position) -> Option<Move> {
        let empty = position.empty().count_ones();
        match self {
            _ if empty == 0 => None,
            Player::Homework(player) => homework::play(position, player, &mut ()),
            Player::Iterative { solve, .. } if empty <= solve => {
                let table = Table::new(Table::LEAST_BYTES << empty.saturating_sub(17).min(6));
                let solution = Solver::new(position.values(), &table, 0, || false).solve(position, |_, _| ());
                solution.map(|solution| Move(solution.best))
            }
            Player::Iterative { nodes, .. } => {
                let limits = Limits { nodes, ..Limits::default() };
                let mut searcher = Searcher::new(Evaluation, Mode::Selective, TABLE_BYTES);
                searcher.run(position, limits, &mut NoControl).map(|report| report.best)
            }
        }
    }
}

/// The table of an iterative player, in bytes: more than it fills.
const TABLE_BYTES: usize = 1 << 21;

/// `greedy`, `minimax:DEPTH`, `alphabeta:DEPTH`, `iterative:NODES` or `iterative:NODES:SOLVE`.
impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let expected = || {
            let forms = "greedy, minimax:DEPTH, alphabeta:DEPTH, iterative:NODES or iterative:NODES:SOLVE";
            format!("expected {forms}, found '{text}'")
        };
        let words: Vec<&str> = text.split(':').collect();
        let depth = |word: &str| word.parse().ok().filter(|depth| (1..=homework::MOST_DEPTH).contains(depth));
        let homework = |algorithm, depth| Player::Homework(homework::Player { algorithm, depth });
        match words[..] {
            ["greedy"] => Some(homework(homework::Algorithm::Greedy, 1)),
            ["minimax", word] => depth(word).map(|depth| homework(homework::Algorithm::Minimax, depth)),
            ["alphabeta", word] => depth(word).map(|depth| homework(homework::Algorithm::AlphaBeta, depth)),
            ["iterative", nodes] => nodes.parse().ok().map(|nodes| Player::Iterative { nodes, solve: 0 }),
            ["iterative", nodes, solve] => match (nodes.parse(), solve.parse()) {
                (Ok(nodes), Ok(solve @ 0..=25)) => Some(Player::Iterative { nodes, solve }),
                _ => None,
            },
            _ => None,
        }
        .filter(|player| !matches!(player, Player::Iterative { nodes: 0, .. }))
        .ok_or_else(expected)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        use homework::Algorithm;
        match self {
            Player::Homework(player) => match player.algorithm {
                Algorithm::Greedy => write!(formatter, "greedy"),
                Algorithm::Minimax => write!(formatter, "minimax:{}", player.depth),
                Algorithm::AlphaBeta => write!(formatter, "alphabeta:{}", player.depth),
            },
            Player::Iterative { nodes, solve: 0 } => write!(formatter, "iterative:{nodes}"),
            Player::Iterative { nodes, solve } => write!(formatter, "iterative:{nodes}:{solve}"),
        }
    }
}

/// Plays a game to its end; the first player has the side to move. Each position after a move goes to `tell`; the last
/// one is returned.
pub fn battle(position: &Position, players: [Player; 2], mut tell: impl FnMut(&Position)) -> Position {
    let mut position = position.clone();
    for player in players.into_iter().cycle() {
        let Some(mv) = player.play(&position) else { break };
        position.play(mv);
        tell(&position);
    }
    position
}

/// What one player got against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won, drawn and lost.
    pub games: [u32; 3],
    /// The sum of the final differences.
    pub difference: i64,
}

/// A pair of games from each position, with sides swapped: the first player's score.
#[must_use]
pub fn pairs(positions: &[Position], players: [Player; 2]) -> Score {
    let mut score = Score::default();
    for position in positions {
        let first: Side = position.side_to_move();
        for (seats, sign) in [(players, 1), ([players[1], players[0]], -1)] {
            let difference = sign * battle(position, seats, |_| ()).difference(first);
            let result = match difference.signum() {
                1 => 0,
                0 => 1,
                _ => 2,
            };
            score.games[result] += 1;
            score.difference += i64::from(difference);
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for name in ["greedy", "minimax:2", "alphabeta:5", "iterative:1000", "iterative:1000:16"] {
            assert_eq!(name.parse::<Player>().unwrap().to_string(), name);
        }
        for name in ["", "greedy:1", "minimax", "minimax:0", "alphabeta:101", "iterative:0", "iterative:5:26", "random"]
        {
            assert!(name.parse::<Player>().is_err(), "{name}");
        }
    }
}
