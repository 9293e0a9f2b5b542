//! Lookup in finished tables in bulk, for the values after captures and for the check.

use super::extent::Extent;
use engine::Side;
use foxgame::board::{Point, PointSet};
use foxgame::endings::code::{Codes, MOST_PLIES, Value, bytes, place, value};
use foxgame::endings::index::{CODES, code, mirror, profile};
use foxgame::endings::table::LayerTable;
use foxgame::rules::{FOX, LEAST_SHEEP, SHEEP};
use std::path::Path;
use tables::TableError;

/// The finished tables of flocks of some sizes, for one side to move.
pub(crate) struct SolvedTables<'a> {
    to_move: Side,
    /// The tables by the number of sheep, from [`LEAST_SHEEP`].
    sizes: Vec<Size<'a>>,
}

struct Size<'a> {
    /// The tables with the codes of the side to move.
    layers: Vec<(&'a LayerTable, &'a [u8])>,
    /// The index of the layer and of the class in it, by the code of the profile.
    classes: Vec<(u8, u16)>,
}

pub(crate) fn open(
    directory: &Path,
    extent: Extent,
    most_sheep: u32,
) -> Result<Vec<Vec<LayerTable>>, TableError> {
    let sizes = extent.sizes().filter(|&(sheep, _)| sheep <= most_sheep);
    sizes
        .map(|(sheep, sums)| sums.map(|sum| LayerTable::open(directory, sheep, sum)).collect())
        .collect()
}

#[derive(Clone, Copy)]
pub(crate) struct StoredFlock<'a> {
    table: &'a LayerTable,
    to_move: Side,
    codes: Codes,
    /// The flock that is stored: the one looked up or its mirror image.
    sheep: PointSet,
    mirrored: bool,
}

impl StoredFlock<'_> {
    /// The value that the code stands for, with the fox on an empty point.
    #[inline]
    fn coded(&self, fox: Point) -> Option<Value> {
        value(self.codes.get(place(self.sheep, self.stored(fox))), self.to_move)
    }

    #[inline]
    fn stored(&self, fox: Point) -> Point {
        if self.mirrored { fox.mirrored() } else { fox }
    }

    /// Whether FOX wins and whether SHEEP wins, with the fox on an empty point.
    #[inline]
    pub(crate) fn winners(&self, fox: Point) -> (bool, bool) {
        let winner = self.coded(fox).map(|value| value.winner);
        (winner == Some(FOX), winner == Some(SHEEP))
    }

    /// The value with the fox on an empty point.
    #[inline]
    pub(crate) fn value(&self, fox: Point) -> Result<Option<Value>, TableError> {
        match self.coded(fox) {
            Some(Value { plies, .. }) if plies + 1 >= MOST_PLIES => {
                self.table.value(self.sheep, self.stored(fox), self.to_move)
            }
            short => Ok(short),
        }
    }
}

impl<'a> SolvedTables<'a> {
    /// Prepares tables for a side to move and verifies the checksum of every block.
    pub(crate) fn new(
        tables: &'a [Vec<LayerTable>],
        to_move: Side,
    ) -> Result<SolvedTables<'a>, TableError> {
        let sizes =
            tables.iter().map(|tables| Size::new(tables, to_move)).collect::<Result<_, _>>()?;
        Ok(SolvedTables { to_move, sizes })
    }

    /// The stored codes of a flock; `None` if it is so small that FOX has won.
    #[inline]
    pub(crate) fn find(&self, sheep: PointSet) -> Option<StoredFlock<'a>> {
        let size = &self.sizes[sheep.len().checked_sub(LEAST_SHEEP)? as usize];
        let (layer, class) = size.classes[code(profile(sheep))];
        let (table, all) = size.layers[usize::from(layer)];
        let class = &table.layer().classes()[usize::from(class)];
        let place = class.place(sheep);
        let length = bytes(sheep.len());
        let at = length * (class.first() + place.number);
        let codes = Codes::read(&all[at..at + length]);
        let sheep = if place.mirrored { mirror(sheep) } else { sheep };
        Some(StoredFlock { table, to_move: self.to_move, codes, sheep, mirrored: place.mirrored })
    }
}

impl<'a> Size<'a> {
    fn new(tables: &'a [LayerTable], to_move: Side) -> Result<Size<'a>, TableError> {
        let mut size = Size { layers: Vec::new(), classes: vec![(u8::MAX, u16::MAX); CODES] };
        for table in tables {
            for (number, class) in table.layer().classes().iter().enumerate() {
                size.classes[code(class.profile())] = (size.layers.len() as u8, number as u16);
            }
            size.layers.push((table, table.codes(to_move)?));
        }
        Ok(size)
    }
}
