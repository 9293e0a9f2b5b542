//! A game whose type is not known, and its positions: one door for the judge, for Python and for
//! the page. A game joins by a list of [`AnyGame`]s.
//!
//! The rules of a game are code of this process, the traits of the engine ([`built_in`]), or
//! whatever else implements [`Rules`](game::Rules) and [`AnyPosition`]. Moves are told by codes,
//! which are unique among the moves of one position.
//!
//! The crate knows no box, no HTTP and no operating system, so that it runs in a browser too.

pub mod built_in;
pub mod clock;
pub mod game;
pub mod position;
pub mod tree;

pub use clock::GameClock;
pub use game::AnyGame;
pub use position::{AnyMove, AnyPosition, AnyTask, Board, Position};
