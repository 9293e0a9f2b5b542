//! The directory that a player process lives in through a game. Whatever the player does to it, the next turn finds it
//! in order again.

use anyhow::{Context, Result, bail};
use engine::agent::files::write_atomically;
use nix::fcntl::OFlag;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// No move of any game is nearly as long, in bytes.
const OUTPUT_LIMIT: u64 = 1 << 16;
/// The largest directory that is copied for a player, in bytes.
const COPY_LIMIT: u64 = 1 << 30;
/// How many files and directories of a player are looked at. Each counts as one block at least.
const MOST_FILES: u64 = 1 << 20;
const BLOCK: u64 = 4096;

/// A player's directory. It is removed when this value is dropped.
pub struct PlayerDirectory {
    scratch: tempfile::TempDir,
    /// The space that the player may take, in bytes, the copy it was given included.
    quota: u64,
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

/// Why there is no text to read.
pub enum Unreadable {
    /// There is no file.
    Missing,
    /// It is not a text of a move's length; why.
    Other(String),
}

impl PlayerDirectory {
    /// An empty directory, or a copy of `home`, in which a player may take `quota` bytes more.
    pub fn new(home: Option<&Path>, quota: u64) -> Result<PlayerDirectory> {
        let scratch = tempfile::Builder::new()
            .prefix("player-")
            .tempdir_in(scratch_root()?)
            .context("a scratch directory for a player cannot be made")?;
        let mut made = PlayerDirectory { scratch, quota };
        fs::create_dir(made.path())?;
        if let Some(home) = home {
            let mut room = COPY_LIMIT;
            copy_directory(home, &made.path(), &mut room)
                .with_context(|| format!("{}: cannot be copied", home.display()))?;
            made.quota += COPY_LIMIT - room;
        }
        Ok(made)
    }

    /// Where the player runs.
    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("player")
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
        let directory = self.path();
        if !fs::symlink_metadata(&directory).is_ok_and(|data| data.is_dir()) {
            remove(&directory)?;
            fs::create_dir_all(&directory)?;
        }
        fs::set_permissions(&directory, Permissions::from_mode(0o755))?;
        remove(&directory.join("output.txt"))?;
        let file = directory.join("input.txt");
        remove(&file)?;
        write_atomically(&file, input)
    }

    /// Reads the output file, of bounded length, and only a regular one: nothing that the player put in its place may
    /// block.
    pub fn read_output(&self) -> Result<String, Unreadable> {
        read_output(&self.path().join("output.txt"), OUTPUT_LIMIT)
    }

    /// Reads another file that the player left, in the same way; or says what is wrong with it.
    pub fn read(&self, name: &Path, limit: u64) -> Result<String, String> {
        read_output(&self.path().join(name), limit).map_err(|error| match error {
            Unreadable::Missing => "is missing".to_string(),
            Unreadable::Other(reason) => reason,
        })
    }

    /// Whether the player has taken more space than it may; its files are then gone. `Some` holds the MiB it took.
    pub fn over_quota(&self) -> Option<u64> {
        let mut files = 0;
        let taken = space_taken(&self.path(), &mut files);
        (taken > self.quota || files >= MOST_FILES).then(|| {
            // What cannot be removed now is tried again when the game is over.
            let _ = remove(&self.path());
            taken >> 20
        })
    }
}

/// The bytes that a directory takes on the disk. Links are not followed.
fn space_taken(path: &Path, files: &mut u64) -> u64 {
    let mut taken = 0;
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        *files += 1;
        if *files >= MOST_FILES {
            break;
        }
        let Ok(data) = entry.metadata() else { continue };
        taken += (data.blocks() * 512).max(BLOCK);
        if data.is_dir() {
            taken += space_taken(&entry.path(), files);
        }
    }
    taken
}

fn read_output(path: &Path, limit: u64) -> Result<String, Unreadable> {
    let opened = OpenOptions::new().read(true).custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits()).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unreadable::Missing),
        Err(error) => return Err(Unreadable::Other(format!("cannot be read: {error}"))),
    };
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err(Unreadable::Other("is not a file".to_string()));
    }
    let mut bytes = Vec::new();
    if let Err(error) = file.take(limit + 1).read_to_end(&mut bytes) {
        return Err(Unreadable::Other(format!("cannot be read: {error}")));
    }
    if bytes.len() as u64 > limit {
        return Err(Unreadable::Other(format!("is longer than {} KiB", limit >> 10)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Removes whatever is there, directories that deny it included.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_directories(path);
                fs::remove_dir_all(path)
            }
            other => other,
        },
        Ok(_) => fs::remove_file(path),
    }
}

/// Allows its owner everything in a directory and those below it.
fn open_directories(path: &Path) {
    let _ = fs::set_permissions(path, Permissions::from_mode(0o755));
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_directories(&entry.path());
        }
    }
}

/// Copies regular files and directories; links to files become files.
fn copy_directory(from: &Path, to: &Path, room: &mut u64) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy_directory(&entry.path(), &target, room)?;
            continue;
        }
        // A link that leads nowhere is left out.
        let Ok(data) = fs::metadata(entry.path()) else { continue };
        if data.is_file() {
            let Some(rest) = room.checked_sub(data.len()) else { bail!("more than {} MiB", COPY_LIMIT >> 20) };
            *room = rest;
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The judge's own directory for a run, and the lock that says that the run lives.
struct Scratch {
    directory: tempfile::TempDir,
    _lock: File,
}

static SCRATCH: Mutex<Option<Scratch>> = Mutex::new(None);

const PREFIX: &str = "judge-";
const LOCK: &str = "lock";

/// The directory that all players' directories are in, made when it is first needed.
fn scratch_root() -> Result<PathBuf> {
    let mut scratch = SCRATCH.lock().unwrap_or_else(PoisonError::into_inner);
    if scratch.is_none() {
        remove_abandoned();
        *scratch = Some(new_scratch().context("no scratch directory can be made")?);
    }
    Ok(scratch.as_ref().map(|scratch| scratch.directory.path().to_owned()).unwrap_or_default())
}

fn new_scratch() -> io::Result<Scratch> {
    let directory = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
    // The lock gets its name once it is held, so that no one finds it free.
    let young = directory.path().join("young");
    let lock = File::create(&young)?;
    lock.try_lock().map_err(io::Error::from)?;
    fs::rename(young, directory.path().join(LOCK))?;
    Ok(Scratch { directory, _lock: lock })
}

/// Removes the directories of runs that were killed: those whose lock is free.
fn remove_abandoned() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            let _ = remove(&entry.path());
        }
    }
}

/// Removes the directories of all players; the last thing that a run does.
pub fn remove_scratch() {
    if let Some(scratch) = SCRATCH.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = remove(scratch.directory.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_a_regular_file_of_bounded_length_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("output.txt");
        assert!(matches!(read_output(&path, OUTPUT_LIMIT), Err(Unreadable::Missing)));
        fs::create_dir(&path).unwrap();
        assert!(matches!(read_output(&path, OUTPUT_LIMIT), Err(Unreadable::Other(_))));
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(matches!(read_output(&path, OUTPUT_LIMIT), Err(Unreadable::Other(_))));
        remove(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(matches!(read_output(&path, OUTPUT_LIMIT), Err(Unreadable::Other(_))));
        remove(&path).unwrap();
        File::create(&path).unwrap().set_len(OUTPUT_LIMIT + 1).unwrap();
        assert!(
            matches!(read_output(&path, OUTPUT_LIMIT), Err(Unreadable::Other(reason)) if reason.contains("longer"))
        );
    }

    #[test]
    fn a_directory_is_in_order_again_whatever_was_done_to_it() {
        let directory = PlayerDirectory::new(None, 1 << 20).unwrap();
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
        let directory = PlayerDirectory::new(None, 64 << 10).unwrap();
        assert_eq!(directory.prepare("a").unwrap(), Found::InOrder);
        fs::write(directory.path().join("playdata.txt"), "plan").unwrap();
        assert_eq!(directory.prepare("b").unwrap(), Found::InOrder);
        assert_eq!(fs::read_to_string(directory.path().join("playdata.txt")).unwrap(), "plan");
        assert_eq!(directory.over_quota(), None);
        fs::write(directory.path().join("big"), vec![1; 128 << 10]).unwrap();
        assert!(directory.over_quota().is_some());
        assert!(!directory.path().join("big").exists());
    }
}
