//! The file of a record while it is written.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that events are appended to, each in one write.
pub struct Recorder {
    file: Option<File>,
}

impl Recorder {
    /// A recorder that keeps nothing.
    pub fn nowhere() -> Recorder {
        Recorder { file: None }
    }

    /// Begins a new file, which must not be there yet, with its header.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Recorder> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)
            .with_context(|| format!("{}: cannot be created (to go on with it: --resume)", path.display()))?;
        let mut recorder = Recorder { file: Some(file) };
        recorder.append(header)?;
        Ok(recorder)
    }

    /// Goes on with an existing file; a torn last line is ended first.
    pub fn resume(path: &Path) -> Result<Recorder> {
        let context = || format!("{}: cannot be written to", path.display());
        let mut file = OpenOptions::new().read(true).append(true).open(path).with_context(context)?;
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
