//! The set of tables to make.

use foxgame::endings::index::{Layer, sums};
use foxgame::rules::LEAST_SHEEP;
use std::ops::RangeInclusive;

/// The tables to make: those of flocks up to a size, or only the most advanced of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub sheep: u32,
    /// The number of layers of that size, if not all; of smaller flocks, captures lead to the rest.
    pub most_advanced: Option<u32>,
}

impl Extent {
    /// The sizes of flocks with the sums of rows of their layers, in the order of the solution.
    pub(crate) fn sizes(self) -> impl Iterator<Item = (u32, RangeInclusive<u32>)> {
        let least = *sums(self.sheep).start();
        // A capture may take a sheep of row 0, which leaves the sum of rows as it is.
        let last = self.most_advanced.map_or(u32::MAX, |layers| least.saturating_add(layers - 1));
        (LEAST_SHEEP..=self.sheep).map(move |sheep| {
            let all = sums(sheep);
            (sheep, *all.start()..=last.min(*all.end()))
        })
    }

    /// The layers in the order of the solution.
    pub(crate) fn layers(self) -> impl Iterator<Item = Layer> {
        self.sizes().flat_map(|(sheep, sums)| sums.map(move |sum| Layer::new(sheep, sum)))
    }
}
