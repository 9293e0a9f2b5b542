//! The homework: its input file, its searches and the files that it leaves, byte for byte
//! (`docs/squirrels.md`).

mod input;
mod log;
#[cfg(feature = "agent")]
mod run;

pub use input::{Algorithm, Homework, MOST_DEPTH, Player, is_homework, read};
pub use log::Log;
#[cfg(feature = "agent")]
pub use run::{Form, play, run};
