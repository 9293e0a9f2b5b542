//! Control groups (version 2), where they are delegated to the judge: the group of a box counts its CPU time and, if
//! the controllers are enabled for it, limits memory and processes.

use crate::job::{ExitReport, Job};
use crate::linux::usage;
use nix::unistd::Uid;
use std::ffi::{CStr, CString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The control group of one box. [`ControlGroup::close`] removes it.
pub(super) struct ControlGroup {
    path: PathBuf,
    files: Option<GroupFiles>,
    memory: u64,
}

/// Open files of a control group.
pub(crate) struct GroupFiles {
    /// `cgroup.procs`, to which the program writes itself.
    pub procs: OwnedFd,
    /// `cpu.stat`.
    pub stat: File,
}

impl GroupFiles {
    /// The CPU time of the group so far.
    pub(crate) fn cpu(stat: &File) -> io::Result<Duration> {
        let mut text = [0; 4096];
        let length = stat.read_at(&mut text, 0)?;
        let used = counter(&String::from_utf8_lossy(&text[..length]), "usage_usec");
        used.map(Duration::from_micros).ok_or_else(|| io::Error::other("cpu.stat has no usage_usec"))
    }
}

impl ControlGroup {
    /// Creates a group in the directory `groups`.
    pub(super) fn new(groups: &Path, job: &Job) -> io::Result<ControlGroup> {
        let path = groups.join(format!("box-{}", std::process::id()));
        // A supervisor with the same process id may have been killed and have left its group.
        let _ = fs::remove_dir(&path);
        fs::create_dir(&path)?;
        let made = || -> io::Result<GroupFiles> {
            if job.layers.group {
                fs::write(path.join("memory.max"), job.limits.memory.to_string())?;
                let _ = fs::write(path.join("memory.swap.max"), "0");
                let _ = fs::write(path.join("memory.oom.group"), "1");
                fs::write(path.join("pids.max"), job.limits.processes.to_string())?;
            }
            let procs = OpenOptions::new().write(true).open(path.join("cgroup.procs"))?.into();
            Ok(GroupFiles { procs, stat: File::open(path.join("cpu.stat"))? })
        };
        match made() {
            Ok(files) => Ok(ControlGroup { path, files: Some(files), memory: job.limits.memory }),
            Err(error) => {
                let _ = fs::remove_dir(&path);
                Err(error)
            }
        }
    }

    /// The group's open files. `None` after the first call.
    pub(super) fn files(&mut self) -> Option<GroupFiles> {
        self.files.take()
    }

    /// Adds the group's counts to a report, and removes the group.
    pub(super) fn close(self, report: &mut ExitReport) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
        match read_counter(&self.path.join("cpu.stat"), "usage_usec") {
            Some(microseconds) => report.cpu = Duration::from_micros(microseconds).as_secs_f64(),
            None => report.orphaned = true,
        }
        if read_counter(&self.path.join("memory.events"), "oom_kill").is_some_and(|times| times > 0) {
            report.excess.get_or_insert_with(|| usage::memory_excess(self.memory));
        }
        // The kernel may need a moment to release the last process.
        for _ in 0..200 {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn read_counter(path: &Path, name: &str) -> Option<u64> {
    counter(&fs::read_to_string(path).ok()?, name)
}

/// The number of a name in the text of a file such as `cpu.stat`.
pub(crate) fn counter(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// The control group (version 2) of this process.
pub(crate) struct OwnGroup {
    /// The mount point of all groups.
    pub root: PathBuf,
    /// The directory of the group. In a container it may be that of the host, which is not there.
    pub path: PathBuf,
}

/// Finds the control group of this process. An error says why there is none.
pub(crate) fn own_group() -> Result<OwnGroup, &'static str> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let mount = mounts.find(|fields| fields.get(2) == Some(&"cgroup2"));
    let root = mount.map(|fields| PathBuf::from(fields[1])).ok_or("control groups of version 2 are not mounted")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).ok_or("the judge is not in a control group")?;
    Ok(OwnGroup { path: root.join(own), root })
}

/// A directory in which the judge may create groups.
pub(super) struct Delegated {
    /// The path of the directory.
    pub path: PathBuf,
    /// Whether the controllers `memory` and `pids` are enabled for groups in it.
    pub limits: bool,
}

/// Finds and prepares the directory of groups that is delegated to this process. An error says why there is none.
pub(super) fn delegated() -> Result<Delegated, String> {
    let own = own_group()?.path;
    let refused = |error: io::Error| format!("{}: {error}", own.display());
    let trial = own.join(format!("judge-{}", std::process::id()));
    fs::create_dir(&trial).map_err(refused)?;
    remove_stale(&own);
    let found = try_out(&own, &trial);
    let _ = fs::remove_dir(&trial);
    found.map_err(refused)
}

/// Removes groups whose supervisors have been killed or could not remove them.
fn remove_stale(own: &Path) {
    for entry in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let supervisor = name.to_str().and_then(|name| name.strip_prefix("box-"));
        if supervisor.is_some_and(|supervisor| !Path::new("/proc").join(supervisor).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn try_out(own: &Path, trial: &Path) -> io::Result<Delegated> {
    // Moving a process needs write access to this file of the common ancestor of both groups.
    drop(OpenOptions::new().write(true).open(own.join("cgroup.procs"))?);
    drop(File::open(trial.join("cpu.stat"))?);
    if read_counter(&trial.join("cpu.stat"), "usage_usec").is_none() {
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

/// Enables the limiting controllers for groups in the judge's own group, if the judge may do so. A group with enabled
/// controllers must not contain processes (Linux, Control Group v2, "No Internal Process Constraint"), so the judge
/// moves to a group beside those of the boxes. It moves back if other processes remain.
fn hand_down(own: &Path) -> bool {
    if !names_all(&own.join("cgroup.controllers")) || !is_delegated(own) {
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

/// Whether the group's manager has delegated it to the judge. An ordinary user can write to delegated groups only; root
/// can write to all, and has to look for systemd's mark of `Delegate=yes`.
fn is_delegated(group: &Path) -> bool {
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
