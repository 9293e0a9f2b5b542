//! The tests of this crate, as one program.

mod agent;
mod client;
mod messages;
mod proof;
mod rules;
mod slow;
