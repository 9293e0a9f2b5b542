//! The analysis of many turns by several threads, with a progress bar and lines about finished games.

use anyhow::{Context, Result};
use arena::pool::{Next, work_off};
use arena::replayed::RecordedTurn;
use std::collections::BTreeMap;
use std::time::Instant;
use terminal::interrupt;
use terminal::progress::Progress;

/// The maximum number of lines about finished games.
const LINES: usize = 10;

/// Formats a number of seconds for people: `40 s`, `12 min`.
fn span(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

/// Calls `compute` for each turn on several threads and `on_result` with each result, until all are done or ^C is pressed. A
/// turn comes with the number of its game and its ply. Where there are several games, about ten lines on standard error say
/// how many of them are done and how long the others will take.
pub(crate) fn for_each_turn<T: Send>(
    todo: Vec<(u32, u32, RecordedTurn)>,
    threads: usize,
    compute: impl Fn(&RecordedTurn) -> T + Sync,
    mut on_result: impl FnMut(u32, u32, T) -> Result<()> + Send,
) -> Result<()> {
    let bar = Progress::of(todo.len(), "positions");
    let (begun, count, mut done) = (Instant::now(), todo.len(), 0);
    let mut left_of: BTreeMap<u32, usize> = BTreeMap::new();
    todo.iter().for_each(|(number, ..)| *left_of.entry(*number).or_default() += 1);
    let (games, mut games_done) = (left_of.len(), 0);
    let worked = work_off(
        todo.into_iter(),
        threads,
        interrupt::asked,
        |(number, ply, turn)| Ok((number, ply, compute(&turn))),
        |(number, ply, answer)| {
            on_result(number, ply, answer)?;
            done += 1;
            bar.set(done);
            let left = left_of.get_mut(&number).context("a game of the list")?;
            *left -= 1;
            if *left == 0 {
                games_done += 1;
                let seconds = begun.elapsed().as_secs_f64() * (count - done) as f64 / done as f64;
                if games_done * LINES / games > (games_done - 1) * LINES / games && seconds >= 1.0 {
                    bar.tell(&format!("{games_done}/{games} games analysed, about {} to go", span(seconds)));
                }
            }
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked
}
