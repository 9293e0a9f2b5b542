//! Writing of record files.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

    /// Opens or creates a file of lines of one kind, and reads those that it has. A line that was cut
    /// is left out, also after others have followed it. `what` is what a line should be.
    pub fn reopen<T: DeserializeOwned>(path: &Path, what: &str) -> Result<(Vec<T>, Recorder)> {
        let name = path.display();
        let create = OpenOptions::new().append(true).create(true).open(path);
        drop(create.with_context(|| format!("{name}: cannot be written"))?);
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
        let mut lines = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            match serde_json::from_str(line) {
                Ok(line) => lines.push(line),
                Err(error) if error.is_eof() => {}
                Err(error) => bail!("{name}:{number}: expected {what}: {error}"),
            }
        }
        Ok((lines, Recorder::resume(path)?))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_is_left_out_whatever_follows_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let read = || Recorder::reopen::<Vec<String>>(&path, "a list");
        let (lines, mut recorder) = read().unwrap();
        assert!(lines.is_empty());
        recorder.append(&["one"]).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, whole + "[\"tw").unwrap();
        let (lines, mut recorder) = read().unwrap();
        assert_eq!(lines, [["one"]]);
        recorder.append(&["three"]).unwrap();
        assert_eq!(read().unwrap().0, [["one"], ["three"]]);
        std::fs::write(&path, "[]\n{}\n").unwrap();
        let error = format!("{:#}", read().map(|_| ()).unwrap_err());
        assert!(error.contains("lines:2: expected a list: "), "{error}");
    }
}
