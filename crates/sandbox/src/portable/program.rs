use crate::job::Job;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ending {
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
}

/// The command of a job, with its streams piped.
pub(super) fn command(job: &Job) -> Command {
    let mut command = Command::new(program(&job.command[0], &job.directory));
    command.args(&job.command[1..]).current_dir(&job.directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The path of a program that a relative path names, as seen from the directory that it runs in.
fn program(name: &str, directory: &Path) -> PathBuf {
    if Path::new(name).is_relative() && Path::new(name).components().count() > 1 {
        for ending in ["", std::env::consts::EXE_SUFFIX] {
            let path = directory.join(format!("{name}{ending}"));
            if path.is_file() {
                return path;
            }
        }
    }
    PathBuf::from(name)
}
