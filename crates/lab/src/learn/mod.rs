//! Learns the parameters of an evaluation function from self-play: plays games, fits the parameters to the results, matches
//! the new version against the old one, keeps the better, and repeats.
//!
//! A game takes part by implementing [`model::LinearModel`], which describes its evaluation as a linear model.

pub(crate) mod command;
mod fitting;
mod foxgame_weights;
mod game_file;
mod game_record;
mod games;
mod halma_tables;
mod learning;
mod model;
pub(crate) mod options;
mod progress;
mod regression;
pub(crate) mod squirrels_weights;
mod tempo;
