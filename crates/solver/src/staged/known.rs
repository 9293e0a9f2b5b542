//! The memory of a staged proof: positions won and boards given up. A file keeps it from one run to the next.

use super::board::BOARD_BITS;
use super::checkpoint::{self, Contents};
use super::wins::Wins;
use anyhow::{Result, bail};
use foxgeese::moves::Move;
use foxgeese::strategy::code_of_move;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"GEESEWIN";

/// The positions won, the boards given up and the moves banned so far.
#[derive(Default)]
pub(crate) struct Known {
    /// The positions that are won, with the flock to move.
    pub wins: Wins,
    /// The packed canonical boards from which no way to a win was found, with the level at which they were given up.
    pub dead: HashMap<u64, u8>,
    /// The keys, see [`move_key`], of moves whose line would be too long. They are not in the file.
    pub banned: HashSet<u64>,
}

/// Returns the key of a move in [`Known::banned`]; the move is given as on the canonical board.
pub(crate) fn move_key(packed: u64, mv: Move) -> u64 {
    packed | u64::from(code_of_move(mv)) << BOARD_BITS
}

impl Known {
    /// Returns whether a packed canonical board was given up at this level of effort or a higher one.
    pub(crate) fn is_dead(&self, packed: u64, level: u8) -> bool {
        self.dead.get(&packed).is_some_and(|&given_up| given_up >= level)
    }

    /// Writes the wins and the boards given up to a file, under a temporary name first.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        checkpoint::write(path, MAGIC, self.wins.entries().collect(), &self.dead)
    }

    /// Reads a file that [`Known::write`] has written.
    ///
    /// # Errors
    /// The file cannot be read, belongs to another search, or is damaged.
    pub(crate) fn read(path: &Path) -> Result<Known> {
        let Contents { wins, dead } = checkpoint::read(path, MAGIC)?;
        let mut known = Known { dead, ..Known::default() };
        if !wins.into_iter().all(|entry| known.wins.insert_entry(entry)) {
            bail!("{}: the file contains a false win", checkpoint::remedy(path));
        }
        Ok(known)
    }

    /// Reads the file if there is one; otherwise nothing is known.
    ///
    /// # Errors
    /// As of [`Known::read`].
    pub(crate) fn read_if_exists(path: Option<&Path>) -> Result<Known> {
        path.filter(|path| path.exists()).map_or_else(|| Ok(Known::default()), Known::read)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Win;
    use super::super::board::each_reply;
    use super::*;
    use foxgeese::board::Board;

    /// Returns the boards after the foxes' first moves as wins, with any move of the geese, and the start as given up.
    fn some() -> Known {
        let mut known = Known::default();
        each_reply(Board::START, |board| {
            let mut moves = 0;
            board.each_goose_move(|mv| {
                moves += 1;
                known.wins.insert(board, Win { moves: 900 + moves, mv });
            });
        });
        known.dead.insert(Board::START.canonical().0, 3);
        known
    }

    #[test]
    fn what_was_written_is_read_back_and_a_win_that_is_none_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proof");
        let known = some();
        known.write(&path).unwrap();
        let read = Known::read(&path).unwrap();
        assert_eq!(read.dead, known.dead);
        let sorted = |known: &Known| {
            let mut entries: Vec<u64> = known.wins.entries().collect();
            entries.sort_unstable();
            entries
        };
        assert_eq!(sorted(&read), sorted(&known));
        checkpoint::write(&path, MAGIC, vec![1], &read.dead).unwrap();
        assert!(Known::read(&path).is_err(), "a number that is no entry");
    }
}
