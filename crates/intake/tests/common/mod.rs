//! Shared parts of the tests: they run the commands of this crate, and programs of students against them.

pub(crate) mod archive;
#[allow(dead_code, reason = "shared with the tests of other crates")]
pub(crate) mod class;
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod commands;
#[path = "../../../http-server/tests/common/example.rs"]
mod example;
pub(crate) mod intake;

pub(crate) use commands::{files, needs, run, text, works};
use std::path::Path;
use std::process::Command;

/// The commands of this crate, as they are in the judge, run in a directory: `examples/submissions.rs`.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(example::example("submissions"));
    command.current_dir(directory);
    command
}
