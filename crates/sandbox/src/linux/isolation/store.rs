//! A file system in memory for the files that a player keeps between turns. The kernel enforces its
//! size, even for files without a name. The judge reads and writes through an open directory.

use super::identity;
use super::mounts::{PLAIN, make_private};
use crate::disk_usage::BLOCK;
use crate::job::{BoxUser, StoreRequest};
use crate::linux::descriptors;
use crate::linux::requests::{self, Request, SETUP_TIME, Supervisor};
use nix::fcntl::{OFlag, open};
use nix::mount::mount;
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::stat::Mode;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A player's file system. Dropping it removes the file system.
pub struct PlayerDisk {
    /// `None` once it has been asked to end.
    process: Option<Supervisor>,
    root: OwnedFd,
}

/// Extra space, one part in this many: a player that uses too much differs from one that uses all.
const MARGIN: u64 = 16;

impl PlayerDisk {
    /// Makes a file system of this many bytes over an empty directory, for boxes of this user.
    pub fn new(place: &Path, size: u64, user: Option<BoxUser>) -> io::Result<PlayerDisk> {
        let size = size + (size / MARGIN).max(1 << 20);
        let request = StoreRequest { place: place.to_owned(), size, user };
        let mut process = Supervisor::asked(&Request::Store(request), true, true)?;
        // The turn that follows needs one as well.
        requests::prepare();
        process.socket.set_read_timeout(Some(SETUP_TIME))?;
        match descriptors::receive(&process.socket) {
            Ok(root) => Ok(PlayerDisk { process: Some(process), root }),
            Err(error) => {
                let mut reason = String::new();
                let _ = process.socket.read_to_string(&mut reason);
                process.end();
                Err(if reason.is_empty() { error } else { io::Error::other(reason) })
            }
        }
    }

    /// The id of the storage process, for [`crate::job::Job::store`].
    pub fn process(&self) -> i32 {
        self.process.as_ref().map_or(0, |process| process.process.id() as i32)
    }

    /// A path to the root of the file system that is valid in this process only.
    pub fn root(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.root.as_raw_fd()))
    }
}

impl Drop for PlayerDisk {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.end_in_background();
        }
    }
}

/// Runs a storage process.
pub(crate) fn run_process(request: &StoreRequest) {
    match build(request) {
        Ok(root) => {
            if descriptors::send(&io::stdout(), &root).is_ok() {
                drop(root);
                let _ = io::stdin().read(&mut [0]);
            }
        }
        Err(error) => print!("{error}"),
    }
}

fn build(request: &StoreRequest) -> io::Result<OwnedFd> {
    if let Some(user) = request.user {
        identity::enter(user)?;
        unshare(CloneFlags::CLONE_NEWNS)?;
    } else {
        identity::unshare_alone(CloneFlags::CLONE_NEWNS)?;
    }
    make_private()?;
    let files = request.size / BLOCK;
    let options = format!("size={},nr_inodes={files},mode=755", request.size);
    mount(Some("player"), &request.place, Some("tmpfs"), PLAIN, Some(options.as_str()))?;
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    Ok(open(&request.place, flags, Mode::empty())?)
}

/// Moves the calling process into the namespaces of a storage process, with that of the user unless
/// it is there already.
pub(super) fn enter(process: i32, has_user: bool) -> io::Result<()> {
    let namespace = |name: &str| File::open(format!("/proc/{process}/ns/{name}"));
    let mounts = namespace("mnt")?;
    if !has_user {
        setns(namespace("user")?, CloneFlags::CLONE_NEWUSER)?;
    }
    Ok(setns(mounts, CloneFlags::CLONE_NEWNS)?)
}
