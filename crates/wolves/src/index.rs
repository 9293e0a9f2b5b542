//! The numbering of positions in tables.
//!
//! A layer holds all positions with one number of wolves and one of sheep. A symmetry maps the
//! wolves to the representative of their class: the wolf sets that symmetries map to each other.
//! The index is `class * combinations + rank`, where the rank is that of the sheep among the
//! squares that the representative's wolves leave free. Classes whose representative has symmetries
//! of its own are not reduced further, so some positions are stored more than once.

use crate::board::{SQUARES, SYMMETRIES, Squares, image, inverse};
use crate::rules::Position;
use engine::Side;

/// The squares in the lower half of a ranking; the upper half has the remaining free squares.
const HALF: u32 = 12;
const FILLINGS: usize = 1 << HALF;
const CHOOSE_ROWS: usize = 26;

/// Binomial coefficients.
static CHOOSE: [[u32; CHOOSE_ROWS]; CHOOSE_ROWS] = {
    let mut table = [[0; CHOOSE_ROWS]; CHOOSE_ROWS];
    let mut n = 0;
    while n < CHOOSE_ROWS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The binomial coefficient `n` over `k`, for `n` up to 25.
pub const fn choose(n: u32, k: u32) -> u32 {
    CHOOSE[n as usize][k as usize]
}

/// The colexicographic rank of each subset of a half among the subsets with as many squares.
static RANK: [u16; FILLINGS] = {
    let mut table = [0; FILLINGS];
    let mut seen = [0; HALF as usize + 1];
    let mut filling = 0usize;
    while filling < FILLINGS {
        let count = filling.count_ones() as usize;
        table[filling] = seen[count];
        seen[count] += 1;
        filling += 1;
    }
    table
};

/// The class of a wolf set, and the symmetry to the class's representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The number of the class.
    pub class: u16,
    /// The symmetry that maps the wolf set to the representative.
    pub symmetry: u8,
}

/// The classes of all wolf sets of one size.
#[derive(Clone, Debug)]
pub struct WolfClasses {
    /// The representative of each class.
    sets: Vec<Squares>,
    /// The class and symmetry of each wolf set, by its rank.
    placements: Vec<Placement>,
}

/// The colexicographic rank of a set among those of its size.
#[inline]
fn rank_of(set: Squares) -> usize {
    set.into_iter().zip(1..).map(|(square, nth)| choose(square.index() as u32, nth) as usize).sum()
}

impl WolfClasses {
    /// Computes the classes for 1 to 3 wolves.
    pub fn new(wolves: u32) -> WolfClasses {
        const NOWHERE: Placement = Placement { class: u16::MAX, symmetry: 0 };
        let mut sets = Vec::new();
        let mut placements = vec![NOWHERE; choose(SQUARES as u32, wolves) as usize];
        let mut bits: u64 = (1 << wolves) - 1;
        while bits < 1 << SQUARES {
            let set = Squares::from_bits(bits);
            if placements[rank_of(set)] == NOWHERE {
                for symmetry in (0..SYMMETRIES).rev() {
                    let (class, back) = (sets.len() as u16, inverse(symmetry) as u8);
                    placements[rank_of(image(set, symmetry))] = Placement { class, symmetry: back };
                }
                sets.push(set);
            }
            // The next larger number with as many bits (Gosper's hack).
            let low = bits & bits.wrapping_neg();
            let ripple = bits + low;
            bits = ripple | (((bits ^ ripple) >> 2) / low);
        }
        WolfClasses { sets, placements }
    }

    /// The representative of each class.
    pub fn sets(&self) -> &[Squares] {
        &self.sets
    }

    /// The class of a wolf set and the symmetry that maps it to the representative: the identity
    /// for the representative.
    #[inline]
    pub fn place(&self, wolves: Squares) -> Placement {
        self.placements[rank_of(wolves)]
    }
}

/// A set of sheep as bits without gaps: bit `n` is the `n`-th of the squares that wolves leave
/// free.
pub type Dense = u32;

/// Compresses a set of sheep to the squares that wolves leave free.
#[inline]
pub fn without_gaps(sheep: Squares, wolves: Squares) -> Dense {
    let mut dense = sheep.bits() as Dense;
    let mut gaps = wolves.bits() as Dense;
    while gaps != 0 {
        // The highest gap is removed first, so that lower gaps keep their positions.
        let gap = 31 - gaps.leading_zeros();
        let below = (1 << gap) - 1;
        dense = dense & below | dense >> 1 & !below;
        gaps &= below;
    }
    dense
}

/// The inverse of [`without_gaps`].
#[inline]
pub fn with_gaps(dense: Dense, wolves: Squares) -> Squares {
    let mut bits = dense;
    for gap in wolves {
        let below = (1 << gap.index()) - 1;
        bits = bits & below | (bits & !below) << 1;
    }
    Squares::from_bits(bits.into())
}

/// The ranking of all sets with one number of sheep among the squares that wolves leave free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranking {
    sheep: u32,
    upper: u32,
    combinations: u32,
    /// The first rank and the combinations of the upper half, by the sheep in the lower half.
    parts: [(u32, u32); HALF as usize + 1],
}

impl Ranking {
    /// The ranking of `sheep` sheep beside `wolves` wolves.
    pub fn new(wolves: u32, sheep: u32) -> Ranking {
        let upper = SQUARES as u32 - wolves - HALF;
        let mut parts = [(0, 0); HALF as usize + 1];
        let mut combinations = 0;
        for (below, part) in (0..=HALF).zip(&mut parts) {
            let above = sheep.checked_sub(below).map_or(0, |above| choose(upper, above));
            *part = (combinations, above);
            combinations += choose(HALF, below) * above;
        }
        Ranking { sheep, upper, combinations, parts }
    }

    /// The number of sets.
    pub fn combinations(&self) -> usize {
        self.combinations as usize
    }

    /// The rank of a set without gaps.
    #[inline]
    pub fn rank(&self, dense: Dense) -> usize {
        let [below, above] = [dense, dense >> HALF].map(|half| half as usize & (FILLINGS - 1));
        let (first, width) = self.parts[below.count_ones() as usize];
        (first + u32::from(RANK[below]) * width + u32::from(RANK[above])) as usize
    }

    /// All sets without gaps in the order of their ranks.
    pub fn sets(&self) -> Vec<Dense> {
        let fillings = |squares: u32, count: u32| {
            (0..1 << squares).filter(move |set: &Dense| set.count_ones() == count)
        };
        let mut sets = Vec::with_capacity(self.combinations());
        for below in 0..=HALF.min(self.sheep) {
            for low in fillings(HALF, below) {
                let high = fillings(self.upper, self.sheep - below);
                sets.extend(high.map(|high| high << HALF | low));
            }
        }
        sets
    }
}

/// The numbering of all positions of one layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The classes of wolf sets.
    pub classes: WolfClasses,
    /// The ranking of the sheep on free squares.
    pub ranking: Ranking,
}

impl Layer {
    /// The numbering for `wolves` wolves (1 to 3) and `sheep` sheep (up to 15).
    pub fn new(wolves: u32, sheep: u32) -> Layer {
        Layer { classes: WolfClasses::new(wolves), ranking: Ranking::new(wolves, sheep) }
    }

    /// The number of positions that are stored for each side to move.
    pub fn positions(&self) -> usize {
        self.classes.sets().len() * self.ranking.combinations()
    }

    /// The number of a position of the layer, and the symmetry that maps it to the stored position.
    #[inline]
    pub fn number(&self, position: &Position) -> (usize, usize) {
        debug_assert_eq!(position.sheep().len(), self.ranking.sheep);
        let placement = self.classes.place(position.wolves());
        let symmetry = usize::from(placement.symmetry);
        let wolves = self.classes.sets()[usize::from(placement.class)];
        let dense = without_gaps(image(position.sheep(), symmetry), wolves);
        let first = usize::from(placement.class) * self.ranking.combinations();
        (first + self.ranking.rank(dense), symmetry)
    }

    /// The stored position with a number; `sets` are those of [`Ranking::sets`].
    pub fn position(&self, number: usize, sets: &[Dense], side: Side) -> Position {
        let wolves = self.classes.sets()[number / sets.len()];
        Position::new(wolves, with_gaps(sets[number % sets.len()], wolves), side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ALL, IDENTITY};
    use crate::rules::{SHEEP, WOLVES};

    #[test]
    fn layers_have_the_rules_page_s_sizes() {
        let sizes =
            [86_779, 433_895, 1_648_801, 4_946_403, 12_012_693, 24_025_386, 40_042_310, 56_059_234];
        for (sheep, size) in (3..).zip(sizes) {
            assert_eq!(Layer::new(2, sheep).positions(), size);
        }
    }

    #[test]
    fn every_number_has_one_position_and_every_position_a_number() {
        for (wolves, sheep) in [(1, 3), (2, 3), (2, 4), (3, 4)] {
            let layer = Layer::new(wolves, sheep);
            let sets = layer.ranking.sets();
            assert_eq!(sets.len(), layer.ranking.combinations());
            for number in 0..layer.positions() {
                let position = layer.position(number, &sets, WOLVES);
                assert_eq!(layer.number(&position), (number, IDENTITY));
                assert_eq!(position.sheep().len(), sheep);
                assert!(!position.wolves().meets(position.sheep()));
            }
        }
    }

    #[test]
    fn a_turned_position_s_number_is_that_of_an_equal_one() {
        let layer = Layer::new(3, 6);
        let sets = layer.ranking.sets();
        for number in (0..layer.positions()).step_by(99_991) {
            let position = layer.position(number, &sets, SHEEP);
            for symmetry in 0..SYMMETRIES {
                let turned = position.image(symmetry);
                let (found, way) = layer.number(&turned);
                assert_eq!(layer.position(found, &sets, SHEEP), turned.image(way));
            }
        }
    }

    #[test]
    fn gaps_come_and_go() {
        for wolves in [1 << 24, 0b11, 0b1_00000_00010_00001].map(Squares::from_bits) {
            for set in [Squares::EMPTY, ALL - wolves, Squares::from_bits(0x0AA_AAAA) - wolves] {
                assert_eq!(with_gaps(without_gaps(set, wolves), wolves), set);
            }
            assert_eq!(without_gaps(ALL - wolves, wolves).count_ones(), 25 - wolves.len());
        }
    }
}
