//! Learns the parameters of an evaluation function from self-play: plays games, fits the parameters to the results, matches
//! the new version against the old one, keeps the better, and repeats.
//!
//! A game takes part by implementing [`model::LinearModel`], which describes its evaluation as a linear model.

pub(crate) mod command;
mod fitting;
mod foxgame_weights;
mod game_file;
pub(crate) mod game_record;
pub(crate) mod games;
pub(crate) mod halma_tables;
mod learning;
pub(crate) mod model;
pub(crate) mod options;
mod progress;
pub(crate) mod regression;
mod tempo;
