//! The directory that a player process lives in through a game. Whatever the player does to it, the next turn finds it
//! in order again.

use super::left::{Unreadable, read_left};
use super::removal::remove;
use super::scratch::scratch_root;
use super::walls::walls;
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use system::{disk, sandbox};

/// No move of any game is nearly as long, in bytes.
const OUTPUT_LIMIT: u64 = 1 << 16;
/// The largest directory that is copied for a player, in bytes.
const COPY_LIMIT: u64 = 1 << 30;

/// A player's directory. It is removed when this value is dropped.
pub struct PlayerDirectory {
    scratch: tempfile::TempDir,
    /// The space that the player may take, in bytes, the copy it was given included.
    quota: u64,
    /// The user that the player runs as and that owns the directory, if not the judge's own.
    identity: Option<u32>,
}

/// How a directory was found before a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// In order.
    InOrder,
    /// Spoilt, and begun anew with nothing in it; why.
    Spoilt(String),
    /// The player had filled the disk; its files are gone.
    DiskFull,
}

impl PlayerDirectory {
    /// An empty directory, or a copy of `home`, in which a player may take its space on the disk besides.
    pub fn new(home: Option<&Path>, bounds: &Bounds) -> Result<PlayerDirectory> {
        let identity = if walls(bounds)?.namespaces { sandbox::own_user() } else { None };
        let scratch = tempfile::Builder::new()
            .prefix("player-")
            .tempdir_in(scratch_root()?)
            .context("a scratch directory for a player cannot be made")?;
        let mut made = PlayerDirectory { scratch, quota: bounds.disk_mib << 20, identity };
        fs::create_dir(made.path())?;
        if let Some(home) = home {
            let mut copy = Copy { room: COPY_LIMIT, root: fs::canonicalize(home)?, owner: identity };
            copy.directory(home, &made.path()).with_context(|| format!("{}: cannot be copied", home.display()))?;
            made.quota += COPY_LIMIT - copy.room;
        }
        Ok(made)
    }

    /// Where the player runs.
    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("player")
    }

    /// A place beside it for temporary files of one turn.
    pub fn temporary(&self) -> PathBuf {
        self.scratch.path().join("temporary")
    }

    /// The space that the player may take, in bytes.
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// The user that the player runs as, if not the judge's own.
    pub fn identity(&self) -> Option<u32> {
        self.identity
    }

    /// Makes the directory ready for a turn.
    pub fn prepare(&self, input: &str) -> Result<Found> {
        let Err(error) = self.try_to_prepare(input) else { return Ok(Found::InOrder) };
        // The player's own files are in the way, or have taken all the space.
        remove(&self.path()).and_then(|()| self.try_to_prepare(input)).context("a player's directory is lost")?;
        let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        Ok(if full { Found::DiskFull } else { Found::Spoilt(error.to_string()) })
    }

    fn try_to_prepare(&self, input: &str) -> io::Result<()> {
        let (directory, temporary) = (self.path(), self.temporary());
        if !fs::symlink_metadata(&directory).is_ok_and(|data| data.is_dir()) {
            remove(&directory)?;
            fs::create_dir_all(&directory)?;
        }
        fs::set_permissions(&directory, Permissions::from_mode(0o755))?;
        remove(&temporary)?;
        fs::create_dir(&temporary)?;
        remove(&directory.join("output.txt"))?;
        let file = directory.join("input.txt");
        remove(&file)?;
        // Nothing that is there already is written to.
        OpenOptions::new().write(true).create_new(true).mode(0o644).open(&file)?.write_all(input.as_bytes())?;
        [&directory, &file].into_iter().try_for_each(|path| give(path, self.identity))
    }

    /// Reads the output file, of bounded length, and only a regular one: nothing that the player put in its place may
    /// block.
    pub fn read_output(&self) -> Result<String, Unreadable> {
        read_left(&self.path(), Path::new("output.txt"), OUTPUT_LIMIT)
    }

    /// Reads another file that the player left, in the same way; or says what is wrong with it.
    pub fn read(&self, name: &Path, limit: u64) -> Result<String, String> {
        read_left(&self.path(), name, limit).map_err(|error| match error {
            Unreadable::Missing => "is missing".to_string(),
            Unreadable::Other(reason) => reason,
        })
    }

    /// Whether the player has taken more space than it may; its files are then gone. `Some` holds the MiB it took.
    pub fn over_quota(&self) -> Option<u64> {
        let taken = disk::taken(&self.path(), self.quota);
        taken.is_too_much(self.quota).then(|| {
            // What cannot be removed now is tried again when the game is over.
            let _ = remove(&self.path());
            taken.bytes >> 20
        })
    }
}

impl Drop for PlayerDirectory {
    fn drop(&mut self) {
        // Whatever the player made of it; the rest is removed along with the directory around it.
        let _ = remove(&self.path());
    }
}

/// Gives a file to a user, if there is one to give it to.
fn give(path: &Path, owner: Option<u32>) -> io::Result<()> {
    owner.map_or(Ok(()), |owner| lchown(path, Some(owner), Some(owner)))
}

/// A copy that is being made.
struct Copy {
    /// The bytes that there is still room for.
    room: u64,
    /// The directory that is copied. Links that lead out of it are left out.
    root: PathBuf,
    /// The new owner.
    owner: Option<u32>,
}

impl Copy {
    /// Copies regular files and directories; links to files become files.
    fn directory(&mut self, from: &Path, to: &Path) -> Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                fs::create_dir(&target)?;
                self.directory(&entry.path(), &target)?;
            } else {
                // A link that leads nowhere is left out.
                let Ok(source) = fs::canonicalize(entry.path()) else { continue };
                let Ok(data) = fs::metadata(&source) else { continue };
                if !data.is_file() || !source.starts_with(&self.root) {
                    continue;
                }
                let Some(rest) = self.room.checked_sub(data.len()) else { bail!("more than {} MiB", COPY_LIMIT >> 20) };
                self.room = rest;
                fs::copy(source, &target)?;
            }
            give(&target, self.owner)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(disk_mib: u64) -> Bounds {
        Bounds { disk_mib, sandbox: crate::terms::Sandbox::Off, ..Bounds::default() }
    }

    #[test]
    fn a_copy_holds_nothing_from_outside_the_directory() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("submission")).unwrap();
        let submission = home.path().join("submission");
        fs::write(home.path().join("secret"), "s").unwrap();
        fs::write(submission.join("real"), "r").unwrap();
        std::os::unix::fs::symlink("../secret", submission.join("stolen")).unwrap();
        std::os::unix::fs::symlink("real", submission.join("alias")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", submission.join("endless")).unwrap();
        let directory = PlayerDirectory::new(Some(&submission), &bounds(1)).unwrap();
        let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["alias", "real"]);
        assert_eq!(fs::read_to_string(directory.path().join("alias")).unwrap(), "r");
    }

    #[test]
    fn a_directory_is_in_order_again_whatever_was_done_to_it() {
        let directory = PlayerDirectory::new(None, &bounds(1)).unwrap();
        let path = directory.path();
        let spoil: [&dyn Fn(); 4] = [
            &|| fs::remove_dir_all(&path).unwrap(),
            &|| {
                fs::remove_dir_all(&path).unwrap();
                std::os::unix::fs::symlink("/", &path).unwrap();
            },
            &|| fs::create_dir_all(path.join("output.txt/deep/deeper")).unwrap(),
            &|| {
                fs::remove_file(path.join("input.txt")).unwrap();
                fs::create_dir_all(path.join("input.txt/deep")).unwrap();
                fs::set_permissions(path.join("input.txt"), Permissions::from_mode(0o000)).unwrap();
            },
        ];
        for spoil in spoil {
            assert_eq!(directory.prepare("a").unwrap(), Found::InOrder);
            spoil();
            assert_eq!(directory.prepare("b").unwrap(), Found::InOrder);
            assert_eq!(fs::read_to_string(path.join("input.txt")).unwrap(), "b");
            assert!(fs::symlink_metadata(&path).unwrap().is_dir());
        }
    }

    #[test]
    fn files_of_a_player_stay_between_turns_until_they_are_too_many() {
        let directory = PlayerDirectory::new(None, &bounds(1)).unwrap();
        assert_eq!(directory.prepare("a").unwrap(), Found::InOrder);
        fs::write(directory.path().join("playdata.txt"), "plan").unwrap();
        assert_eq!(directory.prepare("b").unwrap(), Found::InOrder);
        assert_eq!(fs::read_to_string(directory.path().join("playdata.txt")).unwrap(), "plan");
        assert_eq!(directory.over_quota(), None);
        fs::write(directory.path().join("big"), vec![1; 2 << 20]).unwrap();
        assert!(directory.over_quota().is_some());
        assert!(!directory.path().join("big").exists());
    }
}
