//! Reading of files that somebody else has written: regular files only, without following links,
//! without blocking, up to a limit.

use sandbox::system::{failed_by_machine, open_untrusted};
use std::io::{self, Read};
use std::path::Path;

/// Why a file could not be read as text.
pub enum Unreadable {
    /// The file does not exist.
    Missing,
    /// The file is not a text of limited length; the reason.
    Other(String),
}

/// Reads a text of limited length. Bytes that are not UTF-8 are replaced.
pub fn read_untrusted(directory: &Path, name: &Path, limit: u64) -> Result<String, Unreadable> {
    try_to_read_untrusted(directory, name, limit)
        .unwrap_or_else(|error| Err(Unreadable::Other(format!("cannot be read: {error}"))))
}

/// Reads a file in a directory as bytes, up to a limit.
pub fn read_untrusted_bytes(
    directory: &Path,
    name: &Path,
    limit: u64,
) -> Result<Vec<u8>, Unreadable> {
    match read(directory, name, limit) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(too_long(limit)),
        Err(error) => Err(unreadable(&error)),
    }
}

fn too_long(limit: u64) -> Unreadable {
    Unreadable::Other(format!("is longer than {} KiB", limit >> 10))
}

/// The outer error is the machine's and says nothing about the file.
pub(super) fn try_to_read_untrusted(
    directory: &Path,
    name: &Path,
    limit: u64,
) -> io::Result<Result<String, Unreadable>> {
    match read(directory, name, limit) {
        Ok(Some(bytes)) => Ok(Ok(String::from_utf8_lossy(&bytes).into_owned())),
        Ok(None) => Ok(Err(too_long(limit))),
        Err(error) if failed_by_machine(&error) => Err(error),
        Err(error) => Ok(Err(unreadable(&error))),
    }
}

fn unreadable(error: &io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Missing,
        io::ErrorKind::InvalidInput => Unreadable::Other("is not a file".to_string()),
        _ => Unreadable::Other(format!("cannot be read: {error}")),
    }
}

/// `None` if the file is too long.
fn read(directory: &Path, name: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let file = open_untrusted(directory, name)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::process::Command;

    const LIMIT: u64 = 1 << 16;

    #[test]
    fn only_a_regular_file_of_bounded_length_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path();
        let path = place.join("output.txt");
        let read = || read_untrusted(place, Path::new("output.txt"), LIMIT);
        let is_no_file =
            || matches!(read(), Err(Unreadable::Other(reason)) if reason.contains("not a file"));
        assert!(matches!(read(), Err(Unreadable::Missing)));
        fs::create_dir(&path).unwrap();
        assert!(is_no_file());
        fs::remove_dir(&path).unwrap();
        for target in ["/dev/zero", "/etc/passwd", "/nowhere"] {
            std::os::unix::fs::symlink(target, &path).unwrap();
            assert!(is_no_file());
            fs::remove_file(&path).unwrap();
        }
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(is_no_file());
        fs::remove_file(&path).unwrap();
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(is_no_file());
        fs::remove_file(&path).unwrap();
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(read(), Err(Unreadable::Other(reason)) if reason.contains("longer")));
        fs::write(&path, "text").unwrap();
        assert!(matches!(read(), Ok(text) if text == "text"));
    }

    #[test]
    fn a_link_in_the_place_of_the_directory_is_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real"), directory.path().join("link"));
        fs::create_dir(&real).unwrap();
        fs::write(real.join("output.txt"), "secret").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(
            read_untrusted(&link, Path::new("output.txt"), LIMIT),
            Err(Unreadable::Other(_))
        ));
    }
}
