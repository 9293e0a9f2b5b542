//! The index function of the endgame tables: a bijection between flocks, up to mirror images, and
//! numbers.
//!
//! Flocks fall into layers by the number of sheep and the sum of their rows, and each layer into
//! classes by the number of sheep in each row. A flock's number in its class is a mixed-radix
//! number of seven digits, the patterns of its rows. Of a flock and its mirror image one is stored:
//! in one row of the class, the pivot, only one pattern of each mirrored pair and the symmetric
//! patterns are kept.

pub use crate::board::mirror;
use crate::board::{BOARD, PointSet};
use crate::rules::{LEAST_SHEEP, MOST_SHEEP};

const ROWS: usize = 7;

/// The largest number of patterns of one row with the same number of sheep: 3 or 4 of 7.
const MOST_PATTERNS: usize = 35;

/// The points of a row, one bit a column.
const fn places(row: usize) -> u8 {
    (BOARD.bits() >> (8 * row)) as u8
}

const fn reversed(pattern: u8) -> u8 {
    pattern.reverse_bits() >> 1
}

/// The patterns of a row with the same number of sheep, in this order: those smaller than their
/// mirror images, the symmetric ones, and the mirror images of the first group.
#[derive(Clone, Copy)]
struct Patterns {
    list: [u8; MOST_PATTERNS],
    count: u8,
    /// The number of pairs of a pattern and a different mirror image.
    pairs: u8,
}

impl Patterns {
    /// The number of patterns that the pivot row keeps, the first ones of the list.
    const fn kept(&self) -> u8 {
        self.count - self.pairs
    }
}

/// The patterns by row and number of sheep.
static PATTERNS: [[Patterns; 8]; ROWS] = {
    let mut all = [[Patterns { list: [0; MOST_PATTERNS], count: 0, pairs: 0 }; 8]; ROWS];
    let mut row = 0;
    while row < ROWS {
        let mut sheep = 0;
        while sheep < 8 {
            let found = &mut all[row][sheep];
            let mut kind = 0;
            while kind < 3 {
                let mut pattern: u8 = 0;
                while pattern < 128 {
                    let mirrored = reversed(pattern);
                    let belongs = if kind == 1 { pattern == mirrored } else { pattern < mirrored };
                    if belongs
                        && pattern & !places(row) == 0
                        && pattern.count_ones() as usize == sheep
                    {
                        found.list[found.count as usize] =
                            if kind == 2 { mirrored } else { pattern };
                        found.count += 1;
                        found.pairs += (kind == 0) as u8;
                    }
                    pattern += 1;
                }
                kind += 1;
            }
            sheep += 1;
        }
        row += 1;
    }
    all
};

/// The rank of each pattern in its list of [`PATTERNS`], by row.
static RANKS: [[u8; 128]; ROWS] = {
    let mut ranks = [[0; 128]; ROWS];
    let mut row = 0;
    while row < ROWS {
        let mut sheep = 0;
        while sheep < 8 {
            let mut rank = 0;
            while rank < PATTERNS[row][sheep].count {
                ranks[row][PATTERNS[row][sheep].list[rank as usize] as usize] = rank;
                rank += 1;
            }
            sheep += 1;
        }
        row += 1;
    }
    ranks
};

/// The number of sheep in each row.
pub type Profile = [u8; ROWS];

/// The profile of a flock.
#[inline]
pub fn profile(sheep: PointSet) -> Profile {
    std::array::from_fn(|row| (sheep.bits() >> (8 * row) & 0x7F).count_ones() as u8)
}

/// The upper bound of [`code`]: all codes are smaller.
pub const CODES: usize = 1 << 17;

/// The profile packed into an integer, in the order of the profiles.
#[inline]
pub fn code(profile: Profile) -> usize {
    profile.iter().enumerate().fold(0, |code, (row, &sheep)| {
        let bits = if places(row) == 127 { 3 } else { 2 };
        code << bits | usize::from(sheep)
    })
}

/// The place of a flock in its layer or its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the flock, or of its mirror image.
    pub number: usize,
    /// Whether the number belongs to the mirror image.
    pub mirrored: bool,
}

/// A class: the flocks of one profile.
#[derive(Clone, Debug)]
pub struct ProfileClass {
    profile: Profile,
    strides: [u32; ROWS],
    pivot: u8,
    kept: u8,
    first: u32,
    flocks: u32,
}

impl ProfileClass {
    fn new(profile: Profile, first: u32) -> ProfileClass {
        let patterns = |row: usize| &PATTERNS[row][usize::from(profile[row])];
        // The pivot keeps the smallest share of its patterns, here in units of 1/1,260.
        let part =
            |row: usize| 1260 * u32::from(patterns(row).kept()) / u32::from(patterns(row).count);
        let pivot = (0..ROWS).min_by_key(|&row| part(row)).unwrap_or_default();
        let kept = patterns(pivot).kept();
        let mut strides = [0; ROWS];
        let mut flocks = 1;
        for row in (0..ROWS).rev() {
            strides[row] = flocks;
            flocks *= u32::from(if row == pivot { kept } else { patterns(row).count });
        }
        ProfileClass { profile, strides, pivot: pivot as u8, kept, first, flocks }
    }

    /// The number of sheep in each row.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The number in the layer of the class's first flock.
    pub fn first(&self) -> usize {
        self.first as usize
    }

    /// The number of stored flocks.
    pub fn len(&self) -> usize {
        self.flocks as usize
    }

    /// Whether the class has no flock; always false for a class of a layer.
    pub fn is_empty(&self) -> bool {
        self.flocks == 0
    }

    /// The place of a flock of this class. Numbers count from 0 in the class.
    #[inline]
    pub fn place(&self, sheep: PointSet) -> Place {
        let pivot = usize::from(self.pivot);
        let pattern = (sheep.bits() >> (8 * pivot) & 0x7F) as usize;
        let mirrored = RANKS[pivot][pattern] >= self.kept;
        let bits = if mirrored { mirror(sheep) } else { sheep }.bits();
        let mut number = 0;
        for row in 0..ROWS {
            number +=
                u32::from(RANKS[row][(bits >> (8 * row) & 0x7F) as usize]) * self.strides[row];
        }
        Place { number: number as usize, mirrored }
    }

    /// The number of flocks that share one number, 1 or 2.
    #[inline]
    pub fn weight(&self, number: usize) -> u32 {
        let pivot = usize::from(self.pivot);
        // The kept patterns that come before the symmetric ones.
        let pairs = PATTERNS[pivot][usize::from(self.profile[pivot])].pairs;
        1 + u32::from(number as u32 / self.strides[pivot] % u32::from(self.kept) < u32::from(pairs))
    }

    /// The row of whose patterns not all are kept.
    #[must_use]
    pub fn pivot(&self) -> usize {
        usize::from(self.pivot)
    }

    /// Whether stored flocks have this pattern of a row, one bit a column.
    #[must_use]
    pub fn keeps(&self, row: usize, pattern: u8) -> bool {
        row != usize::from(self.pivot) || RANKS[row][usize::from(pattern)] < self.kept
    }

    /// The difference of the numbers of two flocks that differ in the pattern of one row; `None` if
    /// of the second the mirror image is stored, or both images are, but of the first only one.
    #[must_use]
    pub fn difference(&self, row: usize, before: u8, after: u8) -> Option<i32> {
        let [before, after] = [before, after].map(|pattern| RANKS[row][usize::from(pattern)]);
        let pairs = PATTERNS[row][usize::from(self.profile[row])].pairs;
        let is_plain = row != usize::from(self.pivot)
            || after < self.kept && (after < pairs || before >= pairs);
        is_plain.then(|| (i32::from(after) - i32::from(before)) * self.strides[row] as i32)
    }

    /// The number of flocks, mirror images included.
    pub fn placements(&self) -> u64 {
        let count = |row: usize| u64::from(PATTERNS[row][usize::from(self.profile[row])].count);
        (0..ROWS).map(count).product()
    }

    /// The flock with a number, counted from 0 in the class.
    #[inline]
    pub fn sheep(&self, number: usize) -> PointSet {
        let mut rest = number as u32;
        let mut bits = 0;
        for row in 0..ROWS {
            let rank = rest / self.strides[row];
            rest %= self.strides[row];
            bits |= u64::from(PATTERNS[row][usize::from(self.profile[row])].list[rank as usize])
                << (8 * row);
        }
        PointSet::from_bits(bits)
    }
}

/// A layer: the flocks with the same number of sheep and the same sum of rows.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The number of sheep.
    pub sheep: u32,
    /// The sum of the sheep's rows.
    pub sum: u32,
    classes: Vec<ProfileClass>,
    flocks: usize,
}

impl Layer {
    /// The layer for a number of sheep and a sum of rows; empty if there are no such flocks.
    pub fn new(sheep: u32, sum: u32) -> Layer {
        let (mut classes, mut flocks) = (Vec::new(), 0);
        each_profile(0, sheep, sum, [0; ROWS], &mut |profile| {
            let class = ProfileClass::new(profile, flocks);
            flocks += class.flocks;
            classes.push(class);
        });
        Layer { sheep, sum, classes, flocks: flocks as usize }
    }

    /// The classes, in the order of their profiles.
    pub fn classes(&self) -> &[ProfileClass] {
        &self.classes
    }

    /// The number of stored flocks.
    pub fn len(&self) -> usize {
        self.flocks
    }

    /// Whether the layer has no flock.
    pub fn is_empty(&self) -> bool {
        self.flocks == 0
    }

    /// The place of a flock of this layer.
    pub fn place(&self, sheep: PointSet) -> Place {
        let flock_code = code(profile(sheep));
        let at = self.classes.partition_point(|class| code(class.profile) < flock_code);
        let place = self.classes[at].place(sheep);
        Place { number: self.classes[at].first() + place.number, ..place }
    }

    /// The flock with a number.
    pub fn sheep(&self, number: usize) -> PointSet {
        let class =
            &self.classes[self.classes.partition_point(|class| class.first() <= number) - 1];
        class.sheep(number - class.first())
    }
}

/// One more than the largest possible sum of rows, that of 20 sheep.
const SUMS: u32 = 90;

/// The number of [`layer_number`]s.
pub const LAYER_NUMBERS: usize = ((MOST_SHEEP + 1 - LEAST_SHEEP) * SUMS) as usize;

/// A number of its own for each layer of 9 to 20 sheep; `None` for other numbers of sheep.
pub fn layer_number(sheep: u32, sum: u32) -> Option<usize> {
    (LEAST_SHEEP..=MOST_SHEEP)
        .contains(&sheep)
        .then(|| ((sheep - LEAST_SHEEP) * SUMS + sum) as usize)
}

/// The range of the sums of rows that `sheep` sheep can have.
pub fn sums(sheep: u32) -> std::ops::RangeInclusive<u32> {
    let rows: Vec<u32> = BOARD.into_iter().map(|point| point.y() as u32).collect();
    let sheep = sheep as usize;
    rows[..sheep].iter().sum()..=rows[rows.len() - sheep..].iter().sum()
}

/// Calls `visit`, in order, with every profile that continues `prefix` from a row on with `sheep`
/// more sheep, whose rows add up to `sum`.
fn each_profile(
    row: usize,
    sheep: u32,
    sum: u32,
    mut prefix: Profile,
    visit: &mut impl FnMut(Profile),
) {
    if row == ROWS {
        if sheep == 0 && sum == 0 {
            visit(prefix);
        }
        return;
    }
    for here in 0..=sheep.min(places(row).count_ones()) {
        let rows = here * row as u32;
        if rows <= sum {
            prefix[row] = here as u8;
            each_profile(row + 1, sheep - here, sum - rows, prefix, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_hold_every_flock_or_its_mirror_image_under_one_number() {
        for sheep in [1, 2, 3, 4] {
            let layers: Vec<Layer> = sums(sheep).map(|sum| Layer::new(sheep, sum)).collect();
            let mut numbers: Vec<Vec<u32>> =
                layers.iter().map(|layer| vec![0; layer.len()]).collect();
            for bits in subsets(sheep) {
                let flock = PointSet::from_bits(bits);
                let index = (crate::rules::sum_of_rows(flock) - layers[0].sum) as usize;
                let place = layers[index].place(flock);
                let stored = layers[index].sheep(place.number);
                assert_eq!(if place.mirrored { mirror(stored) } else { stored }, flock);
                numbers[index][place.number] += 1;
            }
            assert!(numbers.iter().flatten().all(|&flocks| flocks == 1 || flocks == 2));
        }
    }

    fn subsets(sheep: u32) -> Vec<u64> {
        let points: Vec<u64> = BOARD.into_iter().map(|point| 1 << point.index()).collect();
        (0..sheep).fold(vec![0], |prefix, _| {
            prefix
                .iter()
                .flat_map(|&set: &u64| {
                    points.iter().filter(move |&&point| point > set).map(move |point| set | point)
                })
                .collect()
        })
    }

    #[test]
    fn nine_sheep_have_37_layers_from_the_pen_down() {
        assert_eq!(sums(9), 9..=45);
        let flocks: usize = sums(9).map(|sum| Layer::new(9, sum).len()).sum();
        // C(33, 9) = 38,567,100. Symmetric pivot rows make it a little more than half.
        assert!((19_283_550..22_000_000).contains(&flocks), "{flocks}");
    }

    #[test]
    fn layer_numbers_have_room_for_every_sum() {
        assert!((LEAST_SHEEP..=MOST_SHEEP).all(|sheep| *sums(sheep).end() < SUMS));
    }
}
