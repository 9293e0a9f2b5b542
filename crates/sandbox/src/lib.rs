//! The sandbox for players' programs. Guarantees: docs/security.md.
//!
//! # Terms
//!
//! - The **judge** is the process that uses this crate. Its executable answers three hidden
//!   commands: `supervise`, `trial` and `probe`.
//! - A **box** is one sandboxed run of a program: a set of processes behind the same sandbox layers
//!   (`layers`).
//! - A **supervisor** is a process of ours outside of the box that runs one job and reports its
//!   result.
//! - The **init process** is process 1 of a box's process namespace. It is ours, too.
//! - A **storage process** keeps the mount namespace of a player's file system between turns.
//! - The **keeper** is a process whose user namespace has the ids that /etc/subuid gives to the
//!   judge's user.
//!
//! # Theory of operation
//!
//! For each turn the judge waits for room (`room`) and starts a supervisor (`linux::supervise`),
//! which builds a box (`linux::isolation`), launches the player's program in it, and measures it
//! (`linux::accounting`). `survey` finds by trial boxes what the machine allows.
//!
//! # Other systems
//!
//! Only Linux has boxes. On Windows and macOS `portable` has the same interface without layers.
//! `system` has what else differs.

pub mod conversation;
mod disk_usage;
pub mod host_pauses;
pub mod job;
pub mod layers;
pub mod lines;
#[cfg(target_os = "linux")]
mod linux;
pub mod memory;
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(
    target_os = "linux",
    allow(dead_code, unreachable_pub, reason = "Linux has these modules for its tests alone")
)]
mod portable;
mod proc_fields;
#[cfg(unix)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, unreachable_pub, reason = "only Linux asks for peak memory")
)]
mod reaped;
pub mod room;
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "elsewhere a thread reads a stream")
)]
mod streams;
#[cfg(target_os = "linux")]
pub mod survey;
pub mod system;

#[cfg(target_os = "linux")]
pub use linux::{
    accounting::{cpu_supply, disk},
    isolation::identity::{own_user, why_no_own_user},
    isolation::{store::PlayerDisk, syscalls::reachable, visible},
    probes, process_tree, supervise,
};
#[cfg(not(target_os = "linux"))]
pub use portable::absent::{
    PlayerDisk, cpu_supply, own_user, probes, reachable, survey, visible, why_no_own_user,
};
#[cfg(not(target_os = "linux"))]
pub use portable::{disk, supervise};

use std::process::ExitCode;

/// Whether this system can have sandbox layers at all.
pub const IS_POSSIBLE: bool = cfg!(target_os = "linux");

/// The hidden command that trial boxes run: a program that starts players exits at once with code
/// 0.
pub const TRIAL: &str = "trial";

/// Runs this process as a supervisor or a probe of a box, if its command line asks for that, and
/// returns the exit code. Every program that starts players calls it before anything else in
/// `main`.
pub fn own_command() -> Option<ExitCode> {
    match std::env::args().nth(1)?.as_str() {
        #[cfg(target_os = "linux")]
        linux::requests::SUPERVISE => Some(supervise::run()),
        TRIAL => Some(ExitCode::SUCCESS),
        #[cfg(target_os = "linux")]
        probes::PROBE => Some(probes::run(&std::env::args().skip(2).collect::<Vec<_>>())),
        _ => None,
    }
}
