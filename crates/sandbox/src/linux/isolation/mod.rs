//! What a box is made of, from outside to inside:
//!
//! - The supervisor enters the keeper's user namespace, if the box has a user of it (`identity`),
//!   and the mount namespace of the player's storage process (`store`). There it gives the player
//!   its files (`ownership`), creates the other namespaces (`namespaces`), and forks the init
//!   process into them.
//! - The init process builds the file system of the box (`mounts`) from what all programs need
//!   (`paths`) and what this one needs (`visible`), and drops its privileges.
//! - It launches the program (`launch`) with resource limits, Landlock rules (`landlock`) and
//!   seccomp filters (`syscalls`), and answers the calls that they refuse (`refused_calls`).
//!
//! Without namespaces the supervisor takes the last step alone. The keeper and the storage process
//! outlive a box: each ends when the judge closes its socket.

pub(crate) mod identity;
pub(crate) mod landlock;
pub(crate) mod launch;
pub(crate) mod mounts;
pub(crate) mod namespaces;
pub(crate) mod ownership;
mod paths;
pub(crate) mod refused_calls;
pub(crate) mod store;
pub(crate) mod syscalls;
pub mod visible;
