//! Boards as SVG. Every page and picture of this repository takes its boards from here.
//!
//! A page shows [`ground`] once for a game, and for each position [`marks`], the markup of the
//! [`cells`] and the [`way`] of the last move or the [`aim`] of a move to be made, in this order,
//! inside an `svg` element of class `menagerie-board` with [`view_box`]. Its style sheet contains
//! [`STYLE`]. [`picture`] is a document that stands by itself.
//!
//! A cell is 100 units wide. All coordinates are whole numbers: formatting fractions would add code
//! to the games' modules for browsers.

mod board;
mod figures;
mod thoughts;

pub use board::{aim, cells, ground, marks, mentioned, picture, view_box, way};
pub use figures::figure;
pub use thoughts::Thoughts;

/// The style sheet of boards.
pub const STYLE: &str = include_str!("board.css");

/// Escapes a text for XML and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
