//! `judge league`: starts the program `league`, which runs a course's standing competition.

use anyhow::{Context, Result, bail};
use clap::Args;
use sandbox::system::replace_process;
use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, ExitCode};

const PROGRAM: &str = "league";

#[derive(Args)]
pub(crate) struct LeagueOptions {
    /// A command of the program `league`, and its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Replaces this process by the program `league`, from beside the judge or from the PATH. Returns
/// only on failure.
pub(crate) fn league(options: &LeagueOptions) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!(
            "a league runs other people's programs all day, and only Linux has a sandbox for them: run it there"
        );
    }
    let beside = env::current_exe()
        .context("the judge's own program cannot be found")?
        .with_file_name(PROGRAM);
    let program = if beside.is_file() { beside.as_os_str() } else { PROGRAM.as_ref() };
    let error = replace_process(Command::new(program).args(&options.arguments));
    if error.kind() == ErrorKind::NotFound {
        bail!(
            "the program `{PROGRAM}` is missing: it is neither {} nor on the PATH. The archive for Linux has it; \
             make {PROGRAM} builds it",
            beside.display()
        );
    }
    Err(error).with_context(|| program.to_string_lossy().into_owned())
}
