//! Reference players: plain searches inside the judge, charged with the CPU time of their thread. Like the workspace's
//! agents they play only moves that are legal under every reading of the rules, whatever rule set the judge applies.

use super::spec::PlayerKind;
use super::{Player, Traces, Turn};
use crate::terms::own_input;
use anyhow::{Result, anyhow, bail};
use clock::cpu::thread_time;
use engine::clock::NoClock;
use engine::think::{Algorithm, Settings, moves_for_every_grader};
use engine::{Playable, RuleSet, Task, think};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Instant;

/// A reference player.
pub struct Reference {
    kind: PlayerKind,
    random: StdRng,
}

impl Reference {
    /// A player of this kind. Only random players use the seed.
    pub fn new(kind: PlayerKind, seed: u64) -> Reference {
        Reference { kind, random: StdRng::seed_from_u64(seed) }
    }
}

/// A game's own algorithm, by name. An error if the game does not have it, as with an older record.
fn own_algorithm<A: Playable>(name: &str) -> Result<Algorithm> {
    let known = A::ALGORITHMS.iter().find(|(known, _)| *known == name);
    known.map(|(known, _)| Algorithm::Own(known)).ok_or_else(|| anyhow!("{} has no algorithm '{name}'", A::NAME))
}

impl<A: Playable> Player<A> for Reference {
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        let (cpu, wall) = (thread_time(), Instant::now());
        let own = A::read_task(&A::write_task(task), <A::Rules as RuleSet>::AGENT).map_err(own_input)?;
        let settings = |algorithm, depth| Settings { algorithm, depth, ..Settings::default() };
        let settings = match &self.kind {
            PlayerKind::Random => None,
            PlayerKind::Minimax(depth) => Some(settings(Algorithm::Minimax, Some(*depth))),
            PlayerKind::Alphabeta(depth) => Some(settings(Algorithm::Alphabeta, Some(*depth))),
            PlayerKind::Own(name, plies) => Some(settings(own_algorithm::<A>(name)?, *plies)),
            PlayerKind::Files { .. } | PlayerKind::Monitor { .. } => bail!("not a reference player"),
        };
        let mut traces = Traces::default();
        let mv = match settings {
            Some(settings) => {
                let report = think(&own, &settings, &NoClock);
                if let Some(search) = report.search {
                    (traces.score, traces.depth) = (Some(search.score), Some(search.depth));
                }
                report.best
            }
            None => {
                let moves = moves_for_every_grader(&own.position);
                moves[self.random.random_range(0..moves.len())]
            }
        };
        Ok(Turn { answer: Ok(mv), cpu: thread_time() - cpu, wall: wall.elapsed(), traces })
    }
}
