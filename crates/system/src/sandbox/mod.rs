//! The box that a player runs in: namespaces with a file system of its own, Landlock, a filter of system calls, and
//! accounts of what it takes. docs/security.md says what it promises.

pub(crate) mod counter;
pub(crate) mod entry;
mod group;
mod identity;
mod inside;
pub(crate) mod keeper;
mod landlock;
mod mounts;
mod network;
pub(crate) mod passing;
mod places;
pub mod probes;
pub mod survey;
mod syscalls;
pub(crate) mod usage;
pub mod visible;
pub mod walls;

pub use identity::own_user;
