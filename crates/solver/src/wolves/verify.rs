//! The check of finished tables by the rules that agents use, without code of the analysis: every
//! value and distance must follow from those of the successors, which proves wins and losses by
//! induction over the distance.

use crate::layer_files::{SHOWN, part_of};
use anyhow::{Context, Result};
use engine::{Game, Side};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use wolves::index::Dense;
use wolves::rules::{Move, Position, SHEEP_LOST};
use wolves::table::LayerTable;
use wolves::value::Value;

/// A layer to check, with the layer of one sheep less, which is `None` if the wolves have won
/// there.
struct LayerPair<'a> {
    sheep: u32,
    table: &'a LayerTable,
    below: Option<&'a LayerTable>,
    sets: Vec<Dense>,
}

impl LayerPair<'_> {
    /// The value of a position of either layer or of a finished one.
    fn value(&self, position: &Position) -> Result<Value> {
        if let Some(value) = Value::of_end(position) {
            return Ok(value);
        }
        let table =
            if position.sheep().len() == self.sheep { Some(self.table) } else { self.below };
        Ok(table.expect("with fewer sheep the game is over").value(position)?)
    }

    /// Whether the value of a stored position follows from those of its successors.
    fn is_right(&self, number: usize, side: Side, moves: &mut Vec<Move>) -> Result<bool> {
        let mut position = self.table.layer().position(number, &self.sets, side);
        let stored = self.table.value(&position)?;
        if let Some(value) = Value::of_end(&position) {
            return Ok(stored == value);
        }
        moves.clear();
        position.moves(moves);
        let mut values = Vec::with_capacity(32);
        for &mv in moves.iter() {
            let undo = position.play(mv);
            values.push(self.value(&position)?);
            position.undo(mv, undo);
        }
        Ok(Value::of_successors(side, values.into_iter()) == Some(stored))
    }

    fn report(&self, wrong: &AtomicU64, number: usize, side: Side) {
        if wrong.fetch_add(1, Relaxed) < SHOWN {
            eprintln!("wrong: {:?}", self.table.layer().position(number, &self.sets, side));
        }
    }
}

fn open(directory: &Path, wolves: u32, most_sheep: u32) -> Result<Vec<LayerTable>> {
    (SHEEP_LOST + 1..=most_sheep)
        .map(|sheep| Ok(LayerTable::open(directory, wolves, sheep)?))
        .collect()
}

fn pairs(tables: &[LayerTable]) -> impl Iterator<Item = LayerPair<'_>> {
    tables.iter().enumerate().map(|(index, table)| LayerPair {
        sheep: SHEEP_LOST + 1 + index as u32,
        table,
        below: index.checked_sub(1).map(|below| &tables[below]),
        sets: table.layer().ranking.sets(),
    })
}

/// Checks every position of the layers with both sides to move. Returns the number of wrong
/// positions.
pub(crate) fn check_all(directory: &Path, wolves: u32, sheep: RangeInclusive<u32>) -> Result<u64> {
    let tables = open(directory, wolves, *sheep.end())?;
    let mut all_wrong = 0;
    for pair in pairs(&tables).filter(|pair| sheep.contains(&pair.sheep)) {
        let wrong = AtomicU64::new(0);
        let positions = pair.table.layer().positions();
        for side in Side::BOTH {
            pair.table.codes(side)?;
            (0..positions).into_par_iter().try_for_each_init(Vec::new, |moves, number| {
                if !pair.is_right(number, side, moves)? {
                    pair.report(&wrong, number, side);
                }
                anyhow::Ok(())
            })?;
        }
        let wrong = wrong.into_inner();
        println!("{} sheep: all {} positions checked, {wrong} wrong", pair.sheep, 2 * positions);
        all_wrong += wrong;
    }
    Ok(all_wrong)
}

/// Checks random positions, all stored positions and both sides to move being equally likely.
/// Returns the number of wrong positions.
pub(crate) fn check_random(
    directory: &Path,
    wolves: u32,
    most_sheep: u32,
    positions: u64,
    seed: u64,
) -> Result<u64> {
    /// The number of positions of a task, each of which has its own random numbers.
    const TASK: u64 = 10_000;
    let tables = open(directory, wolves, most_sheep)?;
    let pairs: Vec<LayerPair> = pairs(&tables).collect();
    let lengths: Vec<usize> = pairs.iter().map(|pair| pair.table.layer().positions()).collect();
    let total: usize = lengths.iter().sum();
    let wrong = AtomicU64::new(0);
    let tasks = positions.div_ceil(TASK);
    (0..tasks).into_par_iter().try_for_each(|task| {
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(0x1_0000_0000).wrapping_add(task));
        let mut moves = Vec::new();
        for _ in 0..TASK.min(positions - task * TASK) {
            let number = random.random_range(0..total);
            let side = Side::BOTH[usize::from(random.random::<bool>())];
            let (pair, number) = part_of(lengths.iter().copied(), number);
            let pair = &pairs[pair];
            if !pair.is_right(number, side, &mut moves).context("the tables changed")? {
                pair.report(&wrong, number, side);
            }
        }
        anyhow::Ok(())
    })?;
    let wrong = wrong.into_inner();
    println!(
        "{positions} random positions of 3 to {most_sheep} sheep checked (seed {seed}), {wrong} wrong"
    );
    Ok(wrong)
}
