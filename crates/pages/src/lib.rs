//! The presentation of recorded games: replay pages, analyses as text, plots as SVG, the markup of HTML pages, and
//! drawings of positions for them.

pub mod analyse;
pub mod frames;
pub mod markup;
pub mod position;
pub mod replay;
pub mod summary;
