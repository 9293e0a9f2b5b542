//! `judge perft`: the figure that move generators are compared by.

use crate::check::read_task;
use crate::games::{Visitor, rule_set};
use anyhow::Result;
use engine::{Agent, perft};
use std::path::PathBuf;
use std::time::Instant;

/// Counts lines of moves, depth by depth, and prints each count as soon as it is known.
pub struct Perft {
    /// The deepest count.
    pub depth: u32,
    /// The position; the start if there is none.
    pub input: Option<PathBuf>,
    /// The rule set's name, if one was given.
    pub rules: Option<String>,
}

impl Visitor for Perft {
    type Output = Result<()>;

    fn visit<A: Agent>(self) -> Result<()> {
        let mut position = match &self.input {
            Some(file) => read_task::<A>(file, self.rules.as_deref())?.position,
            None => A::start(rule_set(self.rules.as_deref())?),
        };
        for depth in 1..=self.depth {
            let start = Instant::now();
            let count = perft(&mut position, depth);
            let seconds = start.elapsed().as_secs_f64();
            let speed = count as f64 / seconds.max(1e-9);
            crate::print(&format!("{depth} {count} ({seconds:.3} s, {speed:.0} nodes/s)\n"));
        }
        Ok(())
    }
}
