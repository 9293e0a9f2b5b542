//! Folders that tests make and look into, and programs in them.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A new folder, which is removed when it is dropped.
pub struct NewFolder(TempDir);

/// Makes a new folder.
pub fn folder() -> NewFolder {
    NewFolder(tempfile::tempdir().unwrap())
}

impl Deref for NewFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for NewFolder {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// What tests do with the files of a folder, each named by its path in the folder.
pub trait Folder: AsRef<Path> {
    /// The text of a file.
    #[track_caller]
    fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.as_ref().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes a file, and makes the folders that it lies in.
    #[track_caller]
    fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.as_ref().join(name);
        path.parent().unwrap().make("");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Makes a folder, and those that it lies in.
    #[track_caller]
    fn make(&self, name: impl AsRef<Path>) {
        fs::create_dir_all(self.as_ref().join(name)).unwrap();
    }

    /// Puts a text in place of another one, which has to be in the file.
    #[track_caller]
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from:?} is missing in\n{text}");
        self.write(name, text.replace(from, to));
    }

    /// Writes a shell script that can be executed.
    #[track_caller]
    fn write_script(&self, name: &str, lines: &str) {
        self.write(name, format!("#!/bin/sh\n{lines}"));
        #[cfg(unix)]
        fs::set_permissions(
            self.as_ref().join(name),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
    }

    /// Removes a file or a folder, if it is there.
    fn remove(&self, name: &str) {
        let path = self.as_ref().join(name);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }

    /// The files and folders in it.
    fn entries(&self) -> Vec<PathBuf> {
        fs::read_dir(self).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

impl<T: AsRef<Path> + ?Sized> Folder for T {}

/// A file or a folder of this repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Copies a file or a whole folder, by a process of its own: what this process has open for writing
/// is open in the children that other tests start as well, until each begins its own program, and a
/// program could not be run as long.
#[track_caller]
pub fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let (from, to) = (from.as_ref(), to.as_ref());
    to.parent().unwrap().make("");
    let copied = Command::new("cp").arg("-RL").args([from, to]).status().unwrap();
    assert!(copied.success(), "{} is not copied", from.display());
}
