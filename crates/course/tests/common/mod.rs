//! Shared parts of the tests: they run the commands of this crate, and players against them.

#[path = "../../../intake/tests/common/archive.rs"]
pub(crate) mod archive;
#[path = "../../../intake/tests/common/class/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
pub(crate) mod class;
#[path = "../../../intake/tests/common/commands.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod commands;
#[path = "../../../http-server/tests/common/example.rs"]
mod example;
pub(crate) mod gradings;
#[path = "../../../intake/tests/common/intake.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
pub(crate) mod intake;
mod policy;

pub(crate) use commands::{ends, events, needs, run, text, works};
pub(crate) use gradings::script;
pub(crate) use policy::policy_hash;
use std::path::Path;
use std::process::Command;

/// The commands of this crate, as they are in the judge, run in a directory: `examples/grader.rs`.
pub(crate) fn judge(directory: &Path) -> Command {
    let mut command = Command::new(example::example("grader"));
    command.current_dir(directory);
    command
}

/// The path of an agent for Halma.
pub(crate) fn agent() -> String {
    example::example("player")
}
