use super::disk;
use crate::disk_usage::BLOCK;
use crate::job::Job;
use crate::linux::process_tree::{self, Living};
use crate::proc_fields::{figure, number};
use nix::sys::statvfs::statvfs;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub(crate) struct UsageWatch<'a> {
    job: &'a Job,
    disk: Pace,
    mapping: Pace,
    /// The number of mappings at the last count.
    mappings: u64,
}

/// When to measure something. Pauses are a multiple of the time that the last measurement took,
/// within bounds: a player can make measurements slow.
struct Pace {
    next: Instant,
    multiple: u32,
    bounds: [Duration; 2],
}

impl Pace {
    fn new(multiple: u32, bounds: [u64; 2]) -> Pace {
        let bounds = bounds.map(Duration::from_millis);
        Pace { next: Instant::now() + bounds[0], multiple, bounds }
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    fn pause_after(&mut self, start: Instant) {
        let pause = (start.elapsed() * self.multiple).clamp(self.bounds[0], self.bounds[1]);
        self.next = Instant::now() + pause;
    }
}

/// Honest programs have some thousands.
const MOST_MAPPINGS: u64 = 250_000;
/// A `vm_area_struct`, with its part of the tree.
const A_MAPPING: u64 = 256;

const MIB: u64 = 1 << 20;

impl<'a> UsageWatch<'a> {
    pub(crate) fn new(job: &'a Job) -> UsageWatch<'a> {
        let (disk, mapping) = (Pace::new(10, [50, 500]), Pace::new(8, [100, 1_000]));
        UsageWatch { job, disk, mapping, mappings: 0 }
    }

    /// The limit that the box exceeds, as text. `shared` is how many bytes the box has mapped to
    /// share them without a file, if that is counted. Usage that cannot be measured must not count
    /// as 0.
    pub(crate) fn excess(&mut self, shared: Option<u64>) -> io::Result<Option<String>> {
        let limits = &self.job.limits;
        let start = Instant::now();
        if self.disk.is_due() {
            if self.disk_is_full()? {
                return Ok(Some(format!("its files took more than {} MiB", limits.disk / MIB)));
            }
            self.disk.pause_after(start);
        }
        let over = |figure: u64| figure > limits.memory;
        let sockets = self.sockets()?;
        if self.job.layers.group {
            // The kernel charges a group for all but the buffers of some sockets.
            return Ok(over(sockets).then(|| memory_excess(limits.memory)));
        }
        let processes = process_tree::of_box(self.job.layers.namespaces);
        if processes.iter().map(|process| process.threads).sum::<u64>() > limits.processes {
            let most = limits.processes;
            return Ok(Some(format!("it had more than {most} processes and threads")));
        }
        let mappings = self.mappings(&processes);
        if mappings > MOST_MAPPINGS {
            return Ok(Some(format!("it had more than {MOST_MAPPINGS} mappings of memory")));
        }
        let besides = self.stored()? + sockets + shared.unwrap_or(0) + mappings * A_MAPPING;
        let (mut taken, mut kernel, mut resident) = (Vec::new(), besides, 0);
        for process in &processes {
            if let Some(memory) = ProcessMemory::of(&process.thread, shared.is_some())? {
                kernel += memory.kernel;
                resident += memory.resident;
                taken.push((&process.thread, memory));
            }
        }
        let shares = || taken.iter().map(|(thread, memory)| share(thread, memory)).sum::<u64>();
        // Shared pages count for every process, unless that would exceed the limit.
        let is_over = over(kernel) || over(kernel + resident) && over(kernel + shares());
        Ok(is_over.then(|| memory_excess(limits.memory)))
    }

    fn disk_is_full(&self) -> io::Result<bool> {
        let (directory, limit) = (&self.job.directory, self.job.limits.disk);
        if self.job.store.is_some() {
            // A file system of its own: deleted files that are still open count as well.
            return Ok(used_bytes(directory)? > limit);
        }
        Ok(disk::usage(directory, limit).exceeds(limit))
    }

    /// The private temporary directories are in memory.
    fn stored(&self) -> io::Result<u64> {
        if self.job.layers.namespaces { used_bytes(Path::new("/tmp")) } else { Ok(0) }
    }

    /// Counted now and then up to [`MOST_MAPPINGS`]: reading a long list takes a while.
    fn mappings(&mut self, processes: &[Living]) -> u64 {
        let start = Instant::now();
        if self.mapping.is_due() {
            self.mappings = 0;
            for process in processes {
                self.mappings +=
                    count_mappings(&process.thread, MOST_MAPPINGS.saturating_sub(self.mappings));
            }
            self.mapping.pause_after(start);
        }
        self.mappings
    }

    /// The most that the sockets of the box may hold, without those that any program may have.
    fn sockets(&self) -> io::Result<u64> {
        if !self.job.layers.namespaces {
            return Ok(0);
        }
        let text = fs::read_to_string("/proc/net/sockstat")?;
        let used: u64 = number(&text, "sockets: used ")
            .ok_or_else(|| io::Error::other("/proc/net/sockstat does not count sockets"))?;
        Ok(used.saturating_sub(USUAL_SOCKETS)
            * SOCKET_SIZE.get().copied().unwrap_or(USUAL_SOCKET_SIZE))
    }
}

pub(crate) fn memory_excess(limit: u64) -> String {
    format!("it took more than {} MiB of memory", limit / MIB)
}

/// Sockets of a box beyond this number count as memory.
const USUAL_SOCKETS: u64 = 64;
/// As many bytes wait to be sent as to be received.
const USUAL_SOCKET_SIZE: u64 = 2 * 212_992;
/// The same on this system; players cannot change the size of buffers.
static SOCKET_SIZE: OnceLock<u64> = OnceLock::new();

/// A network namespace of one's own does not show the sizes.
pub(crate) fn note_socket_sizes() {
    let size = |name: &str| -> Option<u64> {
        fs::read_to_string(Path::new("/proc/sys/net/core").join(name)).ok()?.trim().parse().ok()
    };
    if let (Some(send), Some(receive)) = (size("wmem_default"), size("rmem_default")) {
        let _ = SOCKET_SIZE.set((send + receive).max(USUAL_SOCKET_SIZE));
    }
}

/// Open files of a box beyond this number count as memory.
const USUAL_FILES: u64 = 256;
/// Half the least size of a pipe, which is two files.
const IN_A_FILE: u64 = 4096;

/// Each file counts as at least one block.
fn used_bytes(path: &Path) -> io::Result<u64> {
    let store = statvfs(path)?;
    let bytes = (store.blocks() - store.blocks_free()) * store.fragment_size();
    Ok(bytes.max((store.files() - store.files_free()) * BLOCK))
}

struct ProcessMemory {
    resident: u64,
    /// Page tables, and what open files may hold.
    kernel: u64,
}

impl ProcessMemory {
    /// The memory of the process of a thread, given by its `/proc` directory; `None` if it has
    /// ended.
    fn of(thread: &Path, shared_is_counted: bool) -> io::Result<Option<ProcessMemory>> {
        let Some(text) = read(&thread.join("status"))? else { return Ok(None) };
        // A process that is about to end has already released its memory.
        let Some(resident) = figure(&text, "VmRSS:") else { return Ok(None) };
        // Files in memory count by the space that they take.
        let elsewhere = if shared_is_counted { figure(&text, "RssShmem:").unwrap_or(0) } else { 0 };
        let resident = resident.saturating_sub(elsewhere);
        let files: u64 = number(&text, "FDSize:").unwrap_or(0);
        let kernel =
            figure(&text, "VmPTE:").unwrap_or(0) + files.saturating_sub(USUAL_FILES) * IN_A_FILE;
        Ok(Some(ProcessMemory { resident, kernel }))
    }
}

/// Above this size of page tables the kernel takes too long for the proportional share.
const LONG_TABLES: u64 = 8 << 20;

/// The resident memory with the proportional share of shared pages, if that can be read quickly.
fn share(thread: &Path, memory: &ProcessMemory) -> u64 {
    if memory.kernel > LONG_TABLES {
        return memory.resident;
    }
    let text = fs::read_to_string(thread.join("smaps_rollup")).unwrap_or_default();
    figure(&text, "Pss:").unwrap_or(memory.resident)
}

fn count_mappings(thread: &Path, most: u64) -> u64 {
    let Ok(mut file) = fs::File::open(thread.join("maps")) else { return 0 };
    let mut count = 0;
    let mut piece = [0; 1 << 14];
    while count <= most {
        match file.read(&mut piece) {
            Ok(length) if length > 0 => {
                count += piece[..length].iter().filter(|&&byte| byte == b'\n').count() as u64
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // The end of the list, or of the process.
            _ => break,
        }
    }
    count
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}
