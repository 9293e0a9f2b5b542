//! The servers: the monitor of FoxGame, the puzzle of Foxes and Geese, and the page that plays the games.

mod http;
mod listen;
pub mod monitor;
pub mod play;
pub mod puzzle;
