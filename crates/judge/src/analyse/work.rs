//! Questions about moves, worked off by several threads with a bar.

use crate::interrupt;
use crate::progress::Progress;
use anyhow::Result;
use arena::analysis::questions::Question;
use arena::pool::{Next, work_off};

/// Asks about the moves of games, each with its game's number and its ply, several at a time, until all are done or ^C.
pub(crate) fn work<T: Send>(
    todo: Vec<(u32, u32, Question)>,
    threads: usize,
    ask: impl Fn(&Question) -> T + Sync,
    mut found: impl FnMut(u32, u32, T) -> Result<()> + Send,
) -> Result<()> {
    let bar = Progress::of(todo.len(), "positions");
    let mut done = 0;
    let worked = work_off(
        todo.into_iter(),
        threads,
        interrupt::asked,
        |(number, ply, question)| Ok((number, ply, ask(&question))),
        |(number, ply, answer)| {
            found(number, ply, answer)?;
            done += 1;
            bar.set(done);
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked
}
