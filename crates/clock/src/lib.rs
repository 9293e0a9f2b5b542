//! CPU clocks, thread priorities and locks: the operating-system interface of the agents, on every
//! platform.

pub mod cpu;
mod mutex;
pub mod priority;

pub use mutex::{lock, unpoisoned};
