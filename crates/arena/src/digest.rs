//! The digest of a submission, by which a resumed grading recognises changed submissions.

use crc32fast::Hasher;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read; of the other files only names and lengths count.
const MAX_BYTES: u64 = 1 << 30;

/// Returns the digest of a command and of all files of a directory, by names and contents.
pub(crate) fn digest(directory: &Path, command: &str) -> String {
    let mut digest = Digest { hasher: Hasher::new(), room: MAX_BYTES };
    digest.field(command.as_bytes());
    digest.directory(directory);
    format!("{:08x}", digest.hasher.finalize())
}

struct Digest {
    hasher: Hasher,
    /// The bytes that may still be read.
    room: u64,
}

impl Digest {
    fn field(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    fn directory(&mut self, path: &Path) {
        let mut entries: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().collect();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let path = entry.path();
            self.field(entry.file_name().as_encoded_bytes());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                self.field(b"directory");
                self.directory(&path);
                self.field(b"end");
            } else if kind.is_symlink() {
                let target = fs::read_link(&path).unwrap_or_default();
                self.field(target.as_os_str().as_encoded_bytes());
            } else if kind.is_file() {
                // A file that cannot be read to its end counts up to the error.
                let _ = self.file(&path);
            }
        }
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
