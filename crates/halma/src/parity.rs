//! Squares by parity: jumps keep the parity of both coordinates, so the board falls into four
//! classes of 8 x 8 squares.

use crate::board::{CAMPS, SIZE, Square, Squares};

/// The number of classes.
pub(crate) const CLASSES: usize = 4;

/// A set of squares of any class: 64 bits for each class.
pub(crate) type ByClass = [u64; CLASSES];

/// Returns the class of a square: bit 0 is the parity of x, bit 1 that of y.
#[inline]
pub(crate) const fn class_of(square: Square) -> usize {
    square.index() & 1 | square.index() >> 3 & 2
}

/// Returns the set of one square within its class. The bits of a class are in reading order.
#[inline]
pub(crate) const fn bit_of(square: Square) -> u64 {
    1 << (square.index() >> 1 & 7 | square.index() >> 2 & 56)
}

/// Returns the square of a bit, from 0 to 63, of a class.
#[inline]
pub(crate) const fn square_of(class: usize, bit: u32) -> Square {
    let (column, row) = (bit as usize & 7, bit as usize >> 3);
    Square::new(((row << 1 | class >> 1) * SIZE + (column << 1 | class & 1)) as u8)
}

/// Adds a square to its class.
#[inline]
pub(crate) const fn add_to_classes(classes: &mut ByClass, square: Square) {
    classes[class_of(square)] |= bit_of(square);
}

/// Splits a set of squares into its classes.
pub(crate) const fn by_class(squares: Squares) -> ByClass {
    let mut classes = [0; CLASSES];
    let mut index = 0;
    while index < SIZE * SIZE {
        let square = Square::new(index as u8);
        if squares.contains(square) {
            add_to_classes(&mut classes, square);
        }
        index += 1;
    }
    classes
}

/// The camps by side and class.
pub(crate) static CAMPS_BY_CLASS: [ByClass; 2] = [by_class(CAMPS[0]), by_class(CAMPS[1])];

/// Returns the set of squares that a set within one class stands for.
#[inline]
pub(crate) fn spread(class: usize, set: u64) -> Squares {
    let shift = (class & 1) + (class >> 1) * SIZE;
    // Each word of a set of squares holds four rows of the board, two of which are rows of the
    // class.
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
    fn every_square_has_a_bit_of_its_own_in_its_class() {
        for square in Square::all() {
            let (class, bit) = (class_of(square), bit_of(square));
            assert_eq!(square_of(class, bit.trailing_zeros()), square);
            assert_eq!(spread(class, bit), Squares::one(square));
            assert_eq!(by_class(Squares::one(square))[class], bit);
        }
        assert_eq!(by_class(Square::all().collect()), [u64::MAX; CLASSES]);
    }
}
