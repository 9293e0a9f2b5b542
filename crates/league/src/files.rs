//! A folder for what is too large for the database: uploads, built programs and records.

use crate::disk::has_room_for;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const FOLDER: &str = "files";

const UNFINISHED: &str = ".unfinished-";

/// A folder of files, which several machines may share. A file under its own name is whole: it is
/// written under another one, and renamed.
#[derive(Clone)]
pub(crate) struct LeagueFiles(Arc<Path>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored<'a> {
    Upload(&'a str),
    /// The built program of a submission, as a tar archive.
    Program(i64),
    Record(i64),
}

impl Stored<'_> {
    fn path(self) -> PathBuf {
        PathBuf::from(match self {
            Stored::Upload(digest) => format!("uploads/{digest}"),
            Stored::Program(submission) => format!("programs/{submission}.tar"),
            // A folder has at most a thousand of them.
            Stored::Record(pair) => format!("records/{}/{pair}.jsonl", pair / 1000),
        })
    }
}

impl LeagueFiles {
    pub(crate) fn open(directory: &Path) -> Result<LeagueFiles> {
        let folder = directory.join(FOLDER);
        fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
        Ok(LeagueFiles(folder.into()))
    }

    /// Fails where no files can be written: a server does not start with such a folder.
    pub(crate) fn try_out(&self) -> Result<()> {
        let about = b"league keeps its uploads, programs and records here.\n";
        self.write(Path::new("about.txt"), about)
    }

    /// Puts a file, in place of an earlier one. It outlives a power failure.
    ///
    /// # Errors
    /// The disk would be left without room for the server.
    pub(crate) async fn put(&self, file: Stored<'_>, bytes: Vec<u8>) -> Result<()> {
        let file_path = file.path();
        let files = self.clone();
        tokio::task::spawn_blocking(move || {
            if !has_room_for(&files.0, bytes.len() as u64) {
                bail!("the disk is full, but for what the server needs");
            }
            files.write(&file_path, &bytes)
        })
        .await?
    }

    pub(crate) async fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        let (files, file_path) = (self.clone(), file.path());
        tokio::task::spawn_blocking(move || files.read(&file_path)).await?
    }

    pub(crate) fn has(&self, file: Stored<'_>) -> Result<bool> {
        let path = self.0.join(file.path());
        path.try_exists().with_context(|| format!("{}: cannot be looked for", path.display()))
    }

    /// Returns the paths of all whole files below the folder, in order.
    pub(crate) fn paths(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let path = self.0.join(&folder);
            let listed = || format!("{}: cannot be listed", path.display());
            for entry in fs::read_dir(&path).with_context(listed)? {
                let entry = entry.with_context(listed)?;
                let (name, kind) = (entry.file_name(), entry.file_type().with_context(listed)?);
                if kind.is_dir() {
                    folders.push(folder.join(name));
                } else if kind.is_file() && !name.to_string_lossy().starts_with(UNFINISHED) {
                    found.push(folder.join(name));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let path = self.0.join(path);
        fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))
    }

    fn write(&self, below: &Path, bytes: &[u8]) -> Result<()> {
        let path = self.0.join(below);
        let write = || {
            let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
            fs::create_dir_all(folder)?;
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            // The folders may be new.
            below
                .ancestors()
                .skip(1)
                .try_for_each(|folder| File::open(self.0.join(folder))?.sync_all())
        };
        write().with_context(|| format!("{}: cannot be written", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_there_once_it_is_whole() {
        let directory = tempfile::tempdir().unwrap();
        let files = LeagueFiles::open(directory.path()).unwrap();
        files.try_out().unwrap();
        for (pair, bytes) in [(1, "one"), (2_001, "two"), (1, "again")] {
            files.put(Stored::Record(pair), bytes.into()).await.unwrap();
        }
        fs::write(directory.path().join(format!("files/records/0/{UNFINISHED}x")), "half").unwrap();
        let paths = files.paths().unwrap();
        let whole = ["about.txt", "records/0/1.jsonl", "records/2/2001.jsonl"];
        assert_eq!(paths, whole.map(PathBuf::from));
        assert_eq!(files.get(Stored::Record(1)).await.unwrap(), b"again");
        assert_eq!(files.read(&paths[2]).unwrap(), b"two");
        assert!(files.has(Stored::Record(2_001)).unwrap());
        assert!(!files.has(Stored::Program(1)).unwrap());
        let error = files.get(Stored::Upload("x")).await.unwrap_err().to_string();
        assert!(error.ends_with("files/uploads/x: cannot be read"), "{error}");
    }
}
