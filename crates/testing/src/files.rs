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

    /// The files and folders in it.
    fn entries(&self) -> Vec<PathBuf> {
        fs::read_dir(self).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

impl<T: AsRef<Path> + ?Sized> Folder for T {}

/// Copies a program by a process of its own: what this process has open for writing is open in the
/// children that other tests start as well, until each begins its own program, and could not be run
/// as long.
#[track_caller]
pub fn copy_program(program: &str, copy: &Path) {
    assert!(
        Command::new("cp").arg(program).arg(copy).status().unwrap().success(),
        "{program} is not copied"
    );
}
