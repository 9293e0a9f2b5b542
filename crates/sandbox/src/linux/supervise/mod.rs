//! Supervision of programs: a small process of ours runs each program, kills it and all its
//! descendants at a deadline, adds up their CPU time, and reports.

pub(crate) mod idle;
mod runner;
mod supervisor;
pub(crate) mod tree;

pub use crate::linux::waiting::BoxWaits;
pub use idle::SUPERVISE;
pub use runner::{Running, run_job};
pub use supervisor::run;
