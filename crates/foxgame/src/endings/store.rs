//! The endgame tables of a directory. Each file is opened when it is first needed.

use super::code::Value;
use super::index::{LAYER_NUMBERS, layer_number};
use super::table::LayerTable;
use crate::board::Board;
use crate::rules::sum_of_rows;
use engine::Side;
use std::path::{Path, PathBuf};
use tables::{TableDirectory, TableError};

/// The endgame tables of a directory, by number of sheep, then by sum of rows.
#[derive(Debug)]
pub struct Endings(TableDirectory<LayerTable>);

impl Endings {
    /// The tables in a directory, which need not exist. `complain` is called for each file that is
    /// refused.
    pub fn new(directory: PathBuf, complain: fn(&TableError)) -> Endings {
        Endings(TableDirectory::new(directory, LAYER_NUMBERS, complain))
    }

    /// The value of a board of an unfinished game, regardless of its history. The outer `None`
    /// means that no table has the board, the inner one that neither side wins.
    pub fn value(&self, board: Board, to_move: Side) -> Option<Option<Value>> {
        // A browser has no files: this keeps the table reader out of the WebAssembly module.
        if cfg!(target_arch = "wasm32") {
            return None;
        }
        let sheep = board.sheep.len();
        let fox = board.foxes.into_iter().next().filter(|_| board.foxes.len() == 1)?;
        let sum = sum_of_rows(board.sheep);
        let number = layer_number(sheep, sum)?;
        let open = |directory: &Path| LayerTable::open(directory, sheep, sum);
        self.0.look_up(number, open, |layer| layer.value(board.sheep, fox, to_move))
    }
}
