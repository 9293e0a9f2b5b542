//! The window of a node: the values that still matter to the nodes above it.

use crate::score::{INFINITY, Score};

/// A window: values above `alpha` and below `beta` are looked for exactly; of others it is enough to know on which side
/// they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The window that holds every value.
    pub(super) const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The same window as the opponent sees it, one ply deeper.
    pub(super) fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The opponent's window that holds no value: it only tells whether a move is better than `alpha`.
    pub(super) fn reversed_null(self) -> Window {
        Window { alpha: -self.alpha - 1, beta: -self.alpha }
    }

    /// Whether exact values are looked for: the node may be on the principal variation.
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The part of the window above a value that is already sure.
    pub(super) fn above(self, best: Score) -> Window {
        Window { alpha: self.alpha.max(best), ..self }
    }
}
