//! The layers to solve, and the limits of a run.

use super::parts::Part;
use foxgame::endings::index::sums;
use std::ops::RangeInclusive;

/// The layers to solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The fewest sheep; fewer count as a win of FOX.
    pub floor: u32,
    /// The most sheep.
    pub most: u32,
    /// The number of layers of flocks of that size, if not all of them, and of smaller flocks the
    /// layers up to the same sum of rows.
    pub most_advanced: Option<u32>,
}

impl Extent {
    /// Returns the numbers of sheep, in the order in which they are solved.
    pub(crate) fn sheep(self) -> RangeInclusive<u32> {
        self.floor..=self.most
    }

    /// Returns the sums of rows of the layers of so many sheep, in the order in which they are
    /// solved.
    pub(crate) fn sums(self, sheep: u32) -> RangeInclusive<u32> {
        let least = *sums(self.most).start();
        let last = self.most_advanced.map_or(u32::MAX, |layers| least.saturating_add(layers - 1));
        *sums(sheep).start()..=last.min(*sums(sheep).end())
    }
}

/// The limits and ways of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The number of threads.
    pub threads: usize,
    /// Bytes of files.
    pub disk: u64,
    /// Whether files stay that the next layers do not need.
    pub keep: bool,
    /// Whether loops take the place of the processor's instructions.
    pub portable: bool,
    /// The part of every layer that is solved, if not all of it.
    pub part: Option<Part>,
}
