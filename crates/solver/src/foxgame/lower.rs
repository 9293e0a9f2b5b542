//! Values of smaller flocks, with SHEEP to move: where captures lead.

use super::extent::Extent;
use foxgame::board::{Point, PointSet};
use foxgame::endings::code::{Codes, bytes, place, value};
use foxgame::endings::index::{CODES, Layer, code, mirror, profile};
use foxgame::endings::table::LayerTable;
use foxgame::rules::{FOX, LEAST_SHEEP, SHEEP};
use std::path::Path;
use tables::TableError;

/// The finished tables of flocks of some sizes.
pub(crate) struct Lower<'a> {
    /// By the number of sheep, from [`LEAST_SHEEP`].
    sizes: Vec<Size<'a>>,
}

/// The finished tables of the flocks of one size.
struct Size<'a> {
    layers: Vec<(&'a Layer, &'a [u8])>,
    /// By the codes of profiles: the layer, and the class in it.
    classes: Vec<(u8, u16)>,
}

/// Opens the tables of all flocks of fewer sheep than this.
pub(crate) fn open(directory: &Path, sheep: u32, extent: Extent) -> Result<Vec<Vec<LayerTable>>, TableError> {
    let smaller = extent.sizes().filter(|&(size, _)| size < sheep);
    smaller.map(|(sheep, sums)| sums.map(|sum| LayerTable::open(directory, sheep, sum)).collect()).collect()
}

/// What is stored about a flock with SHEEP to move.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    codes: Codes,
    /// The flock that is stored.
    sheep: PointSet,
    mirrored: bool,
}

impl Found {
    /// Whether FOX wins and whether SHEEP does, with the fox on an empty point.
    #[inline]
    pub(crate) fn winners(&self, fox: Point) -> (bool, bool) {
        let fox = if self.mirrored { Point::new(6 - fox.x(), fox.y()).expect("a mirror image") } else { fox };
        let winner = value(self.codes.get(place(self.sheep, fox)), SHEEP).map(|value| value.winner);
        (winner == Some(FOX), winner == Some(SHEEP))
    }
}

impl<'a> Lower<'a> {
    /// Makes these tables ready, every block checked.
    pub(crate) fn new(tables: &'a [Vec<LayerTable>]) -> Result<Lower<'a>, TableError> {
        Ok(Lower { sizes: tables.iter().map(|tables| Size::new(tables)).collect::<Result<_, _>>()? })
    }

    /// What is stored about a flock; `None` if it is so small that FOX has won.
    #[inline]
    pub(crate) fn find(&self, sheep: PointSet) -> Option<Found> {
        let size = &self.sizes[sheep.len().checked_sub(LEAST_SHEEP)? as usize];
        let (layer, class) = size.classes[code(profile(sheep))];
        let (layer, all) = size.layers[usize::from(layer)];
        let class = &layer.classes()[usize::from(class)];
        let place = class.place(sheep);
        let length = bytes(sheep.len());
        let at = length * (class.first() + place.number);
        let codes = Codes::read(&all[at..at + length]);
        Some(Found { codes, sheep: if place.mirrored { mirror(sheep) } else { sheep }, mirrored: place.mirrored })
    }
}

impl<'a> Size<'a> {
    fn new(tables: &'a [LayerTable]) -> Result<Size<'a>, TableError> {
        let mut size = Size { layers: Vec::new(), classes: vec![(u8::MAX, u16::MAX); CODES] };
        for table in tables {
            for (number, class) in table.layer().classes().iter().enumerate() {
                size.classes[code(class.profile())] = (size.layers.len() as u8, number as u16);
            }
            size.layers.push((table.layer(), table.codes(SHEEP)?));
        }
        Ok(size)
    }
}
