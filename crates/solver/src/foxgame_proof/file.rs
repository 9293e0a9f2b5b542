//! The file of a search that can be stopped and goes on: see `checkpoint`. A win is its packed canonical board in 43 bits,
//! the steps to the end in 10, the step in 8, the highest bit set.

use super::known::Known;
use crate::checkpoint;
use anyhow::{Result, bail};
use std::path::Path;

const MAGIC: &[u8; 8] = b"FOXPROOF";

/// Writes all that is known, under a temporary name first.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, known: &Known) -> Result<()> {
    checkpoint::write(path, MAGIC, known.wins.words().collect(), &known.dead)
}

/// Reads what [`write()`] has written.
///
/// # Errors
/// The file cannot be read, is of another kind, or some byte has changed.
pub(crate) fn read(path: &Path) -> Result<Known> {
    let contents = checkpoint::read(path, MAGIC)?;
    let mut known = Known { dead: contents.dead, ..Known::default() };
    if !contents.wins.into_iter().all(|word| known.wins.insert_word(word)) {
        bail!("{}: the file holds a win that is none", checkpoint::remedy(path));
    }
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
    fn what_was_written_is_read_back_and_a_win_that_is_none_is_refused() {
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
        checkpoint::write(&path, MAGIC, vec![1], &read.dead).unwrap();
        assert!(super::read(&path).is_err(), "a word that is no win");
    }
}
