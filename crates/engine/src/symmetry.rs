//! Symmetries of boards: rotations and reflections that the rules of a game do not tell apart.

use crate::drawing::Place;

/// What a symmetry does to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Nothing: the identity.
    None,
    /// Left and right are exchanged.
    LeftRight,
    /// Top and bottom are exchanged.
    UpDown,
    /// Half a turn.
    HalfTurn,
    /// Rows become columns.
    Transpose,
    /// A quarter of a turn to the right.
    QuarterTurnRight,
    /// A quarter of a turn to the left.
    QuarterTurnLeft,
    /// Rows become columns, along the other diagonal.
    TransposeAcross,
}

impl Symmetry {
    /// All symmetries of a square, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::None,
        Symmetry::LeftRight,
        Symmetry::UpDown,
        Symmetry::HalfTurn,
        Symmetry::Transpose,
        Symmetry::QuarterTurnRight,
        Symmetry::QuarterTurnLeft,
        Symmetry::TransposeAcross,
    ];

    /// The name, such as `left-right`.
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::LeftRight => "left-right",
            Symmetry::UpDown => "up-down",
            Symmetry::HalfTurn => "half turn",
            Symmetry::Transpose => "transpose",
            Symmetry::QuarterTurnRight => "quarter turn right",
            Symmetry::QuarterTurnLeft => "quarter turn left",
            Symmetry::TransposeAcross => "transpose across",
        }
    }

    /// Where the cell in column `x` and row `y`, both from 0, of a board with `size` columns and
    /// rows goes.
    pub const fn place(self, (x, y): Place, size: usize) -> Place {
        let (right, below) = (size - 1 - x, size - 1 - y);
        match self {
            Symmetry::None => (x, y),
            Symmetry::LeftRight => (right, y),
            Symmetry::UpDown => (x, below),
            Symmetry::HalfTurn => (right, below),
            Symmetry::Transpose => (y, x),
            Symmetry::QuarterTurnRight => (below, x),
            Symmetry::QuarterTurnLeft => (y, right),
            Symmetry::TransposeAcross => (below, right),
        }
    }

    /// The symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::QuarterTurnRight => Symmetry::QuarterTurnLeft,
            Symmetry::QuarterTurnLeft => Symmetry::QuarterTurnRight,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_symmetry_is_a_permutation_that_its_inverse_takes_back() {
        let places: Vec<Place> = (0..9).map(|index| (index % 3, index / 3)).collect();
        let images = Symmetry::ALL.map(|symmetry| {
            let image: Vec<Place> = places.iter().map(|&at| symmetry.place(at, 3)).collect();
            let back = image.iter().map(|&at| symmetry.inverse().place(at, 3));
            assert!(back.eq(places.iter().copied()), "{symmetry:?}");
            image
        });
        assert_eq!(HashSet::from(images).len(), 8);
        // The top left corner goes to the top right one.
        assert_eq!(Symmetry::QuarterTurnRight.place((0, 0), 3), (2, 0));
        assert_eq!(Symmetry::QuarterTurnRight.place((1, 0), 3), (2, 1));
    }
}
