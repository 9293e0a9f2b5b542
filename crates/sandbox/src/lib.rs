//! The sandbox for players' programs. Guarantees: docs/security.md.
//!
//! # Terms
//!
//! - The **judge** is the process that uses this crate. Its executable answers three hidden commands: `supervise`,
//!   `trial` and `probe`.
//! - A **box** is one sandboxed run of a program: a set of processes behind the same sandbox layers (`layers`).
//! - A **supervisor** is a process of ours outside of the box that runs one job and reports its result (`supervise`).
//! - The **init process** is process 1 of a box's process namespace. It is ours, too (`init`).
//! - A **storage process** keeps the mount namespace of a player's file system alive between turns (`store`).
//!
//! # Theory of operation
//!
//! For each turn the judge starts its own executable again as a supervisor and sends it a job as one line of JSON over
//! a socket pair. The report comes back over the same socket.
//!
//! A supervisor with namespaces (`namespaces`) enters the mount namespace of the player's storage process, creates
//! process, network, IPC and host-name namespaces, and forks the init process into them. The init process builds the
//! file system of the box (`mounts`), drops its privileges, and launches the player's program (`launch`) with resource
//! limits, Landlock rules (`landlock`) and seccomp filters (`syscalls`). Without namespaces the supervisor itself
//! launches and watches the program (`supervise::tree`).
//!
//! # Supervision
//!
//! - The judge waits for the report until ten seconds after the wall-time limit, then kills the supervisor.
//! - The supervisor lives outside of the process namespace, where no player can see it. It kills the init process at
//!   the deadline or when the judge is gone; with the init process, the kernel kills every process in the box.
//! - The init process waits for the program, reads its output, watches its memory, processes and disk space (`usage`),
//!   answers refused system calls (`refused_calls`), and owns the counter of CPU time (`counter`).
//! - The program has none of the descriptors above: they are closed on exec.
//!
//! The crate needs Linux; on other systems it is empty.
#![cfg(target_os = "linux")]

mod cgroup;
mod counter;
pub mod cpu_supply;
mod descriptors;
pub mod disk;
pub mod host_pauses;
mod identity;
mod init;
pub mod job;
mod landlock;
mod launch;
pub mod layers;
mod mounts;
mod namespaces;
mod network;
mod paths;
pub mod probes;
pub mod process_tree;
mod refused_calls;
mod store;
pub mod supervise;
pub mod survey;
mod syscalls;
mod usage;
pub mod visible;

pub use identity::own_user;

use std::process::ExitCode;
pub use store::Store;
pub use syscalls::reachable;

/// Runs this process as what a box needs of its own program (a supervisor, a probe), if its command line asks for that, and
/// returns the exit code. Every program that starts players calls it before anything else in `main`.
#[must_use]
pub fn own_command() -> Option<ExitCode> {
    match std::env::args().nth(1)?.as_str() {
        supervise::SUPERVISE => Some(supervise::run()),
        survey::TRIAL => Some(ExitCode::SUCCESS),
        probes::PROBE => Some(probes::run(&std::env::args().skip(2).collect::<Vec<_>>())),
        _ => None,
    }
}
