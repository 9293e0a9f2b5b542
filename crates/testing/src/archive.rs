//! Archives as students hand them in.

use crate::intake::FIRST;
use sevenz_rust2::{ArchiveEntry, ArchiveWriter};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// A zip with these files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_of(files)
}

/// A zip with files whose names and contents are of any type.
pub fn zip_of(files: &[(impl AsRef<str>, impl AsRef<[u8]>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name.as_ref(), SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes.as_ref()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The texts in a zip, by their names.
pub fn texts(path: impl AsRef<Path>) -> BTreeMap<String, String> {
    let mut zip = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let count = zip.len();
    let mut entry = |index| {
        let entry = zip.by_index(index).unwrap();
        (entry.name().unwrap().into_owned(), std::io::read_to_string(entry).unwrap())
    };
    (0..count).map(&mut entry).collect()
}

/// A tar with these files.
pub fn tar<W: Write>(writer: W, files: &[(&str, &[u8])]) -> W {
    let mut tar = tar::Builder::new(writer);
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// A 7z with these files.
pub fn seven_zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in files {
        writer.push_archive_entry(ArchiveEntry::new_file(name), Some(*bytes)).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A zip with one file whose headers name another method, or the flag of an encrypted file.
pub fn forged(method: u16, flag: u8) -> Vec<u8> {
    let mut bytes = zip(&[("hw/homework.py", FIRST)]);
    for (signature, flags, place) in [(b"PK\x03\x04", 6, 8), (b"PK\x01\x02", 8, 10)] {
        let start = bytes.windows(4).position(|window| window == signature).unwrap();
        bytes[start + flags] |= flag;
        bytes[start + place..start + place + 2].copy_from_slice(&method.to_le_bytes());
    }
    bytes
}

/// The bytes of a text in UTF-16 without a byte-order mark.
pub fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
