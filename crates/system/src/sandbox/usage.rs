//! What a box takes of the machine, looked at while it runs: memory, processes, space on the disk.

use crate::disk;
use crate::process_tree;
use crate::supervise::job::Job;
use nix::sys::statvfs::statvfs;
use std::fs;
use std::time::{Duration, Instant};

/// Looks after what a box takes.
pub(crate) struct Watch<'a> {
    job: &'a Job,
    /// When the directory is measured next.
    disk_at: Instant,
}

/// How often a directory is measured at most, and how many times longer than that took it is left alone.
const DISK_PAUSE: Duration = Duration::from_millis(50);
const DISK_SHARE: u32 = 10;

const MIB: u64 = 1 << 20;

impl<'a> Watch<'a> {
    /// A watch over a job that begins now.
    pub(crate) fn new(job: &'a Job) -> Watch<'a> {
        Watch { job, disk_at: Instant::now() + DISK_PAUSE }
    }

    /// Whether there is anything to watch.
    pub(crate) fn is_needed(&self) -> bool {
        self.job.walls.any()
    }

    /// What the box takes more of than it may, in words.
    pub(crate) fn excess(&mut self) -> Option<String> {
        let limits = &self.job.limits;
        let now = Instant::now();
        if now >= self.disk_at {
            let taken = disk::taken(&self.job.directory, limits.disk);
            if taken.is_too_much(limits.disk) {
                return Some(format!("its files took more than {} MiB", limits.disk / MIB));
            }
            self.disk_at = Instant::now() + DISK_PAUSE.max(now.elapsed() * DISK_SHARE);
        }
        if self.job.walls.group {
            return None;
        }
        let processes =
            if self.job.walls.namespaces { process_tree::others_in_namespace() } else { process_tree::descendants() };
        if processes.len() as u64 > limits.processes {
            return Some(format!("it had more than {} processes", limits.processes));
        }
        let over = |figure: u64| figure > limits.memory;
        let stored = self.stored();
        let resident: u64 = processes.iter().map(|&process| resident(process)).sum();
        if over(resident + stored) && over(processes.iter().map(|&process| share(process)).sum::<u64>() + stored) {
            return Some(format!("it took more than {} MiB of memory", limits.memory / MIB));
        }
        None
    }

    /// What lies in the box's private places, which are memory.
    fn stored(&self) -> u64 {
        if !self.job.walls.namespaces {
            return 0;
        }
        let taken = |store: nix::sys::statvfs::Statvfs| (store.blocks() - store.blocks_free()) * store.fragment_size();
        statvfs("/tmp").map_or(0, taken)
    }
}

/// The memory that a process has, pages that it shares included, in bytes.
fn resident(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|field| field.parse().ok()).unwrap_or(0);
    pages * page_size()
}

/// The memory that a process has, of pages that it shares its part, in bytes.
fn share(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).and_then(|figure| figure.parse::<u64>().ok());
    // One that cannot be looked into counts with all it has.
    kib.map_or_else(|| resident(process), |kib| kib << 10)
}

fn page_size() -> u64 {
    nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok().flatten().map_or(4096, |size| size as u64)
}
