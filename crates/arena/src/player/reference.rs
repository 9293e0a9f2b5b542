//! Reference players: plain searches inside the judge, charged with the CPU time of their thread. Like the workspace's
//! agents they play only moves that are legal under every reading of the rules, whatever rule set the judge applies.

use super::spec::PlayerKind;
use super::{Player, Traces, Turn};
use crate::position::{AnyTask, Searched};
use crate::random::{Purpose, generator};
use crate::tree_search::monte_carlo;
use anyhow::{Context, Result, bail};
use clock::cpu::thread_time;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use std::time::Instant;

/// A reference player.
pub struct Reference {
    kind: PlayerKind,
    random: ChaCha8Rng,
}

impl Reference {
    /// A player of this kind. Only random players use the seed.
    pub fn new(kind: PlayerKind, seed: u64) -> Reference {
        Reference { kind, random: generator(seed, Purpose::Players, 0) }
    }
}

impl Player for Reference {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let (cpu, wall) = (thread_time(), Instant::now());
        let search = |name: &str, depth| task.position.search(name, depth, (task.control, task.clock));
        let found = match &self.kind {
            PlayerKind::Random => {
                let best = task.position.choose_move(&mut |count| self.random.random_range(0..count))?;
                Searched { best: best.context("a position without a move")?, score: None, depth: None }
            }
            PlayerKind::Minimax(depth) => search("minimax", Some(*depth))?,
            PlayerKind::Alphabeta(depth) => search("alphabeta", Some(*depth))?,
            PlayerKind::Mcts(games) => {
                let position = task.position.by_agents_rules()?;
                let tried = monte_carlo(&position, *games, &mut self.random)?;
                let moves = position.legal_moves().into_iter().zip(tried);
                let undisputed = moves.filter(|(mv, _)| position.suits_every_grader(&mv.output));
                // The first of equals.
                let best = undisputed.rev().max_by_key(|(_, tried)| tried.games);
                let (best, _) = best.context("a position without a move")?;
                Searched { best, score: None, depth: None }
            }
            PlayerKind::Own(name, plies) => search(name, *plies)?,
            PlayerKind::Files { .. } | PlayerKind::Monitor { .. } => bail!("not a reference player"),
        };
        let traces = Traces { score: found.score, depth: found.depth, ..Traces::default() };
        Ok(Turn { answer: Ok(found.best), cpu: thread_time() - cpu, wall: wall.elapsed(), traces })
    }
}
