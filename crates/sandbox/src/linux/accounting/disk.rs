//! Disk space: used by directories, which may be hostile, and free.

use crate::disk_usage::{BLOCK, DEEPEST, DiskUsage};
use nix::dir::{Dir, Type};
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, fstatat, lstat};
use nix::sys::statvfs::statvfs;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

/// The free bytes that the current user may write on the disk of a path.
pub fn free(path: &Path) -> io::Result<u64> {
    Ok(room(path)?.bytes)
}

/// The room on a disk, and the part of it that is free for the current user.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Free bytes.
    pub bytes: u64,
    /// All bytes.
    pub all_bytes: u64,
    /// Files that can still be made.
    pub files: u64,
    /// Files that the disk can have; 0 if it sets no limit.
    pub all_files: u64,
}

/// The room on the disk of a path.
pub fn room(path: &Path) -> io::Result<Room> {
    let disk = statvfs(path)?;
    Ok(Room {
        bytes: disk.blocks_available() * disk.fragment_size(),
        all_bytes: disk.blocks() * disk.fragment_size(),
        files: disk.files_available(),
        all_files: disk.files(),
    })
}

/// Measures a directory without following links. Stops soon after `limit` bytes.
pub fn usage(path: &Path, limit: u64) -> DiskUsage {
    let is_partial = lstat(path).is_ok_and(|data| is_shut(&data));
    let mut taken = DiskUsage { is_partial, ..DiskUsage::default() };
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    if let Ok(directory) = Dir::open(path, flags, Mode::empty()) {
        count(directory, 0, limit, &mut taken);
    }
    taken
}

/// Whether the owner of a directory may not look into it. What is in it then counts for root as for
/// others.
fn is_shut(directory: &FileStat) -> bool {
    directory.st_mode & 0o500 != 0o500
}

fn count(mut directory: Dir, depth: usize, limit: u64, taken: &mut DiskUsage) {
    let mut below = Vec::new();
    let Ok(place) = directory.as_fd().try_clone_to_owned() else {
        taken.is_partial = true;
        return;
    };
    // One entry at a time: a player may add entries faster than a list of all of them can be read.
    for entry in directory.iter().filter_map(Result::ok) {
        let name = entry.file_name();
        if [&b"."[..], b".."].contains(&name.to_bytes()) {
            continue;
        }
        if !taken.goes_on(limit) {
            return;
        }
        let Ok(data) = fstatat(&place, name, AtFlags::AT_SYMLINK_NOFOLLOW) else { continue };
        taken.bytes += (data.st_blocks as u64 * 512).max(BLOCK);
        let is_directory = match entry.file_type() {
            Some(kind) => kind == Type::Directory,
            None => data.st_mode & libc::S_IFMT == libc::S_IFDIR,
        };
        if is_directory {
            taken.is_partial |= is_shut(&data);
            below.push(name.to_owned());
        }
    }
    drop(directory);
    for name in below {
        if depth == DEEPEST {
            taken.is_partial = true;
            return;
        }
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        if let Ok(next) = openat(&place, name.as_c_str(), flags, Mode::empty())
            && let Ok(next) = Dir::from_fd(next)
        {
            count(next, depth + 1, limit, taken);
        }
    }
}
