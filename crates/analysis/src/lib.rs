//! Analysis of a move: what it was worth and which move was better. The crate uses no operating
//! system, so that the judge and the web page give the same results.

pub mod accuracy;
pub mod better;
pub mod finding;
mod line;
pub mod position;
mod taken;
pub mod text;
