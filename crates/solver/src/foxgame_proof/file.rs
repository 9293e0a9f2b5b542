//! The file of a search that can be stopped and goes on: the wins found, and the boards given up.
//!
//! Numbers have 8 bytes, the lowest first: the word `FOXPROOF`; the number of wins; the number of boards given up; the
//! wins, rising (packed canonical board in 43 bits, steps to the end in 10, the step in 8, the highest bit set); the
//! boards given up, rising (packed canonical board in 43 bits, the level above it); FNV-1a checksum of all bytes before.

use super::known::Known;
use anyhow::{Context, Result, bail};
use engine::checksum;
use std::path::Path;

const MAGIC: &[u8; 8] = b"FOXPROOF";
const WORD: usize = 8;
/// The bits of a packed board.
const BOARD_BITS: u32 = 43;

/// Writes all that is known, under a temporary name first.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, known: &Known) -> Result<()> {
    let mut wins: Vec<u64> = known.wins.words().collect();
    let mut dead: Vec<u64> = known.dead.iter().map(|(&board, &level)| board | u64::from(level) << BOARD_BITS).collect();
    wins.sort_unstable();
    dead.sort_unstable();
    let mut bytes = MAGIC.to_vec();
    bytes.reserve(WORD * (wins.len() + dead.len() + 3));
    for word in [wins.len() as u64, dead.len() as u64].into_iter().chain(wins).chain(dead) {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    let mut young = path.as_os_str().to_owned();
    young.push(".part");
    let written = std::fs::write(&young, bytes).and_then(|()| std::fs::rename(&young, path));
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// The file cannot be read, is of another kind, or some byte has changed.
pub(crate) fn read(path: &Path) -> Result<Known> {
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    parse(&bytes).with_context(|| format!("{}: begin anew under another name (--out)", path.display()))
}

fn parse(bytes: &[u8]) -> Result<Known> {
    let words: Vec<u64> = bytes
        .chunks_exact(WORD)
        .map(|word| word.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
        .collect();
    if !bytes.starts_with(MAGIC) {
        bail!("no file of this search: it does not begin with FOXPROOF");
    }
    let [_, wins, dead, rest @ .., sum] = &words[..] else { bail!("the file is too short") };
    if !bytes.len().is_multiple_of(WORD) || wins.checked_add(*dead) != Some(rest.len() as u64) {
        bail!("the file's length does not fit what it should hold");
    }
    if *sum != checksum(&bytes[..bytes.len() - WORD]) {
        bail!("the file's checksum is wrong: it has been changed or was not written in full");
    }
    let (wins, dead) = rest.split_at(*wins as usize);
    let mut known = Known::default();
    if !wins.iter().all(|&word| known.wins.insert_word(word)) {
        bail!("the file holds a win that is none");
    }
    known.dead.extend(dead.iter().map(|&word| (word & ((1 << BOARD_BITS) - 1), (word >> BOARD_BITS) as u8)));
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::super::board::each_reply;
    use super::super::won::Win;
    use super::*;
    use foxgame::board::Board;

    /// What a search may know: the boards after FOX's first moves, with any step of SHEEP, one of them given up.
    fn some() -> Known {
        let mut known = Known::default();
        each_reply(Board::START, |board| {
            let mut moves = 0;
            board.each_sheep_move(|mv| {
                moves += 1;
                known.wins.insert(board, Win { moves: 900 + moves, mv });
            });
        });
        known.dead.insert(super::super::board::canonical(Board::START).0, 3);
        known
    }

    #[test]
    fn what_was_written_is_read_back_and_every_change_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proof");
        let known = some();
        write(&path, &known).unwrap();
        let read = read(&path).unwrap();
        assert_eq!(read.dead, known.dead);
        let sorted = |known: &Known| {
            let mut words: Vec<u64> = known.wins.words().collect();
            words.sort_unstable();
            words
        };
        assert_eq!(sorted(&read), sorted(&known));
        let bytes = std::fs::read(&path).unwrap();
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1 << (index % 8);
            assert!(parse(&changed).is_err(), "byte {index}");
            assert!(parse(&bytes[..index]).is_err(), "cut at {index}");
        }
    }
}
