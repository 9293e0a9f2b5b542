//! Input files of limited size, and output files that are whole at any moment.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The most bytes of an input file. Those of all games are far shorter.
pub const INPUT_LIMIT: u64 = 1 << 20;

/// The time within which a named pipe in the place of an input file must be written to its end.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Reads a text of at most [`INPUT_LIMIT`] bytes; `-` is standard input. Invalid UTF-8 is replaced,
/// so that the parser names its line. A named pipe has to end within [`PATIENCE`].
pub fn read_input(path: &Path) -> io::Result<String> {
    let bytes = if is_standard_stream(path) {
        read_bounded(io::stdin().lock())?
    } else if fs::metadata(path)?.is_file() {
        read_bounded(fs::File::open(path)?)?
    } else {
        read_patiently(path.to_owned())?
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_bounded(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(INPUT_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is longer than 1 MiB"));
    }
    Ok(bytes)
}

/// Reads a path that is not a regular file in a thread of its own, since opening and reading may
/// block for ever. At the time limit the thread is abandoned.
fn read_patiently(path: PathBuf) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .spawn(move || sender.send(fs::File::open(path).and_then(read_bounded)))?;
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let reason =
            format!("not a regular file, and it did not end within {} s", PATIENCE.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, reason))
    })
}

/// The destination of the output, determined by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination<'a> {
    /// A regular file, which is replaced as a whole.
    File(&'a Path),
    /// Standard output: `-` or `/dev/stdout`.
    Stream,
    /// A device such as `/dev/null`, which is written to, never replaced.
    Device(&'a Path),
}

impl<'a> Destination<'a> {
    /// The kind of a path.
    pub fn of(path: &'a Path) -> Destination<'a> {
        match path {
            path if is_standard_stream(path) => Destination::Stream,
            path if is_device(path) => Destination::Device(path),
            path => Destination::File(path),
        }
    }

    /// Whether an output can be replaced by a better one later.
    pub fn is_replaceable(self) -> bool {
        matches!(self, Destination::File(_))
    }

    /// Writes a text. A file is written as a whole or not at all.
    pub fn write(self, text: &str) -> io::Result<()> {
        match self {
            Destination::File(path) => write_atomically(path, text),
            Destination::Stream => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Destination::Device(path) => fs::OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|mut device| device.write_all(text.as_bytes())),
        }
    }
}

fn is_standard_stream(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/stdout"].map(Path::new).contains(&path)
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path)
        .is_ok_and(|data| data.file_type().is_char_device() || data.file_type().is_block_device())
}

#[cfg(not(unix))]
fn is_device(path: &Path) -> bool {
    // Windows reserves these names for devices in every directory.
    path.file_name()
        .is_some_and(|name| ["NUL", "CON"].iter().any(|device| name.eq_ignore_ascii_case(device)))
}

/// Writes a file atomically: under a temporary name in the same directory, which is then renamed.
/// An error leaves the old file alone. A directory at the path is an error, a symbolic link is
/// replaced.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}

/// An atomically replaced file, for texts too long to hold in memory: renamed by
/// [`AtomicFile::commit`], removed if it is dropped before.
#[derive(Debug)]
pub struct AtomicFile {
    /// The open file; `None` once it is committed.
    file: Option<fs::File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file. Writes are not buffered.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        // An existing file at a temporary name, left by a killed process or put there by somebody,
        // is neither trusted nor touched.
        for attempt in 0..64 {
            let temporary = temporary_name(path, attempt)?;
            match fs::File::create_new(&temporary) {
                Ok(file) => {
                    return Ok(AtomicFile { file: Some(file), temporary, path: path.to_owned() });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "all names for a temporary file in its directory are taken",
        ))
    }

    /// Renames the file to its final name, where it replaces an existing one.
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

fn temporary_name(path: &Path, attempt: u32) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_old_file_or_leaves_no_trace() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("output.txt");
        write_atomically(&target, "old").unwrap();
        write_atomically(&target, "new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        fs::remove_file(&target).unwrap();
        fs::create_dir(&target).unwrap();
        assert!(write_atomically(&target, "E 0,0 1,1\n").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn what_stands_in_the_place_of_a_temporary_file_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("output.txt");
        let planted = directory.path().join("planted");
        std::os::unix::fs::symlink(&planted, temporary_name(&target, 0).unwrap()).unwrap();
        fs::create_dir(temporary_name(&target, 1).unwrap()).unwrap();
        write_atomically(&target, "new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert!(!planted.exists());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 3);
    }

    #[test]
    #[cfg(unix)]
    fn the_system_s_streams_and_devices_are_no_files_to_replace() {
        let kind = |path: &'static str| Destination::of(Path::new(path));
        for stream in ["-", "/dev/stdin", "/dev/stdout"] {
            assert_eq!(kind(stream), Destination::Stream);
        }
        assert_eq!(kind("/dev/null"), Destination::Device(Path::new("/dev/null")));
        assert!(kind("output.txt").is_replaceable() && kind("/tmp").is_replaceable());
    }

    #[test]
    #[cfg(unix)]
    fn an_input_without_end_is_refused() {
        assert_eq!(
            read_input(Path::new("/dev/zero")).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
    }
}
