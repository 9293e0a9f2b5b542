//! The alpha-beta window of a node.

use crate::score::{INFINITY, Score};

/// An alpha-beta window: values within are searched exactly, others only bounded on their side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The window of the child node, from the opponent's view.
    pub(super) fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window of the child node, which only tests whether the move is better than `alpha`.
    pub(super) fn reversed_null(self) -> Window {
        Window { alpha: -self.alpha - 1, beta: -self.alpha }
    }

    /// Whether the window is wider than a null window: the node may be on the principal variation.
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window with alpha raised to a value that is already certain.
    pub(super) fn above(self, best: Score) -> Window {
        Window { alpha: self.alpha.max(best), ..self }
    }
}
