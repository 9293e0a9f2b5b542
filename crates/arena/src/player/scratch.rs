//! The scratch directory of a run, which contains the directories of all players.

use super::removal::remove;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

struct Scratch {
    directory: tempfile::TempDir,
    lock: File,
}

static SCRATCH: Mutex<Option<Scratch>> = Mutex::new(None);

const PREFIX: &str = "judge-";
const LOCK: &str = "lock";

/// The directory of all players' directories, made on first use.
pub fn scratch_root() -> Result<PathBuf> {
    let mut scratch = clock::lock(&SCRATCH);
    if scratch.is_none() {
        remove_abandoned();
        *scratch = Some(new_scratch().context("no scratch directory can be made")?);
    }
    Ok(scratch.as_ref().map(|scratch| scratch.directory.path().to_owned()).unwrap_or_default())
}

/// A directory with a folder `player`, in which the sandbox layers can be tried.
pub(super) fn trial_directory() -> Result<tempfile::TempDir> {
    let directory = tempfile::Builder::new().prefix("trial-").tempdir_in(scratch_root()?)?;
    fs::create_dir(directory.path().join("player"))?;
    Ok(directory)
}

fn new_scratch() -> io::Result<Scratch> {
    let directory = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
    // The lock file gets its name only once it is locked, so that no other run finds it unlocked.
    let young = directory.path().join("young");
    let lock = File::create(&young)?;
    lock.try_lock().map_err(io::Error::from)?;
    fs::rename(young, directory.path().join(LOCK))?;
    Ok(Scratch { directory, lock })
}

/// Removes the scratch directories of killed runs: their lock files are unlocked.
fn remove_abandoned() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            let _ = remove_locked(&entry.path(), lock);
        }
    }
}

/// Removes the directories of all players. Called at the end of a run.
pub fn remove_scratch() {
    if let Some(scratch) = clock::lock(&SCRATCH).take() {
        let _ = remove_locked(scratch.directory.path(), scratch.lock);
    }
}

/// Removes the lock file last and unlocked, since Windows keeps the name of an open file.
fn remove_locked(directory: &Path, lock: File) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name() != LOCK {
            remove(&entry.path())?;
        }
    }
    drop(lock);
    remove(directory)
}
