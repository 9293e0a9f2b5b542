//! Endings with one fox, solved by `solve foxgame`: how flocks are numbered (`index.rs`) and where values are found
//! (`table.rs`).

pub mod code;
pub mod index;
pub mod store;
pub mod table;
