//! The check of whole layers: every value must follow from those of the successors, which proves
//! wins and losses by induction. The moves are those of the analysis;
//! [`verify_random`](super::verify_random) compares them with the rules.

use super::extent::Extent;
use super::moves::{Captures, captures, each_ahead, each_sideways, filling_pen};
use super::solved_tables::{self, SolvedTables, StoredFlock};
use super::successors::{Successor, value_of_successors};
use crate::layer_files::SHOWN;
use anyhow::Result;
use engine::Side;
use foxgame::board::{BOARD, Point, PointSet};
use foxgame::endings::code::Value;
use foxgame::rules::{FOX, SHEEP};
use progress::Bar;
use std::path::Path;
use tables::TableError;

/// Checks every position of flocks of at least `least_sheep` sheep. Returns the number of wrong ones.
pub(crate) fn check(directory: &Path, extent: Extent, least_sheep: u32, bar: &Bar) -> Result<u64> {
    let tables = solved_tables::open(directory, extent, extent.sheep)?;
    let [fox_to_move, sheep_to_move] =
        [SolvedTables::new(&tables, FOX)?, SolvedTables::new(&tables, SHEEP)?];
    let checker = Checker { fox_to_move, sheep_to_move };
    let mut all_wrong = 0;
    for ((sheep, sums), tables) in extent.sizes().zip(&tables) {
        if sheep < least_sheep {
            tables.iter().for_each(|table| bar.add(table.layer().len() as u64));
            continue;
        }
        let (mut positions, mut wrong) = (0, 0);
        for (sum, table) in sums.zip(tables) {
            bar.say(format!("flocks, checking {sheep} sheep, rows {sum}"));
            for class in table.layer().classes() {
                for flock in (0..class.len()).map(|number| class.sheep(number)) {
                    checker.check_flock(flock, |fox, to_move| {
                        if all_wrong + wrong < SHOWN {
                            bar.around(|| {
                                eprintln!("wrong: fox {fox}, sheep {flock}, to move: {to_move:?}")
                            });
                        }
                        wrong += 1;
                    })?;
                }
                positions += 2 * class.len() as u64 * u64::from(33 - sheep);
                bar.add(class.len() as u64);
            }
        }
        bar.around(|| {
            println!("{sheep} sheep: all {positions} positions stored checked, {wrong} wrong")
        });
        all_wrong += wrong;
    }
    bar.finish();
    Ok(all_wrong)
}

struct Checker<'a> {
    fox_to_move: SolvedTables<'a>,
    sheep_to_move: SolvedTables<'a>,
}

/// A flock to check, with everything that the values of its positions follow from.
struct Flock<'a> {
    empty: PointSet,
    full: PointSet,
    captures: Captures,
    fox_to_move: StoredFlock<'a>,
    sheep_to_move: StoredFlock<'a>,
    /// For each step of a sheep: its end point, whether it is a step ahead, and the stored codes of
    /// the flock after it.
    steps: Vec<(PointSet, bool, StoredFlock<'a>)>,
}

impl Checker<'_> {
    /// Checks all positions with a flock, and calls `wrong` with each wrong one.
    fn check_flock(
        &self,
        sheep: PointSet,
        mut wrong: impl FnMut(Point, Side),
    ) -> Result<(), TableError> {
        let mut steps = Vec::with_capacity(32);
        let stored_after = |after| stored(&self.fox_to_move, after);
        each_sideways(sheep, |after, end| steps.push((end, false, stored_after(after))));
        each_ahead(sheep, |after, end| steps.push((end, true, stored_after(after))));
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
            if flock.fox_to_move.value(fox)? != flock.value_with_fox_to_move(fox, &mut next)? {
                wrong(fox, FOX);
            }
            if flock.sheep_to_move.value(fox)? != flock.value_with_sheep_to_move(fox, &mut next)? {
                wrong(fox, SHEEP);
            }
        }
        Ok(())
    }
}

impl Flock<'_> {
    /// The value that follows with FOX to move. `next` is a buffer for the successors.
    fn value_with_fox_to_move(
        &self,
        fox: Point,
        next: &mut Vec<Successor>,
    ) -> Result<Option<Value>, TableError> {
        if self.full.contains(fox) {
            return Ok(Some(Value { winner: SHEEP, plies: 0 }));
        }
        next.clear();
        if self.captures.safe.contains(fox) {
            next.push(Successor::Ended(self.captures.winning.contains(fox).then_some(FOX)));
        }
        for end in fox.neighbours() & self.empty {
            let is_over = self.full.contains(end);
            next.push(if is_over {
                Successor::Ended(Some(SHEEP))
            } else {
                Successor::On(self.sheep_to_move.value(end)?)
            });
        }
        Ok(value_of_successors(FOX, next.iter().copied()))
    }

    /// The value that follows with SHEEP to move.
    fn value_with_sheep_to_move(
        &self,
        fox: Point,
        next: &mut Vec<Successor>,
    ) -> Result<Option<Value>, TableError> {
        if self.full.contains(fox) {
            return Ok(Some(Value { winner: SHEEP, plies: 1 }));
        }
        next.clear();
        for (_, ahead, found) in self.steps.iter().filter(|(end, ..)| !end.contains(fox)) {
            let value = found.value(fox)?;
            next.push(if *ahead {
                Successor::Ended(value.map(|value| value.winner))
            } else {
                Successor::On(value)
            });
        }
        Ok(value_of_successors(SHEEP, next.iter().copied()))
    }
}

fn stored<'a>(known: &SolvedTables<'a>, sheep: PointSet) -> StoredFlock<'a> {
    known.find(sheep).expect("a flock of a size that is solved")
}
