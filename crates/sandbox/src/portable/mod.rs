//! Supervision of programs on systems without a box, Windows and macOS: the program runs with all
//! rights of the judge, and all that it has started is killed as far as the system knows it.
//! `windows` and `unix` have a `ProcessTree` each: a program and its descendants. The module for
//! Unix uses nothing that Linux lacks, so that the tests of this crate run it.

pub(crate) mod absent;
pub mod disk;
mod program;
pub mod supervise;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix::ProcessTree;
#[cfg(windows)]
use windows::ProcessTree;
