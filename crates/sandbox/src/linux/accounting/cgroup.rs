//! Control groups of version 2, where they are delegated to the judge.

use super::usage;
use crate::job::{ExitReport, Job};
use crate::layers::Groups;
use crate::proc_fields::number;
use nix::unistd::Uid;
use std::ffi::{CStr, CString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The control group of one box, which limits its memory and processes, counts its CPU time, and
/// gives it a share of processor time that does not depend on how many processes it has.
pub(crate) struct ControlGroup {
    path: PathBuf,
}

pub(crate) struct GroupFiles {
    /// `cgroup.procs`, to which the program writes itself.
    pub procs: OwnedFd,
    /// `cpu.stat`.
    pub stat: File,
}

pub(crate) const OUT_OF_MEMORY: &str = "the machine ran out of memory, and the kernel ended a process of the program, which was within its limit";

pub(crate) fn cpu(stat: &File) -> io::Result<Duration> {
    let mut text = [0; 4096];
    let length = stat.read_at(&mut text, 0)?;
    let found = number(&String::from_utf8_lossy(&text[..length]), "usage_usec ");
    found.map(Duration::from_micros).ok_or_else(|| io::Error::other("cpu.stat has no usage_usec"))
}

impl ControlGroup {
    /// Creates the group of the box that this process supervises. [`ControlGroup::close`] removes
    /// it.
    pub(crate) fn new(groups: &Groups, job: &Job) -> io::Result<(ControlGroup, GroupFiles)> {
        let group = ControlGroup { path: group_of(groups, std::process::id()) };
        let files = group.make(job).inspect_err(|_| group.remove())?;
        Ok((group, files))
    }

    fn make(&self, job: &Job) -> io::Result<GroupFiles> {
        let path = &self.path;
        // A supervisor with the same process id may have been killed and have left its group.
        let _ = fs::remove_dir(path);
        fs::create_dir(path)?;
        if job.layers.group {
            fs::write(path.join("memory.max"), job.limits.memory.to_string())?;
            let _ = fs::write(path.join("memory.swap.max"), "0");
            let _ = fs::write(path.join("memory.oom.group"), "1");
            fs::write(path.join("pids.max"), job.limits.processes.to_string())?;
        }
        Ok(GroupFiles { procs: open_procs(path)?.into(), stat: File::open(path.join("cpu.stat"))? })
    }

    pub(crate) fn close(self, job: &Job, report: &mut ExitReport) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
        match read_number(&self.path.join("cpu.stat"), "usage_usec ") {
            Some(microseconds) => report.cpu = Duration::from_micros(microseconds).as_secs_f64(),
            None => report.orphaned = true,
        }
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let has = |name| number(&events, name).is_some_and(|count: u64| count > 0);
        if has("oom_kill ") && has("oom ") {
            report.excess.get_or_insert_with(|| usage::memory_excess(job.limits.memory));
        } else if has("oom_kill ") && report.excess.is_none() {
            // The machine, or a group above, had no memory left.
            report.machine_fault.get_or_insert_with(|| OUT_OF_MEMORY.to_string());
        }
        self.remove();
    }

    fn remove(&self) {
        // The kernel may need a moment to release the last process.
        for _ in 0..200 {
            if fs::remove_dir(&self.path).is_ok() || !self.path.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The bytes that the control groups of this process leave to it; `None` without a limit.
pub(crate) fn memory_left() -> Option<u64> {
    let own = OwnGroup::find().ok()?;
    let groups = own.visible().ancestors().take_while(|path| path.starts_with(&own.root));
    groups.filter_map(left_in).min()
}

/// What a group holds of files that nobody uses can be freed.
fn left_in(group: &Path) -> Option<u64> {
    // Without a limit the file says "max".
    let read = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let unused = read_number(&group.join("memory.stat"), "inactive_file ").unwrap_or(0);
    Some(read("memory.max")?.saturating_sub(read("memory.current")?.saturating_sub(unused)))
}

/// Lets all others go first wherever they want a processor that this supervisor's box wants too, or
/// no longer. Does nothing where the box has no group for that.
pub(crate) fn let_others_first(groups: Option<&Groups>, supervisor: u32, others_first: bool) {
    let Some(groups) = groups.filter(|groups| groups.cpu) else { return };
    let path = group_of(groups, supervisor);
    // The second file is for Linux before 5.15.
    let (idle, weight) = if others_first { ("1", "1") } else { ("0", "100") };
    let _ = fs::write(path.join("cpu.idle"), idle)
        .or_else(|_| fs::write(path.join("cpu.weight"), weight));
}

fn group_of(groups: &Groups, supervisor: u32) -> PathBuf {
    groups.path.join(format!("box-{supervisor}"))
}

fn open_procs(group: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(group.join("cgroup.procs"))
}

fn read_number(path: &Path, name: &str) -> Option<u64> {
    number(&fs::read_to_string(path).ok()?, name)
}

/// How many processes the kernel has ended for lack of memory since the machine was started.
pub(crate) fn kills() -> Option<u64> {
    read_number(Path::new("/proc/vmstat"), "oom_kill ")
}

struct OwnGroup {
    root: PathBuf,
    path: PathBuf,
}

impl OwnGroup {
    fn find() -> Result<OwnGroup, &'static str> {
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let mount = mounts.find(|fields| fields.get(2) == Some(&"cgroup2"));
        let root = PathBuf::from(mount.ok_or("control groups of version 2 are not mounted")?[1]);
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
        Ok(OwnGroup { path: root.join(own.ok_or("the judge is not in a control group")?), root })
    }

    /// The directory of the group. In a container it may be that of the host, which is not there:
    /// then that of all groups.
    fn visible(&self) -> &Path {
        if self.path.is_dir() { &self.path } else { &self.root }
    }
}

/// The directory of this process's control group, as far as it is to be seen.
pub(crate) fn own_group() -> Option<PathBuf> {
    OwnGroup::find().ok().map(|own| own.visible().to_owned())
}

/// The directory in which this process may create groups, and whether the controllers `memory` and
/// `pids` are enabled for groups in it.
pub(crate) fn delegated() -> Result<(Groups, bool), String> {
    let own = OwnGroup::find()?.path;
    let refused = |error: io::Error| format!("{}: {error}", own.display());
    let trial = own.join(format!("judge-{}", std::process::id()));
    fs::create_dir(&trial).map_err(refused)?;
    remove_stale(&own);
    let done = try_out(&own, &trial);
    let _ = fs::remove_dir(&trial);
    done.map_err(refused)
}

fn remove_stale(own: &Path) {
    for entry in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let supervisor = name.to_str().and_then(|name| name.strip_prefix("box-"));
        if supervisor.is_some_and(|supervisor| !Path::new("/proc").join(supervisor).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn try_out(own: &Path, trial: &Path) -> io::Result<(Groups, bool)> {
    // Moving a process needs this file of the common ancestor of both groups.
    drop(open_procs(own)?);
    cpu(&File::open(trial.join("cpu.stat"))?)?;
    let handed_down = own.join("cgroup.subtree_control");
    let limits = names_all(&handed_down, &LIMITING) || hand_down(own);
    let cpu = names_all(&handed_down, &["cpu"]);
    Ok((Groups { path: own.to_owned(), cpu }, limits))
}

const LIMITING: [&str; 2] = ["memory", "pids"];

fn names_all(list: &Path, controllers: &[&str]) -> bool {
    let text = fs::read_to_string(list).unwrap_or_default();
    controllers.iter().all(|name| text.split_whitespace().any(|word| word == *name))
}

/// Enables the limiting controllers for groups in the judge's own group. A group with enabled
/// controllers must not contain processes (Linux, Control Group v2, "No Internal Process
/// Constraint"), so the judge moves to a group beside those of the boxes.
fn hand_down(own: &Path) -> bool {
    if !names_all(&own.join("cgroup.controllers"), &LIMITING) || !is_delegated(own) {
        return false;
    }
    let leaf = own.join("judge");
    let process = std::process::id().to_string();
    let _ = fs::create_dir(&leaf);
    let handed_down = fs::write(leaf.join("cgroup.procs"), &process).is_ok()
        && fs::write(own.join("cgroup.subtree_control"), "+memory +pids").is_ok();
    if handed_down {
        // A share of processor time for each box, where systemd has delegated that controller too.
        let _ = fs::write(own.join("cgroup.subtree_control"), "+cpu");
    } else {
        let _ = fs::write(own.join("cgroup.procs"), &process);
        let _ = fs::remove_dir(&leaf);
    }
    handed_down
}

/// An ordinary user can write to delegated groups only; root can write to all, and has to look for
/// systemd's mark of `Delegate=yes`.
fn is_delegated(group: &Path) -> bool {
    !Uid::effective().is_root()
        || [c"user.delegate", c"trusted.delegate"].into_iter().any(|mark| is_marked(group, mark))
}

#[allow(unsafe_code, reason = "nix has no extended attributes")]
fn is_marked(group: &Path, mark: &CStr) -> bool {
    let Ok(path) = CString::new(group.as_os_str().as_bytes()) else { return false };
    let mut value = [0u8; 1];
    // SAFETY: both names end in a zero byte, and at most one byte is written to a buffer of one.
    let length = unsafe {
        libc::getxattr(path.as_ptr(), mark.as_ptr(), value.as_mut_ptr().cast(), value.len())
    };
    length == 1 && value == *b"1"
}
