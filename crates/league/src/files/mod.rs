//! What is too large for the database: uploads, built programs and records. They lie in a folder of the league's directory, or in a
//! store such as S3, for which the judge is built with the feature `s3`.

#[cfg(feature = "s3")]
mod http;
#[cfg(feature = "s3")]
mod s3;
mod settings;

pub(crate) use settings::Settings;

use anyhow::{Context, Result};
use futures_util::TryStreamExt;
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
    /// An upload as it came, by its SHA-256.
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
    /// Opens the store that the settings name, or the folder of a league's directory.
    pub(crate) fn open(directory: &Path, settings: Option<&Settings>) -> Result<Files> {
        match settings {
            Some(settings) => open_store(settings).with_context(|| format!("[files]: {}", settings.url)),
            None => Files::folder(directory),
        }
    }

    /// Opens the folder of a league's directory, and makes it if it is missing.
    pub(crate) fn folder(directory: &Path) -> Result<Files> {
        let folder = directory.join(FOLDER);
        std::fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let store = LocalFileSystem::new_with_prefix(&folder).with_context(|| folder.display().to_string())?;
        // A file that was confirmed has to outlive a power failure.
        Ok(Files(Arc::new(store.with_fsync(true))))
    }

    /// Finds out whether files can be put: a server does not begin with a store that it cannot use.
    pub(crate) async fn try_out(&self) -> Result<()> {
        let note = "judge league keeps its uploads, programs and records here.\n";
        let put = self.0.put(&Key::from("about.txt"), note.into()).await;
        put.map(drop).context("the store of files cannot be written")
    }

    /// Puts a file, in place of an earlier one.
    pub(crate) async fn put(&self, file: Stored<'_>, bytes: Vec<u8>) -> Result<()> {
        let key = file.key();
        self.0.put(&key, bytes.into()).await.with_context(|| format!("{key}: cannot be written"))?;
        Ok(())
    }

    /// Returns whether there is a file.
    pub(crate) async fn has(&self, file: Stored<'_>) -> Result<bool> {
        self.has_key(&file.key()).await
    }

    async fn has_key(&self, key: &Key) -> Result<bool> {
        match self.0.head(key).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error).with_context(|| format!("{key}: cannot be looked for")),
        }
    }

    /// Returns the names of all files, in order. One that is only being written is none of them.
    pub(crate) async fn keys(&self) -> Result<Vec<Key>> {
        let found: Vec<_> = self.0.list(None).try_collect().await.context("the files cannot be listed")?;
        let mut keys: Vec<Key> = found.into_iter().map(|found| found.location).collect();
        keys.sort();
        Ok(keys)
    }

    /// Copies the files that are missing here from another store.
    pub(crate) async fn add_missing(&self, from: &Files) -> Result<()> {
        for key in from.keys().await? {
            if !self.has_key(&key).await? {
                let bytes = from.read(&key).await?;
                self.0.put(&key, bytes.into()).await.with_context(|| format!("{key}: cannot be written"))?;
            }
        }
        Ok(())
    }

    /// Returns a file.
    pub(crate) async fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        self.read(&file.key()).await
    }

    /// Returns the file with this name.
    pub(crate) async fn read(&self, key: &Key) -> Result<Vec<u8>> {
        let got = self.0.get(key).await.with_context(|| format!("{key}: cannot be read"))?;
        Ok(got.bytes().await.with_context(|| format!("{key}: cannot be read"))?.to_vec())
    }
}

#[cfg(feature = "s3")]
fn open_store(settings: &Settings) -> Result<Files> {
    s3::open(settings).map(Files)
}

#[cfg(not(feature = "s3"))]
fn open_store(_: &Settings) -> Result<Files> {
    anyhow::bail!(
        "this judge was built without stores such as S3; build with `cargo build --release -p judge --features s3`, or remove the \
         table: then files lie in the folder `{FOLDER}`"
    )
}
