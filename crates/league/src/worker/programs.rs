//! Built programs: tar archives, unpacked once on each machine.

use super::JobSource;
use crate::files::Stored;
use anyhow::{Context, Result};
use sandbox::system;
use std::fs;
use std::path::{Path, PathBuf};

/// The unpacked programs of a machine, a folder for each submission. A program never changes.
pub(crate) struct Programs(PathBuf);

impl Programs {
    pub(crate) fn open(folder: PathBuf) -> Result<Programs> {
        fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
        Ok(Programs(folder))
    }

    pub(super) fn folder(&self, jobs: &dyn JobSource, submission: i64) -> Result<PathBuf> {
        let place = self.0.join(submission.to_string());
        if place.is_dir() {
            return Ok(place);
        }
        let archive = jobs.get(Stored::Program(submission))?;
        let unfinished = tempfile::tempdir_in(&self.0)?;
        let program = unfinished.path().join("program");
        fs::create_dir(&program)?;
        tar::Archive::new(&archive[..])
            .unpack(&program)
            .with_context(|| format!("the program of submission {submission}"))?;
        // Another worker may have been quicker.
        if let Err(error) = fs::rename(&program, &place)
            && !place.is_dir()
        {
            return Err(error).with_context(|| format!("{}: cannot be written", place.display()));
        }
        Ok(place)
    }

    /// Returns a new empty folder beside the programs, which is removed when it is dropped.
    pub(super) fn scratch(&self) -> Result<tempfile::TempDir> {
        Ok(tempfile::tempdir_in(&self.0)?)
    }
}

/// Returns the regular files of a folder as a tar archive.
pub(super) fn packed(folder: &Path) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.mode(tar::HeaderMode::Deterministic);
    add(&mut archive, folder, Path::new(""))?;
    Ok(archive.into_inner()?)
}

fn add(archive: &mut tar::Builder<Vec<u8>>, folder: &Path, prefix: &Path) -> Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (kind, name) = (entry.file_type()?, prefix.join(entry.file_name()));
        if kind.is_dir() {
            archive.append_dir(&name, entry.path())?;
            add(archive, &entry.path(), &name)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path())?;
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(if system::mode(&entry.metadata()?) & 0o111 != 0 {
                0o755
            } else {
                0o644
            });
            archive.append_data(&mut header, &name, &bytes[..])?;
        }
    }
    Ok(())
}
