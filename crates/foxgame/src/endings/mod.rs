//! Endings with one fox, solved by `solve foxgame`: how flocks are numbered (`index.rs`), what a value says (`code.rs`),
//! the files (`table.rs`, `store.rs`), and the move that follows (`advice.rs`).

pub mod advice;
pub mod code;
pub mod index;
#[cfg(feature = "agent")]
pub mod options;
pub mod store;
pub mod table;

use store::Endings;

/// The settings of this game alone ([`engine::Playable::Own`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources {
    /// The tables of endings; moves are found by search alone unless there are any.
    pub endings: Option<&'static Endings>,
}
