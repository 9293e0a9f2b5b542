//! Which tables are asked for.

use foxgame::endings::index::{Layer, sums};
use foxgame::rules::LEAST_SHEEP;
use std::ops::RangeInclusive;

/// The tables to make: those of up to so many sheep, and perhaps only the most advanced flocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The most sheep.
    pub sheep: u32,
    /// The number of layers of flocks of that size, if not all; of smaller flocks then those that captures lead to.
    pub most_advanced: Option<u32>,
}

impl Extent {
    /// The sizes of flocks, with the sums of rows of their layers, in the order in which they are solved.
    pub(crate) fn sizes(self) -> impl Iterator<Item = (u32, RangeInclusive<u32>)> {
        let least = *sums(self.sheep).start();
        // A capture takes a sheep from any row, the first included, whose number is 0.
        let last = self.most_advanced.map_or(u32::MAX, |layers| least.saturating_add(layers - 1));
        (LEAST_SHEEP..=self.sheep).map(move |sheep| {
            let all = sums(sheep);
            (sheep, *all.start()..=last.min(*all.end()))
        })
    }
    /// The layers, in the order in which they are solved.
    pub(crate) fn layers(self) -> impl Iterator<Item = Layer> {
        self.sizes().flat_map(|(sheep, sums)| sums.map(move |sum| Layer::new(sheep, sum)))
    }
}
