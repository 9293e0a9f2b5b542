//! The tests of this crate, as one program.

mod agent;
mod endings;
mod files;
mod rules;
mod search;
mod slow;
mod stragglers;
