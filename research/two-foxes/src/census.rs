//! The census: placements, bytes and hours, known or estimated before anything is solved.

use super::class::landed_words;
use super::extent::Extent;
use crate::pairs::words;
use foxgame::board::POINTS;
use foxgame::endings::index::Layer;
use std::fmt;

/// The time of a thread for a flock, in nanoseconds, with won sets alone and with held sets too:
/// measured with 9, 10 and 19 sheep.
const NANOSECONDS: [f64; 2] = [1_200.0, 3_000.0];

/// The share that is left of values when they are compressed: measured with 19 sheep.
const PACKED: f64 = 0.35;

/// The figures of all flocks of one size.
struct Size {
    sheep: u32,
    placements: u64,
    stored: u64,
    /// The number of sets of one or two foxes.
    sets: u64,
    /// The estimated nanoseconds of a thread for a flock.
    nanoseconds: f64,
    /// The number of flocks of the largest layer and of the largest class.
    largest: [u64; 2],
    /// The bytes of values in memory, with FOX to move and of foxes that have landed, for each
    /// flock.
    bytes: [u64; 2],
}

/// The figures of all layers.
pub(crate) struct Census {
    threads: usize,
    sizes: Vec<Size>,
}

impl Census {
    /// Counts the layers, for won sets alone (1) or with held sets too (2).
    pub(crate) fn new(extent: Extent, kinds: usize, threads: usize) -> Census {
        let sizes = extent.sheep().map(|sheep| Size::new(extent, kinds, sheep)).collect();
        Census { threads, sizes }
    }

    /// Returns the bytes of memory that the threads work in, besides the classes of finished
    /// layers.
    pub(crate) fn working_memory(&self) -> usize {
        let class = |size: &Size| {
            size.largest[1] * (7 * size.bytes[0] + 2 * size.bytes[1]) * self.threads as u64
        };
        // The compressed classes of a layer, and the bytes of its file made of them.
        let layer =
            |size: &Size| 2.0 * PACKED * (size.largest[0] * (size.bytes[0] + size.bytes[1])) as f64;
        self.sizes.iter().map(|size| class(size) + layer(size) as u64).max().unwrap_or_default()
            as usize
    }
}

impl Size {
    fn new(extent: Extent, kinds: usize, sheep: u32) -> Size {
        let points = POINTS - sheep as usize;
        let landed = if sheep < extent.most { landed_words(points) } else { 0 };
        let bytes = [words(points), landed].map(|words| (kinds * 8 * words) as u64);
        let sets = (points * (points + 1) / 2) as u64;
        let nanoseconds = NANOSECONDS[kinds - 1];
        let mut size =
            Size { sheep, placements: 0, stored: 0, sets, nanoseconds, largest: [0; 2], bytes };
        for layer in extent.sums(sheep).map(|sum| Layer::new(sheep, sum)) {
            size.stored += layer.len() as u64;
            size.largest[0] = size.largest[0].max(layer.len() as u64);
            for class in layer.classes() {
                size.largest[1] = size.largest[1].max(class.len() as u64);
                size.placements += class.placements();
            }
        }
        size
    }

    /// Returns the estimated bytes of the files.
    fn disk(&self) -> f64 {
        self.stored as f64 * (self.bytes[0] + self.bytes[1]) as f64 * PACKED
    }

    /// Returns the estimated hours of one thread.
    fn hours(&self) -> f64 {
        self.stored as f64 * self.nanoseconds / 3.6e12
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "sheep  placements  stored  sets of foxes  largest layer  GB of values  GB of files  hours"
        )?;
        let (mut hours, mut disk) = (0.0, 0.0f64);
        for (at, size) in self.sizes.iter().enumerate() {
            let own = size.hours() / self.threads as f64;
            hours += own;
            // The values of the next smaller flocks are there as well.
            disk = disk.max(
                size.disk() + at.checked_sub(1).map_or(0.0, |before| self.sizes[before].disk()),
            );
            let values = size.stored as f64 * (size.bytes[0] + size.bytes[1]) as f64 / 1e9;
            let Size { sheep, placements, stored, sets, largest, .. } = size;
            let files = size.disk() / 1e9;
            writeln!(
                f,
                "{sheep}  {placements}  {stored}  {sets}  {}  {values:.1}  {files:.1}  {own:.2}",
                largest[0]
            )?;
        }
        let working = self.working_memory() as f64 / f64::from(1 << 30);
        writeln!(
            f,
            "{} threads: about {hours:.1} hours, files of {:.1} GB at most at one time,",
            self.threads,
            disk / 1e9
        )?;
        writeln!(
            f,
            "{working:.2} GiB of memory besides the classes of finished layers, which take what --memory-gib leaves"
        )
    }
}
