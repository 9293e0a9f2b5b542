//! The space that a directory takes on the disk, whatever its owner has put there, and what is left.

use nix::dir::{Dir, Type};
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, fstatat};
use nix::sys::statvfs::statvfs;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

/// How many files and directories are looked at.
const MOST_FILES: u64 = 1 << 20;
/// How deep directories are looked into; none that is honest is as deep.
const DEEPEST: usize = 128;
/// Each file and each directory takes this at least, in bytes.
const BLOCK: u64 = 4096;

/// What a directory takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Bytes on the disk.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
    /// There are more files, or deeper directories, than are looked at.
    pub beyond_measure: bool,
}

impl Taken {
    /// Whether it is more than a number of bytes.
    #[must_use]
    pub fn is_too_much(self, limit: u64) -> bool {
        self.beyond_measure || self.bytes > limit
    }
}

/// The bytes that a user may still write on the disk of a directory.
pub fn free(path: &Path) -> io::Result<u64> {
    let disk = statvfs(path)?;
    Ok(disk.blocks_available() * disk.fragment_size())
}

/// What a directory takes; links are not followed, and counting ends soon after a limit in bytes.
#[must_use]
pub fn taken(path: &Path, limit: u64) -> Taken {
    let mut taken = Taken::default();
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    if let Ok(directory) = Dir::open(path, flags, Mode::empty()) {
        count(directory, 0, limit, &mut taken);
    }
    taken
}

fn count(mut directory: Dir, depth: usize, limit: u64, taken: &mut Taken) {
    let mut below = Vec::new();
    let entries: Vec<_> = directory.iter().filter_map(Result::ok).collect();
    for entry in entries {
        let name = entry.file_name();
        if [&b"."[..], b".."].contains(&name.to_bytes()) {
            continue;
        }
        taken.files += 1;
        if taken.files >= MOST_FILES {
            taken.beyond_measure = true;
        }
        if taken.is_too_much(limit) {
            return;
        }
        let Ok(data) = fstatat(directory.as_fd(), name, AtFlags::AT_SYMLINK_NOFOLLOW) else { continue };
        taken.bytes += (data.st_blocks as u64 * 512).max(BLOCK);
        let is_directory = match entry.file_type() {
            Some(kind) => kind == Type::Directory,
            None => data.st_mode & libc::S_IFMT == libc::S_IFDIR,
        };
        if is_directory {
            below.push(name.to_owned());
        }
    }
    for name in below {
        if depth == DEEPEST {
            taken.beyond_measure = true;
            return;
        }
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        if let Ok(next) = openat(directory.as_fd(), name.as_c_str(), flags, Mode::empty())
            && let Ok(next) = Dir::from_fd(next)
        {
            count(next, depth + 1, limit, taken);
        }
    }
}
