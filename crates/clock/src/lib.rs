//! CPU clocks and priorities: what an agent asks of the operating system. Compiles on every platform.

pub mod cpu;
pub mod priority;
