//! The presentation of recorded games: replay pages, analyses as text, plots as SVG, the markup of
//! HTML pages, and drawings of positions for them.

pub mod analysis_text;
pub mod frames;
pub mod game_plot;
pub mod markup;
pub mod position;
pub mod replay;
pub mod summary;
pub mod talk;
