//! The tests of this crate, as one program.

mod foxgame;
mod foxgeese;
mod slow_solver;
mod squirrels;
mod wolves;

use ::engine::conformance::{AgentUnderTest, Run};
use std::path::Path;

fn solve(game: &str, directory: &Path, words: &[&str]) -> Run {
    let solver = AgentUnderTest::new(env!("CARGO_BIN_EXE_solve"), "");
    solver.run_in(directory, &[&[game], words].concat())
}
