//! What a move was worth, and what would have been better: findings of one position and the move played in it, in figures
//! and in words. It asks nothing of an operating system: the judge and the page in a browser say the same.

pub mod better;
pub mod finding;
pub mod look;
pub mod words;
