//! The measured size of a directory, and where counting stops.

pub(crate) const MOST_FILES: u64 = 1 << 20;
pub(crate) const DEEPEST: usize = 128;
pub(crate) const BLOCK: u64 = 4096;

/// The disk space that a directory uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskUsage {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
    /// Not all was counted: there are too many files, or directories that are too deep or shut to
    /// their owner.
    pub is_partial: bool,
}

impl DiskUsage {
    /// Counts one more file or directory. Whether counting goes on.
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
