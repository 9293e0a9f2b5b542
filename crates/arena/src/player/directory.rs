//! The directory of a player during a game, restored to order before each turn.

use super::blame::{NoTurn, patiently};
use super::removal::remove;
use super::sandbox_layers::layers;
use super::scratch::scratch_root;
use super::untrusted_file::{Unreadable, read_untrusted_bytes, try_to_read_untrusted};
use crate::terms::Bounds;
use anygame::game::{GameFiles, Keep};
use anyhow::{Context, Result, bail, ensure};
use sandbox::job::BoxUser;
use sandbox::system::{self, failed_by_machine, give};
use sandbox::{PlayerDisk, disk, memory};
use std::cell::Cell;
use std::fs::{self, FileTimes};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

const OUTPUT_LIMIT: u64 = 1 << 16;
const COPY_LIMIT: u64 = 1 << 30;

/// A player's directory. It is removed when this value is dropped.
pub struct PlayerDirectory {
    /// A file system of limited size, which only boxes and this process can see.
    store: Option<PlayerDisk>,
    scratch: tempfile::TempDir,
    /// In bytes, with the copied files.
    quota: u64,
    identity: Option<BoxUser>,
    home: Option<PathBuf>,
    files: GameFiles,
    /// Files for each turn by their names; `None` removes one.
    laid: Vec<(PathBuf, Option<Vec<u8>>)>,
    was_prepared: Cell<bool>,
}

const PLAYER: &str = "player";
/// The time of access of files that are laid: each system changes it when such a file is read, if
/// it keeps such times at all.
const UNREAD: SystemTime = SystemTime::UNIX_EPOCH;
/// The part of free memory, one in this many, that a player's files may take; larger ones need a
/// disk.
const SHARE_OF_MEMORY: u64 = 4;

/// The state of a directory before a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// As it should be.
    InOrder,
    /// Damaged, and replaced by an empty directory; the reason.
    Spoilt(String),
    /// The player's files exceeded the disk limit and have been removed.
    DiskFull,
}

impl PlayerDirectory {
    /// An empty directory, or a copy of `home`, for a game with the usual files.
    pub fn new(home: Option<&Path>, bounds: &Bounds) -> Result<PlayerDirectory> {
        PlayerDirectory::with_files(home, bounds, GameFiles::USUAL)
    }

    /// An empty directory, or a copy of `home`, for a game with these files.
    pub fn with_files(
        home: Option<&Path>,
        bounds: &Bounds,
        files: GameFiles,
    ) -> Result<PlayerDirectory> {
        let namespaces = layers(bounds)?.namespaces;
        let identity = if namespaces { sandbox::own_user() } else { None };
        let root = scratch_root()?;
        let scratch = patiently(|| {
            let made = tempfile::Builder::new().prefix("player-").tempdir_in(&root);
            made.map_err(|error| {
                format!("a scratch directory for a player cannot be made: {error}")
            })
        })?;
        let copied = home.map_or(0, |home| disk::usage(home, COPY_LIMIT).bytes);
        let quota = (bounds.disk_mib << 20) + copied;
        let store = if namespaces && quota <= memory::available().unwrap_or(0) / SHARE_OF_MEMORY {
            let store = || PlayerDisk::new(scratch.path(), quota, identity);
            Some(patiently(|| {
                store().map_err(|error| format!("a player's file system cannot be made: {error}"))
            })?)
        } else {
            None
        };
        // On a disk, files of a user that the judge cannot become would outlive a judge that is
        // killed.
        let identity = identity.filter(|user| store.is_some() || user.owner().is_some());
        let (home, laid) = (home.map(Path::to_owned), Vec::new());
        let was_prepared = Cell::new(false);
        let made =
            PlayerDirectory { store, scratch, quota, identity, home, files, laid, was_prepared };
        fs::create_dir(made.path())?;
        made.copy_home()?;
        give(&made.path(), made.owner())?;
        Ok(made)
    }

    fn copy_home(&self) -> Result<()> {
        let Some(home) = &self.home else { return Ok(()) };
        let mut copy =
            Copy { room: COPY_LIMIT, root: fs::canonicalize(home)?, owner: self.owner() };
        copy.directory(home, &self.path()).map_err(|error| {
            let reason = format!("{}: cannot be copied", home.display());
            let is_machines = |error: &io::Error| {
                failed_by_machine(error) || error.kind() == io::ErrorKind::StorageFull
            };
            match error.downcast_ref().is_some_and(is_machines) {
                true => NoTurn::by_machine(format!("{reason}: {error}")).into(),
                false => error.context(reason),
            }
        })
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)?;
        give(path, self.owner())
    }

    /// Writes a new file in place of what is there: the player may have put a link there.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        remove(path)?;
        let mut file = system::create_new(path, 0o644)?;
        file.write_all(bytes)?;
        // Where it cannot be set, `has_read_none` tells nothing.
        let _ = file.set_times(FileTimes::new().set_accessed(UNREAD));
        give(path, self.owner())
    }

    /// Whether the player has read none of these files since they were laid there. `false` where
    /// the file system does not tell.
    pub fn has_read_none<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> bool {
        let is_unread = |path: &Path| {
            let data = fs::symlink_metadata(path);
            data.is_ok_and(|data| data.is_file() && data.accessed().ok() == Some(UNREAD))
        };
        let probe = self.root().join("read-once");
        let tells = || {
            let read = self.write(&probe, b"x").and_then(|()| fs::read(&probe));
            read.is_ok() && !is_unread(&probe)
        };
        names.all(|name| is_unread(&self.path().join(name))) && tells()
    }

    /// Makes the directory as it was before the first turn, but for these files.
    fn reset_but(&self, names: &[&str]) -> Result<()> {
        let mut kept = Vec::new();
        for name in names {
            let mut bytes = Vec::new();
            let opened = system::open_untrusted(&self.path(), Path::new(name));
            if opened.is_ok_and(|file| file.take(self.quota).read_to_end(&mut bytes).is_ok()) {
                kept.push((self.path().join(name), bytes));
            }
        }
        remove(&self.path())?;
        fs::create_dir(self.path())?;
        self.copy_home()?;
        Ok(kept.iter().try_for_each(|(path, bytes)| self.write(path, bytes))?)
    }

    /// The path for this process. Other processes cannot reach it.
    pub fn path(&self) -> PathBuf {
        self.root().join(PLAYER)
    }

    /// The path of the directory for the player.
    pub fn seat(&self) -> PathBuf {
        self.scratch.path().join(PLAYER)
    }

    /// The storage process of the directory, if it has a file system of its own.
    pub fn store(&self) -> Option<i32> {
        self.store.as_ref().map(PlayerDisk::process)
    }

    /// A directory for the temporary files of one turn.
    pub fn temporary(&self) -> PathBuf {
        self.root().join("temporary")
    }

    fn root(&self) -> PathBuf {
        self.store.as_ref().map_or_else(|| self.scratch.path().to_owned(), PlayerDisk::root)
    }

    /// The player's disk limit, in bytes.
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// The user that the player runs as; `None` for the judge's own.
    pub fn identity(&self) -> Option<BoxUser> {
        self.identity
    }

    /// The owner of the judge's files there; `None` for the judge's user.
    pub fn owner(&self) -> Option<u32> {
        self.identity.and_then(BoxUser::owner)
    }

    /// Lays a file into the directory before each turn, also in place of the input file; `None`
    /// removes one. The name has one `/` at most.
    pub fn lay(&mut self, name: &str, bytes: Option<Vec<u8>>) {
        self.laid.push((PathBuf::from(name), bytes));
    }

    /// Prepares the directory for a turn.
    pub fn prepare(&self, input: &str) -> Result<Found> {
        if let (true, Keep::Only(names)) = (self.was_prepared.replace(true), self.files.keep) {
            self.reset_but(names)?;
        }
        let Err(error) = self.try_to_prepare(input) else { return Ok(Found::InOrder) };
        let lost =
            |error: io::Error| NoTurn::by_machine(format!("a player's directory is lost: {error}"));
        if failed_by_machine(&error) {
            // An error of the machine is no reason to remove the player's files.
            return Err(lost(error).into());
        }
        // The player's files are in the way, or have used up the disk limit.
        remove(&self.path()).and_then(|()| self.try_to_prepare(input)).map_err(lost)?;
        let full =
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        Ok(if full { Found::DiskFull } else { Found::Spoilt(error.to_string()) })
    }

    fn try_to_prepare(&self, input: &str) -> io::Result<()> {
        let directory = self.path();
        if !fs::symlink_metadata(&directory).is_ok_and(|data| data.is_dir()) {
            remove(&directory)?;
            fs::create_dir_all(&directory)?;
        }
        system::set_mode(&directory, 0o755)?;
        self.make_temporary()?;
        remove(&directory.join(self.files.output))?;
        self.write(&directory.join(self.files.input), input.as_bytes())?;
        give(&directory, self.owner())?;
        self.laid.iter().try_for_each(|(name, bytes)| self.lay_now(name, bytes.as_deref()))
    }

    fn lay_now(&self, name: &Path, bytes: Option<&[u8]>) -> io::Result<()> {
        let file = self.path().join(name);
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.map(|folder| self.path().join(folder))
            && !fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir())
        {
            remove(&folder)?;
            self.make_folder(&folder)?;
        }
        match bytes {
            Some(bytes) => self.write(&file, bytes),
            None => remove(&file),
        }
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = Path::new(name);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(is_inside, "{name}: expected a path within the program's directory");
        let mut at = self.path();
        for part in path.parent().into_iter().flat_map(Path::components) {
            at.push(part);
            if !at.is_dir() {
                self.make_folder(&at)?;
            }
        }
        Ok(self.write(&self.path().join(path), bytes)?)
    }

    pub(super) fn copy_to(&self, place: &Path) -> Result<()> {
        let mut open = vec![(self.path(), place.to_path_buf())];
        while let Some((from, to)) = open.pop() {
            fs::create_dir(&to).with_context(|| to.display().to_string())?;
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                let kind = entry.file_type()?;
                let target = to.join(entry.file_name());
                // Links are left out.
                if kind.is_dir() {
                    open.push((entry.path(), target));
                } else if kind.is_file() {
                    fs::copy(entry.path(), target)?;
                }
            }
        }
        Ok(())
    }

    /// Makes an empty directory for temporary files.
    pub fn make_temporary(&self) -> io::Result<()> {
        remove(&self.temporary())?;
        fs::create_dir(self.temporary())
    }

    /// The names of the files of the game.
    pub fn files(&self) -> GameFiles {
        self.files
    }

    /// Reads the output file up to a limit, if it is a regular file: nothing in its place can
    /// block.
    pub fn read_output(&self) -> Result<Result<String, Unreadable>, NoTurn> {
        patiently(|| {
            let output = self.files.output;
            let read = try_to_read_untrusted(&self.path(), Path::new(output), OUTPUT_LIMIT);
            read.map_err(|error| format!("{output} cannot be read: {error}"))
        })
    }

    /// Reads another file of the player in the same way.
    pub fn read_bytes(&self, name: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
        read_untrusted_bytes(&self.path(), name, limit)
    }

    /// If the player's files exceed the limit or cannot be counted, removes them and says why.
    pub fn over_quota(&self) -> Option<String> {
        let taken = disk::usage(&self.path(), self.quota);
        taken.exceeds(self.quota).then(|| {
            // Files that cannot be removed are tried again at the end of the game.
            let _ = remove(&self.path());
            if taken.bytes > self.quota {
                format!("its files take more than {} MiB", self.quota >> 20)
            } else {
                "its files cannot be counted: too many, too deep, or in a directory shut to its owner"
                    .into()
            }
        })
    }
}

impl Drop for PlayerDirectory {
    fn drop(&mut self) {
        // The player may have changed the directory's permissions. The scratch directory is removed
        // later.
        let _ = remove(&self.path());
    }
}

struct Copy {
    room: u64,
    /// Links that lead out of it are left out.
    root: PathBuf,
    owner: Option<u32>,
}

impl Copy {
    /// Links to files become files.
    fn directory(&mut self, from: &Path, to: &Path) -> Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            let mode = if entry.file_type()?.is_dir() {
                fs::create_dir(&target)?;
                self.directory(&entry.path(), &target)?;
                0o755
            } else {
                // A dangling link is left out.
                let Ok(source) = fs::canonicalize(entry.path()) else { continue };
                let Ok(data) = fs::metadata(&source) else { continue };
                if !data.is_file() || !source.starts_with(&self.root) {
                    continue;
                }
                let Some(rest) = self.room.checked_sub(data.len()) else {
                    bail!("more than {} MiB", COPY_LIMIT >> 20)
                };
                self.room = rest;
                fs::copy(source, &target)?;
                // Same modes as the intake. The counter of CPU time would lose a program that its
                // user may not read.
                if system::mode(&data) & 0o111 == 0 { 0o644 } else { 0o755 }
            };
            system::set_mode(&target, mode)?;
            give(&target, self.owner)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// With a disk limit of 1 MiB besides what is copied.
    fn directory(home: Option<&Path>) -> PlayerDirectory {
        let sandbox = crate::terms::Sandbox::Off;
        let bounds = Bounds { disk_mib: 1, sandbox, ..Bounds::default() };
        PlayerDirectory::new(home, &bounds).unwrap()
    }

    #[test]
    fn a_copy_holds_nothing_from_outside_the_directory() {
        let home = tempfile::tempdir().unwrap();
        let submission = home.path().join("submission");
        fs::create_dir(&submission).unwrap();
        fs::write(home.path().join("secret"), "s").unwrap();
        fs::write(submission.join("real"), "r").unwrap();
        for (to, name) in [("../secret", "stolen"), ("real", "alias"), ("/dev/zero", "endless")] {
            symlink(to, submission.join(name)).unwrap();
        }
        let directory = directory(Some(&submission));
        let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["alias", "real"]);
        assert_eq!(fs::read_to_string(directory.path().join("alias")).unwrap(), "r");
    }

    #[test]
    fn what_a_player_has_read_is_told() {
        let mut directory = directory(None);
        directory.lay("table", Some(b"1".to_vec()));
        directory.prepare("a").unwrap();
        let has_read_none = |names: [&'static str; 2]| directory.has_read_none(names.into_iter());
        // A file system may keep no times of access.
        let tells = has_read_none(["input.txt", "table"]);
        assert!(tells || cfg!(not(target_os = "linux")) || is_mounted_without_times(&directory));
        fs::read(directory.path().join("table")).unwrap();
        assert!(!has_read_none(["input.txt", "table"]));
        assert_eq!(has_read_none(["input.txt"; 2]), tells);
        // One that is gone has been removed by the player.
        assert!(!has_read_none(["input.txt", "none"]));
    }

    fn is_mounted_without_times(directory: &PlayerDirectory) -> bool {
        let path = directory.path();
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        let mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let above = mounts.filter(|mount| path.starts_with(mount[1]));
        above.max_by_key(|mount| mount[1].len()).is_some_and(|mount| mount[3].contains("noatime"))
    }

    #[test]
    fn a_copy_can_be_read_by_its_owner_and_gives_nobody_rights() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("words")).unwrap();
        let modes = [
            ("program", 0o511, 0o755),
            ("set", 0o6755, 0o755),
            ("text", 0o604, 0o644),
            ("words", 0o2700, 0o755),
        ];
        for (name, mode, _) in modes {
            let path = home.path().join(name);
            if name != "words" {
                fs::write(&path, name).unwrap();
            }
            system::set_mode(&path, mode).unwrap();
        }
        let directory = directory(Some(home.path()));
        for (name, _, mode) in modes {
            let data = fs::metadata(directory.path().join(name)).unwrap();
            assert_eq!(system::mode(&data) & 0o7777, mode, "{name}");
        }
    }

    #[test]
    fn what_is_over_the_limit_is_told_by_its_reason() {
        let told = |made: &dyn Fn(&Path)| {
            let directory = directory(None);
            made(&directory.path());
            directory.over_quota()
        };
        assert_eq!(told(&|place| fs::write(place.join("a"), vec![b'a'; 1 << 19]).unwrap()), None);
        // Less than one whole MiB too many.
        let large = told(&|place| fs::write(place.join("a"), vec![b'a'; (1 << 20) + 1]).unwrap());
        assert_eq!(large.unwrap(), "its files take more than 1 MiB");
        let shut = told(&|place| {
            fs::create_dir(place.join("a")).unwrap();
            system::set_mode(&place.join("a"), 0).unwrap();
        });
        assert!(shut.unwrap().starts_with("its files cannot be counted"));
    }

    #[test]
    fn a_directory_is_in_order_again_whatever_was_done_to_it() {
        let directory = directory(None);
        let path = directory.path();
        let spoil: [&dyn Fn(); 4] = [
            &|| fs::remove_dir_all(&path).unwrap(),
            &|| {
                fs::remove_dir_all(&path).unwrap();
                symlink("/", &path).unwrap();
            },
            &|| fs::create_dir_all(path.join("output.txt/deep/deeper")).unwrap(),
            &|| {
                fs::remove_file(path.join("input.txt")).unwrap();
                fs::create_dir_all(path.join("input.txt/deep")).unwrap();
                system::set_mode(&path.join("input.txt"), 0o000).unwrap();
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
}
