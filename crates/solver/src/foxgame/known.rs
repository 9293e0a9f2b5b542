//! Finished tables, ready to be looked up in bulk: by the solver where captures lead, and by the check.

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
pub(crate) struct Known<'a> {
    to_move: Side,
    /// By the number of sheep, from [`LEAST_SHEEP`].
    sizes: Vec<Size<'a>>,
}

/// The finished tables of the flocks of one size.
struct Size<'a> {
    layers: Vec<(&'a LayerTable, &'a [u8])>,
    /// By the codes of profiles: the layer, and the class in it.
    classes: Vec<(u8, u16)>,
}

/// Opens the tables of all flocks of up to so many sheep.
pub(crate) fn open(directory: &Path, extent: Extent, most_sheep: u32) -> Result<Vec<Vec<LayerTable>>, TableError> {
    let sizes = extent.sizes().filter(|&(sheep, _)| sheep <= most_sheep);
    sizes.map(|(sheep, sums)| sums.map(|sum| LayerTable::open(directory, sheep, sum)).collect()).collect()
}

/// What is stored about a flock.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    table: &'a LayerTable,
    to_move: Side,
    codes: Codes,
    /// The flock that is stored.
    sheep: PointSet,
    mirrored: bool,
}

impl Found<'_> {
    /// The value that the code stands for, with the fox on an empty point.
    #[inline]
    fn coded(&self, fox: Point) -> Option<Value> {
        let fox = if self.mirrored { fox.mirrored() } else { fox };
        value(self.codes.get(place(self.sheep, fox)), self.to_move)
    }

    /// Whether FOX wins and whether SHEEP does, with the fox on an empty point.
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
                let fox = if self.mirrored { fox.mirrored() } else { fox };
                self.table.value(self.sheep, fox, self.to_move)
            }
            short => Ok(short),
        }
    }
}

impl<'a> Known<'a> {
    /// Makes tables ready for a side to move, every block checked.
    pub(crate) fn new(tables: &'a [Vec<LayerTable>], to_move: Side) -> Result<Known<'a>, TableError> {
        let sizes = tables.iter().map(|tables| Size::new(tables, to_move)).collect::<Result<_, _>>()?;
        Ok(Known { to_move, sizes })
    }

    /// What is stored about a flock; `None` if it is so small that FOX has won.
    #[inline]
    pub(crate) fn find(&self, sheep: PointSet) -> Option<Found<'a>> {
        let size = &self.sizes[sheep.len().checked_sub(LEAST_SHEEP)? as usize];
        let (layer, class) = size.classes[code(profile(sheep))];
        let (table, all) = size.layers[usize::from(layer)];
        let class = &table.layer().classes()[usize::from(class)];
        let place = class.place(sheep);
        let length = bytes(sheep.len());
        let at = length * (class.first() + place.number);
        let codes = Codes::read(&all[at..at + length]);
        let sheep = if place.mirrored { mirror(sheep) } else { sheep };
        Some(Found { table, to_move: self.to_move, codes, sheep, mirrored: place.mirrored })
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
