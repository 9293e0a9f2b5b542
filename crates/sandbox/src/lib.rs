//! The sandbox for players' programs. Guarantees: docs/security.md.
//!
//! # Terms
//!
//! - The **judge** is the process that uses this crate. Its executable answers three hidden
//!   commands: `supervise`, `trial` and `probe`.
//! - A **box** is one sandboxed run of a program: a set of processes behind the same sandbox layers
//!   (`layers`).
//! - A **supervisor** is a process of ours outside of the box that runs one job and reports its
//!   result (`supervise`).
//! - The **init process** is process 1 of a box's process namespace. It is ours, too (`init`).
//! - A **storage process** keeps the mount namespace of a player's file system alive between turns
//!   (`store`).
//! - The **keeper** is a process whose user namespace has the ids that /etc/subuid gives to the
//!   judge's user (`identity`).
//!
//! # Theory of operation
//!
//! A box waits until there is room for it (`room`): what may run at a time depends on the machine's
//! memory and on whether each box has a user of its own.
//!
//! For each turn the judge starts its own executable again as a supervisor and sends it a job as
//! JSON over a socket pair. The report comes back over the same socket. A program that stays running
//! has one job for all turns: the judge says on the socket when a turn begins, with its limits, and
//! when it ends (`supervise::questions`).
//!
//! A supervisor with namespaces (`namespaces`) enters the keeper's user namespace if the box has a
//! user of it, and the mount namespace of the player's storage process. There it gives the player
//! its files, creates process, network, IPC and host-name namespaces, and forks the init process
//! into them. The init process builds the file system of the box (`mounts`), drops its privileges,
//! and launches the player's program (`launch`) with resource limits, Landlock rules (`landlock`)
//! and seccomp filters (`syscalls`). Without namespaces the supervisor itself launches and watches
//! the program (`supervise::tree`).
//!
//! # Supervision
//!
//! - The judge waits for the report until ten seconds after the wall-time limit, then kills the
//!   supervisor.
//! - The supervisor lives outside of the process namespace, where no player can see it. It kills
//!   the init process at the deadline or when the judge is gone; with the init process, the kernel
//!   kills every process in the box.
//! - The init process waits for the program, reads its output, watches its memory, processes and
//!   disk space (`usage`), answers refused system calls (`refused_calls`), and owns the counter of
//!   CPU time (`counter`).
//! - The program has none of the descriptors above: they are closed on exec.
//!
//! # Other systems
//!
//! Only Linux has boxes. On Windows and macOS the module `portable` has the same interface without
//! layers: programs run with all rights of the judge, in a job object or a process group, within
//! limits of time. `system` has what the systems do differently with files, users and signals.

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
pub mod system;

#[cfg(target_os = "linux")]
pub use linux::{
    PlayerDisk, cpu_supply, disk, own_user, probes, process_tree, reachable, supervise, survey,
    visible, why_no_own_user,
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
        supervise::SUPERVISE => Some(supervise::run()),
        TRIAL => Some(ExitCode::SUCCESS),
        #[cfg(target_os = "linux")]
        probes::PROBE => Some(probes::run(&std::env::args().skip(2).collect::<Vec<_>>())),
        _ => None,
    }
}
