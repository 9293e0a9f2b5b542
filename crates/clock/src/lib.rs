//! CPU clocks and thread priorities: the operating-system interface of the agents, on every platform.

pub mod cpu;
pub mod priority;
