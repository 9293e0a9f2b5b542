//! Opening and reading a table file.

use crate::{BLOCK, HEADER, HEADER_CHECKSUM, MAGIC, MOST_ARRAYS, Subject, VERSION};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An error of a table file, on one line, with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be opened or mapped.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The path of the file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The file is not a table file, or a table of another version or subject.
    #[error("{}: {what}; the table is not used", file.display())]
    Foreign {
        /// The path of the file.
        file: PathBuf,
        /// The description of the fault.
        what: String,
    },
    /// The file's bytes do not match a checksum, or its length is wrong.
    #[error("{}: {what} is damaged; the table is not used (delete the file and make it again)", file.display())]
    Damaged {
        /// The path of the file.
        file: PathBuf,
        /// The damaged part.
        what: String,
    },
}

impl TableError {
    /// Whether the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, TableError::Read { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}

/// An open table file.
#[derive(Debug)]
pub struct TableFile {
    file: PathBuf,
    map: Mmap,
    arrays: Vec<Range<usize>>,
    /// Where the stream of arrays begins in the file.
    start: usize,
    /// A bit for each block whose checksum has been verified.
    checked: Vec<AtomicU64>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("the range has N bytes")
}

impl TableFile {
    /// Opens a file, which must have this subject and arrays of exactly these lengths. The arrays
    /// are verified block by block as they are read.
    pub fn open(
        path: &Path,
        subject: &Subject,
        lengths: &[usize],
    ) -> Result<TableFile, TableError> {
        TableFile::open_where(path, subject, |stored| {
            let absent = std::iter::repeat(&0);
            stored
                .iter()
                .zip(lengths.iter().chain(absent))
                .all(|(&is, &wanted)| is == wanted as u64)
        })
    }

    /// Like [`TableFile::open`], with at most one more array of any length after those given.
    pub fn open_with_rest(
        path: &Path,
        subject: &Subject,
        lengths: &[usize],
    ) -> Result<TableFile, TableError> {
        TableFile::open_where(path, subject, |stored| {
            stored.iter().zip(lengths).all(|(&is, &wanted)| is == wanted as u64)
                && stored.iter().skip(lengths.len() + 1).all(|&is| is == 0)
        })
    }

    fn open_where(
        path: &Path,
        subject: &Subject,
        fits: impl Fn([u64; MOST_ARRAYS]) -> bool,
    ) -> Result<TableFile, TableError> {
        let file = path.to_owned();
        let foreign = |what: &str| TableError::Foreign { file: file.clone(), what: what.into() };
        let damaged = |what: &str| TableError::Damaged { file: file.clone(), what: what.into() };
        let opened = File::open(path).and_then(|opened| {
            if !opened.metadata()?.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
            }
            // SAFETY: the map is only read as bytes, for which every value is valid. Table files
            // are never modified in place: a new file is renamed over the old one, which stays
            // alive under this map. If a file is truncated nevertheless, a signal ends this
            // process, without undefined behaviour.
            #[allow(unsafe_code)]
            unsafe {
                Mmap::map(&opened)
            }
        });
        let map = opened.map_err(|error| TableError::Read { file: file.clone(), error })?;
        if map.len() < HEADER || map[..8] != MAGIC {
            return Err(foreign("this is not a table file"));
        }
        if u32::from_le_bytes(number(&map, 8)) != VERSION {
            return Err(foreign("this table has another version"));
        }
        if crc32fast::hash(&map[..HEADER_CHECKSUM]).to_le_bytes() != number(&map, HEADER_CHECKSUM) {
            return Err(damaged("the header"));
        }
        let numbers = [32, 36, 40, 44].map(|at| u32::from_le_bytes(number(&map, at)));
        let stored = std::array::from_fn(|array| u64::from_le_bytes(number(&map, 48 + 8 * array)));
        if number(&map, 16) != subject.name_bytes() || numbers != subject.numbers || !fits(stored) {
            return Err(foreign("this table is of something else"));
        }
        // Wide enough for any sum of the lengths.
        let total: u128 = stored.iter().map(|&length| u128::from(length)).sum();
        let blocks = total.div_ceil(BLOCK as u128);
        if HEADER as u128 + 4 * blocks + total != map.len() as u128 {
            return Err(damaged("the file's length"));
        }
        let blocks = blocks as usize;
        let start = HEADER + 4 * blocks;
        if crc32fast::hash(&map[HEADER..start]).to_le_bytes() != number(&map, 80) {
            return Err(damaged("the list of checksums"));
        }
        let mut to = 0;
        let range = |length: u64| {
            let from = to;
            to += length as usize;
            from..to
        };
        let arrays = stored.map(range).to_vec();
        // Reading ahead is wasted on look-ups. The system may ignore the advice.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(TableFile { file, map, arrays, start, checked })
    }

    /// The path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The length of an array in bytes. Panics if there is none.
    pub fn length(&self, array: usize) -> usize {
        self.arrays[array].len()
    }

    /// A byte of an array. Panics if there is none.
    #[inline]
    pub fn get(&self, array: usize, index: usize) -> Result<u8, TableError> {
        let place = &self.arrays[array];
        assert!(index < place.len(), "byte {index} of an array of {}", place.len());
        let at = place.start + index;
        self.check(at / BLOCK)?;
        Ok(self.map[self.start + at])
    }

    /// A whole array, after verifying all of its blocks. Panics if there is none.
    pub fn array(&self, array: usize) -> Result<&[u8], TableError> {
        self.part(array, 0..self.length(array))
    }

    /// A part of an array, after verifying the blocks in which it lies. Panics if there is none.
    pub fn part(&self, array: usize, part: Range<usize>) -> Result<&[u8], TableError> {
        let place = &self.arrays[array];
        assert!(
            part.start <= part.end && part.end <= place.len(),
            "{part:?} of an array of {}",
            place.len()
        );
        let (from, to) = (place.start + part.start, place.start + part.end);
        // Read and map in one go what look-ups would ask for page by page. The system may refuse.
        #[cfg(target_os = "linux")]
        let _ = [memmap2::Advice::PopulateRead, memmap2::Advice::WillNeed]
            .into_iter()
            .any(|advice| self.map.advise_range(advice, self.start + from, to - from).is_ok());
        (from / BLOCK..to.div_ceil(BLOCK)).try_for_each(|block| self.check(block))?;
        Ok(&self.map[self.start + from..self.start + to])
    }

    /// Verifies the checksum of a block on its first use.
    #[inline]
    fn check(&self, block: usize) -> Result<(), TableError> {
        let (word, bit) = (&self.checked[block / 64], 1 << (block % 64));
        if word.load(Relaxed) & bit != 0 {
            return Ok(());
        }
        let from = self.start + block * BLOCK;
        let bytes = &self.map[from..(from + BLOCK).min(self.map.len())];
        if crc32fast::hash(bytes).to_le_bytes() != number(&self.map, HEADER + 4 * block) {
            return Err(TableError::Damaged {
                file: self.file.clone(),
                what: format!("block {block}"),
            });
        }
        word.fetch_or(bit, Relaxed);
        Ok(())
    }
}
