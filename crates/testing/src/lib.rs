//! What the tests of several crates share. It knows no program: a test passes the command to run,
//! since only the tests of a package know the paths of its programs.

pub mod archive;
pub mod class;
mod commands;
pub mod crowd;
pub mod downloads;
mod example;
mod files;
pub mod gradings;
pub mod intake;
mod needs;
mod policy;
mod records;
pub mod server;
mod wait;
mod wrappers;

pub use commands::{Printed, Words, assert_has, assert_lacks, run, text};
pub use example::example;
pub use files::{Folder, NewFolder, copy, folder, repository};
pub use needs::{is_root, needs, needs_root, works};
pub use policy::policy_hash;
pub use records::{ends, events};
pub use wait::{wait, wait_with};
