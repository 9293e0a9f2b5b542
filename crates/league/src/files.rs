//! What is too large for the database: uploads, built programs and records. They lie in a folder of the league's directory; any
//! other store that the crate `object_store` knows would do.

use anyhow::{Context, Result};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use std::path::Path;
use std::sync::Arc;

/// The name of the folder in the league's directory.
pub(crate) const FOLDER: &str = "files";

/// A store of files. What was put is whole: it is written under another name and renamed.
#[derive(Clone)]
pub(crate) struct Files(Arc<dyn ObjectStore>);

/// A file of the store.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored<'a> {
    /// What was uploaded, by its SHA-256.
    Upload(&'a str),
    /// The built program of a submission, as a tar archive.
    Program(i64),
    /// The record of a pair of games, JSON lines.
    Record(i64),
}

impl Stored<'_> {
    fn key(self) -> Key {
        Key::from(match self {
            Stored::Upload(digest) => format!("uploads/{digest}"),
            Stored::Program(submission) => format!("programs/{submission}.tar"),
            // A folder has at most a thousand of them.
            Stored::Record(pair) => format!("records/{}/{pair}.jsonl", pair / 1000),
        })
    }
}

impl Files {
    /// Opens the folder of a league's directory, and makes it if it is missing.
    pub(crate) fn open(directory: &Path) -> Result<Files> {
        let folder = directory.join(FOLDER);
        std::fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let store = LocalFileSystem::new_with_prefix(&folder).with_context(|| folder.display().to_string())?;
        // What was confirmed outlives a power failure.
        Ok(Files(Arc::new(store.with_fsync(true))))
    }

    /// Puts a file, in place of an earlier one.
    pub(crate) async fn put(&self, file: Stored<'_>, bytes: Vec<u8>) -> Result<()> {
        let key = file.key();
        self.0.put(&key, bytes.into()).await.with_context(|| format!("{key}: cannot be written"))?;
        Ok(())
    }

    /// Returns a file.
    pub(crate) async fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        let key = file.key();
        let got = self.0.get(&key).await.with_context(|| format!("{key}: cannot be read"))?;
        Ok(got.bytes().await.with_context(|| format!("{key}: cannot be read"))?.to_vec())
    }
}
