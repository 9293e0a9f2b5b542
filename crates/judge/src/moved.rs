//! Commands that have moved to the program `lab`. The judge passes them on for one more version; its help does not list them.

use sandbox::system::replace_process;
use std::env;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode};

/// The moved commands, which have the same names in `lab`.
const MOVED: &[&str] = &["learn", "soak", "tune"];

/// Replaces this process by the program `lab` beside the judge if the command line has a moved command. Returns `None` for
/// another command, and an exit code if `lab` cannot be started.
pub(crate) fn run() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    let first = arguments.next()?;
    let command = MOVED.iter().find(|&&moved| first == moved)?;
    eprintln!("judge {command} has moved to lab {command}; the next version removes the old name");
    let error = exec_lab(command, arguments);
    eprintln!("{error}");
    Some(ExitCode::from(2))
}

/// Replaces this process by `lab`. Returns only on failure, with the error.
fn exec_lab(command: &str, arguments: impl Iterator<Item = OsString>) -> String {
    let lab = match env::current_exe() {
        Ok(own) => own.with_file_name(format!("lab{}", env::consts::EXE_SUFFIX)),
        Err(error) => return format!("the judge's own program cannot be found: {error}"),
    };
    let error = replace_process(Command::new(&lab).arg(command).args(arguments));
    let lab = lab.display();
    if error.kind() == io::ErrorKind::NotFound {
        format!("{lab}: not built yet; run: cargo build --release -p lab")
    } else {
        format!("{lab}: cannot be started: {error}")
    }
}
