//! The search for a strategy of the geese that wins against everything the foxes do.
//!
//! It goes by stages. A board is closed if no goose could be jumped from anywhere in the region that the foxes can
//! reach; between closed boards with less and less room for the foxes a proof-number search finds the way
//! ([`stage`]), and [`stages`] puts the ways together.

pub mod known;
pub mod numbers;
pub mod stage;
pub mod stages;
pub mod won;
