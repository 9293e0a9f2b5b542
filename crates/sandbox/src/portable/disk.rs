//! Disk space that directories use.

use crate::disk_usage::{BLOCK, DEEPEST, DiskUsage};
use std::fs;
use std::io;
use std::path::Path;

/// The free bytes on the disk of a path: not known on this system.
pub fn free(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Measures a directory without following links. Stops soon after `limit` bytes.
pub fn usage(path: &Path, limit: u64) -> DiskUsage {
    let mut taken = DiskUsage::default();
    let mut waiting = vec![(path.to_owned(), 0)];
    while let Some((directory, depth)) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            if !taken.goes_on(limit) {
                return taken;
            }
            let Ok(data) = entry.metadata() else { continue };
            taken.bytes += data.len().next_multiple_of(BLOCK).max(BLOCK);
            if data.is_dir() {
                taken.is_partial |= depth == DEEPEST;
                waiting.push((entry.path(), depth + 1));
            }
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_levels_count_by_blocks_up_to_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("below")).unwrap();
        fs::write(directory.path().join("below/file"), [0; 5000]).unwrap();
        let taken = usage(directory.path(), 1 << 20);
        assert_eq!((taken.files, taken.is_partial), (2, false));
        assert!(taken.bytes >= 3 * BLOCK && !taken.exceeds(1 << 20));
        assert!(usage(directory.path(), 100).exceeds(100));
    }
}
