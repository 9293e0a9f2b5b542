//! Removal of files that a hostile player left: directories without permissions, and trees deeper
//! than a path can be long.

use sandbox::system;
use std::fs;
use std::io;
use std::path::Path;

pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => remove_directory(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// Level by level. Subdirectories are moved up first, so that no path grows long and no state per
/// level is kept.
fn remove_directory(path: &Path) -> io::Result<()> {
    let mut number = 0u64;
    loop {
        open_to_owner(path)?;
        let mut empty = true;
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            empty = false;
            if entry.file_type()?.is_dir() {
                empty_into(&entry.path(), path, &mut number)?;
                fs::remove_dir(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        if empty {
            return fs::remove_dir(path);
        }
    }
}

/// Removes the files of a directory, and moves its subdirectories to `to`.
fn empty_into(from: &Path, to: &Path, number: &mut u64) -> io::Result<()> {
    open_to_owner(from)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
            continue;
        }
        // Moving a directory needs write permission on it.
        open_to_owner(&entry.path())?;
        loop {
            *number += 1;
            let target = to.join(format!("moved-{number}"));
            match fs::symlink_metadata(&target) {
                Ok(_) => {}
                Err(_) => break fs::rename(entry.path(), target)?,
            }
        }
    }
    Ok(())
}

fn open_to_owner(directory: &Path) -> io::Result<()> {
    system::set_mode(directory, 0o700)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn deep_trees_and_closed_directories_are_removed_and_what_links_lead_to_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let kept = directory.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        let seat = directory.path().join("seat");
        fs::create_dir_all(seat.join("a/b/c")).unwrap();
        std::os::unix::fs::symlink(&kept, seat.join("a/link")).unwrap();
        fs::write(seat.join("moved-1"), "").unwrap();
        fs::write(seat.join(OsStr::from_bytes(b"\xff\xfe")), "").unwrap();
        // Nests directories by moving each into a new one, which makes the tree deeper than a path
        // can be long.
        for number in 0..3_000 {
            let outer = seat.join("outer");
            fs::create_dir(&outer).unwrap();
            if number > 0 {
                fs::rename(seat.join("deep"), outer.join("deep")).unwrap();
            }
            fs::rename(outer, seat.join("deep")).unwrap();
        }
        system::set_mode(&seat.join("a"), 0).unwrap();
        remove(&seat).unwrap();
        assert!(!seat.exists() && kept.join("file").exists());
        remove(&seat).unwrap();
    }
}
