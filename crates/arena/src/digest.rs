//! Digests of what decides about results: recorded results are recognised by them.

use crc32fast::Hasher;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read; of the other files only names and lengths count.
const MAX_BYTES: u64 = 1 << 30;

/// A checksum of named parts, each name and each part with its length before it.
pub struct Digest {
    hasher: Hasher,
    /// The bytes that may still be read.
    room: u64,
}

impl Digest {
    /// The digest of a text and of the parts that are added.
    pub fn of(text: &str) -> Digest {
        let mut digest = Digest { hasher: Hasher::new(), room: MAX_BYTES };
        digest.field(text.as_bytes());
        digest
    }

    /// Adds a part.
    pub fn part(&mut self, name: impl AsRef<[u8]>, part: impl AsRef<[u8]>) {
        self.field(name.as_ref());
        self.field(part.as_ref());
    }

    /// Adds all files of a directory, by names and contents.
    pub fn directory(&mut self, path: &Path) {
        let mut entries: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().collect();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.as_encoded_bytes();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    self.part(name, "directory");
                    self.directory(&path);
                    self.field(b"end");
                }
                Ok(kind) if kind.is_symlink() => {
                    let target = fs::read_link(&path).unwrap_or_default();
                    self.part(name, target.as_os_str().as_encoded_bytes());
                }
                kind => {
                    self.field(name);
                    if kind.is_ok_and(|kind| kind.is_file()) {
                        // A file that cannot be read to its end counts up to the error.
                        let _ = self.file(&path);
                    }
                }
            }
        }
    }

    /// Returns the digest, as eight hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:08x}", self.hasher.finalize())
    }

    fn field(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    fn file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        self.hasher.update(&file.metadata()?.len().to_le_bytes());
        let mut buffer = vec![0; 1 << 16];
        while self.room > 0 {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            self.hasher.update(&buffer[..count]);
            self.room = self.room.saturating_sub(count as u64);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_move_between_a_name_and_its_part_change_the_digest() {
        let digest = |name: &[u8], part: &[u8]| {
            let mut digest = Digest::of("");
            digest.part(name, part);
            digest.text()
        };
        assert_ne!(digest(b"a", b"bc"), digest(b"ab", b"c"));
        assert_ne!(digest(b"\xe9", b""), digest(b"\xe8", b""));
    }
}
