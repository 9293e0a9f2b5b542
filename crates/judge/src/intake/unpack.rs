//! Unpacking a student's files: no more, no larger and no deeper than is allowed, each into a folder of its own.

use super::shapes::Student;
use super::source::{Entry, Source};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What a submission may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Files, those of zips within it included.
    pub files: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// How many times as large as a packed file the file may be.
    pub ratio: u64,
    /// Folders within folders.
    pub depth: usize,
    /// Bytes of all files of all submissions.
    pub total: u64,
}

/// A packed file may become so large whatever the ratio, in bytes: short texts are packed well.
const ANY_RATIO: u64 = 1 << 20;
/// The most zips of a submission that are unpacked.
const MOST_ZIPS: usize = 8;

/// What came of unpacking.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// The digest of all files and their names.
    pub digest: String,
    /// Why the whole submission is refused.
    pub refused: Option<String>,
    /// Files that are left out, and why.
    pub left_out: Vec<String>,
    /// The zips that were unpacked.
    pub zips: Vec<String>,
    /// Bytes of all files.
    pub bytes: u64,
}

/// A submission that is being unpacked.
struct Unpacking<'a> {
    limits: Limits,
    root: &'a Path,
    files: u64,
    bytes: u64,
    before: u64,
    digest: Sha256,
    out: Unpacked,
}

/// The way on after a file.
enum Step {
    Next,
    Refused(String),
}

/// Unpacks a student's files into an empty folder.
///
/// `before` is how many bytes those before it had.
pub(super) fn unpack(
    source: &mut Source,
    student: &Student,
    root: &Path,
    limits: Limits,
    before: u64,
) -> Result<Unpacked> {
    let mut work =
        Unpacking { limits, root, files: 0, bytes: 0, before, digest: Sha256::new(), out: Unpacked::default() };
    work.out.left_out.clone_from(&student.left_out);
    let named = student.files.iter().map(|(path, entry)| (path.clone(), entry));
    let mut refused = work.all(source, named)?;
    if refused.is_none() {
        refused = work.zips()?;
    }
    for line in &work.out.left_out {
        work.digest.update(line.as_bytes());
    }
    work.out.refused = refused;
    work.out.bytes = work.bytes;
    for byte in work.digest.finalize().iter().take(16) {
        let _ = write!(work.out.digest, "{byte:02x}");
    }
    Ok(work.out)
}

impl Unpacking<'_> {
    /// Unpacks files; why the submission is refused, if it is.
    fn all<'e>(
        &mut self,
        source: &mut Source,
        named: impl Iterator<Item = (Vec<String>, &'e Entry)>,
    ) -> Result<Option<String>> {
        for (path, entry) in named {
            if let Step::Refused(why) = self.one(source, &path, entry)? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    fn one(&mut self, source: &mut Source, path: &[String], entry: &Entry) -> Result<Step> {
        let shown = path.join("/");
        self.files += 1;
        if self.files > self.limits.files {
            return Ok(Step::Refused(format!("it has more than {} files (--most-files)", self.limits.files)));
        }
        if path.len() > self.limits.depth {
            self.out.left_out.push(format!("{shown} lies deeper than {} folders", self.limits.depth));
            return Ok(Step::Next);
        }
        let target = path.iter().fold(self.root.to_owned(), |place, name| place.join(name));
        let mut file = match create(&target, entry.executable) {
            Ok(file) => file,
            Err(error) if is_machines(&error) => {
                return Err(error).with_context(|| format!("{}: cannot be written", target.display()));
            }
            Err(error) => {
                let stands = "has the name of another file or folder".to_string();
                let why = if in_the_way(&error) { stands } else { format!("cannot be unpacked: {error}") };
                self.out.left_out.push(format!("{shown} {why}"));
                return Ok(Step::Next);
            }
        };
        self.digest.update(format!("{shown}\0{}\0", entry.executable));
        let most = (entry.packed.saturating_mul(self.limits.ratio)).max(ANY_RATIO);
        let read = source.read(entry).and_then(|reader| self.copy(reader, &mut file, most));
        let why = match read {
            Ok(None) => return Ok(Step::Next),
            Ok(Some(refused)) => return Ok(Step::Refused(format!("{shown}: {refused}"))),
            Err(error) if error.is::<OwnError>() => {
                return Err(error).with_context(|| format!("{}: cannot be written", target.display()));
            }
            Err(error) => error,
        };
        // A file that is broken, or packed by a method that is not known.
        drop(file);
        fs::remove_file(&target)?;
        self.out.left_out.push(format!("{shown} cannot be unpacked: {}", arena::plain::shown(&why.to_string())));
        Ok(Step::Next)
    }

    /// Copies a file; why the submission is refused, if it is.
    fn copy(&mut self, mut from: Box<dyn Read + '_>, to: &mut File, most: u64) -> Result<Option<String>> {
        let mut length = 0;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            length += count as u64;
            self.bytes += count as u64;
            if self.bytes > self.limits.bytes {
                return Ok(Some(format!(
                    "with it all files have more than {} MiB (--most-mib)",
                    self.limits.bytes >> 20
                )));
            }
            if self.before + self.bytes > self.limits.total {
                let mib = self.limits.total >> 20;
                return Ok(Some(format!("with it all submissions have more than {mib} MiB (--most-total-mib)")));
            }
            if length > most {
                let ratio = self.limits.ratio;
                return Ok(Some(format!("unpacks to more than {ratio} times its size, as only a bomb does")));
            }
            self.digest.update(&buffer[..count]);
            to.write_all(&buffer[..count]).map_err(OwnError)?;
        }
        self.digest.update(length.to_le_bytes());
        Ok(None)
    }

    /// Unpacks the zips that the submission holds, not those within them.
    fn zips(&mut self) -> Result<Option<String>> {
        let mut found = Vec::new();
        find_zips(self.root, &mut found)?;
        for path in found.iter().skip(MOST_ZIPS) {
            self.out.left_out.push(format!("{} is one zip too many", self.shown(path)));
        }
        for path in found.into_iter().take(MOST_ZIPS) {
            let shown = self.shown(&path);
            let opened = Source::open_zip(File::open(&path)?, self.limits.files.saturating_mul(2));
            let mut source = match opened {
                Ok(source) => source,
                Err(error) => {
                    let why = arena::plain::shown(&format!("{error:#}"));
                    self.out.left_out.push(format!("{shown} is no zip that can be unpacked: {why}"));
                    continue;
                }
            };
            let folder = self.folder_for(&path);
            let above: Vec<String> = folder
                .strip_prefix(self.root)
                .unwrap_or(&folder)
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            for left_out in std::mem::take(&mut source.left_out) {
                self.out.left_out.push(format!("{shown}: {}", left_out.line));
            }
            let entries = std::mem::take(&mut source.entries);
            let named = entries.iter().map(|entry| ([above.clone(), entry.path.clone()].concat(), entry));
            if let Some(refused) = self.all(&mut source, named)? {
                return Ok(Some(format!("{shown}: {refused}")));
            }
            fs::remove_file(&path)?;
            self.out.zips.push(shown);
        }
        Ok(None)
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.root).unwrap_or(path).display().to_string()
    }

    /// A folder for what a zip holds, of its name.
    fn folder_for(&self, zip: &Path) -> PathBuf {
        let mut folder = zip.with_extension("");
        while folder.exists() {
            let mut longer = folder.into_os_string();
            longer.push("~");
            folder = PathBuf::from(longer);
        }
        folder
    }
}

/// An error of the disk that is written to, which is nobody's fault but the machine's.
#[derive(Debug)]
struct OwnError(io::Error);

impl std::fmt::Display for OwnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for OwnError {}

fn create(path: &Path, executable: bool) -> io::Result<File> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    OpenOptions::new().write(true).create_new(true).mode(if executable { 0o755 } else { 0o644 }).open(path)
}

/// Whether an error is the machine's, whatever the file.
pub(super) fn is_machines(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

fn in_the_way(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory)
}

fn find_zips(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            find_zips(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
            found.push(path);
        }
    }
    Ok(())
}
