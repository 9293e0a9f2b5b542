//! The check of whole layers: every value must follow from those of the successors, with the moves of the analysis.

use super::extent::Extent;
use super::known::{self, Found, Known};
use super::moves::{captures, each_ahead, each_sideways, filling_pen};
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

impl Check<'_> {
    /// Checks all positions with a flock, and calls a function with the wrong ones.
    fn flock(&self, sheep: PointSet, mut wrong: impl FnMut(Point, Side)) -> Result<(), TableError> {
        let [of_fox, of_sheep] = [&self.fox_to_move, &self.sheep_to_move].map(|known| stored(known, sheep));
        let captures = captures(sheep, &self.sheep_to_move);
        let full = filling_pen(sheep);
        let mut steps: Vec<(PointSet, bool, Found)> = Vec::with_capacity(32);
        each_sideways(sheep, |after, end| steps.push((end, false, stored(&self.fox_to_move, after))));
        each_ahead(sheep, |after, end| steps.push((end, true, stored(&self.fox_to_move, after))));
        let empty = BOARD - sheep;
        for fox in empty {
            let expected = if full.contains(fox) {
                Some(Value { winner: SHEEP, plies: 0 })
            } else {
                let jump = captures.safe.contains(fox).then(|| captures.winning.contains(fox).then_some(FOX));
                let ends = (fox.neighbours() & empty).into_iter().map(|end| {
                    if full.contains(end) { Ok(Next::Ended(Some(SHEEP))) } else { of_sheep.value(end).map(Next::On) }
                });
                let next: Result<Vec<Next>, _> =
                    jump.map(|jump| Ok(Next::Ended(jump))).into_iter().chain(ends).collect();
                follows(FOX, next?.into_iter())
            };
            if of_fox.value(fox)? != expected {
                wrong(fox, FOX);
            }
            let expected = if full.contains(fox) {
                Some(Value { winner: SHEEP, plies: 1 })
            } else {
                let next = steps.iter().filter(|(end, ..)| !end.contains(fox)).map(|(_, ahead, found)| {
                    let value = found.value(fox)?;
                    Ok(if *ahead { Next::Ended(value.map(|value| value.winner)) } else { Next::On(value) })
                });
                let next: Result<Vec<Next>, _> = next.collect();
                follows(SHEEP, next?.into_iter())
            };
            if of_sheep.value(fox)? != expected {
                wrong(fox, SHEEP);
            }
        }
        Ok(())
    }
}

fn stored<'a>(known: &Known<'a>, sheep: PointSet) -> Found<'a> {
    known.find(sheep).expect("a flock of a size that is solved")
}
