//! The exact tables: one file for each layer, opened on first use.

use crate::index::Layer;
use crate::rules::{MOST_SHEEP, Position, SHEEP_LOST};
use crate::value::Value;
use engine::{Game, Side};
use std::path::{Path, PathBuf};
use tables::{Subject, TableDirectory, TableError, TableFile, usual_directory};

/// The subject of a layer's file. The third number is the version of the numbering and the codes.
pub const fn subject(wolves: u32, sheep: u32) -> Subject {
    Subject { name: "wolves", numbers: [wolves, sheep, 1, 0] }
}

/// The path of a layer's file in a directory.
pub fn file(directory: &Path, wolves: u32, sheep: u32) -> PathBuf {
    directory.join(format!("wolves-{wolves}-{sheep:02}.table"))
}

/// The open file of one layer.
#[derive(Debug)]
pub struct LayerTable {
    layer: Layer,
    table: TableFile,
}

impl LayerTable {
    /// Opens the file of a layer; an error if it is missing, damaged, or not of this layer.
    pub fn open(directory: &Path, wolves: u32, sheep: u32) -> Result<LayerTable, TableError> {
        let layer = Layer::new(wolves, sheep);
        let positions = layer.positions();
        let table = TableFile::open(
            &file(directory, wolves, sheep),
            &subject(wolves, sheep),
            &[positions, positions],
        )?;
        Ok(LayerTable { layer, table })
    }

    /// The numbering of the positions.
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The codes of all positions with a side to move, after verifying their checksums.
    pub fn codes(&self, to_move: Side) -> Result<&[u8], TableError> {
        self.table.array(to_move.index())
    }

    /// The value of a position of this layer.
    pub fn value(&self, position: &Position) -> Result<Value, TableError> {
        let to_move = position.side_to_move();
        let code = self.table.get(to_move.index(), self.layer.number(position).0)?;
        Ok(Value::decode(code, to_move))
    }
}

/// The tables of a directory.
#[derive(Debug)]
pub struct Tablebase(TableDirectory<LayerTable>);

impl Tablebase {
    /// The tables of a directory; it and its files may be missing. Calls `complain` with the error
    /// of each file that is refused.
    pub fn new(directory: PathBuf, complain: fn(&TableError)) -> Tablebase {
        Tablebase(TableDirectory::new(directory, 4 * (MOST_SHEEP as usize + 1), complain))
    }

    /// The tables of the [usual directory](usual_directory), like [`Tablebase::new`].
    pub fn find(named: Option<&Path>, complain: fn(&TableError)) -> Tablebase {
        Tablebase::new(usual_directory(named), complain)
    }

    /// The value of a position with best play; `None` if no table has it.
    pub fn value(&self, position: &Position) -> Option<Value> {
        if let Some(value) = Value::of_end(position) {
            return Some(value);
        }
        let (wolves, sheep) = (position.wolves().len(), position.sheep().len());
        debug_assert!(sheep > SHEEP_LOST);
        let number = (wolves * (MOST_SHEEP + 1) + sheep) as usize;
        self.0.look_up(
            number,
            |directory| LayerTable::open(directory, wolves, sheep),
            |layer| layer.value(position),
        )
    }
}
