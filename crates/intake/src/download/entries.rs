//! Lists the files of a download before anything is unpacked, by names that are plain text and lead
//! nowhere else.

use crate::download::zip_end::{EndRecord, ZipUpToEnd};
use anyhow::{Context, Result, bail, ensure};
use arena::plain;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use zip::read::{ArchiveOffset, Config, ZipFile};
use zip::{CompressionMethod, ZipArchive};

const MAX_LISTED: u64 = 1_000_000;
/// In bytes.
const MAX_NAME: usize = 200;
const MAX_DEPTH: usize = 64;

#[derive(Clone)]
pub(crate) struct Entry {
    pub path: Vec<String>,
    pub executable: bool,
    pub packed: u64,
    place: EntryPlace,
}

#[derive(Clone)]
enum EntryPlace {
    Zip(usize),
    Directory(PathBuf),
}

pub(crate) struct LeftOut {
    /// The valid names at the beginning of the path.
    pub path: Vec<String>,
    /// The whole path as plain text, and why the file is left out.
    pub line: String,
}

#[derive(Default)]
pub(crate) struct Download {
    archive: Option<ZipArchive<ZipUpToEnd>>,
    pub entries: Vec<Entry>,
    pub left_out: Vec<LeftOut>,
    /// The folders without files that are taken in.
    pub empty_folders: Vec<Vec<String>>,
    pub is_directory: bool,
}

impl Download {
    pub(crate) fn open(path: &Path) -> Result<Download> {
        let name = path.display();
        let data = fs::metadata(path).with_context(|| format!("{name}: cannot be read"))?;
        if data.is_dir() {
            let mut download = Download { is_directory: true, ..Download::default() };
            download.list_directory(path, &mut Vec::new())?;
            download.keep_empty_folders();
            return Ok(download);
        }
        ensure!(data.is_file(), "{name}: neither a zip nor a directory");
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        Download::open_zip(file, MAX_LISTED).with_context(|| {
            format!("{name}: cannot be read as a zip; take a zip as the course system makes it, or a directory")
        })
    }

    pub(crate) fn open_zip(file: File, most: u64) -> Result<Download> {
        let mut download = Download::default();
        download.list_zip(file, most)?;
        Ok(download)
    }

    /// Keeps those of the listed folders in which neither a file nor another folder lies.
    fn keep_empty_folders(&mut self) {
        let files = self.entries.iter().map(|entry| &entry.path);
        let left_out = self.left_out.iter().map(|left_out| &left_out.path);
        let folders = self.empty_folders.iter();
        let above: BTreeSet<Vec<String>> = files
            .chain(left_out)
            .chain(folders)
            .flat_map(|path| (1..path.len()).map(|length| path[..length].to_vec()))
            .collect();
        self.empty_folders.retain(|folder| !above.contains(folder));
        self.empty_folders.sort();
        self.empty_folders.dedup();
    }

    fn list_zip(&mut self, mut file: File, most: u64) -> Result<()> {
        let end = EndRecord::find(&mut file)?;
        ensure!(end.count <= most, "it has {} entries, more than {most}", end.count);
        let config = Config { archive_offset: ArchiveOffset::Known(end.before) };
        let mut archive = ZipArchive::with_config(config, ZipUpToEnd::new(file, end)?)?;
        for index in 0..archive.len() {
            let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
            let name = name.into_owned();
            let entry = archive.by_index_raw(index);
            let raw = entry.as_ref().map_or(name.as_bytes(), |entry| entry.name_raw()).to_vec();
            let path = match plain_path(&raw) {
                Ok(path) => path,
                Err((path, line)) => {
                    self.left_out.push(LeftOut { path, line });
                    continue;
                }
            };
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let error = plain::shown(&error.to_string());
                    self.leave_out(path, &format!("cannot be read: {error}"));
                    continue;
                }
            };
            let mode = entry.unix_mode();
            let kind = mode.map_or(0, |mode| mode & KIND);
            if let Some(litter) = litter_in(&path) {
                self.empty_folders.extend((litter > 0).then(|| path[..litter].to_vec()));
                continue;
            }
            if raw.ends_with(b"/") || raw.ends_with(b"\\") || kind == DIRECTORY {
                self.empty_folders.push(path);
                continue;
            }
            let refused = match kind {
                0 | REGULAR => locked(&entry),
                LINK => Some("is a link".to_string()),
                _ => Some("is no regular file".to_string()),
            };
            if let Some(why) = refused {
                self.leave_out(path, &why);
                continue;
            }
            let executable = mode.is_some_and(|mode| mode & 0o111 != 0);
            let packed = entry.compressed_size();
            self.entries.push(Entry { path, executable, packed, place: EntryPlace::Zip(index) });
        }
        self.archive = Some(archive);
        self.keep_empty_folders();
        Ok(())
    }

    /// `above` are the folders on the way to the directory.
    fn list_directory(&mut self, directory: &Path, above: &mut Vec<String>) -> Result<()> {
        let name = directory.display();
        let mut listed = fs::read_dir(directory)
            .and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>())
            .with_context(|| format!("{name}: cannot be listed"))?;
        listed.sort_by_key(fs::DirEntry::file_name);
        for entry in listed {
            above.push(file_name(entry.file_name().as_encoded_bytes()));
            if litter_in(above).is_some() {
                above.pop();
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() && above.len() < MAX_DEPTH {
                self.empty_folders.push(above.clone());
                self.list_directory(&entry.path(), above)?;
            } else if kind.is_file() {
                let data = entry.metadata()?;
                self.entries.push(Entry {
                    path: above.clone(),
                    executable: sandbox::system::mode(&data) & 0o111 != 0,
                    packed: data.len(),
                    place: EntryPlace::Directory(entry.path()),
                });
            } else {
                let why = match () {
                    () if kind.is_dir() => "is too deep",
                    () if kind.is_symlink() => "is a link",
                    () => "is no regular file",
                };
                self.leave_out(above.clone(), why);
            }
            above.pop();
            let count = (self.entries.len() + self.empty_folders.len()) as u64;
            ensure!(count <= MAX_LISTED, "{name}: more than {MAX_LISTED} files and folders");
        }
        Ok(())
    }

    fn leave_out(&mut self, path: Vec<String>, why: &str) {
        self.left_out.push(LeftOut { line: format!("{} {why}", path.join("/")), path });
    }

    pub(crate) fn read(&mut self, entry: &Entry) -> Result<Box<dyn Read + '_>> {
        Ok(match (&entry.place, &mut self.archive) {
            (EntryPlace::Zip(index), Some(archive)) => Box::new(archive.by_index(*index)?),
            (EntryPlace::Directory(path), _) => Box::new(File::open(path)?),
            (EntryPlace::Zip(_), None) => bail!("the zip is closed"),
        })
    }
}

/// Returns the place in a path of a name that systems, editors or the judge's autograder leave.
pub(crate) fn litter_in(path: &[String]) -> Option<usize> {
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
    path.iter()
        .position(|name| name.starts_with("._") || NAMES.contains(&name.to_lowercase().as_str()))
}

const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

/// The words about every file and archive that could not be unpacked.
pub(crate) const NOT_UNPACKED: &str = "cannot be unpacked";

/// Returns why an entry cannot be unpacked: it is encrypted, or packed by an unusual method.
fn locked(entry: &ZipFile<impl Read>) -> Option<String> {
    if entry.encrypted() {
        return Some(format!(
            "{NOT_UNPACKED} (encrypted): hand in an ordinary zip without a password"
        ));
    }
    #[expect(deprecated, reason = "the crate has constants for the methods that it unpacks alone")]
    let number = entry.compression().to_u16();
    let name = CompressionMethod::name_from_u16(number);
    (![0, 8].contains(&number))
        .then(|| format!("{NOT_UNPACKED} (method {number}, {name}): hand in an ordinary zip"))
}

/// Splits the path of an entry into plain names. Errors: the names before an invalid one, and why.
pub(crate) fn plain_path(raw: &[u8]) -> Result<Vec<String>, (Vec<String>, String)> {
    let shown = plain::name_of_bytes(raw);
    let refused = |path: &[String], why: &str| Err((path.to_vec(), format!("{shown} {why}")));
    let is_drive = raw.len() > 1 && raw[1] == b':' && raw[0].is_ascii_alphabetic();
    if raw.starts_with(b"/") || raw.starts_with(b"\\") || is_drive {
        return refused(&[], "is an absolute path");
    }
    let mut path = Vec::new();
    // Some programs on Windows write backslashes.
    for part in raw.split(|&byte| byte == b'/' || byte == b'\\') {
        match part {
            b"" | b"." => {}
            b".." => return refused(&path, "leads out of its folder"),
            _ if part.contains(&0) => return refused(&path, "has a zero byte in its name"),
            _ if part.len() > MAX_NAME => {
                let shown: String = shown.chars().take(60).collect();
                return Err((path, format!("{shown}... has a name of more than {MAX_NAME} bytes")));
            }
            _ => path.push(file_name(part)),
        }
    }
    if path.is_empty() { refused(&path, "names no file") } else { Ok(path) }
}

fn file_name(raw: &[u8]) -> String {
    plain::name_of_bytes(raw).replace('\\', "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_refused_and_names_are_plain() {
        let path = plain_path;
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
