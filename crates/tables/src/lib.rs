//! Files of exact tables, of any game: a few arrays of bytes, made once by a solver and looked up by agents.
//!
//! A file is written under a temporary name and renamed, so that a file with the right name is whole. It is mapped into
//! memory; a look-up reads the one page it needs. A block of 4 KiB is checked against its checksum when it is first
//! touched, so that opening stays cheap and no damaged byte is ever believed.
//!
//! All numbers are little-endian. The layout:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic, `MENAGTAB` |
//! | 4 | version of this layout, 1 |
//! | 4 | number of arrays, 1 to 4 |
//! | 16 | what the table is of: a name, padded by zeros |
//! | 16 | four numbers of the game's own (pieces and the like) |
//! | 32 | length of each array in bytes; 0 for those that are not there |
//! | 4 | CRC-32 of the list of checksums |
//! | 4 | CRC-32 of the 84 bytes before this |
//! | 8 | zeros |
//! | 4 a block | CRC-32 of each block of 4 KiB of the arrays, which follow each other as one stream |
//! | ... | the arrays |

mod layers;
mod read;
mod write;

pub use layers::Layers;
pub use read::{Table, TableError};
pub use write::write;

/// The first bytes of every table file.
const MAGIC: [u8; 8] = *b"MENAGTAB";
/// The version of the layout.
const VERSION: u32 = 1;
/// The length of the header in bytes; the checksums follow.
const HEADER: usize = 96;
/// The offset of the header's own checksum, which covers what is before it.
const HEADER_CHECKSUM: usize = 84;
/// The number of bytes under one checksum.
const BLOCK: usize = 4096;
/// The most arrays in a file.
pub const MOST_ARRAYS: usize = 4;

/// The subject of a table, by which a file for another purpose is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// A name of at most 16 bytes.
    pub name: &'static str,
    /// Numbers that tell this table from others of the same name.
    pub numbers: [u32; 4],
}

impl Subject {
    fn name_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..self.name.len()].copy_from_slice(self.name.as_bytes());
        bytes
    }
}
