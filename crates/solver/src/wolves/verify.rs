//! Checks finished tables with the rules as agents have them, apart from the analysis: every value and distance must
//! follow from those of the successors. That proves wins and losses by induction over the distance, and draws because
//! in each of them the side to move has a move that keeps it and none that wins.

use anyhow::{Context, Result, bail};
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

/// A layer with the one below it; `None` if wolves have won there.
struct Pair<'a> {
    sheep: u32,
    here: &'a LayerTable,
    below: Option<&'a LayerTable>,
    sets: Vec<Dense>,
}

impl Pair<'_> {
    fn value(&self, position: &Position) -> Result<Value> {
        if let Some(value) = Value::of_end(position) {
            return Ok(value);
        }
        let table = if position.sheep().len() == self.sheep { Some(self.here) } else { self.below };
        Ok(table.expect("with fewer sheep the game is over").value(position)?)
    }

    /// Whether the value of a stored position is the one that follows from its successors.
    fn is_right(&self, number: usize, side: Side, moves: &mut Vec<Move>) -> Result<bool> {
        let mut position = self.here.layer().position(number, &self.sets, side);
        let stored = self.here.value(&position)?;
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
        if wrong.fetch_add(1, Relaxed) < 5 {
            eprintln!("wrong: {:?}", self.here.layer().position(number, &self.sets, side));
        }
    }
}

fn open(directory: &Path, wolves: u32, most_sheep: u32) -> Result<Vec<LayerTable>> {
    (SHEEP_LOST + 1..=most_sheep).map(|sheep| Ok(LayerTable::open(directory, wolves, sheep)?)).collect()
}

fn pairs(tables: &[LayerTable]) -> impl Iterator<Item = Pair<'_>> {
    tables.iter().enumerate().map(|(index, here)| Pair {
        sheep: SHEEP_LOST + 1 + index as u32,
        here,
        below: index.checked_sub(1).map(|below| &tables[below]),
        sets: here.layer().ranking.sets(),
    })
}

/// Checks every position of either side. Gives the number of wrong ones.
pub(crate) fn all(directory: &Path, wolves: u32, sheep: RangeInclusive<u32>) -> Result<u64> {
    let tables = open(directory, wolves, *sheep.end())?;
    let mut all_wrong = 0;
    for pair in pairs(&tables).filter(|pair| sheep.contains(&pair.sheep)) {
        let wrong = AtomicU64::new(0);
        let positions = pair.here.layer().positions();
        for side in Side::BOTH {
            pair.here.codes(side)?;
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

/// Checks random positions, spread over the layers by their sizes and over both sides. Gives the number of wrong ones.
pub(crate) fn random(directory: &Path, wolves: u32, most_sheep: u32, positions: u64, seed: u64) -> Result<u64> {
    const TASK: u64 = 10_000;
    let tables = open(directory, wolves, most_sheep)?;
    let pairs: Vec<Pair> = pairs(&tables).collect();
    let total: usize = pairs.iter().map(|pair| pair.here.layer().positions()).sum();
    let wrong = AtomicU64::new(0);
    let tasks = positions.div_ceil(TASK);
    (0..tasks).into_par_iter().try_for_each(|task| {
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(0x1_0000_0000).wrapping_add(task));
        let mut moves = Vec::new();
        for _ in 0..TASK.min(positions - task * TASK) {
            let mut number = random.random_range(0..total);
            let side = Side::BOTH[usize::from(random.random::<bool>())];
            let mut rest = pairs.iter();
            let pair = loop {
                let Some(pair) = rest.next() else { bail!("the number is within the layers") };
                match number.checked_sub(pair.here.layer().positions()) {
                    Some(left) => number = left,
                    None => break pair,
                }
            };
            if !pair.is_right(number, side, &mut moves).context("the tables changed")? {
                pair.report(&wrong, number, side);
            }
        }
        Ok(())
    })?;
    let wrong = wrong.into_inner();
    println!("{positions} random positions of 3 to {most_sheep} sheep checked (seed {seed}), {wrong} wrong");
    Ok(wrong)
}
