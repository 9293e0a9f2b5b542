//! The owners of a player's files: the player during its turn, the judge otherwise. Where the judge
//! cannot change owners, as an ordinary user, the supervisor does: it has all rights in the
//! keeper's user namespace.

use super::{identity, namespaces};
use crate::job::Job;
use nix::unistd::chdir;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::lchown;
use std::path::Path;

/// Gives the files of a job to a user, if the judge cannot.
pub(crate) fn give(job: &Job, user: u32, group: u32) -> io::Result<()> {
    if job.is_given() { own_all(&job.directory, user, group) } else { Ok(()) }
}

/// Gives the files of a job back to the judge.
pub(crate) fn give_back(job: &Job) -> io::Result<()> {
    let (user, group) = identity::judges_ids();
    give(job, user, group)
}

/// For a box whose supervisor was lost.
pub(crate) fn take_back(job: &Job) {
    // Files that stay the player's are removed before its next turn, or are the machine's fault.
    let _ = namespaces::enter_lasting(job).and_then(|()| give_back(job));
}

/// Changes the owner of a directory and of all that is in it, not of what links lead to. The tree
/// may be deeper than a path can be long, so this process, which has one thread, walks through it.
fn own_all(directory: &Path, user: u32, group: u32) -> io::Result<()> {
    if !std::fs::symlink_metadata(directory)?.is_dir() {
        return lchown(directory, Some(user), Some(group));
    }
    chdir(directory)?;
    lchown(".", Some(user), Some(group))?;
    let mut levels = vec![own_entries(user, group)?];
    while let Some(level) = levels.last_mut() {
        if let Some(name) = level.pop() {
            chdir(name.as_os_str())?;
            levels.push(own_entries(user, group)?);
        } else {
            levels.pop();
            if !levels.is_empty() {
                chdir("..")?;
            }
        }
    }
    Ok(chdir("/")?)
}

/// Changes the owner of all entries of the current directory. Returns the directories.
fn own_entries(user: u32, group: u32) -> io::Result<Vec<OsString>> {
    let mut directories = Vec::new();
    for entry in std::fs::read_dir(".")? {
        let entry = entry?;
        lchown(entry.file_name(), Some(user), Some(group))?;
        if entry.file_type()?.is_dir() {
            directories.push(entry.file_name());
        }
    }
    Ok(directories)
}
