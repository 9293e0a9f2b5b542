//! The sideways steps of a class's sheep, by tables of its rows.
//!
//! Such a step goes to the next point of the row, so that the numbers of the empty points stay as
//! they are: the point that the sheep leaves has the number of the point that it takes.

use crate::one_way::Direction;
use foxgame::board::{BOARD, PointSet};
use foxgame::endings::index::{Place, ProfileClass, mirror};

/// A flock that a sideways step leads to, and, where such steps can be taken back, from which one
/// leads.
#[derive(Clone, Copy, Default)]
pub(crate) struct Neighbour {
    /// The number of the flock or of its mirror image.
    pub number: u32,
    /// The number of the point that the sheep takes, among the empty points of the stored flock.
    pub point: u8,
}

/// The neighbours of a flock.
#[derive(Default)]
pub(crate) struct Neighbours {
    pub plain: [Neighbour; 32],
    pub plain_count: usize,
    /// Neighbours whose mirror images are stored.
    pub mirrored: [Neighbour; 8],
    pub mirrored_count: usize,
    /// Other stored flocks from which a step leads to the mirror image of this one.
    pub images: [u32; 8],
    pub images_count: usize,
}

/// A step of a row's pattern.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The difference of the flocks' numbers.
    difference: i32,
    /// The pattern afterwards.
    pattern: u8,
    /// The number of the point that the sheep takes, among the empty points of the row.
    point: u8,
}

/// The steps of a row's pattern.
#[derive(Clone, Copy, Default)]
struct Steps {
    list: [Step; 6],
    count: u8,
    /// Further steps, for which mirror images have to be looked at.
    with_images: [Step; 6],
    with_images_count: u8,
    /// The number of empty points of the row.
    empty: u8,
}

/// The steps of all patterns of a class's rows.
pub(crate) struct Sideways<'a> {
    class: &'a ProfileClass,
    rows: Box<[[Steps; 128]; 7]>,
}

impl<'a> Sideways<'a> {
    /// Computes the tables of a class, of all steps or of those in a direction.
    pub(crate) fn new(class: &'a ProfileClass, direction: Option<&Direction>) -> Sideways<'a> {
        let mut rows = Box::new([[Steps::default(); 128]; 7]);
        for (row, table) in rows.iter_mut().enumerate() {
            let board = (BOARD.bits() >> (8 * row) & 0x7F) as u8;
            for pattern in 0..128u8 {
                let is_kept = pattern & !board == 0
                    && pattern.count_ones() == u32::from(class.profile()[row])
                    && class.keeps(row, pattern);
                if !is_kept {
                    continue;
                }
                let steps = &mut table[usize::from(pattern)];
                let empty = board & !pattern;
                steps.empty = empty.count_ones() as u8;
                for column in 0..7 {
                    let taken = 1u8 << column;
                    let point = (empty & (taken - 1)).count_ones() as u8;
                    for left in [taken << 1 & 0x7F, taken >> 1] {
                        if empty & taken != 0 && pattern & left != 0 {
                            let after = pattern ^ taken ^ left;
                            let [from, to] = [left, taken]
                                .map(|point| PointSet::from_bits(u64::from(point) << (8 * row)));
                            if direction.is_some_and(|direction| !direction.has(from, to)) {
                                continue;
                            }
                            if let Some(difference) = class.difference(row, pattern, after) {
                                steps.list[usize::from(steps.count)] =
                                    Step { difference, pattern: after, point };
                                steps.count += 1;
                            } else {
                                let step = Step { difference: 0, pattern: after, point };
                                steps.with_images[usize::from(steps.with_images_count)] = step;
                                steps.with_images_count += 1;
                            }
                        }
                    }
                }
            }
        }
        Sideways { class, rows }
    }

    /// Lists the neighbours of a stored flock.
    #[inline(always)]
    pub(crate) fn list(&self, number: usize, sheep: PointSet, found: &mut Neighbours) {
        let (mut count, mut first) = (0, 0);
        (found.mirrored_count, found.images_count) = (0, 0);
        let mut rest = sheep.bits();
        for table in self.rows.iter() {
            let steps = &table[(rest & 0x7F) as usize];
            for step in &steps.list[..usize::from(steps.count & 7)] {
                let number = (number as u32).wrapping_add_signed(step.difference);
                found.plain[count & 31] = Neighbour { number, point: first + step.point };
                count += 1;
            }
            for step in &steps.with_images[..usize::from(steps.with_images_count & 7)] {
                let (neighbour, mirrored) =
                    self.with_images(sheep, step, first, steps.empty, found);
                if mirrored {
                    found.mirrored[found.mirrored_count & 7] = neighbour;
                    found.mirrored_count += 1;
                } else {
                    found.plain[count & 31] = neighbour;
                    count += 1;
                }
            }
            first += steps.empty;
            rest >>= 8;
        }
        found.plain_count = count;
    }

    /// Returns the neighbour after a step of the pivot row to a pattern whose mirror image may be
    /// stored, and whether it is.
    #[inline(never)]
    fn with_images(
        &self,
        sheep: PointSet,
        step: &Step,
        first: u8,
        empty: u8,
        found: &mut Neighbours,
    ) -> (Neighbour, bool) {
        let row = 8 * self.class.pivot();
        let after =
            PointSet::from_bits(sheep.bits() & !(0x7F << row) | u64::from(step.pattern) << row);
        let Place { number, mirrored } = self.class.place(after);
        // With weight 1, the mirror image of the flock has a number of its own.
        if self.class.weight(number) == 1 {
            found.images[found.images_count & 7] = self.class.place(mirror(after)).number as u32;
            found.images_count += 1;
        }
        let point = first + if mirrored { empty - 1 - step.point } else { step.point };
        (Neighbour { number: number as u32, point }, mirrored)
    }
}
