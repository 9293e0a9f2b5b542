//! All tables of endings in a directory, opened when they are first asked for.

use super::code::Value;
use super::table::LayerTable;
use crate::board::Board;
use crate::rules::{LEAST_SHEEP, MOST_SHEEP, sum_of_rows};
use engine::Side;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tables::TableError;

/// One more than the largest sum of rows of 20 sheep, and so of all.
const SUMS: u32 = 90;

/// The tables of a directory.
#[derive(Debug)]
pub struct Endings {
    directory: PathBuf,
    /// By sheep, then by sum of rows. A layer that could not be opened stays so.
    layers: Vec<OnceLock<Option<LayerTable>>>,
    /// Layers in which a damaged block was found: not used any more.
    damaged: Vec<AtomicBool>,
    /// Called with the error of each file that is there and not used.
    complain: fn(&TableError),
}

impl Endings {
    /// The tables in a directory, which need not be there. `complain` is called with the error of each file that is
    /// refused.
    #[must_use]
    pub fn new(directory: PathBuf, complain: fn(&TableError)) -> Endings {
        let layers = (MOST_SHEEP + 1 - LEAST_SHEEP) * SUMS;
        Endings {
            directory,
            layers: (0..layers).map(|_| OnceLock::new()).collect(),
            damaged: (0..layers).map(|_| AtomicBool::new(false)).collect(),
            complain,
        }
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What the tables say of a board that is not finished, apart from its history: the outer `None` if no table has it,
    /// the inner one where neither side wins.
    #[must_use]
    pub fn value(&self, board: Board, to_move: Side) -> Option<Option<Value>> {
        // In a browser there are no files, and what reads them would be a dead weight.
        if cfg!(target_arch = "wasm32") {
            return None;
        }
        let sheep = board.sheep.len();
        let fox = board.foxes.into_iter().next().filter(|_| board.foxes.len() == 1)?;
        if !(LEAST_SHEEP..=MOST_SHEEP).contains(&sheep) {
            return None;
        }
        let sum = sum_of_rows(board.sheep);
        let index = ((sheep - LEAST_SHEEP) * SUMS + sum) as usize;
        let (layer, damaged) = (&self.layers[index], &self.damaged[index]);
        let opened = layer.get_or_init(|| match LayerTable::open(&self.directory, sheep, sum) {
            Ok(table) => Some(table),
            Err(error) => {
                if !error.is_missing() {
                    (self.complain)(&error);
                }
                None
            }
        });
        let opened = opened.as_ref().filter(|_| !damaged.load(Relaxed))?;
        match opened.value(board.sheep, fox, to_move) {
            Ok(value) => Some(value),
            Err(error) => {
                if !damaged.swap(true, Relaxed) {
                    (self.complain)(&error);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endings::index::sums;

    #[test]
    fn every_flock_has_a_layer_of_its_own() {
        for sheep in LEAST_SHEEP..=MOST_SHEEP {
            assert!(*sums(sheep).end() < SUMS, "{sheep} sheep: {:?}", sums(sheep));
        }
    }
}
