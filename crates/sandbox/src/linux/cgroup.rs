//! Control groups, where the judge may create some: version 2 where it is delegated to the judge, version 1 for root. The
//! group of a box limits its memory (and in version 2 its processes), counts its CPU time (version 2), and gives it a share
//! of processor time that does not depend on how many processes it has.

use crate::job::{ExitReport, Job};
use crate::layers::Groups;
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
    /// One directory in version 2, one for each controller in version 1.
    paths: Vec<PathBuf>,
    files: Option<GroupFiles>,
    /// The limit of memory, in bytes.
    memory: u64,
    /// Whether it is a group of version 2, which counts CPU time as well.
    unified: bool,
}

/// Open files of a control group; none where the box has no group.
#[derive(Default)]
pub(crate) struct GroupFiles {
    /// `cgroup.procs` of each directory, to which the program writes itself.
    pub procs: Vec<OwnedFd>,
    /// `cpu.stat`; `None` in version 1, which does not count there.
    pub stat: Option<File>,
    /// `memory.oom_control` of version 1. Version 2 ends all processes of a group at once, version 1 does not.
    pub kills: Option<File>,
    /// `memory.max_usage_in_bytes` of version 1.
    pub most: Option<File>,
    /// The limit of memory, in bytes.
    pub limit: u64,
}

/// The file of version 1 with the most memory that a group has had. Not every kernel counts in `memory.failcnt` how often
/// a group was at its limit (Linux 6.18 does not).
const MOST: &str = "memory.max_usage_in_bytes";

/// Whether a group with this text of [`MOST`] was at a limit: the kernel charges some pages ahead.
fn was_at(most: &str, limit: u64) -> bool {
    most.trim().parse::<u64>().is_ok_and(|most| most + (1 << 20) >= limit)
}

/// Why the kernel has killed a process of a group for lack of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Killed {
    /// The group was at its own limit.
    AtItsLimit,
    /// The machine, or a group above, had no memory left.
    FromAbove,
}

/// The fault of a machine that has killed a process which was within its limits.
pub(crate) const OUT_OF_MEMORY: &str =
    "the machine ran out of memory, and the kernel ended a process of the program, which was within its limit";

impl GroupFiles {
    /// The CPU time of the group so far; `None` if it does not count.
    pub(crate) fn cpu(&self) -> Option<io::Result<Duration>> {
        let stat = self.stat.as_ref()?;
        Some(figure(stat, "usage_usec").map(Duration::from_micros))
    }

    /// Whether and why the kernel has killed a process for lack of memory, of a group that goes on without it.
    pub(crate) fn killed(&self) -> io::Result<Option<Killed>> {
        let (Some(kills), Some(most)) = (&self.kills, &self.most) else { return Ok(None) };
        if figure(kills, "oom_kill")? == 0 {
            return Ok(None);
        }
        Ok(Some(if was_at(&text_of(most)?, self.limit) { Killed::AtItsLimit } else { Killed::FromAbove }))
    }
}

/// The text of an open file of a group.
fn text_of(file: &File) -> io::Result<String> {
    let mut text = [0; 4096];
    let length = file.read_at(&mut text, 0)?;
    Ok(String::from_utf8_lossy(&text[..length]).into_owned())
}

/// The number of a name in an open file of a group.
fn figure(file: &File, name: &str) -> io::Result<u64> {
    let found = counter(&text_of(file)?, name);
    found.ok_or_else(|| io::Error::other(format!("a file of the control group has no {name}")))
}

impl ControlGroup {
    /// Creates the group of the box that this process supervises.
    pub(super) fn new(groups: &Groups, job: &Job) -> io::Result<ControlGroup> {
        let name = name(std::process::id());
        let paths = match groups {
            Groups::Unified { path, .. } => vec![path.join(name)],
            Groups::Separate { memory, cpu } => {
                [Some(memory), cpu.as_ref()].into_iter().flatten().map(|path| path.join(&name)).collect()
            }
        };
        let unified = matches!(groups, Groups::Unified { .. });
        let mut group = ControlGroup { paths, files: None, memory: job.limits.memory, unified };
        match group.make(job) {
            Ok(files) => {
                group.files = Some(files);
                Ok(group)
            }
            Err(error) => {
                group.remove();
                Err(error)
            }
        }
    }

    /// Whether and why the kernel has killed a process for lack of memory.
    fn killed(&self) -> Option<Killed> {
        let memory = &self.paths[0];
        let (kills, at_limit) = if self.unified {
            let events = fs::read_to_string(memory.join("memory.events")).ok()?;
            (counter(&events, "oom_kill")?, counter(&events, "oom")? > 0)
        } else {
            let most = fs::read_to_string(memory.join(MOST)).ok()?;
            (read_counter(&memory.join("memory.oom_control"), "oom_kill")?, was_at(&most, self.memory))
        };
        (kills > 0).then_some(if at_limit { Killed::AtItsLimit } else { Killed::FromAbove })
    }

    fn make(&self, job: &Job) -> io::Result<GroupFiles> {
        for path in &self.paths {
            // A supervisor with the same process id may have been killed and have left its group.
            let _ = fs::remove_dir(path);
            fs::create_dir(path)?;
        }
        let memory = &self.paths[0];
        let limit = self.memory.to_string();
        if !self.unified {
            fs::write(memory.join("memory.limit_in_bytes"), &limit)?;
            // Memory and swap together.
            let _ = fs::write(memory.join("memory.memsw.limit_in_bytes"), &limit);
        } else if job.layers.group {
            fs::write(memory.join("memory.max"), &limit)?;
            let _ = fs::write(memory.join("memory.swap.max"), "0");
            let _ = fs::write(memory.join("memory.oom.group"), "1");
            fs::write(memory.join("pids.max"), job.limits.processes.to_string())?;
        }
        let procs = self.paths.iter().map(|path| Ok(open_procs(path)?.into())).collect::<io::Result<_>>()?;
        let stat = if self.unified { Some(File::open(memory.join("cpu.stat"))?) } else { None };
        let open = |name: &str| if self.unified { Ok(None) } else { File::open(memory.join(name)).map(Some) };
        let (kills, most) = (open("memory.oom_control")?, open(MOST)?);
        Ok(GroupFiles { procs, stat, kills, most, limit: self.memory })
    }

    /// The group's open files. `None` after the first call.
    pub(super) fn files(&mut self) -> Option<GroupFiles> {
        self.files.take()
    }

    /// Adds the group's counts to a report, and removes the group.
    pub(super) fn close(self, report: &mut ExitReport) {
        let _ = fs::write(self.paths[0].join("cgroup.kill"), "1");
        if self.unified {
            match read_counter(&self.paths[0].join("cpu.stat"), "usage_usec") {
                Some(microseconds) => report.cpu = Duration::from_micros(microseconds).as_secs_f64(),
                None => report.orphaned = true,
            }
        }
        match self.killed() {
            Some(Killed::AtItsLimit) => _ = report.excess.get_or_insert_with(|| usage::memory_excess(self.memory)),
            Some(Killed::FromAbove) if report.excess.is_none() => {
                report.machine_fault.get_or_insert_with(|| OUT_OF_MEMORY.to_string());
            }
            _ => {}
        }
        self.remove();
    }

    fn remove(&self) {
        // The kernel may need a moment to release the last process.
        for _ in 0..200 {
            let left = self.paths.iter().filter(|path| fs::remove_dir(path).is_err() && path.exists()).count();
            if left == 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The memory that the control groups of this process leave to it, in bytes; `None` if none sets a limit. What a group
/// holds of files that nobody uses can be freed.
pub(crate) fn memory_left() -> Option<u64> {
    let unified = OwnGroup::unified().ok().map(|own| (own, ["memory.max", "memory.current", "inactive_file"]));
    let separate = OwnGroup::of("memory")
        .map(|own| (own, ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"]));
    let groups = [unified, separate].into_iter().flatten();
    groups
        .flat_map(|(own, names)| {
            let root = own.root.clone();
            let path = own.visible();
            let groups: Vec<PathBuf> =
                path.ancestors().take_while(|path| path.starts_with(&root)).map(Path::to_owned).collect();
            groups.into_iter().filter_map(move |group| left_in(&group, names))
        })
        .min()
}

/// The memory that is left in a group, by the names of its limit, its usage and its unused files.
fn left_in(group: &Path, [limit, used, unused]: [&str; 3]) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let unused = read_counter(&group.join("memory.stat"), unused).unwrap_or(0);
    // Without a limit version 2 says "max", and version 1 a number that no machine has.
    let limit = read(limit).filter(|&limit| limit < 1 << 60)?;
    Some(limit.saturating_sub(read(used)?.saturating_sub(unused)))
}

/// The name of the group of the box with this supervisor.
fn name(supervisor: u32) -> String {
    format!("box-{supervisor}")
}

/// Lets all other boxes and programs go first wherever they want a processor that this supervisor's box wants too, or no
/// longer. Does nothing where the box has no group for that.
pub(crate) fn let_others_first(groups: Option<&Groups>, supervisor: u32, others_first: bool) {
    let Some(path) = groups.and_then(Groups::cpu).map(|cpu| cpu.join(name(supervisor))) else { return };
    if fs::write(path.join("cpu.idle"), if others_first { "1" } else { "0" }).is_ok() {
        return;
    }
    // Before Linux 5.15: the smallest weight, and the usual one.
    let _ = fs::write(path.join("cpu.weight"), if others_first { "1" } else { "100" });
    let _ = fs::write(path.join("cpu.shares"), if others_first { "2" } else { "1024" });
}

fn open_procs(group: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(group.join("cgroup.procs"))
}

fn read_counter(path: &Path, name: &str) -> Option<u64> {
    counter(&fs::read_to_string(path).ok()?, name)
}

/// The number of a name in the text of a file such as `cpu.stat`.
pub(crate) fn counter(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// A control group of this process.
pub(crate) struct OwnGroup {
    /// The mount point of all groups of its hierarchy.
    root: PathBuf,
    /// The directory of the group.
    pub path: PathBuf,
}

impl OwnGroup {
    /// Finds the group in the hierarchy of version 2. An error says why there is none.
    pub(crate) fn unified() -> Result<OwnGroup, &'static str> {
        let root = mount_point(|kind, _| kind == "cgroup2").ok_or("control groups of version 2 are not mounted")?;
        let own = membership("").ok_or("the judge is not in a control group")?;
        Ok(OwnGroup { path: root.join(own), root })
    }

    /// Finds the group in the hierarchy of version 1 with a controller.
    fn of(controller: &str) -> Option<OwnGroup> {
        let root = mount_point(|kind, options| kind == "cgroup" && lists(options, controller))?;
        Some(OwnGroup { path: root.join(membership(controller)?), root })
    }

    /// The directory of the group, or of all groups that are to be seen: in a container it may be that of the host, which is
    /// not there.
    pub(crate) fn visible(self) -> PathBuf {
        if self.path.is_dir() { self.path } else { self.root }
    }
}

/// The mount point of the first file system of a kind, with options that fit.
fn mount_point(fits: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    mounts.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        fits(fields.get(2)?, fields.get(3)?).then(|| PathBuf::from(fields[1]))
    })
}

/// This process's group in the hierarchy with a controller of version 1, or by an empty name in that of version 2, as a path
/// from the mount point.
fn membership(controller: &str) -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(":/")?;
        lists(controllers, controller).then(|| path.to_string())
    })
}

/// Whether a name is in a list with commas.
fn lists(names: &str, name: &str) -> bool {
    names.split(',').any(|one| one == name)
}

/// A group of version 2 that is delegated to this process.
pub(super) struct Delegated {
    /// The directory in which the judge may create groups.
    pub groups: Groups,
    /// Whether the controllers `memory` and `pids` are enabled for groups in it.
    pub limits: bool,
}

/// Finds and prepares the directory of groups that is delegated to this process. An error says why there is none.
pub(super) fn delegated() -> Result<Delegated, String> {
    let own = OwnGroup::unified()?.path;
    in_trial(&own, |trial| try_out(&own, trial))
}

/// Finds the directories of version 1 in which this process may create groups: root alone may.
pub(super) fn separate() -> Result<Groups, String> {
    let directory = |controller: &str| -> Result<PathBuf, String> {
        let own = OwnGroup::of(controller).ok_or_else(|| format!("no controller {controller} of version 1"))?;
        let path = own.visible();
        in_trial(&path, open_procs).map(|_| path)
    };
    Ok(Groups::Separate { memory: directory("memory")?, cpu: directory("cpu").ok() })
}

/// Creates a group in a directory of groups for an attempt, and removes it.
fn in_trial<T>(groups: &Path, attempt: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, String> {
    let refused = |error: io::Error| format!("{}: {error}", groups.display());
    let trial = groups.join(format!("judge-{}", std::process::id()));
    fs::create_dir(&trial).map_err(refused)?;
    remove_stale(groups);
    let done = attempt(&trial);
    let _ = fs::remove_dir(&trial);
    done.map_err(refused)
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
    drop(open_procs(own)?);
    drop(File::open(trial.join("cpu.stat"))?);
    if read_counter(&trial.join("cpu.stat"), "usage_usec").is_none() {
        return Err(io::Error::other("cpu.stat has no usage_usec"));
    }
    let handed_down = own.join("cgroup.subtree_control");
    let limits = names_all(&handed_down, &LIMITING) || hand_down(own);
    let cpu = names_all(&handed_down, &["cpu"]);
    Ok(Delegated { groups: Groups::Unified { path: own.to_owned(), cpu }, limits })
}

/// The controllers that limit a box.
const LIMITING: [&str; 2] = ["memory", "pids"];

fn names_all(list: &Path, controllers: &[&str]) -> bool {
    let text = fs::read_to_string(list).unwrap_or_default();
    controllers.iter().all(|name| text.split_whitespace().any(|word| word == *name))
}

/// Enables the limiting controllers for groups in the judge's own group, if the judge may do so. A group with enabled
/// controllers must not contain processes (Linux, Control Group v2, "No Internal Process Constraint"), so the judge
/// moves to a group beside those of the boxes. It moves back if other processes remain.
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
