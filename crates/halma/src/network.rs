//! A neural network that sees both armies at the root of a search, and says how much more or less
//! each square is worth to a side there than the tables of the stage have it.
//!
//! The search reads its last two plies off sums over pieces (`frontier.rs`), which a network at the
//! leaves would rule out. So it runs once for each side and root: 512 inputs (own and other pieces,
//! as seen by a side that goes from the top left to the bottom right), one hidden layer of rectified
//! linear units, and an output for each square. `lab learn-network` fits it to positions some plies
//! after the root. Its weights are integers, so it says the same on every machine.

use crate::board::{BLACK, Square};
use crate::rules::Position;
use engine::{DataFile, Side};
use std::fmt;

/// The number of squares.
const SQUARES: usize = 256;
/// The number of hidden units.
pub const HIDDEN: usize = 32;
/// The number of weights, of one byte each.
pub const WEIGHTS: usize = (2 * SQUARES + 1 + SQUARES) * HIDDEN + SQUARES;
/// The binary logarithm of the weight that counts 1.
pub const SHIFT: u32 = 6;
/// The points of an output of 1.
pub const POINTS: i32 = 300;

/// The network's weights, signed bytes: those of the hidden units by input (the squares of own
/// pieces come first), the hidden units' biases, those of the squares by hidden unit, and the
/// squares' biases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Network(&'static [u8; WEIGHTS]);

#[cfg(feature = "embedded")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../data/network.bin"));
#[cfg(not(feature = "embedded"))]
const EMBEDDED: Option<&[u8]> = None;
static DATA: DataFile = DataFile::new(EMBEDDED, 0x3787_3d85_74c3_7fd9);

/// Passes in the bytes of `data/network.bin`, for a program built without them.
///
/// # Errors
/// The bytes have another checksum.
pub fn provide(bytes: Vec<u8>) -> Result<(), String> {
    DATA.provide(bytes)
}

impl Network {
    /// Returns the network that the agent plays with; `None` in a program that does not have it and
    /// to which it has not been passed.
    #[must_use]
    pub fn known() -> Option<Network> {
        DATA.get().map(|bytes| Network(bytes.try_into().expect("the length of the right bytes")))
    }

    /// Creates a network of these weights.
    #[must_use]
    pub const fn new(weights: &'static [u8; WEIGHTS]) -> Network {
        Network(weights)
    }

    /// Returns the weights between an input or a square and the hidden units.
    fn row(self, index: usize) -> [i32; HIDDEN] {
        std::array::from_fn(|unit| i32::from(self.0[index * HIDDEN + unit] as i8))
    }

    /// Adds to the worths by side and square, in points, what the network says of a position.
    pub(crate) fn add_worths(self, position: &Position, worths: &mut [[i16; SQUARES]; 2]) {
        for side in Side::BOTH {
            let seen = |square: Square| {
                if side == BLACK { square.index() } else { SQUARES - 1 - square.index() }
            };
            let mut hidden = self.row(2 * SQUARES);
            for (first, pieces) in [(0, side), (SQUARES, side.other())] {
                position.pieces(pieces).each(|square| {
                    let weights = self.row(first + seen(square));
                    hidden.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                });
            }
            let hidden = hidden.map(|sum| sum.max(0));
            for square in Square::all() {
                let weights = self.row(2 * SQUARES + 1 + seen(square));
                let sum: i32 =
                    hidden.iter().zip(weights).map(|(&unit, weight)| unit * weight).sum();
                let bias = self.0[(3 * SQUARES + 1) * HIDDEN + seen(square)] as i8;
                let scaled = (sum + (i32::from(bias) << SHIFT)) * POINTS;
                let points = (scaled + (1 << (2 * SHIFT - 1))) >> (2 * SHIFT);
                worths[side.index()][square.index()] += points as i16;
            }
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Network")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::WHITE;
    use crate::rules::Rules;

    /// The weights of one hidden unit that counts 1 for own pieces on the first square and for
    /// others on the second, and gives the third square half of it less a quarter.
    static ONE_UNIT: [u8; WEIGHTS] = {
        let mut weights = [0; WEIGHTS];
        weights[0] = 64;
        weights[(SQUARES + 1) * HIDDEN] = 64;
        weights[(2 * SQUARES + 1 + 2) * HIDDEN] = 32;
        weights[(3 * SQUARES + 1) * HIDDEN + 2] = -16_i8 as u8;
        weights
    };

    #[test]
    fn only_the_bytes_of_the_checksum_are_taken() {
        let bytes = Network::known().unwrap().0;
        provide(bytes.to_vec()).unwrap();
        assert!(provide(bytes[1..].to_vec()).unwrap_err().contains("37873d8574c37fd9"));
    }

    #[test]
    fn a_side_counts_its_own_and_the_other_s_pieces_as_it_sees_them() {
        let at = Square::new;
        let mut worths = [[0; SQUARES]; 2];
        let pieces =
            [[at(0), at(254)], [at(1), at(9)]].map(|squares| squares.into_iter().collect());
        let position = Position::new(pieces, WHITE, Rules::Base);
        Network::new(&ONE_UNIT).add_worths(&position, &mut worths);
        // Black has a piece on its first square and White one on Black's second; White's second
        // square is Black's last but one, and its first is empty.
        let mut expected = [[0; SQUARES]; 2];
        expected[0][2] = 2 * 150 - 75;
        expected[1][253] = 150 - 75;
        assert_eq!(worths, expected);
    }

    #[test]
    fn a_position_and_the_one_turned_by_180_degrees_have_the_same_worths() {
        let start = Position::initial(WHITE, Rules::Addendum);
        let mut moved = start.clone();
        for _ in 0..21 {
            let mv = engine::Game::legal_moves(&moved)[7];
            engine::Game::play(&mut moved, mv);
        }
        let turned = |side| {
            let squares = moved.pieces(side).into_iter();
            squares.map(|square| Square::new(255 - square.index() as u8)).collect()
        };
        let other = Position::new([turned(WHITE), turned(BLACK)], BLACK, Rules::Addendum);
        let [mut worths, mut turned_worths] = [[[0; SQUARES]; 2]; 2];
        let network = Network::known().unwrap();
        network.add_worths(&moved, &mut worths);
        network.add_worths(&other, &mut turned_worths);
        turned_worths.iter_mut().for_each(|table| table.reverse());
        turned_worths.reverse();
        assert_eq!(worths, turned_worths);
        assert!(worths[0] != worths[1]);
    }
}
