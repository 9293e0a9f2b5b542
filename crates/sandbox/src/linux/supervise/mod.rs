//! Who watches a box: three processes of ours, each started by the one before it.
//!
//! - The judge (`runner`) starts its own executable again as a supervisor, and sends it a job as
//!   JSON over a socket pair, which brings back the report. A program that stays running has one
//!   job for all turns (`questions`). The judge kills a supervisor that is late.
//! - The supervisor (`supervisor`) of a box with namespaces stays outside, where no player can see
//!   it (`box_supervisor`). It kills the init process at the deadline or when the judge is gone,
//!   which closes the socket; with the init process, the kernel kills every process in the box. If
//!   the supervisor ends, the kernel kills the init process.
//! - The init process (`init`), process 1 of the box, reads the program's output, answers the judge
//!   and refused calls, measures, kills the program at a limit, and reports over a pipe (`watch`).
//!   Without namespaces the supervisor does all this itself.
//!
//! The program has none of these descriptors: they are closed on exec.

mod box_supervisor;
mod init;
mod questions;
mod runner;
mod supervisor;
mod watch;

pub use runner::Running;
pub(crate) use supervisor::run;
