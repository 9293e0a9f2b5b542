//! Plain searches inside the judge. They play only moves that are legal under every reading of the
//! rules, whatever rule set the judge applies.

use super::spec::PlayerKind;
use super::{Player, Traces, Turn};
use crate::random::{Purpose, generator};
use anygame::tree::monte_carlo;
use anygame::{AnyMove, AnyTask};
use anyhow::{Context, Result, bail};
use clock::cpu::thread_time;
use engine::clock::NoClock;
use engine::think::{Algorithm, Settings};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use std::time::Instant;

/// A reference player.
pub struct Reference {
    method: Method,
    random: ChaCha8Rng,
    random_moves: u32,
}

enum Method {
    Random,
    MonteCarlo(u32),
    Search(Settings),
}

impl Reference {
    /// A player of this kind, if it is one of a reference player.
    pub fn new(kind: &PlayerKind, seed: u64) -> Result<Reference> {
        let search =
            |algorithm, depth| Method::Search(Settings { algorithm, depth, ..Settings::default() });
        let method = match *kind {
            PlayerKind::Random => Method::Random,
            PlayerKind::Minimax(depth) => search(Algorithm::Minimax, Some(depth)),
            PlayerKind::Alphabeta(depth) => search(Algorithm::Alphabeta, Some(depth)),
            PlayerKind::Mcts(games) => Method::MonteCarlo(games),
            PlayerKind::Files { .. } | PlayerKind::Protocol { .. } => {
                bail!("not a reference player")
            }
        };
        Ok(Reference { method, random: generator(seed, Purpose::Players, 0), random_moves: 0 })
    }

    /// Chooses its first moves at random, so that no two games are alike.
    #[must_use]
    pub(crate) fn beginning_at_random(self, random_moves: u32) -> Reference {
        Reference { random_moves, ..self }
    }

    fn choose(&mut self, task: &AnyTask) -> Result<(AnyMove, Traces)> {
        let position = &task.position;
        let below = &mut |count| self.random.random_range(0..count);
        let mut traces = Traces::default();
        let method = if self.random_moves > 0 { &Method::Random } else { &self.method };
        self.random_moves = self.random_moves.saturating_sub(1);
        let (lawful, best) = match method {
            Method::Random => {
                let best = position.choose_move(below)?;
                return Ok((best.context("a position without a move")?, traces));
            }
            Method::MonteCarlo(games) => {
                let lawful = position.by_agents_rules()?;
                let tried = monte_carlo(&lawful, *games, below, &mut || false)?;
                let undisputed = lawful.undisputed();
                let moves = lawful
                    .codes()
                    .into_iter()
                    .zip(tried)
                    .filter(|(code, _)| undisputed.contains(code));
                // The first of equals.
                let best = moves.rev().max_by_key(|(_, tried)| tried.games);
                let (best, _) = best.context("a position without a move")?;
                (lawful, best)
            }
            Method::Search(settings) => {
                let lawful = position.by_agents_rules()?;
                let found =
                    lawful.think((task.control, task.clock), settings, &NoClock, &mut ())?;
                if let Some(search) = &found.search {
                    (traces.score, traces.depth) = (Some(search.score), Some(search.depth));
                }
                (lawful, found.best)
            }
        };
        Ok((position.same_move(&*lawful, best)?, traces))
    }
}

impl Player for Reference {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let (cpu, wall) = (thread_time(), Instant::now());
        let (best, traces) = self.choose(task)?;
        Ok(Turn { answer: Ok(best), cpu: thread_time() - cpu, wall: wall.elapsed(), traces })
    }
}
