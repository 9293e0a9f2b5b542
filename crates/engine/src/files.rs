//! Reading an input of limited size and leaving an output that is always whole.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// No input file of any game is nearly as long, in bytes.
pub const INPUT_LIMIT: u64 = 1 << 20;

/// Reads a text of at most [`INPUT_LIMIT`] bytes; `-` is standard input. Bytes that are not UTF-8 are replaced, for the
/// parser to refuse with their line.
pub fn read_input(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    if is_standard_stream(path) {
        io::stdin().lock().take(INPUT_LIMIT + 1).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?.take(INPUT_LIMIT + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is longer than 1 MiB"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Whether a path means standard input or output.
#[must_use]
pub fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file so that it is whole at any moment: to a temporary name in the same directory, which is then renamed.
/// On an error the old file is untouched and the temporary one removed. An existing directory in the place of the file
/// is an error.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}

/// A file that takes its place only when it is whole, for texts too long to be held: written under a temporary name in
/// the same directory, renamed by [`AtomicFile::commit`], removed if dropped before.
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` once it is closed.
    file: Option<fs::File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Begins a file. Writes are not buffered.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let temporary = temporary_name(path)?;
        let file = fs::File::create(&temporary)?;
        Ok(AtomicFile { file: Some(file), temporary, path: path.to_owned() })
    }

    /// Gives the file its name.
    pub fn commit(mut self) -> io::Result<()> {
        self.file = None;
        fs::rename(&self.temporary, &self.path).inspect_err(|_| {
            let _ = fs::remove_file(&self.temporary);
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_no_trace() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("output.txt");
        fs::create_dir(&target).unwrap();
        assert!(write_atomically(&target, "E 0,0 1,1\n").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_write_replaces_the_old_file() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("output.txt");
        write_atomically(&target, "old").unwrap();
        write_atomically(&target, "new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_input_without_end_is_refused() {
        assert_eq!(read_input(Path::new("/dev/zero")).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
