//! Data made by `solve wolves`: part of the program with the feature `embedded`, and otherwise
//! passed in at run time.

use engine::checksum;
use std::sync::OnceLock;

/// The data of one file. It begins with the length in bytes (4, little-endian) of each block; the
/// blocks follow, compressed (raw deflate).
pub(crate) struct DataFile {
    embedded: Option<&'static [u8]>,
    checksum: u64,
    provided: OnceLock<Box<[u8]>>,
}

impl DataFile {
    /// The embedded bytes, if any, and the checksum of the right bytes.
    pub(crate) const fn new(embedded: Option<&'static [u8]>, checksum: u64) -> DataFile {
        DataFile { embedded, checksum, provided: OnceLock::new() }
    }

    /// The bytes, if they are there.
    pub(crate) fn get(&'static self) -> Option<&'static [u8]> {
        self.embedded.or_else(|| self.provided.get().map(|bytes| &**bytes))
    }

    /// Takes the right bytes, if there are none yet.
    pub(crate) fn provide(&self, bytes: Vec<u8>) -> Result<(), String> {
        let found = checksum(&bytes);
        let expected = self.checksum;
        if found != expected {
            return Err(format!("the checksum is {found:016x}, not {expected:016x}"));
        }
        let _ = self.provided.set(bytes.into_boxed_slice());
        Ok(())
    }
}

/// The packed bytes of the first `count` blocks.
pub(crate) fn blocks(data: &'static [u8], count: usize) -> impl Iterator<Item = &'static [u8]> {
    let (lengths, mut rest) = data.split_at(4 * count);
    lengths.chunks_exact(4).map(move |length| {
        let length = u32::from_le_bytes(length.try_into().expect("4 bytes"));
        let (block, more) = rest.split_at(length as usize);
        rest = more;
        block
    })
}

/// The bytes of a block, at most `most`.
pub(crate) fn unpacked(block: &[u8], most: usize) -> Vec<u8> {
    let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(block, most);
    unpacked.expect("the data are those that the tests have seen")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once_and_only_the_right_ones() {
        static DATA: DataFile = DataFile::new(None, 0x06d5_5739_23c6_cdfc);
        assert_eq!(DATA.get(), None);
        assert!(DATA.provide(b"123456780".to_vec()).unwrap_err().contains("06d5573923c6cdfc"));
        DATA.provide(b"123456789".to_vec()).unwrap();
        DATA.provide(b"123456789".to_vec()).unwrap();
        assert_eq!(DATA.get(), Some(&b"123456789"[..]));
    }
}
