//! A game whose type is not known, and its positions. The rules are code of this process, the
//! traits of the engine ([`built_in`]), or whatever else implements [`Rules`](game::Rules) and
//! [`AnyPosition`]. The crate needs no operating system, so that it runs in a browser too.

pub mod built_in;
pub mod clock;
pub mod game;
pub mod position;
pub mod tree;

pub use clock::GameClock;
pub use game::AnyGame;
pub use position::{AnyMove, AnyPosition, AnyTask, Board, Position};
