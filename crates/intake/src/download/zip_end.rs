//! Finds the end record of a zip. Students' files that are stored without compression lie in the
//! class's zip byte for byte, so that their bytes must not be mistaken for the zip's own records.

use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Sizes in bytes: the end record without its comment, and the longest comment.
const RECORD: usize = 22;
const LONGEST_COMMENT: usize = 0xffff;
/// The Zip64 locator, which lies directly before the end record.
const LOCATOR: u64 = 20;
/// The Zip64 end record without extensions, and the part that its length field does not count.
const RECORD_64: u64 = 56;
const UNCOUNTED: u64 = 12;
/// The header of an entry in the directory, without its name.
const HEADER: u64 = 46;

pub(crate) struct EndRecord {
    pub count: u64,
    /// The bytes before the zip, such as a program that unpacks it.
    pub before: u64,
    /// The length of the zip up to the end record's comment.
    length: u64,
}

impl EndRecord {
    /// Finds the last end record whose directory ends where the record begins, and after which only
    /// its comment follows.
    pub(crate) fn find(file: &mut File) -> Result<EndRecord> {
        let length = file.seek(SeekFrom::End(0))?;
        let start = length.saturating_sub((RECORD + LONGEST_COMMENT) as u64);
        let tail = bytes_at(file, start, (length - start) as usize)?;
        for at in (0..=tail.len().saturating_sub(RECORD)).rev() {
            let Some(record) =
                tail.get(at..at + RECORD).filter(|record| record.starts_with(b"PK\x05\x06"))
            else {
                continue;
            };
            let comment = number(&record[20..22]) as usize;
            let Some(more) = (tail.len() - at - RECORD).checked_sub(comment) else { continue };
            match (EndRecord::read(file, start + at as u64, record), more) {
                (read, 0) => return read,
                (Ok(_), more) => bail!(
                    "{more} bytes follow the end of the zip: its download is incomplete, or something was added; download it \
                     again"
                ),
                // The signature is part of the comment, or of bytes after the zip.
                (Err(_), _) => {}
            }
        }
        bail!("no end record: the file is no zip, or its download is incomplete")
    }

    /// Reads the end record at a place, and checks that the directory lies before it.
    fn read(file: &mut File, place: u64, record: &[u8]) -> Result<EndRecord> {
        const PARTS: &str = "the zip is one of several parts";
        let field = |from: usize, to: usize| number(&record[from..to]);
        let (count, size, offset) = (field(10, 12), field(12, 16), field(16, 20));
        let mut end = EndRecord { count, before: 0, length: place + RECORD as u64 };
        let (directory_end, size, offset) =
            match find_zip64_record(file, place, [count, size, offset])? {
                None => {
                    ensure!(record[4..8] == [0; 4] && record[8..10] == record[10..12], PARTS);
                    (place, size, offset)
                }
                Some(long) => {
                    ensure!(long.is_whole, PARTS);
                    end.count = long.count;
                    end.before = long.before;
                    (long.place, long.size, long.offset)
                }
            };
        let start = directory_end.checked_sub(size).filter(|start| *start >= offset);
        let fits = start.is_some() && size >= end.count.saturating_mul(HEADER);
        let start = start
            .filter(|_| fits)
            .context("the directory does not end where the end record begins")?;
        if directory_end == place {
            end.before = start - offset;
        }
        ensure!(start - offset == end.before, "the end records contradict each other");
        ensure!(
            end.count == 0 || bytes_at(file, start, 4)? == b"PK\x01\x02",
            "the directory is broken"
        );
        Ok(end)
    }
}

struct Zip64Record {
    place: u64,
    count: u64,
    size: u64,
    offset: u64,
    before: u64,
    is_whole: bool,
}

/// Finds the Zip64 end record that belongs to the end record at a place; `None` if that needs none,
/// or there is no locator.
fn find_zip64_record(
    file: &mut File,
    place: u64,
    [count, size, offset]: [u64; 3],
) -> Result<Option<Zip64Record>> {
    if count != 0xffff && size != 0xffff_ffff && offset != 0xffff_ffff {
        return Ok(None);
    }
    let Some(locator_place) = place.checked_sub(LOCATOR) else { return Ok(None) };
    let locator = bytes_at(file, locator_place, LOCATOR as usize)?;
    if !locator.starts_with(b"PK\x06\x07") {
        return Ok(None);
    }
    let stated = number(&locator[8..16]);
    // The record usually lies directly before the locator; with extensions it is longer. It lies
    // later than the locator says if bytes lie before the zip.
    for place in [locator_place.checked_sub(RECORD_64), Some(stated)].into_iter().flatten() {
        if place < stated || place.checked_add(RECORD_64).is_none_or(|end| end > locator_place) {
            continue;
        }
        let record = bytes_at(file, place, RECORD_64 as usize)?;
        let field = |from: usize, to: usize| number(&record[from..to]);
        if !record.starts_with(b"PK\x06\x06") || field(4, 12) != locator_place - place - UNCOUNTED {
            continue;
        }
        let one_part = number(&locator[16..20]) <= 1
            && locator[4..8] == record[20..24]
            && record[16..24] == [0; 8];
        return Ok(Some(Zip64Record {
            place,
            count: field(32, 40),
            size: field(40, 48),
            offset: field(48, 56),
            before: place - stated,
            is_whole: one_part && record[24..32] == record[32..40],
        }));
    }
    bail!("the Zip64 end record that it names is missing")
}

fn bytes_at(file: &mut File, place: u64, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count];
    file.seek(SeekFrom::Start(place))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// A zip up to its end record, with a comment of length 0: a reader that searches from the end
/// finds exactly this record.
pub(crate) struct ZipUpToEnd {
    file: File,
    length: u64,
    position: u64,
}

impl ZipUpToEnd {
    pub(crate) fn new(mut file: File, end: EndRecord) -> io::Result<ZipUpToEnd> {
        file.rewind()?;
        Ok(ZipUpToEnd { file, length: end.length, position: 0 })
    }
}

impl Read for ZipUpToEnd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.position);
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.file.read(&mut buffer[..most])?;
        for (byte, position) in buffer[..count].iter_mut().zip(self.position..) {
            if position + 2 >= self.length {
                *byte = 0;
            }
        }
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for ZipUpToEnd {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.length.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        let position = position.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.position = self.file.seek(SeekFrom::Start(position))?;
        Ok(self.position)
    }
}
