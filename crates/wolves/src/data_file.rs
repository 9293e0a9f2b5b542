//! Data made by `solve wolves`: part of the program with the feature `embedded`, and otherwise
//! passed in at run time; until then there are none.

use engine::checksum;
use std::sync::OnceLock;

/// The data of one file, embedded or passed in at run time.
pub(crate) struct DataFile {
    embedded: Option<&'static [u8]>,
    checksum: u64,
    provided: OnceLock<Box<[u8]>>,
}

impl DataFile {
    /// Creates a store with the embedded bytes, if any, and the checksum of the right bytes.
    pub(crate) const fn new(embedded: Option<&'static [u8]>, checksum: u64) -> DataFile {
        DataFile { embedded, checksum, provided: OnceLock::new() }
    }

    /// The bytes, if they are embedded or have been passed in.
    pub(crate) fn get(&'static self) -> Option<&'static [u8]> {
        self.embedded.or_else(|| self.provided.get().map(|bytes| &**bytes))
    }

    /// Passes in the bytes and checks them; has no effect if they are present already.
    pub(crate) fn provide(&self, bytes: Vec<u8>) -> Result<(), String> {
        let found = checksum(&bytes);
        if found != self.checksum {
            return Err(format!(
                "expected bytes with the checksum {:016x}, found {found:016x}",
                self.checksum
            ));
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
