//! The file of a search that can be stopped and goes on: the wins found, and the boards given up.
//!
//! Numbers have 8 bytes, the lowest first: a word of eight letters that names the search; the number of wins; the number of
//! boards given up; the wins, rising; the boards given up, rising (packed canonical board in 43 bits, the level above
//! it); FNV-1a checksum of all bytes before. What a win's bits mean is each search's own matter.

use anyhow::{Context, Result, bail};
use engine::checksum;
use std::collections::HashMap;
use std::path::Path;

const WORD: usize = 8;
/// The bits of a packed board.
const BOARD_BITS: u32 = 43;

/// What such a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// The wins, a word each.
    pub wins: Vec<u64>,
    /// The packed boards given up, with their levels.
    pub dead: HashMap<u64, u8>,
}

/// Writes the wins and the boards given up, under a temporary name first.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, magic: &[u8; 8], mut wins: Vec<u64>, dead: &HashMap<u64, u8>) -> Result<()> {
    let mut dead: Vec<u64> = dead.iter().map(|(&board, &level)| board | u64::from(level) << BOARD_BITS).collect();
    wins.sort_unstable();
    dead.sort_unstable();
    let mut bytes = magic.to_vec();
    bytes.reserve(WORD * (wins.len() + dead.len() + 3));
    for word in [wins.len() as u64, dead.len() as u64].into_iter().chain(wins).chain(dead) {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    replace(path, &bytes)
}

/// Writes a file under a temporary name, and renames it.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut young = path.as_os_str().to_owned();
    young.push(".part");
    let written = std::fs::write(&young, bytes).and_then(|()| std::fs::rename(&young, path));
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

/// What to do about a file that cannot be used.
pub(crate) fn remedy(path: &Path) -> String {
    format!("{}: begin anew under another name", path.display())
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// The file cannot be read, is of another kind, or some byte has changed.
pub(crate) fn read(path: &Path, magic: &[u8; 8]) -> Result<Contents> {
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    parse(&bytes, magic).with_context(|| remedy(path))
}

fn parse(bytes: &[u8], magic: &[u8; 8]) -> Result<Contents> {
    let words: Vec<u64> = bytes
        .chunks_exact(WORD)
        .map(|word| word.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
        .collect();
    if !bytes.starts_with(magic) {
        bail!("no file of this search: it does not begin with {}", String::from_utf8_lossy(magic));
    }
    let [_, wins, dead, rest @ .., sum] = &words[..] else { bail!("the file is too short") };
    if !bytes.len().is_multiple_of(WORD) || wins.checked_add(*dead) != Some(rest.len() as u64) {
        bail!("the file's length does not fit what it should hold");
    }
    if *sum != checksum(&bytes[..bytes.len() - WORD]) {
        bail!("the file's checksum is wrong: it has been changed or was not written in full");
    }
    let (wins, dead) = rest.split_at(*wins as usize);
    let dead = dead.iter().map(|&word| (word & ((1 << BOARD_BITS) - 1), (word >> BOARD_BITS) as u8)).collect();
    Ok(Contents { wins: wins.to_vec(), dead })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_every_change_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proof");
        let wins: Vec<u64> = (0..40).map(|index| 1 << 63 | index << 43 | (index * index)).collect();
        let dead = HashMap::from([(7, 3), ((1 << BOARD_BITS) - 1, 0)]);
        write(&path, b"FOXTESTS", wins.iter().rev().copied().collect(), &dead).unwrap();
        assert_eq!(read(&path, b"FOXTESTS").unwrap(), Contents { wins, dead });
        assert!(read(&path, b"FOXOTHER").is_err());
        let bytes = std::fs::read(&path).unwrap();
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1 << (index % 8);
            assert!(parse(&changed, b"FOXTESTS").is_err(), "byte {index}");
            assert!(parse(&bytes[..index], b"FOXTESTS").is_err(), "cut at {index}");
        }
    }
}
