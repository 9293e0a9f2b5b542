//! Reads the archives within submissions that are no zips, within the limits of all files.

use crate::download::entries::{litter_in, plain_path};
use anyhow::{Result, bail, ensure};
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use sevenz_rust2::{ArchiveReader, EntryDecision, Password};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use tar::EntryType;

/// The limits of a submission's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most files, also those within archives.
    pub files: u64,
    pub bytes: u64,
    pub ratio: u64,
    pub depth: usize,
    /// The most bytes of all files of all submissions.
    pub total: u64,
}

/// In KiB: 7-Zip's largest usual setting needs 192 MiB, xz's 65 MiB.
const MAX_MEMORY_KIB: u32 = 256 << 10;
/// The bytes of a tar besides the contents of each file.
const TAR_OVERHEAD: u64 = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Archive {
    Zip,
    Tar,
    TarGz,
    TarXz,
    SevenZip,
}

const ENDINGS: [(&str, Archive); 7] = [
    (".zip", Archive::Zip),
    (".tar", Archive::Tar),
    (".tar.gz", Archive::TarGz),
    (".tgz", Archive::TarGz),
    (".tar.xz", Archive::TarXz),
    (".txz", Archive::TarXz),
    (".7z", Archive::SevenZip),
];

const BEGINNINGS: [(&[u8], Archive); 5] = [
    (b"PK\x03\x04", Archive::Zip),
    (b"PK\x05\x06", Archive::Zip),
    (b"\x1f\x8b", Archive::TarGz),
    (b"\xfd7zXZ\0", Archive::TarXz),
    (b"7z\xbc\xaf\x27\x1c", Archive::SevenZip),
];
/// Packed formats that the judge does not read: beginnings of files, endings of names, and the
/// name.
const FOREIGN: [(&[u8], &[&str], &str); 6] = [
    (b"Rar!", &[".rar"], "rar"),
    (b"BZh", &[".bz2", ".tbz", ".tbz2"], "bzip2"),
    (b"\x28\xb5\x2f\xfd", &[".zst", ".tzst"], "zstd"),
    (b"LZIP", &[".lz", ".tlz"], "lzip"),
    (b"\x5d\0\0", &[".lzma"], "lzma"),
    (b"\x1f\x9d", &[".z", ".taz"], "compress"),
];

/// Returns the name of the packed format that a file has by its beginning or, if that shows no
/// other one, by its name, and that the judge does not read.
pub(crate) fn foreign_format(name: &str, beginning: &[u8]) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let by_content =
        FOREIGN.iter().find(|(own, ..)| Archive::of(name).is_some() && beginning.starts_with(own));
    let by_name = || {
        FOREIGN.iter().find(|(_, endings, _)| endings.iter().any(|ending| lower.ends_with(ending)))
    };
    by_content.or_else(by_name).map(|(.., format)| *format)
}

impl Archive {
    pub(crate) fn of(name: &str) -> Option<(Archive, &str)> {
        let kind = |(ending, kind): &(&str, Archive)| {
            let (stem, own) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
            own.eq_ignore_ascii_case(ending).then_some((*kind, stem))
        };
        ENDINGS.iter().find_map(kind)
    }

    /// Returns the kind of archive that the beginning of a file shows.
    pub(crate) fn by_content(beginning: &[u8]) -> Option<Archive> {
        // A tar has its mark within the header of its first file.
        if beginning.get(257..262) == Some(b"ustar") {
            return Some(Archive::Tar);
        }
        BEGINNINGS.iter().find(|(own, _)| beginning.starts_with(own)).map(|(_, kind)| *kind)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Archive::Zip => "zip",
            Archive::Tar | Archive::TarGz | Archive::TarXz => "tar",
            Archive::SevenZip => "7z",
        }
    }
}

pub(crate) struct ArchivedFile<'a> {
    pub path: Vec<String>,
    pub executable: bool,
    pub contents: &'a mut dyn Read,
}

pub(crate) type Take<'a> = &'a mut dyn FnMut(Result<ArchivedFile, String>) -> bool;

/// Passes every file of an archive to `take`. Errors: it is broken, or too large.
pub(crate) fn each_file(kind: Archive, path: &Path, limits: Limits, take: Take) -> Result<()> {
    let file = BufReader::new(File::open(path)?);
    match kind {
        Archive::Zip => bail!("a zip is read by its directory"),
        Archive::Tar => each_in_tar(file, limits, take),
        Archive::TarGz => each_in_tar(MultiGzDecoder::new(file), limits, take),
        Archive::TarXz => {
            each_in_tar(XzReader::new_mem_limit(file, true, MAX_MEMORY_KIB), limits, take)
        }
        Archive::SevenZip => each_in_7z(file, limits, take),
    }
}

fn each_in_tar(stream: impl Read, limits: Limits, take: Take) -> Result<()> {
    // Skipped files are unpacked as well, and long names are held in memory.
    let most = limits.bytes.saturating_add(limits.files.saturating_mul(TAR_OVERHEAD));
    let mut archive = tar::Archive::new(stream.take(most));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let mode = entry.header().mode().unwrap_or_default();
        let refused = match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => None,
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::Symlink | EntryType::Link => Some("is a link"),
            _ => Some("is no regular file"),
        };
        let name = entry.path_bytes().into_owned();
        if !pass_on(&name, mode, refused, &mut entry, take) {
            return Ok(());
        }
    }
    ensure!(archive.into_inner().limit() > 0, "it unpacks to more than {} MiB", most >> 20);
    Ok(())
}

fn each_in_7z(file: BufReader<File>, limits: Limits, take: Take) -> Result<()> {
    let mut archive =
        ArchiveReader::new_with_memory_limit(file, Password::empty(), MAX_MEMORY_KIB as usize)?;
    archive.set_thread_count(1);
    let files = &archive.archive().files;
    let bytes = files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.size()));
    ensure!(bytes <= limits.bytes, "it unpacks to more than {} MiB", limits.bytes >> 20);
    ensure!(files.len() as u64 <= limits.files.saturating_mul(2), "it has {} entries", files.len());
    archive.for_each_entries_with_decision(|entry, contents| {
        if entry.is_directory() || entry.is_anti_item() {
            return Ok(EntryDecision::Continue);
        }
        // Unix programs put the mode of a file into the upper half of its attributes.
        let mode = entry.windows_attributes() >> 16;
        let refused = (mode & 0o170_000 == 0o120_000).then_some("is a link");
        let goes_on = pass_on(entry.name().as_bytes(), mode, refused, contents, take);
        Ok(if goes_on { EntryDecision::Continue } else { EntryDecision::Stop })
    })?;
    Ok(())
}

/// Passes a file to `take`, unless it is litter. Returns whether to go on.
fn pass_on(
    name: &[u8],
    mode: u32,
    refused: Option<&str>,
    contents: &mut dyn Read,
    take: Take,
) -> bool {
    let path = match plain_path(name) {
        Ok(path) => path,
        Err((_, line)) => return take(Err(line)),
    };
    match refused {
        _ if litter_in(&path).is_some() => true,
        Some(why) => take(Err(format!("{} {why}", path.join("/")))),
        None => take(Ok(ArchivedFile { path, executable: mode & 0o111 != 0, contents })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_format_that_is_not_read_has_its_name_told() {
        assert_eq!(foreign_format("hw.tar.BZ2", b""), Some("bzip2"));
        assert_eq!(foreign_format("hw.zip", b"Rar!\x1a"), Some("rar"));
        assert_eq!(foreign_format("hw.zip", b"PK\x03\x04"), None);
        assert_eq!(foreign_format("notes.txt", b"Rar! is a format"), None);
        assert_eq!(Archive::by_content(b"\x1f\x8b\x08"), Some(Archive::TarGz));
        assert_eq!(Archive::by_content(b"homework"), None);
        assert_eq!(Archive::of("hw.TAR.gz"), Some((Archive::TarGz, "hw")));
        assert_eq!(Archive::of("hw.gz"), None);
    }
}
