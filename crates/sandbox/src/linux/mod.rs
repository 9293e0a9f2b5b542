//! The sandbox, which only Linux has.

pub(crate) mod cgroup;
mod counter;
pub mod cpu_supply;
mod descriptors;
pub mod disk;
mod identity;
mod init;
mod landlock;
mod launch;
mod mounts;
mod namespaces;
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
mod waiting;

pub use identity::{own_user, why_no_own_user};
pub use store::PlayerDisk;
pub use syscalls::reachable;
