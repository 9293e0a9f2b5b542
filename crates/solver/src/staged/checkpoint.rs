//! The file format of a staged proof: the wins found and the boards given up, so that a stopped search can be continued.
//!
//! The file begins with 8 letters that name the search. All that follows are little-endian numbers of 8 bytes: the number
//! of wins; the number of boards given up; the wins in ascending order (format: see [`Wins`]); the boards given up in
//! ascending order (packed canonical board in the lower 43 bits, the level above it); the FNV-1a checksum of all bytes
//! before it.
//!
//! [`Wins`]: super::wins::Wins

use super::board::BOARD_BITS;
use anyhow::{Context, Result, bail};
use engine::checksum;
use std::collections::HashMap;
use std::path::Path;

/// The size of a number in the file, in bytes.
const WORD: usize = 8;

/// The contents of such a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// The wins, an entry of [`Wins`](super::wins::Wins) each.
    pub wins: Vec<u64>,
    /// The packed canonical boards given up, with the level at which each was given up.
    pub dead: HashMap<u64, u8>,
}

/// Writes wins and boards given up to a file, by way of a temporary file.
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

/// Writes a file under a temporary name and renames it, so that an old file is replaced as a whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let written = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

/// Returns an error message that says what to do about a file that cannot be used.
pub(crate) fn remedy(path: &Path) -> String {
    format!("{}: begin anew under another name", path.display())
}

/// Reads a file that [`write()`] has written.
///
/// # Errors
/// The file cannot be read, does not begin with `magic`, or is damaged.
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
        bail!("not a file of this search: expected it to begin with {}", String::from_utf8_lossy(magic));
    }
    let [_, wins, dead, rest @ .., sum] = &words[..] else { bail!("the file is too short") };
    if !bytes.len().is_multiple_of(WORD) || wins.checked_add(*dead) != Some(rest.len() as u64) {
        bail!("the file's length does not match its contents");
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
