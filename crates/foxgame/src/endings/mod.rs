//! Endgame tables for one fox, computed by `solve foxgame`: the index function ([`index`]), packed values ([`code`]), the
//! files ([`table`], [`store`]), and the move that the tables advise ([`advice`]).

pub mod advice;
pub mod code;
pub mod index;
#[cfg(feature = "agent")]
pub mod options;
pub mod store;
pub mod table;

use store::Endings;

/// FoxGame's own settings ([`engine::Playable::Own`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources {
    /// The endgame tables. Without them every move comes from a search.
    pub endings: Option<&'static Endings>,
}
