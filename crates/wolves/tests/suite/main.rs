//! The tests of this crate, as one program.

mod agent;
mod proof;
mod rules;
mod slow;
mod texts;
