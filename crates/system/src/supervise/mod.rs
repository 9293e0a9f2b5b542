//! Runs of programs under supervision: a small process of our own around each of them ends the program and all its
//! descendants at a deadline, adds up their CPU time, and reports.

pub mod job;
mod runner;
mod streams;
mod supervisor;
pub(crate) mod tree;
mod waiting;

pub use job::{ExitReport, Job, Limits, MARK};
pub use runner::{Running, run_job};
pub use supervisor::run;
pub use waiting::SUPERVISE;
