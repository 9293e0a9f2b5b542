//! The search for a strategy of the geese that wins against everything the foxes do.

pub mod numbers;
pub mod proof_number;
pub mod strategy_search;
pub mod won;
