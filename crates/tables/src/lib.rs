//! Files of packed values of any game, such as exact tables: a few arrays of bytes, computed once
//! by a solver and looked up by agents.
//!
//! A file is written under a temporary name and renamed, so that a file with the final name is
//! complete. It is mapped into memory; a look-up reads only the page it needs. Each block of 4 KiB
//! is verified by its checksum when it is first read, so that opening a file is cheap and no
//! damaged byte is used.
//!
//! All numbers are little-endian. The layout:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic, `MENAGTAB` |
//! | 4 | version of this layout, 1 |
//! | 4 | number of arrays, 1 to 4 |
//! | 16 | name of the table's subject, padded with zeros |
//! | 16 | four numbers chosen by the game (pieces and the like) |
//! | 32 | length of each array in bytes; 0 for absent ones |
//! | 4 | CRC-32 of the list of checksums |
//! | 4 | CRC-32 of the 84 bytes before this |
//! | 8 | zeros |
//! | 4 a block | CRC-32 of each block of 4 KiB of the arrays, which follow each other as one stream |
//! | ... | the arrays |

mod directory;
mod read;
mod write;

pub use directory::{TableDirectory, usual_directory};
pub use read::{TableError, TableFile};
pub use write::write;

const MAGIC: [u8; 8] = *b"MENAGTAB";
const VERSION: u32 = 1;
const HEADER: usize = 96;
const HEADER_CHECKSUM: usize = 84;
const BLOCK: usize = 4096;
/// The maximum number of arrays in a file.
pub const MOST_ARRAYS: usize = 4;

/// The subject of a table file, stored in its header and compared when the file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// A name of at most 16 bytes.
    pub name: &'static str,
    /// Numbers that distinguish tables of the same name.
    pub numbers: [u32; 4],
}

impl Subject {
    fn name_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..self.name.len()].copy_from_slice(self.name.as_bytes());
        bytes
    }
}
