//! The control group of a box (version 2), where groups are delegated to the judge: it counts CPU time and, where its
//! controllers are handed down, limits memory and processes.

use crate::supervise::job::{ExitReport, Job};
use nix::unistd::Uid;
use std::ffi::{CStr, CString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A box's own group. It has to be closed, or the group stays.
pub(super) struct Group {
    path: PathBuf,
    entrance: Option<OwnedFd>,
    memory: u64,
}

impl Group {
    /// Makes a group in a directory of groups.
    pub(super) fn new(groups: &Path, job: &Job) -> io::Result<Group> {
        let path = groups.join(format!("box-{}", std::process::id()));
        // One of that name was left by a keeper that was killed.
        let _ = fs::remove_dir(&path);
        fs::create_dir(&path)?;
        let made = || -> io::Result<OwnedFd> {
            if job.walls.group {
                fs::write(path.join("memory.max"), job.limits.memory.to_string())?;
                let _ = fs::write(path.join("memory.swap.max"), "0");
                let _ = fs::write(path.join("memory.oom.group"), "1");
                fs::write(path.join("pids.max"), job.limits.processes.to_string())?;
            }
            Ok(OpenOptions::new().write(true).open(path.join("cgroup.procs"))?.into())
        };
        match made() {
            Ok(entrance) => Ok(Group { path, entrance: Some(entrance), memory: job.limits.memory }),
            Err(error) => {
                let _ = fs::remove_dir(&path);
                Err(error)
            }
        }
    }

    /// The file by which the program enters the group, once.
    pub(super) fn entrance(&mut self) -> Option<OwnedFd> {
        self.entrance.take()
    }

    /// Puts what the group has counted into a report, and removes the group.
    pub(super) fn close(self, report: &mut ExitReport) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
        match figure(&self.path.join("cpu.stat"), "usage_usec") {
            Some(microseconds) => report.cpu = Duration::from_micros(microseconds).as_secs_f64(),
            None => report.orphaned = true,
        }
        if figure(&self.path.join("memory.events"), "oom_kill").is_some_and(|times| times > 0) {
            report.excess.get_or_insert(format!("it took more than {} MiB of memory", self.memory >> 20));
        }
        // The last of its processes may not be quite gone.
        for _ in 0..200 {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn figure(path: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// A directory of groups that the judge may make groups in, and whether these limit memory and processes.
pub(super) struct Delegated {
    /// The directory.
    pub path: PathBuf,
    /// Whether the controllers `memory` and `pids` are handed down to groups in it.
    pub limits: bool,
}

/// Finds out whether groups are delegated to this process; makes them ready if so. An error says why not.
pub(super) fn delegated() -> Result<Delegated, String> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mount = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let root =
        mount.into_iter().find(|fields| fields.get(2) == Some(&"cgroup2")).map(|fields| PathBuf::from(fields[1]));
    let root = root.ok_or("control groups of version 2 are not mounted")?;
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).ok_or("the judge is in no control group")?;
    let own = root.join(own);
    let refused = |error: io::Error| format!("{}: {error}", own.display());
    let trial = own.join(format!("judge-{}", std::process::id()));
    fs::create_dir(&trial).map_err(refused)?;
    remove_left(&own);
    let found = try_out(&own, &trial);
    let _ = fs::remove_dir(&trial);
    found.map_err(refused)
}

/// Removes groups whose keepers were killed, or gave up on the last of their processes.
fn remove_left(own: &Path) {
    for entry in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let keeper = name.to_str().and_then(|name| name.strip_prefix("box-"));
        if keeper.is_some_and(|keeper| !Path::new("/proc").join(keeper).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn try_out(own: &Path, trial: &Path) -> io::Result<Delegated> {
    // To let a process in, this file of the groups' common ancestor has to be writable.
    drop(OpenOptions::new().write(true).open(own.join("cgroup.procs"))?);
    drop(File::open(trial.join("cpu.stat"))?);
    if figure(&trial.join("cpu.stat"), "usage_usec").is_none() {
        return Err(io::Error::other("cpu.stat has no usage_usec"));
    }
    let limits = limits_are_handed_down(own) || hand_down(own);
    Ok(Delegated { path: own.to_owned(), limits })
}

/// The controllers that limit a box.
const LIMITING: [&str; 2] = ["memory", "pids"];

fn limits_are_handed_down(own: &Path) -> bool {
    names_all(&own.join("cgroup.subtree_control"))
}

fn names_all(list: &Path) -> bool {
    let text = fs::read_to_string(list).unwrap_or_default();
    LIMITING.iter().all(|name| text.split_whitespace().any(|word| word == *name))
}

/// Hands the limiting controllers down to groups in the judge's own, if that is the judge's to do. A group that hands
/// controllers down may hold no process itself (Linux, Control Group v2, "No Internal Process Constraint"), so the judge
/// goes into a group beside those of the boxes. It goes back if others are left in its own.
fn hand_down(own: &Path) -> bool {
    if !names_all(&own.join("cgroup.controllers")) || !is_given_away(own) {
        return false;
    }
    let leaf = own.join("judge");
    let process = std::process::id().to_string();
    let _ = fs::create_dir(&leaf);
    let handed_down = fs::write(leaf.join("cgroup.procs"), &process).is_ok()
        && fs::write(own.join("cgroup.subtree_control"), "+memory +pids").is_ok();
    if !handed_down {
        let _ = fs::write(own.join("cgroup.procs"), &process);
        let _ = fs::remove_dir(&leaf);
    }
    handed_down
}

/// Whether a group is left to the judge by who manages it. An ordinary user can write to no other ones; root can write to
/// all, and has to look for systemd's mark of `Delegate=yes`.
fn is_given_away(group: &Path) -> bool {
    !Uid::effective().is_root()
        || [c"user.delegate", c"trusted.delegate"].into_iter().any(|mark| is_marked(group, mark))
}

#[allow(unsafe_code, reason = "nix has no extended attributes")]
fn is_marked(group: &Path, mark: &CStr) -> bool {
    let Ok(path) = CString::new(group.as_os_str().as_bytes()) else { return false };
    let mut value = [0u8; 1];
    // SAFETY: both names end in a zero byte, and at most one byte is written to a buffer of one.
    let length = unsafe { libc::getxattr(path.as_ptr(), mark.as_ptr(), value.as_mut_ptr().cast(), value.len()) };
    length == 1 && value == *b"1"
}
