//! The outcome with best play of every position of 1 or 2 wolves with wolves to move, without any
//! table file. The outcomes of positions with sheep to move follow from their successors; distances
//! to the end are in the tables alone.
//!
//! `data/outcomes.bin` is made by `lab wolves-data --outcomes`. A block holds the
//! positions of one class of wolf sets in one layer, ordered by the rank of their sheep, 2 bits
//! each. The blocks are ordered by the number of wolves, then sheep from 3 to 15, then class.

use crate::data_file;
use crate::index::{Layer, WolfClasses};
use crate::rules::{MOST_SHEEP, Position, SHEEP, SHEEP_LOST, WOLVES};
use engine::{DataFile, Game, Outcome};
use std::sync::OnceLock;

#[cfg(feature = "embedded")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../data/outcomes.bin"));
#[cfg(not(feature = "embedded"))]
const EMBEDDED: Option<&[u8]> = None;
static DATA: DataFile = DataFile::new(EMBEDDED, 0x0b3e_943e_bcae_4ce2);

/// Passes in the bytes of `data/outcomes.bin`, for a program built without them.
///
/// # Errors
/// The bytes have another checksum.
pub fn provide(bytes: Vec<u8>) -> Result<(), String> {
    DATA.provide(bytes)
}

/// The largest number of wolves whose outcomes are stored.
pub const MOST_WOLVES: u32 = 2;
/// The number of layers for each number of wolves.
const LAYERS: u32 = MOST_SHEEP - SHEEP_LOST;

/// The two bits of an outcome in a block.
pub const fn pack(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win(WOLVES) => 1,
        Outcome::Win(SHEEP) => 2,
        Outcome::Draw | Outcome::Margin(_) => 0,
    }
}

const fn unpack(bits: u8) -> Outcome {
    match bits {
        1 => Outcome::Win(WOLVES),
        2 => Outcome::Win(SHEEP),
        _ => Outcome::Draw,
    }
}

/// The layers in the order of the data, as numbers of wolves and sheep.
pub fn layers() -> impl Iterator<Item = (u32, u32)> {
    (1..=MOST_WOLVES)
        .flat_map(|wolves| (SHEEP_LOST + 1..=MOST_SHEEP).map(move |sheep| (wolves, sheep)))
}

/// The blocks of one layer, each decompressed on first use.
struct LayerBlocks {
    layer: Layer,
    /// The compressed and the decompressed block of each class.
    classes: Vec<(&'static [u8], OnceLock<Vec<u8>>)>,
}

impl LayerBlocks {
    fn outcome(&self, position: &Position) -> Outcome {
        let combinations = self.layer.ranking.combinations();
        let number = self.layer.number(position).0;
        let (packed, unpacked) = &self.classes[number / combinations];
        let block = unpacked.get_or_init(|| data_file::unpacked(packed, combinations.div_ceil(4)));
        let rank = number % combinations;
        unpack(block[rank / 4] >> (rank % 4 * 2) & 3)
    }
}

/// The blocks of a layer, located on first use: a turn needs one to three layers of 26.
fn blocks(data: &'static [u8], wolves: u32, sheep: u32) -> &'static LayerBlocks {
    static ALL: [OnceLock<LayerBlocks>; (MOST_WOLVES * LAYERS) as usize] =
        [const { OnceLock::new() }; (MOST_WOLVES * LAYERS) as usize];
    let place = (sheep - SHEEP_LOST - 1) as usize;
    ALL[((wolves - 1) * LAYERS) as usize + place].get_or_init(|| {
        let layer = Layer::new(wolves, sheep);
        let of_wolves = |wolves: u32| LAYERS as usize * WolfClasses::new(wolves).sets().len();
        let blocks = data_file::blocks(data, (1..=MOST_WOLVES).map(of_wolves).sum());
        let count = layer.classes.sets().len();
        let first = (1..wolves).map(of_wolves).sum::<usize>() + place * count;
        let classes = blocks.skip(first).take(count).map(|block| (block, OnceLock::new()));
        LayerBlocks { classes: classes.collect(), layer }
    })
}

/// The outcome of a position with best play; `None` for 3 wolves or if the data are missing.
pub fn outcome(position: &Position) -> Option<Outcome> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome);
    }
    let (wolves, sheep) = (position.wolves().len(), position.sheep().len());
    if !(1..=MOST_WOLVES).contains(&wolves) || sheep > MOST_SHEEP {
        return None;
    }
    let data = DATA.get()?;
    let blocks = blocks(data, wolves, sheep);
    if position.side_to_move() == WOLVES {
        return Some(blocks.outcome(position));
    }
    let mut best = Outcome::Win(WOLVES);
    for mv in position.legal_moves() {
        let after = position.after(mv);
        match after.outcome().unwrap_or_else(|| blocks.outcome(&after)) {
            Outcome::Win(SHEEP) => return Some(Outcome::Win(SHEEP)),
            Outcome::Win(WOLVES) => {}
            drawn => best = drawn,
        }
    }
    Some(best)
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_have_the_checksum_that_handed_over_ones_need() {
        assert!(DATA.get().is_some_and(|data| provide(data.to_vec()).is_ok()));
    }
}
