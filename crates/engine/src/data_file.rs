//! Data files of games: part of the program with a game's feature `embedded`, and otherwise passed in
//! at run time.

use crate::checksum;
use std::sync::OnceLock;

/// The bytes of a game's data file.
pub struct DataFile {
    embedded: Option<&'static [u8]>,
    checksum: u64,
    provided: OnceLock<Box<[u8]>>,
}

impl DataFile {
    /// The embedded bytes, if any, and the checksum of the right bytes.
    pub const fn new(embedded: Option<&'static [u8]>, checksum: u64) -> DataFile {
        DataFile { embedded, checksum, provided: OnceLock::new() }
    }

    /// The bytes, if they are there.
    pub fn get(&'static self) -> Option<&'static [u8]> {
        self.embedded.or_else(|| self.provided.get().map(|bytes| &**bytes))
    }

    /// Takes the right bytes, if there are none yet.
    ///
    /// # Errors
    /// The bytes have another checksum.
    pub fn provide(&self, bytes: Vec<u8>) -> Result<(), String> {
        let found = checksum(&bytes);
        let expected = self.checksum;
        if found != expected {
            return Err(format!("the checksum is {found:016x}, not {expected:016x}"));
        }
        let _ = self.provided.set(bytes.into_boxed_slice());
        Ok(())
    }
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
