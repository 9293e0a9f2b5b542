//! Reading of files that somebody else has written: regular files only, without following links,
//! without blocking, up to a limit.

use sandbox::system::{failed_by_machine, open_untrusted};
use std::io::{self, Read};
use std::path::Path;

/// Why a file could not be read as text.
pub enum Unreadable {
    /// The file does not exist.
    Missing,
    /// The file is longer than the limit; the reason.
    TooLong(String),
    /// The file cannot be read; the reason.
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
    read(directory, name, limit).unwrap_or_else(|error| Err(unreadable(&error)))
}

/// The outer error is the machine's and says nothing about the file.
pub(super) fn try_to_read_untrusted(
    directory: &Path,
    name: &Path,
    limit: u64,
) -> io::Result<Result<String, Unreadable>> {
    let found = match read(directory, name, limit) {
        Err(error) if failed_by_machine(&error) => return Err(error),
        found => found.unwrap_or_else(|error| Err(unreadable(&error))),
    };
    Ok(found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn unreadable(error: &io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Missing,
        io::ErrorKind::InvalidInput => Unreadable::Other("is not a file".to_string()),
        _ => Unreadable::Other(format!("cannot be read: {error}")),
    }
}

fn read(directory: &Path, name: &Path, limit: u64) -> io::Result<Result<Vec<u8>, Unreadable>> {
    let mut bytes = Vec::new();
    open_untrusted(directory, name)?.take(limit + 1).read_to_end(&mut bytes)?;
    let is_short = bytes.len() as u64 <= limit;
    let too_long = || Unreadable::TooLong(format!("is longer than {} KiB", limit >> 10));
    Ok(if is_short { Ok(bytes) } else { Err(too_long()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::system::set_mode;
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
        assert!(matches!(read(), Err(Unreadable::TooLong(reason)) if reason.contains("longer")));
        fs::write(&path, "text").unwrap();
        assert!(matches!(read(), Ok(text) if text == "text"));
    }

    #[test]
    fn what_is_shut_to_its_owner_is_read_by_nobody_also_not_by_root() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path();
        let folder = place.join("folder");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("output.txt"), "text").unwrap();
        std::os::unix::fs::symlink("folder", place.join("link")).unwrap();
        let read = |name| read_untrusted(place, Path::new(name), LIMIT);
        let name = "folder/output.txt";
        for (path, mode) in [(place.join(name), 0o377), (folder, 0o277), (place.into(), 0o677)] {
            assert!(matches!(read(name), Ok(text) if text == "text"));
            set_mode(&path, mode).unwrap();
            assert!(matches!(read(name), Err(Unreadable::Other(why)) if why.contains("denied")));
            set_mode(&path, 0o700).unwrap();
        }
        assert!(matches!(read("link/output.txt"), Err(Unreadable::Other(_))));
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
