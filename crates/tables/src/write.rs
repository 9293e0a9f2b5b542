//! Writing a table file.

use crate::{BLOCK, HEADER, HEADER_CHECKSUM, MAGIC, MOST_ARRAYS, Subject, VERSION};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a table file atomically: it appears under its name only when it is complete and on the
/// disk.
pub fn write(path: &Path, subject: &Subject, arrays: &[&[u8]]) -> io::Result<()> {
    assert!((1..=MOST_ARRAYS).contains(&arrays.len()), "1 to {MOST_ARRAYS} arrays");
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written =
        write_to(&temporary, subject, arrays).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

fn write_to(path: &Path, subject: &Subject, arrays: &[&[u8]]) -> io::Result<()> {
    let checksums = block_checksums(arrays);
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend((arrays.len() as u32).to_le_bytes());
    header.extend(subject.name_bytes());
    subject.numbers.iter().for_each(|number| header.extend(number.to_le_bytes()));
    for array in 0..MOST_ARRAYS {
        header.extend((arrays.get(array).map_or(0, |array| array.len()) as u64).to_le_bytes());
    }
    header.extend(crc32fast::hash(&checksums).to_le_bytes());
    debug_assert_eq!(header.len(), HEADER_CHECKSUM);
    header.extend(crc32fast::hash(&header).to_le_bytes());
    header.resize(HEADER, 0);

    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(&header)?;
    file.write_all(&checksums)?;
    arrays.iter().try_for_each(|array| file.write_all(array))?;
    file.into_inner()?.sync_all()
}

fn block_checksums(arrays: &[&[u8]]) -> Vec<u8> {
    let mut checksums = Vec::new();
    let mut hasher = crc32fast::Hasher::new();
    let mut room = BLOCK;
    for mut rest in arrays.iter().copied() {
        while !rest.is_empty() {
            let (part, after) = rest.split_at(room.min(rest.len()));
            hasher.update(part);
            rest = after;
            room -= part.len();
            if room == 0 {
                checksums.extend(std::mem::take(&mut hasher).finalize().to_le_bytes());
                room = BLOCK;
            }
        }
    }
    if room < BLOCK {
        checksums.extend(hasher.finalize().to_le_bytes());
    }
    checksums
}
