//! Endgame tables of one fox, computed by `solve foxgame`, and the move that they advise
//! (docs/foxgame.md, "Endings").

pub mod advice;
pub mod code;
pub mod index;
pub mod store;
pub mod table;
#[cfg(feature = "agent")]
pub mod tables_option;

use store::Endings;

/// FoxGame's own settings ([`engine::Playable::Own`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources {
    /// The endgame tables. Without them every move comes from a search.
    pub endings: Option<&'static Endings>,
}
