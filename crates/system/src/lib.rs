//! All that Menagerie asks of the operating system. It knows no game and no engine.
//!
//! What is here compiles everywhere; process trees, supervision and pauses of the host are there on Linux alone.

pub mod cpu;
#[cfg(target_os = "linux")]
pub mod disk;
#[cfg(target_os = "linux")]
pub mod host_pauses;
pub mod priority;
#[cfg(target_os = "linux")]
pub mod process_tree;
#[cfg(target_os = "linux")]
pub mod sandbox;
#[cfg(target_os = "linux")]
pub mod supervise;
