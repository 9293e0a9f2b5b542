//! What people see of recorded games: pages, texts and plots.

pub mod analysis_text;
pub mod frames;
pub mod game_plot;
pub mod markup;
pub mod position;
pub mod replay;
pub mod summary;
pub mod talk;
