//! `lab minimax-agent`: a Halma agent with the search of the crate `minimax` and Menagerie's evaluation, move generator and
//! share of the CPU clock: an opponent for matches at equal time.

use crate::bench::minimax_clocked::best_move_until;
use anyhow::{Context, Result, anyhow};
use engine::agent::CpuClock;
use engine::reference::greedy;
use engine::search::Knowledge;
use engine::think::move_budget;
use engine::{Protocol, RuleSet};
use files::{read_input, write_atomically};
use halma::{Evaluation, Position, Rules};
use std::path::Path;

/// Reads `input.txt` and leaves a move in `output.txt`.
pub(crate) fn play() -> Result<()> {
    let text = read_input(Path::new("input.txt")).map_err(|error| anyhow!("input.txt: {error}"))?;
    let task = Position::read_task(&text, Rules::AGENT).map_err(|error| anyhow!("input.txt:{error}"))?;
    let (budget, table_bytes) = move_budget(&task, &Evaluation, None, &CpuClock);
    let chosen = best_move_until(&task.position, table_bytes, budget.soft);
    // Without the time for one iteration the crate has no move, and the agent plays greedily.
    let best = || greedy(&task.position, |position: &Position| Evaluation.evaluate(position)).best;
    let mv = chosen.or_else(best).context("the position is finished")?;
    let output = task.position.write_move(mv);
    write_atomically(Path::new("output.txt"), &output).map_err(|error| anyhow!("output.txt: {error}"))
}
