//! The experiments, each with its own subcommand. `docs/` shows their figures.

pub(crate) mod foxgame_endings;
pub(crate) mod halma_heat_maps;
pub(crate) mod halma_race_worths;
pub(crate) mod squirrels_boards;
pub(crate) mod squirrels_losses;
pub(crate) mod squirrels_weights;
