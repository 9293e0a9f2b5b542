//! Reference players: plain searches inside the judge. Their CPU time is that of the thread they run in. Like the
//! workspace's agents they play by the rule set that is legal for every grader, whatever the judge refuses by.

use super::{Kind, Player, Traces, Turn};
use anyhow::{Result, anyhow, bail};
use cpu_time::ThreadTime;
use engine::agent::moves_for_every_grader;
use engine::reference::{alpha_beta, minimax};
use engine::search::Knowledge;
use engine::{Agent, RuleSet, Task};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Instant;

/// A reference player.
pub struct Reference {
    kind: Kind,
    random: StdRng,
}

impl Reference {
    /// A player of this kind. The seed is for random players.
    pub fn new(kind: Kind, seed: u64) -> Reference {
        Reference { kind, random: StdRng::seed_from_u64(seed) }
    }
}

impl<A: Agent> Player<A> for Reference {
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        let own = A::read_task(&A::write_task(task), <A::Rules as RuleSet>::AGENT)
            .map_err(|error| anyhow!("the judge's own input file, line {error}"))?;
        let position = &own.position;
        let knowledge = A::knowledge();
        let evaluate = |position: &A| knowledge.evaluate(position);
        let mut traces = Traces::default();
        let mv = match self.kind {
            Kind::Random => {
                let moves = moves_for_every_grader(position);
                moves[self.random.random_range(0..moves.len())]
            }
            Kind::Minimax(depth) | Kind::Alphabeta(depth) => {
                let found = match self.kind {
                    Kind::Minimax(_) => minimax(position, depth, evaluate, &mut ()),
                    _ => alpha_beta(position, depth, evaluate, &mut ()),
                };
                (traces.score, traces.depth) = (Some(found.value), Some(depth));
                let Some(mv) = found.best else { bail!("a finished game was asked about") };
                mv
            }
            Kind::Files { .. } | Kind::Monitor { .. } => bail!("not a reference player"),
        };
        Ok(Turn { answer: Ok(mv), cpu: cpu.elapsed(), wall: wall.elapsed(), traces })
    }
}
