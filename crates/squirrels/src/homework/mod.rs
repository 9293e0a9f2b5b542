//! The homework's files, byte for byte (squirrels.md, "Homework mode").

mod log;
mod reading;
#[cfg(feature = "agent")]
mod run;

pub use log::Log;
pub use reading::{Algorithm, Homework, MOST_DEPTH, Player, is_homework, read};
#[cfg(feature = "agent")]
pub use run::{Error, Form, Paths, play, run};
