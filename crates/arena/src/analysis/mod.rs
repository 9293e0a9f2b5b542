//! The analysis of games: what each move was worth, what would have been better, and the curves of winning chances.

pub mod finding;
pub mod fit;
pub mod look;
pub mod questions;
pub mod verdict;
