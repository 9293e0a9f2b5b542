//! The files of a download, from a zip or from a directory, as they are listed before anything is unpacked. Their names are
//! made plain, and none leads anywhere else.

use anyhow::{Context, Result, bail};
use arena::plain;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// The most files of a download that are listed.
const MOST_LISTED: u64 = 1_000_000;
/// The longest name of a file or folder, in bytes.
const LONGEST_NAME: usize = 200;
/// How deep a directory is looked into.
const DEEPEST: usize = 64;

/// A file of a download.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The names of the folders it is in, and its own.
    pub path: Vec<String>,
    /// Whether it may be started.
    pub executable: bool,
    /// The size it has packed, in bytes.
    pub packed: u64,
    /// Where it is.
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Zip(usize),
    Directory(PathBuf),
}

/// A file that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// The student's folder, if the path begins well.
    pub path: Vec<String>,
    /// The path as it is there, plain, and why it is left out.
    pub line: String,
}

/// A download that is open.
pub(super) struct Source {
    archive: Option<ZipArchive<File>>,
    /// Its files.
    pub entries: Vec<Entry>,
    /// What is left out from the beginning.
    pub left_out: Vec<LeftOut>,
    /// Whether it is a directory.
    pub is_directory: bool,
}

impl Source {
    /// Opens a zip or a directory.
    pub(super) fn open(path: &Path) -> Result<Source> {
        let name = path.display();
        let data = fs::metadata(path).with_context(|| format!("{name}: cannot be read"))?;
        let mut source =
            Source { archive: None, entries: Vec::new(), left_out: Vec::new(), is_directory: data.is_dir() };
        if data.is_dir() {
            source.list_directory(path, &mut Vec::new())?;
        } else if data.is_file() {
            let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
            source.list_zip(file, MOST_LISTED).with_context(|| {
                format!("{name}: cannot be read as a zip; take a zip as the course system makes it, or a directory")
            })?;
        } else {
            bail!("{name}: neither a zip nor a directory");
        }
        Ok(source)
    }

    /// Opens a zip within a submission, of no more entries than so many.
    pub(super) fn open_zip(file: File, most: u64) -> Result<Source> {
        let mut source = Source { archive: None, entries: Vec::new(), left_out: Vec::new(), is_directory: false };
        source.list_zip(file, most)?;
        Ok(source)
    }

    fn list_zip(&mut self, mut file: File, most: u64) -> Result<()> {
        if let Some(count) = claimed_entries(&mut file)?
            && count > most
        {
            bail!("it has {count} entries, more than {most}");
        }
        let mut archive = ZipArchive::new(file)?;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index)?;
            let (raw, mode) = (entry.name_raw().to_vec(), entry.unix_mode());
            let path = match plain_path(&raw) {
                Ok(path) => path,
                Err((path, line)) => {
                    self.left_out.push(LeftOut { path, line });
                    continue;
                }
            };
            let kind = mode.map_or(0, |mode| mode & KIND);
            if raw.ends_with(b"/") || raw.ends_with(b"\\") || kind == DIRECTORY {
                continue;
            }
            let refused = match kind {
                0 | REGULAR if entry.encrypted() => Some("is encrypted"),
                0 | REGULAR => None,
                LINK => Some("is a link"),
                _ => Some("is no regular file"),
            };
            if is_litter(&path) {
                continue;
            }
            if let Some(why) = refused {
                let line = format!("{} {why}", path.join("/"));
                self.left_out.push(LeftOut { path, line });
                continue;
            }
            let executable = mode.is_some_and(|mode| mode & 0o111 != 0);
            let packed = entry.compressed_size();
            self.entries.push(Entry { path, executable, packed, place: Place::Zip(index) });
        }
        self.archive = Some(archive);
        Ok(())
    }

    fn list_directory(&mut self, directory: &Path, above: &mut Vec<String>) -> Result<()> {
        let name = directory.display();
        let mut listed = fs::read_dir(directory)
            .and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>())
            .with_context(|| format!("{name}: cannot be listed"))?;
        listed.sort_by_key(fs::DirEntry::file_name);
        for entry in listed {
            above.push(file_name(entry.file_name().as_bytes()));
            if is_litter(above) {
                above.pop();
                continue;
            }
            let kind = entry.file_type()?;
            let line = |why: &str| format!("{} {why}", above.join("/"));
            if kind.is_dir() && above.len() < DEEPEST {
                self.list_directory(&entry.path(), above)?;
            } else if kind.is_file() {
                let data = entry.metadata()?;
                self.entries.push(Entry {
                    path: above.clone(),
                    executable: data.permissions().mode() & 0o111 != 0,
                    packed: data.len(),
                    place: Place::Directory(entry.path()),
                });
            } else {
                let why = match () {
                    () if kind.is_dir() => "is too deep",
                    () if kind.is_symlink() => "is a link",
                    () => "is no regular file",
                };
                self.left_out.push(LeftOut { path: above.clone(), line: line(why) });
            }
            above.pop();
            if self.entries.len() as u64 > MOST_LISTED {
                bail!("{name}: more than {MOST_LISTED} files");
            }
        }
        Ok(())
    }

    /// The bytes of a file, to be read from its beginning.
    pub(super) fn read(&mut self, entry: &Entry) -> Result<Box<dyn Read + '_>> {
        Ok(match (&entry.place, &mut self.archive) {
            (Place::Zip(index), Some(archive)) => Box::new(archive.by_index(*index)?),
            (Place::Directory(path), _) => Box::new(File::open(path)?),
            (Place::Zip(_), None) => bail!("the zip is closed"),
        })
    }
}

/// What systems, editors and an autograder of ours leave behind.
fn is_litter(path: &[String]) -> bool {
    const NAMES: [&str; 11] = [
        "__macosx",
        ".ds_store",
        ".git",
        ".grader",
        ".svn",
        ".hg",
        "__pycache__",
        ".idea",
        ".vscode",
        "thumbs.db",
        "desktop.ini",
    ];
    path.iter().any(|name| name.starts_with("._") || NAMES.contains(&name.to_lowercase().as_str()))
}

/// The kinds of files in the modes of Unix.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

/// The number of entries that a zip says it has; `None` if it does not say.
fn claimed_entries(file: &mut File) -> Result<Option<u64>> {
    /// The record at the end of a zip, in bytes, and the longest comment behind it.
    const RECORD: usize = 22;
    const COMMENT: u64 = 1 << 16;
    /// What a record says if the number has no room in it; a record of another kind has it then.
    const ELSEWHERE: u64 = 0xffff;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(COMMENT + RECORD as u64)))?;
    let mut end = Vec::new();
    file.take(COMMENT + RECORD as u64).read_to_end(&mut end)?;
    file.seek(SeekFrom::Start(0))?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let mut most = None;
    for (at, window) in end.windows(RECORD).enumerate() {
        let count = match window {
            [b'P', b'K', 5, 6, ..] => Some(number(&window[10..12])).filter(|&count| count != ELSEWHERE),
            // The longer record, of 64 bits.
            [b'P', b'K', 6, 6, ..] => end.get(at + 32..at + 40).map(number),
            _ => None,
        };
        most = most.max(count);
    }
    Ok(most)
}

/// The names on the way to an entry of a zip, plain; or those before what is wrong, and what that is.
fn plain_path(raw: &[u8]) -> Result<Vec<String>, (Vec<String>, String)> {
    let shown = plain::name(OsStr::from_bytes(raw));
    let refused = |path: &[String], why: &str| Err((path.to_vec(), format!("{shown} {why}")));
    let is_drive = raw.len() > 1 && raw[1] == b':' && raw[0].is_ascii_alphabetic();
    if raw.starts_with(b"/") || raw.starts_with(b"\\") || is_drive {
        return refused(&[], "is an absolute path");
    }
    let mut path = Vec::new();
    // Some programs on Windows write the other stroke.
    for part in raw.split(|&byte| byte == b'/' || byte == b'\\') {
        match part {
            b"" | b"." => {}
            b".." => return refused(&path, "leads out of its folder"),
            _ if part.contains(&0) => return refused(&path, "has a zero byte in its name"),
            _ if part.len() > LONGEST_NAME => {
                let shown: String = shown.chars().take(60).collect();
                return Err((path, format!("{shown}... has a name of more than {LONGEST_NAME} bytes")));
            }
            _ => path.push(file_name(part)),
        }
    }
    if path.is_empty() { refused(&path, "names no file") } else { Ok(path) }
}

/// A name as a file can have it: plain, with a percent sign where an escape has a backslash.
fn file_name(raw: &[u8]) -> String {
    plain::name(OsStr::from_bytes(raw)).replace('\\', "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_refused_and_names_are_plain() {
        let path = |raw: &[u8]| plain_path(raw);
        assert_eq!(path(b"ann/src/a.py").unwrap(), ["ann", "src", "a.py"]);
        assert_eq!(path(b"ann\\./src//a.py").unwrap(), ["ann", "src", "a.py"]);
        assert_eq!(path("Zoë/ä.py".as_bytes()).unwrap(), ["Zoë", "ä.py"]);
        assert_eq!(path(b"Jos\xe9/a\x1b.py").unwrap(), ["Jos%xe9", "a%u{1b}.py"]);
        for (raw, part) in [
            (&b"../../etc/passwd"[..], "../../etc/passwd leads out of its folder"),
            (b"ann/../../b", "leads out"),
            (b"..\\..\\b", "leads out"),
            (b"/etc/passwd", "/etc/passwd is an absolute path"),
            (b"C:\\b", "is an absolute path"),
            (b"\\\\host\\b", "is an absolute path"),
            (b"a\0b", "zero byte"),
            (b"", "names no file"),
            (b"./", "names no file"),
        ] {
            let (_, line) = path(raw).unwrap_err();
            assert!(line.contains(part), "{line}");
        }
        assert_eq!(path(b"ann/../b").unwrap_err().0, ["ann"]);
        assert!(path(&[b'a'; 201]).unwrap_err().1.contains("more than 200 bytes"));
    }
}
