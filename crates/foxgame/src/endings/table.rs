//! The files of the endgame tables, one for each layer of flocks. A file holds three arrays: the
//! codes with FOX to move, those with SHEEP to move, and the list of distances too long for a code.

use super::code::{Codes, MOST_PLIES, Value, bytes, place, value};
use super::index::{Layer, mirror};
use crate::board::{Point, PointSet};
use engine::Side;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use tables::{Subject, TableError, TableFile};

const LONG: usize = 2;

/// The size in bytes of an entry in the list of long distances (see [`entry`]).
const ENTRY: usize = 6;

/// The subject of a layer's file. The last number is the version of index function and codes.
pub const fn subject(sheep: u32, sum: u32) -> Subject {
    Subject { name: "foxgame", numbers: [1, sheep, sum, 1] }
}

/// The path of a layer's file in a directory.
pub fn file(directory: &Path, sheep: u32, sum: u32) -> PathBuf {
    directory.join(format!("foxgame-1-{sheep:02}-{sum:02}.table"))
}

/// The key of a position in the list of long distances, which is sorted by key.
pub const fn key(flock: usize, to_move: Side, place: usize) -> u64 {
    (flock as u64) << 8 | (to_move.index() as u64) << 7 | place as u64
}

/// The entry in the list of long distances: a position's key in five bytes, and its distance.
pub fn entry(key: u64, plies: u8) -> [u8; ENTRY] {
    let [.., a, b, c, d, e] = key.to_be_bytes();
    [a, b, c, d, e, plies]
}

/// The open file of a layer.
#[derive(Debug)]
pub struct LayerTable {
    layer: Layer,
    table: TableFile,
}

impl LayerTable {
    /// Opens the file of a layer.
    pub fn open(directory: &Path, sheep: u32, sum: u32) -> Result<LayerTable, TableError> {
        let layer = Layer::new(sheep, sum);
        let codes = bytes(sheep) * layer.len();
        let table = TableFile::open_with_rest(
            &file(directory, sheep, sum),
            &subject(sheep, sum),
            &[codes, codes],
        )?;
        Ok(LayerTable { layer, table })
    }

    /// The layer, which numbers the flocks.
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The bytes of all codes for one side to move, verified by their checksums.
    pub fn codes(&self, to_move: Side) -> Result<&[u8], TableError> {
        self.table.array(to_move.index())
    }

    /// The value of a position in this layer; `None` if neither side wins.
    pub fn value(
        &self,
        sheep: PointSet,
        fox: Point,
        to_move: Side,
    ) -> Result<Option<Value>, TableError> {
        let found = self.layer.place(sheep);
        let (sheep, fox) =
            if found.mirrored { (mirror(sheep), fox.mirrored()) } else { (sheep, fox) };
        let place = place(sheep, fox);
        let byte =
            self.table.get(to_move.index(), bytes(self.layer.sheep) * found.number + place / 2)?;
        let Some(mut value) = value(Codes::read(&[byte]).get(place % 2), to_move) else {
            return Ok(None);
        };
        if value.plies + 1 >= MOST_PLIES {
            let long = self.long_plies(key(found.number, to_move, place))?;
            value.plies = long.unwrap_or(value.plies);
        }
        Ok(Some(value))
    }

    /// Looks a position up in the list of long distances by binary search.
    fn long_plies(&self, key: u64) -> Result<Option<u8>, TableError> {
        let [wanted @ .., _] = entry(key, 0);
        let (mut low, mut high) = (0, self.table.length(LONG) / ENTRY);
        while low < high {
            let middle = low.midpoint(high);
            let mut found = [0; ENTRY];
            for (offset, byte) in found.iter_mut().enumerate() {
                *byte = self.table.get(LONG, ENTRY * middle + offset)?;
            }
            match found[..ENTRY - 1].cmp(&wanted[..]) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(Some(found[ENTRY - 1])),
                Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}
