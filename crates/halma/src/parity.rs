//! Squares by parity: jumps keep the parity of both coordinates, so the board falls into four
//! parities of 8 x 8 squares.

use crate::board::{CAMPS, SIZE, Square, Squares};

/// The number of parities.
pub(crate) const PARITIES: usize = 4;

/// A set of squares of any parity: 64 bits for each parity.
pub(crate) type ByParity = [u64; PARITIES];

/// Returns the parity of a square: bit 0 is the parity of x, bit 1 that of y.
#[inline]
pub(crate) const fn parity_of(square: Square) -> usize {
    square.index() & 1 | square.index() >> 3 & 2
}

/// Returns the set of one square within its parity. The bits of a parity are in reading order.
#[inline]
pub(crate) const fn bit_of(square: Square) -> u64 {
    1 << (square.index() >> 1 & 7 | square.index() >> 2 & 56)
}

/// Returns the square of a bit, from 0 to 63, of a parity.
#[inline]
pub(crate) const fn square_of(parity: usize, bit: u32) -> Square {
    let (column, row) = (bit as usize & 7, bit as usize >> 3);
    Square::new(((row << 1 | parity >> 1) * SIZE + (column << 1 | parity & 1)) as u8)
}

/// Adds a square to its parity.
#[inline]
pub(crate) const fn add_by_parity(parities: &mut ByParity, square: Square) {
    parities[parity_of(square)] |= bit_of(square);
}

/// Splits a set of squares into its parities.
pub(crate) const fn by_parity(squares: Squares) -> ByParity {
    let mut parities = [0; PARITIES];
    let mut index = 0;
    while index < SIZE * SIZE {
        let square = Square::new(index as u8);
        if squares.contains(square) {
            add_by_parity(&mut parities, square);
        }
        index += 1;
    }
    parities
}

/// The camps by side and parity.
pub(crate) static CAMPS_BY_PARITY: [ByParity; 2] = [by_parity(CAMPS[0]), by_parity(CAMPS[1])];

/// Returns the set of squares that a set within one parity stands for.
#[inline]
pub(crate) fn spread(parity: usize, set: u64) -> Squares {
    let shift = (parity & 1) + (parity >> 1) * SIZE;
    // Each word of a set of squares holds four rows of the board, two of which are rows of the
    // parity.
    Squares::from_words(std::array::from_fn(|word| {
        let rows = set >> (16 * word) & 0xFFFF;
        let mut bits = rows & 0xFF | (rows & 0xFF00) << 24;
        bits = (bits | bits << 4) & 0x0000_0F0F_0000_0F0F;
        bits = (bits | bits << 2) & 0x0000_3333_0000_3333;
        bits = (bits | bits << 1) & 0x0000_5555_0000_5555;
        bits << shift
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_bit_of_its_own_in_its_parity() {
        for square in Square::all() {
            let (parity, bit) = (parity_of(square), bit_of(square));
            assert_eq!(square_of(parity, bit.trailing_zeros()), square);
            assert_eq!(spread(parity, bit), Squares::one(square));
            assert_eq!(by_parity(Squares::one(square))[parity], bit);
        }
        assert_eq!(by_parity(Square::all().collect()), [u64::MAX; PARITIES]);
    }
}
