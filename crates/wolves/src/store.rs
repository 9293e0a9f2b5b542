//! Bytes that `solve wolves` has made: part of the program with the feature `embedded`; without it they are handed over
//! when it runs, and until then nothing is known of them.

use engine::checksum;
use std::sync::OnceLock;

/// A store of bytes.
pub(crate) struct Store {
    embedded: Option<&'static [u8]>,
    checksum: u64,
    provided: OnceLock<Box<[u8]>>,
}

impl Store {
    /// A store with its bytes, if they are part of the program, and their checksum.
    pub(crate) const fn new(embedded: Option<&'static [u8]>, checksum: u64) -> Store {
        Store { embedded, checksum, provided: OnceLock::new() }
    }

    /// The bytes, if they are here.
    pub(crate) fn get(&'static self) -> Option<&'static [u8]> {
        self.embedded.or_else(|| self.provided.get().map(|bytes| &**bytes))
    }

    /// Hands over the bytes; nothing happens where they are here already.
    pub(crate) fn provide(&self, bytes: Vec<u8>) -> Result<(), String> {
        let found = checksum(&bytes);
        if found != self.checksum {
            return Err(format!("expected bytes with the checksum {:016x}, found {found:016x}", self.checksum));
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
        static STORE: Store = Store::new(None, 0x06d5_5739_23c6_cdfc);
        assert_eq!(STORE.get(), None);
        assert!(STORE.provide(b"123456780".to_vec()).unwrap_err().contains("06d5573923c6cdfc"));
        STORE.provide(b"123456789".to_vec()).unwrap();
        STORE.provide(b"123456789".to_vec()).unwrap();
        assert_eq!(STORE.get(), Some(&b"123456789"[..]));
    }
}
