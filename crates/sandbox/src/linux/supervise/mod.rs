//! Supervision of programs by processes of ours.

pub(crate) mod idle;
pub(crate) mod questions;
mod runner;
mod supervisor;
pub(crate) mod tree;

pub use idle::SUPERVISE;
pub use runner::{Running, run_job};
pub use supervisor::run;
