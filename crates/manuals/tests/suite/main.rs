//! The tests of this crate, as one program.

mod install;
mod written;
