//! Endgame tables, computed by `solve foxgame`, and the move that they advise ([`advice`]). For one fox: the index function
//! of flocks ([`index`]), packed values ([`code`]), the files ([`table`], [`store`]). For both foxes: a word with a bit for each set of
//! foxes ([`pairs`]), the files ([`layer_files`]), how SHEEP keeps boards from coming back ([`one_way`]), and what it wins so ([`wins`]).

pub mod advice;
pub mod code;
pub mod index;
pub mod layer_files;
pub mod one_way;
#[cfg(feature = "agent")]
pub mod options;
pub mod pairs;
pub mod store;
pub mod table;
pub mod wins;

use store::Endings;

/// FoxGame's own settings ([`engine::Playable::Own`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources {
    /// The endgame tables. Without them every move comes from a search.
    pub endings: Option<&'static Endings>,
}
