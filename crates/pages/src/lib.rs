//! The presentation of recorded games: replay pages, analyses as text, plots as SVG, and the markup of HTML pages.

pub mod analyse;
pub mod frames;
pub mod markup;
pub mod replay;
