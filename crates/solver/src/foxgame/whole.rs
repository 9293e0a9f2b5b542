//! The check of whole layers: every value must follow from those of the successors. That proves wins and losses by
//! induction, for with every ply of them the plies of the leg fall, or the flock is further ahead or smaller; and where
//! neither side wins, the side to move has a move that keeps it so and none that wins. Moves are those of the analysis,
//! which `verify.rs` compares with the rules.

use super::extent::Extent;
use super::known::{self, Found, Known};
use super::moves::{Captures, captures, each_ahead, each_sideways, filling_pen};
use super::values::{Next, follows};
use anyhow::Result;
use engine::Side;
use foxgame::board::{BOARD, Point, PointSet};
use foxgame::endings::code::Value;
use foxgame::rules::{FOX, SHEEP};
use indicatif::ProgressBar;
use std::path::Path;
use tables::TableError;

/// The number of wrong positions that are shown.
const SHOWN: u64 = 5;

/// Checks every position of the flocks of these sizes, from `least_sheep` on. Gives the number of wrong ones.
pub(crate) fn all(directory: &Path, extent: Extent, least_sheep: u32, bar: &ProgressBar) -> Result<u64> {
    let tables = known::open(directory, extent, extent.sheep)?;
    let [fox_to_move, sheep_to_move] = [Known::new(&tables, FOX)?, Known::new(&tables, SHEEP)?];
    let check = Check { fox_to_move, sheep_to_move };
    let mut all_wrong = 0;
    for ((sheep, sums), tables) in extent.sizes().zip(&tables) {
        if sheep < least_sheep {
            tables.iter().for_each(|table| bar.inc(table.layer().len() as u64));
            continue;
        }
        let (mut positions, mut wrong) = (0, 0);
        for (sum, table) in sums.zip(tables) {
            bar.set_message(format!("checking {sheep} sheep, rows {sum}"));
            for class in table.layer().classes() {
                for flock in (0..class.len()).map(|number| class.sheep(number)) {
                    check.flock(flock, |fox, to_move| {
                        if all_wrong + wrong < SHOWN {
                            bar.suspend(|| eprintln!("wrong: fox {fox}, sheep {flock}, to move: {to_move:?}"));
                        }
                        wrong += 1;
                    })?;
                }
                positions += 2 * class.len() as u64 * u64::from(33 - sheep);
                bar.inc(class.len() as u64);
            }
        }
        bar.suspend(|| println!("{sheep} sheep: all {positions} positions stored checked, {wrong} wrong"));
        all_wrong += wrong;
    }
    bar.finish_and_clear();
    Ok(all_wrong)
}

struct Check<'a> {
    fox_to_move: Known<'a>,
    sheep_to_move: Known<'a>,
}

/// A flock that is checked, with all that its positions' values follow from.
struct Flock<'a> {
    empty: PointSet,
    /// The fox's points where the pen is full.
    full: PointSet,
    captures: Captures,
    fox_to_move: Found<'a>,
    sheep_to_move: Found<'a>,
    /// For each step of a sheep where it ends, whether it is ahead, and what is stored about the flock after it.
    steps: Vec<(PointSet, bool, Found<'a>)>,
}

impl Check<'_> {
    /// Checks all positions with a flock, and calls a function with the wrong ones.
    fn flock(&self, sheep: PointSet, mut wrong: impl FnMut(Point, Side)) -> Result<(), TableError> {
        let mut steps = Vec::with_capacity(32);
        each_sideways(sheep, |after, end| steps.push((end, false, stored(&self.fox_to_move, after))));
        each_ahead(sheep, |after, end| steps.push((end, true, stored(&self.fox_to_move, after))));
        let flock = Flock {
            empty: BOARD - sheep,
            full: filling_pen(sheep),
            captures: captures(sheep, &self.sheep_to_move),
            fox_to_move: stored(&self.fox_to_move, sheep),
            sheep_to_move: stored(&self.sheep_to_move, sheep),
            steps,
        };
        let mut next = Vec::with_capacity(32);
        for fox in flock.empty {
            if flock.fox_to_move.value(fox)? != flock.with_fox_to_move(fox, &mut next)? {
                wrong(fox, FOX);
            }
            if flock.sheep_to_move.value(fox)? != flock.with_sheep_to_move(fox, &mut next)? {
                wrong(fox, SHEEP);
            }
        }
        Ok(())
    }
}

impl Flock<'_> {
    /// The value that follows with FOX to move; `next` is room for the successors.
    fn with_fox_to_move(&self, fox: Point, next: &mut Vec<Next>) -> Result<Option<Value>, TableError> {
        if self.full.contains(fox) {
            return Ok(Some(Value { winner: SHEEP, plies: 0 }));
        }
        next.clear();
        if self.captures.safe.contains(fox) {
            next.push(Next::Ended(self.captures.winning.contains(fox).then_some(FOX)));
        }
        for end in fox.neighbours() & self.empty {
            let is_over = self.full.contains(end);
            next.push(if is_over { Next::Ended(Some(SHEEP)) } else { Next::On(self.sheep_to_move.value(end)?) });
        }
        Ok(follows(FOX, next.iter().copied()))
    }

    /// The value that follows with SHEEP to move.
    fn with_sheep_to_move(&self, fox: Point, next: &mut Vec<Next>) -> Result<Option<Value>, TableError> {
        if self.full.contains(fox) {
            return Ok(Some(Value { winner: SHEEP, plies: 1 }));
        }
        next.clear();
        for (_, ahead, found) in self.steps.iter().filter(|(end, ..)| !end.contains(fox)) {
            let value = found.value(fox)?;
            next.push(if *ahead { Next::Ended(value.map(|value| value.winner)) } else { Next::On(value) });
        }
        Ok(follows(SHEEP, next.iter().copied()))
    }
}

fn stored<'a>(known: &Known<'a>, sheep: PointSet) -> Found<'a> {
    known.find(sheep).expect("a flock of a size that is solved")
}
