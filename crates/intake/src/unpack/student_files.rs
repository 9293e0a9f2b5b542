//! Unpacks a student's files within limits on number, size and depth.

use crate::download::course_systems::Student;
use crate::download::entries::{Download, Entry, NOT_UNPACKED};
use crate::submission::hex;
use crate::unpack::archives::{Archive, ArchivedFile, Limits, each_file, foreign_format};
use anyhow::{Context, Error, Result, anyhow, bail};
use arena::plain;
use arena::rules_program::files as list;
use sandbox::system;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Files up to this size, in bytes, may have any ratio: short texts are packed well.
const ANY_RATIO_BYTES: u64 = 1 << 20;
const MAX_ARCHIVES: usize = 8;
/// The most archives within archives, the outermost one included.
const MAX_LEVELS: usize = 3;

#[derive(Default)]
pub(crate) struct Unpacked {
    /// The digest of all files, their names, which ones are executable, and what is left out.
    pub digest: String,
    /// The digest of all files and their names alone, the same where a download is unpacked by
    /// hand.
    pub upload: String,
    pub refused: Option<String>,
    pub left_out: Vec<String>,
    pub archives: Vec<String>,
    pub bytes: u64,
}

struct Unpacking<'a> {
    limits: Limits,
    root: &'a Path,
    files: u64,
    /// Bytes of all submissions before this one.
    before: u64,
    digest: Sha256,
    upload: Sha256,
    out: Unpacked,
}

/// Unpacks a student's files into an empty folder; `is_source` tells what a program may begin with,
/// `before` are the bytes of earlier submissions.
pub(crate) fn unpack(
    download: &mut Download,
    student: &Student,
    root: &Path,
    is_source: &dyn Fn(&Path) -> bool,
    limits: Limits,
    before: u64,
) -> Result<Unpacked> {
    let (digest, upload, left_out) = (Sha256::new(), Sha256::new(), student.left_out.clone());
    let out = Unpacked { left_out, ..Unpacked::default() };
    let mut work = Unpacking { limits, root, files: 0, before, digest, upload, out };
    let named = student.files.iter().map(|(path, entry)| (path.clone(), entry));
    let unpacked = work.unpack_all(download, named).and_then(|()| work.unpack_archives(is_source));
    if work.out.refused.is_none() {
        unpacked?;
    }
    for line in &work.out.left_out {
        work.digest.update(line.as_bytes());
    }
    work.out.digest = hex(&work.digest.finalize());
    work.out.upload = hex(&work.upload.finalize());
    Ok(work.out)
}

impl Unpacking<'_> {
    fn refuse<T>(&mut self, why: String) -> Result<T> {
        self.out.refused = Some(why);
        bail!("refused")
    }

    fn leave_out(&mut self, line: String) {
        self.out.left_out.push(line);
    }

    fn unpack_all<'e>(
        &mut self,
        download: &mut Download,
        named: impl Iterator<Item = (Vec<String>, &'e Entry)>,
    ) -> Result<()> {
        for (path, entry) in named {
            let mut contents = download.read(entry);
            let contents = contents.as_mut().map(|contents| &mut **contents as &mut dyn Read);
            let contents = contents.map_err(|error| anyhow!("{error:#}"));
            self.unpack_file(&path, entry.executable, entry.packed, contents)?;
        }
        Ok(())
    }

    fn unpack_file(
        &mut self,
        path: &[String],
        executable: bool,
        packed: u64,
        contents: Result<&mut dyn Read>,
    ) -> Result<()> {
        let shown = path.join("/");
        self.files += 1;
        if self.files > self.limits.files {
            return self.refuse(format!("more than {} files (--most-files)", self.limits.files));
        }
        if path.len() > self.limits.depth {
            self.leave_out(format!("{shown} lies deeper than {} folders", self.limits.depth));
            return Ok(());
        }
        let target = path.iter().fold(self.root.to_owned(), |place, name| place.join(name));
        let mode = if executable { 0o755 } else { 0o644 };
        let folder = target.parent().unwrap_or(self.root);
        let made = fs::create_dir_all(folder).and_then(|()| system::create_new(&target, mode));
        let cannot_be_written = || format!("{}: cannot be written", target.display());
        let mut file = match made {
            Ok(file) => file,
            Err(error) if is_machine_error(&error) => {
                return Err(error).with_context(cannot_be_written);
            }
            Err(error) => {
                use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory};
                let why = match error.kind() {
                    AlreadyExists | NotADirectory | IsADirectory => {
                        "has the name of another file or folder".to_string()
                    }
                    _ => format!("{NOT_UNPACKED}: {error}"),
                };
                self.leave_out(format!("{shown} {why}"));
                return Ok(());
            }
        };
        self.digest.update(format!("{shown}\0{executable}\0"));
        self.upload.update(format!("{shown}\0"));
        let most = (packed.saturating_mul(self.limits.ratio)).max(ANY_RATIO_BYTES);
        let why = match contents {
            Ok(contents) => match self.copy(contents, &mut file, most, &shown) {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(error)) => error.into(),
                Err(error) if self.out.refused.is_some() => return Err(error),
                Err(error) => return Err(error).with_context(cannot_be_written),
            },
            Err(error) => error,
        };
        // The file is damaged, or packed by an unknown method.
        drop(file);
        fs::remove_file(&target)?;
        self.leave_out(format!("{shown} {NOT_UNPACKED}: {}", plain::shown(&why.to_string())));
        Ok(())
    }

    /// Copies the bytes of a file. The inner error says why they cannot be read.
    fn copy(
        &mut self,
        from: &mut dyn Read,
        to: &mut File,
        most: u64,
        shown: &str,
    ) -> Result<io::Result<()>> {
        let Limits { bytes, total, ratio, .. } = self.limits;
        let mut length = 0;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Err(error)),
            };
            length += count as u64;
            self.out.bytes += count as u64;
            let (all, mib) = (self.out.bytes, total >> 20);
            let why = match () {
                () if all > bytes => {
                    format!("all files together exceed {} MiB (--most-mib)", bytes >> 20)
                }
                () if self.before + all > total => {
                    format!("all submissions together exceed {mib} MiB (--most-total-mib)")
                }
                () if length > most => {
                    format!("unpacks to more than {ratio} times its size, as only a zip bomb does")
                }
                () => String::new(),
            };
            if !why.is_empty() {
                return self.refuse(format!("{shown}: {why}"));
            }
            self.digest.update(&buffer[..count]);
            self.upload.update(&buffer[..count]);
            to.write_all(&buffer[..count])?;
        }
        self.digest.update(length.to_le_bytes());
        self.upload.update(length.to_le_bytes());
        Ok(Ok(()))
    }

    /// Unpacks the archives. One within an archive, and a jar, is unpacked only as long as no
    /// source was found: beside a source it may be data, or a library.
    fn unpack_archives(&mut self, is_source: &dyn Fn(&Path) -> bool) -> Result<()> {
        let mut tried = BTreeSet::new();
        for level in 1..=MAX_LEVELS {
            let is_archive =
                |path: &PathBuf| Archive::of(&path.to_string_lossy()).is_some() || is_jar(path);
            let (mut found, files): (Vec<PathBuf>, Vec<PathBuf>) =
                list(self.root)?.into_iter().partition(is_archive);
            if files.iter().any(|path| is_source(path)) {
                if level > 1 {
                    break;
                }
                found.retain(|path| !is_jar(path));
            }
            found.retain(|path| !tried.contains(path));
            let room = MAX_ARCHIVES.saturating_sub(tried.len());
            for path in found.iter().skip(room) {
                let shown = path.display();
                self.leave_out(format!("{shown} exceeds the limit of {MAX_ARCHIVES} archives"));
            }
            found.truncate(room);
            found.iter().try_for_each(|path| self.unpack_one(path))?;
            tried.extend(found);
        }
        Ok(())
    }

    fn unpack_one(&mut self, path: &Path) -> Result<()> {
        let (shown, place) = (path.display().to_string(), self.root.join(path));
        let beginning = beginning_of(&place)?;
        if let Some(format) = foreign_format(&shown, &beginning) {
            self.leave_out(format!(
                "{shown} {NOT_UNPACKED}: it is {format}: hand in an ordinary zip"
            ));
            return Ok(());
        }
        let by_name = Archive::of(&shown).map(|(kind, _)| kind);
        let Some(kind) = Archive::by_content(&beginning).or(by_name) else { return Ok(()) };
        let folder = self.folder_for(path);
        let above: Vec<String> =
            folder.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let (files, left_out) = (self.files, self.out.left_out.len());
        let unpacked = match kind {
            Archive::Zip => self.unpack_zip(&place, &shown, &above),
            _ => self.unpack_archive(kind, &place, &shown, &above),
        };
        if let Some(why) = &mut self.out.refused {
            *why = format!("{shown}: {why}");
        }
        match unpacked? {
            // If no file could be unpacked, the archive is all that there is.
            Ok(()) if self.files == files && self.out.left_out.len() > left_out => {}
            Ok(()) => {
                fs::remove_file(place)?;
                self.out.archives.push(shown);
            }
            Err(error) => {
                let why = reason(&error);
                self.leave_out(format!("{shown} {NOT_UNPACKED} as a {}: {why}", kind.name()));
            }
        }
        Ok(())
    }

    /// Unpacks a zip into the folder `above`. The inner error says why the zip cannot be read.
    fn unpack_zip(&mut self, path: &Path, shown: &str, above: &[String]) -> Result<Result<()>> {
        let mut download =
            match Download::open_zip(File::open(path)?, self.limits.files.saturating_mul(2)) {
                Ok(download) => download,
                Err(error) => return Ok(Err(error)),
            };
        for left_out in std::mem::take(&mut download.left_out) {
            self.leave_out(format!("{shown}: {}", left_out.line));
        }
        let entries = std::mem::take(&mut download.entries);
        let named = entries.iter().map(|entry| ([above, &entry.path].concat(), entry));
        self.unpack_all(&mut download, named).map(Ok)
    }

    /// Unpacks an archive that is no zip, which as a whole stands for the packed size of each file.
    fn unpack_archive(
        &mut self,
        kind: Archive,
        path: &Path,
        shown: &str,
        above: &[String],
    ) -> Result<Result<()>> {
        let packed = fs::metadata(path)?.len();
        let mut unpacked = Ok(());
        let read = each_file(kind, path, self.limits, &mut |found| {
            match found {
                Ok(ArchivedFile { path, executable, contents }) => {
                    let path = [above, &path].concat();
                    unpacked = self.unpack_file(&path, executable, packed, Ok(contents));
                }
                Err(line) => self.leave_out(format!("{shown}: {line}")),
            }
            unpacked.is_ok()
        });
        unpacked.map(|()| read)
    }

    /// Returns a new folder for the contents of an archive.
    fn folder_for(&self, archive: &Path) -> PathBuf {
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        let stem = match Archive::of(&name) {
            Some((_, stem)) => stem,
            None => name.rsplit_once('.').map_or(&*name, |(stem, _)| stem),
        };
        let mut folder = archive.with_file_name(stem);
        while self.root.join(&folder).exists() {
            folder.as_mut_os_string().push("~");
        }
        folder
    }
}

/// Returns whether the machine causes an error, and not the file: a full or read-only disk.
pub(crate) fn is_machine_error(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

/// Returns why an archive cannot be read, and what to do about it.
fn reason(error: &Error) -> String {
    use sevenz_rust2::Error::{PasswordRequired, UnsupportedCompressionMethod};
    match error.downcast_ref() {
        Some(PasswordRequired) => {
            "it is encrypted: hand in an ordinary zip without a password".to_string()
        }
        Some(UnsupportedCompressionMethod(method)) => {
            format!("its method {} is unknown here: hand in an ordinary zip", plain::shown(method))
        }
        _ => plain::shown(&format!("{error:#}")),
    }
}

/// Returns the first bytes of a file, enough to know an archive by.
pub(crate) fn beginning_of(path: &Path) -> io::Result<Vec<u8>> {
    const LENGTH: u64 = 512;
    let mut beginning = Vec::new();
    File::open(path)?.take(LENGTH).read_to_end(&mut beginning)?;
    Ok(beginning)
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("jar"))
}
