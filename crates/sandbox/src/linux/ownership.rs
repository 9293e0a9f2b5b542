//! The owner of a player's files. An ordinary user cannot give files to the user of a box, but the supervisor can,
//! which has all rights in the keeper's user namespace: the files belong to the player during its turn, and to the
//! judge's user between turns.

use super::identity;
use crate::job::Job;
use nix::unistd::chdir;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::lchown;
use std::path::Path;

/// Gives the files of a job to its player, if the judge could not do so itself.
pub(super) fn to_player(job: &Job) -> io::Result<()> {
    match job.identity {
        Some(user) if user.owner().is_none() => own_all(&job.directory, user.id, user.id),
        _ => Ok(()),
    }
}

/// Gives the files of a job back to the judge, once no process of the player is left.
pub(super) fn to_judge(job: &Job) -> io::Result<()> {
    match job.identity {
        Some(user) if user.owner().is_none() => {
            let (user, group) = identity::judges_ids();
            own_all(&job.directory, user, group)
        }
        _ => Ok(()),
    }
}

/// Changes the owner of a directory and of all that is in it. Links are not followed. The tree may be deeper than
/// a path can be long, so this process, which has one thread, walks through it.
fn own_all(directory: &Path, user: u32, group: u32) -> io::Result<()> {
    if std::fs::symlink_metadata(directory)?.is_dir() {
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
        return Ok(chdir("/")?);
    }
    lchown(directory, Some(user), Some(group))
}

/// Changes the owner of all entries of the current directory, and returns the names of the directories.
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
