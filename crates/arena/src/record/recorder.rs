//! Writing of record files.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file to which events are appended, each with one write.
pub struct Recorder {
    file: Option<File>,
}

impl Recorder {
    /// A recorder without a file.
    pub fn nowhere() -> Recorder {
        Recorder { file: None }
    }

    /// Creates a new file with its header, and its folder.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Recorder> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        let file =
            OpenOptions::new().append(true).create_new(true).open(path).with_context(|| {
                format!("{}: cannot be created (to go on with it: --resume)", path.display())
            })?;
        let mut recorder = Recorder { file: Some(file) };
        recorder.append(header)?;
        Ok(recorder)
    }

    /// Opens an existing file. An incomplete last line is terminated first.
    pub fn resume(path: &Path) -> Result<Recorder> {
        let context = || format!("{}: cannot be written to", path.display());
        let mut file =
            OpenOptions::new().read(true).append(true).open(path).with_context(context)?;
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            file.write_all(b"\n").with_context(context)?;
        }
        Ok(Recorder { file: Some(file) })
    }

    /// Appends one line.
    pub fn append(&mut self, event: &impl Serialize) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_string(event)?;
            line.push('\n');
            file.write_all(line.as_bytes()).context("the record cannot be written")?;
        }
        Ok(())
    }
}
