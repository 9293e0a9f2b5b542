//! A Halma agent of files and clocks whose search is that of the crate `minimax`, with our evaluation, move generator and
//! share of the CPU clock: an opponent for matches at equal time.

use bench::best_move_until;
use engine::agent::CpuClock;
use engine::reference::greedy;
use engine::search::Knowledge;
use engine::think::share_of_clock;
use engine::{Protocol, RuleSet};
use halma::{Evaluation, Position, Rules};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn play() -> Result<(), String> {
    let text =
        engine::agent::files::read_input(Path::new("input.txt")).map_err(|error| format!("input.txt: {error}"))?;
    let task = Position::read_task(&text, Rules::AGENT).map_err(|error| format!("input.txt:{error}"))?;
    let (budget, table_bytes) = share_of_clock(&task, None, &CpuClock);
    let chosen = best_move_until(&task.position, table_bytes, budget.soft);
    // Without the time for one iteration the crate has no move: then the one that looks best.
    let best = || greedy(&task.position, |position: &Position| Evaluation.evaluate(position)).best;
    let mv = chosen.or_else(best).ok_or("the position is finished")?;
    let output = task.position.write_move(mv);
    engine::agent::files::write_atomically(Path::new("output.txt"), &output)
        .map_err(|error| format!("output.txt: {error}"))
}
