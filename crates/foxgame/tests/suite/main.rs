//! The tests of this crate, as one program.

mod agent;
mod client;
mod endings;
mod files;
mod late_monitor;
mod lines;
mod monitor_stub;
mod rules;
mod slow;
