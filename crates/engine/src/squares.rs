//! Squares of boards of at most 64, and sets of them as bit boards.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};
use std::str::FromStr;

/// A square of a board with at most 64 squares.
pub trait Square: Copy + Eq + 'static {
    /// The index, from 0 to 63.
    fn index(self) -> usize;

    /// The square with an index that [`Square::index`] returned.
    fn at(index: usize) -> Self;
}

/// Parses a square written `x,y`, with only digits on either side of the comma.
pub fn coordinates(text: &str) -> Option<(usize, usize)> {
    let number = |digits: &str| match digits.parse() {
        Ok(value) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(value),
        _ => None,
    };
    let (x, y) = text.split_once(',')?;
    Some((number(x)?, number(y)?))
}

/// Defines the points of a cross of 33 points, whose rows 2 to 4 have seven points and the others
/// three; a type of sets of them; and the mirror image of a set.
///
/// A row takes eight bits of a set, of which bit 7 is never on the board, so that shifts need no
/// border test.
#[macro_export]
macro_rules! cross_board {
    ($(#[$about:meta])* $point:ident, $(#[$about_set:meta])* $set:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $point(u8);

        $(#[$about_set])*
        pub type $set = $crate::squares::Squares<$point>;

        /// The number of points.
        pub const POINTS: usize = 33;

        /// The length of a table by the index of a point.
        pub const TABLE: usize = 56;

        const NARROW: u64 = 0b001_1100;
        const WIDE: u64 = 0b111_1111;

        /// All points.
        pub const BOARD: $set = $set::from_bits(
            NARROW
                | NARROW << 8
                | WIDE << 16
                | WIDE << 24
                | WIDE << 32
                | NARROW << 40
                | NARROW << 48,
        );

        /// The mirror image of a set, left and right exchanged.
        #[inline]
        pub const fn mirror(points: $set) -> $set {
            $set::from_bits(points.bits().reverse_bits().swap_bytes() >> 1)
        }

        impl $point {
            /// The point in column `x` and row `y`, both from 0; `None` off the board.
            #[inline]
            pub const fn new(x: usize, y: usize) -> Option<$point> {
                if x < 7 && y < 7 { $point::from_index(8 * y + x) } else { None }
            }

            /// The point with an index; `None` if the index is off the board.
            #[inline]
            pub const fn from_index(index: usize) -> Option<$point> {
                if index < TABLE && BOARD.bits() >> index & 1 != 0 {
                    Some($point(index as u8))
                } else {
                    None
                }
            }

            /// The index, `8 * y + x`, from 2 to 52.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The column, from 0 to 6.
            #[inline]
            pub const fn x(self) -> usize {
                self.index() & 7
            }

            /// The row, from 0 to 6.
            #[inline]
            pub const fn y(self) -> usize {
                self.index() >> 3
            }

            /// The mirror image, left and right exchanged.
            #[inline]
            #[must_use]
            pub const fn mirrored(self) -> $point {
                $point((8 * self.y() + 6 - self.x()) as u8)
            }
        }

        impl $crate::squares::Square for $point {
            #[inline]
            fn index(self) -> usize {
                self.index()
            }

            #[inline]
            fn at(index: usize) -> $point {
                debug_assert!($point::from_index(index).is_some());
                $point(index as u8)
            }
        }

        /// Writes `x,y`, both from 0.
        impl ::std::fmt::Display for $point {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(formatter, "{},{}", self.x(), self.y())
            }
        }

        impl ::std::fmt::Debug for $point {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, formatter)
            }
        }

        /// Parses `x,y`, both from 0. The error says what was expected and what was found.
        impl ::std::str::FromStr for $point {
            type Err = String;

            fn from_str(text: &str) -> Result<$point, String> {
                let point = $crate::squares::coordinates(text);
                point.and_then(|(x, y)| $point::new(x, y)).ok_or_else(|| {
                    let found = $crate::protocol::quote(text);
                    format!("expected a point X,Y of the board, both from 0 to 6, found {found}")
                })
            }
        }
    };
}

/// A set of squares; the bit of a square is its [`Square::index`].
pub struct Squares<S> {
    bits: u64,
    square: PhantomData<S>,
}

impl<S> Squares<S> {
    /// The empty set.
    pub const EMPTY: Squares<S> = Squares::from_bits(0);

    /// The set of these bits.
    #[inline]
    pub const fn from_bits(bits: u64) -> Squares<S> {
        Squares { bits, square: PhantomData }
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// The number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// `|`, usable in constants.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Squares<S>) -> Squares<S> {
        Squares::from_bits(self.bits | other.bits)
    }

    /// `&`, usable in constants.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Squares<S>) -> Squares<S> {
        Squares::from_bits(self.bits & other.bits)
    }

    /// `-`, usable in constants.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Squares<S>) -> Squares<S> {
        Squares::from_bits(self.bits & !other.bits)
    }

    /// Whether the sets have a square in common.
    #[inline]
    pub const fn meets(self, other: Squares<S>) -> bool {
        self.bits & other.bits != 0
    }

    /// Whether this set is a subset of the other.
    #[inline]
    pub const fn is_within(self, other: Squares<S>) -> bool {
        self.bits & !other.bits == 0
    }
}

impl<S: Square> Squares<S> {
    /// The set of this square alone.
    #[inline]
    pub fn one(square: S) -> Squares<S> {
        Squares::from_bits(1 << square.index())
    }

    /// Whether a square is in the set.
    #[inline]
    pub fn contains(self, square: S) -> bool {
        self.bits >> square.index() & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: S) {
        self.bits |= 1 << square.index();
    }

    /// Removes a square.
    #[inline]
    pub fn remove(&mut self, square: S) {
        self.bits &= !(1 << square.index());
    }

    /// The set with this square.
    #[inline]
    #[must_use]
    pub fn with(self, square: S) -> Squares<S> {
        Squares::from_bits(self.bits | 1 << square.index())
    }

    /// The set without this square.
    #[inline]
    #[must_use]
    pub fn without(self, square: S) -> Squares<S> {
        Squares::from_bits(self.bits & !(1 << square.index()))
    }

    /// The square with the lowest index; `None` for the empty set.
    #[inline]
    pub fn first(self) -> Option<S> {
        (self.bits != 0).then(|| S::at(self.bits.trailing_zeros() as usize))
    }
}

impl<S> Clone for Squares<S> {
    #[inline]
    fn clone(&self) -> Squares<S> {
        *self
    }
}

impl<S> Copy for Squares<S> {}

impl<S> Default for Squares<S> {
    fn default() -> Squares<S> {
        Squares::EMPTY
    }
}

impl<S> PartialEq for Squares<S> {
    #[inline]
    fn eq(&self, other: &Squares<S>) -> bool {
        self.bits == other.bits
    }
}

impl<S> Eq for Squares<S> {}

impl<S> Hash for Squares<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<S: Square + fmt::Debug> fmt::Debug for Squares<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(*self).finish()
    }
}

/// Formats the squares' names, separated by blanks.
impl<S: Square + fmt::Display> fmt::Display for Squares<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, square) in self.into_iter().enumerate() {
            write!(formatter, "{}{square}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Parses squares' names separated by blanks.
impl<S: Square + FromStr> FromStr for Squares<S> {
    type Err = S::Err;

    fn from_str(text: &str) -> Result<Squares<S>, S::Err> {
        text.split_whitespace().map(str::parse).collect()
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $assigning:ident $assign:ident: $result:expr;)+) => {$(
        impl<S> $operator for Squares<S> {
            type Output = Squares<S>;

            #[inline]
            fn $function(self, other: Squares<S>) -> Squares<S> {
                let result: fn(u64, u64) -> u64 = $result;
                Squares::from_bits(result(self.bits, other.bits))
            }
        }

        impl<S> $assigning for Squares<S> {
            #[inline]
            fn $assign(&mut self, other: Squares<S>) {
                *self = $operator::$function(*self, other);
            }
        }
    )+};
}

operators! {
    BitOr bitor BitOrAssign bitor_assign: |a, b| a | b;
    BitAnd bitand BitAndAssign bitand_assign: |a, b| a & b;
    BitXor bitxor BitXorAssign bitxor_assign: |a, b| a ^ b;
    Sub sub SubAssign sub_assign: |a, b| a & !b;
}

impl<S: Square> FromIterator<S> for Squares<S> {
    fn from_iter<I: IntoIterator<Item = S>>(squares: I) -> Squares<S> {
        squares.into_iter().fold(Squares::EMPTY, Squares::with)
    }
}

impl<S: Square> IntoIterator for Squares<S> {
    type Item = S;
    type IntoIter = Iter<S>;

    #[inline]
    fn into_iter(self) -> Iter<S> {
        Iter(self)
    }
}

/// An iterator over the squares of a set by ascending index.
#[derive(Clone)]
pub struct Iter<S>(Squares<S>);

impl<S: Square> Iterator for Iter<S> {
    type Item = S;

    #[inline]
    fn next(&mut self) -> Option<S> {
        let first = self.0.first()?;
        self.0.bits &= self.0.bits - 1;
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.len() as usize;
        (count, Some(count))
    }
}

impl<S: Square> ExactSizeIterator for Iter<S> {}

#[cfg(test)]
mod tests {
    #[allow(dead_code, unreachable_pub)]
    mod cross {
        crate::cross_board!(Point, Points);
    }
    use cross::{Point, Points};

    fn set(names: &str) -> Points {
        names.parse().unwrap()
    }

    #[test]
    fn sets_are_read_and_written_by_the_names_of_their_squares() {
        assert_eq!(set("4,6 2,0 0,2").to_string(), "2,0 0,2 4,6");
        assert!("2,0 x".parse::<Points>().is_err());
    }

    #[test]
    fn operators_are_those_of_sets() {
        let (a, b) = (set("2,0 3,0 4,0"), set("4,0 2,1"));
        let expected = ["2,0 3,0 4,0 2,1", "4,0", "2,0 3,0 2,1", "2,0 3,0"].map(set);
        assert_eq!([a | b, a & b, a ^ b, a - b], expected);
        assert_eq!([a.or(b), a.and(b), a.minus(b)], [a | b, a & b, a - b]);
        assert!(a.meets(b) && !a.is_within(b) && (a & b).is_within(a));
        let [first, second, last] =
            [(2, 0), (3, 0), (4, 6)].map(|(x, y)| Point::new(x, y).unwrap());
        assert_eq!((a.with(last).len(), a.without(first).first()), (4, Some(second)));
        let mut c = a;
        c.insert(last);
        c.remove(second);
        assert_eq!(c.into_iter().collect::<Vec<_>>(), [first, Point::new(4, 0).unwrap(), last]);
    }
}
