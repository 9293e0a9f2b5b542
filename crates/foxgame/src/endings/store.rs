//! All tables of endings in a directory, opened when they are first asked for.

use super::code::Value;
use super::table::LayerTable;
use crate::board::Board;
use crate::rules::{LEAST_SHEEP, MOST_SHEEP, sum_of_rows};
use engine::Side;
use std::path::{Path, PathBuf};
use tables::{Layers, TableError};

/// One more than the largest sum of rows of 20 sheep, and so of all.
const SUMS: u32 = 90;

/// The tables of a directory, by sheep, then by sum of rows.
#[derive(Debug)]
pub struct Endings(Layers<LayerTable>);

impl Endings {
    /// The tables in a directory, which need not be there. `complain` is called with the error of each file that is
    /// refused.
    #[must_use]
    pub fn new(directory: PathBuf, complain: fn(&TableError)) -> Endings {
        Endings(Layers::new(directory, ((MOST_SHEEP + 1 - LEAST_SHEEP) * SUMS) as usize, complain))
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.0.directory()
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
        let number = ((sheep - LEAST_SHEEP) * SUMS + sum) as usize;
        let open = |directory: &Path| LayerTable::open(directory, sheep, sum);
        self.0.look(number, open, |layer| layer.value(board.sheep, fox, to_move))
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
