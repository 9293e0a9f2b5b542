//! The measured size of a directory, and where counting stops.

/// The most files and directories that are counted.
pub(crate) const MOST_FILES: u64 = 1 << 20;
/// The deepest level of directories that is entered. Well-meant directories are less deep.
pub(crate) const DEEPEST: usize = 128;
/// The least that a file or directory counts for, in bytes.
pub(crate) const BLOCK: u64 = 4096;

/// The disk space that a directory uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskUsage {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
    /// Counting stopped before the end: too many files, or directories too deep.
    pub is_partial: bool,
}

impl DiskUsage {
    /// Counts one more file or directory, and whether the count goes on after it: there may be too
    /// many of them, or more than `limit` bytes.
    pub(crate) fn goes_on(&mut self, limit: u64) -> bool {
        self.files += 1;
        self.is_partial |= self.files >= MOST_FILES;
        !self.exceeds(limit)
    }

    /// Whether a directory uses more than this number of bytes, or was not counted to its end.
    pub fn exceeds(self, limit: u64) -> bool {
        self.is_partial || self.bytes > limit
    }
}
