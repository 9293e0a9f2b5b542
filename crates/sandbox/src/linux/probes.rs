//! Attack probes: attempts to get past the sandbox layers, made by the judge's executable from
//! inside a box. A probe prints one line for each thing that it could do, and nothing if every
//! attempt failed.
#![allow(unsafe_code, reason = "attempts need what no safe library offers: fork, ignored signals")]

use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::{ForkResult, Pid, fork, setsid};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// The hidden command that makes the judge's executable run a probe; the next argument is the
/// probe's name.
pub const PROBE: &str = "probe";

/// Runs a probe. Exit code 2 if there is no probe of that name.
pub fn run(words: &[String]) -> ExitCode {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["files", read, written] => files(Path::new(read), Path::new(written)),
        ["network", port, abstract_name] => network(port, abstract_name),
        ["processes", judge] => processes(judge),
        ["signals", victim] => signals(victim),
        ["victim"] => victim(),
        ["calls"] => calls(),
        ["supervision"] => supervision(),
        ["memory", mib] => memory(number(mib)),
        ["fork", count] => many(number(count)),
        ["disk", mib] => disk(number(mib)),
        ["unwaited", milliseconds] => unwaited(Duration::from_millis(number(milliseconds))),
        ["outlive"] => outlive(),
        ["counter", milliseconds] => stopped_counter(Duration::from_millis(number(milliseconds))),
        ["unreadable", milliseconds] => unreadable(number(milliseconds)),
        ["burn", milliseconds] => burn(Duration::from_millis(number(milliseconds))),
        ["nameless", mib] => nameless(number(mib)),
        ["watcher"] => watcher(),
        ["leader", mib] => behind_leader(number(mib)),
        ["tables", mib] => tables(number(mib)),
        ["queues"] => queues(),
        ["sockets", mib] => sockets(number(mib)),
        ["lock", path] => lock(Path::new(path)),
        ["shared", mib] => shared(number(mib)),
        ["epoll", mib] => epoll(number(mib)),
        ["mappings", mib] => mappings(number(mib)),
        ["priority"] => priority(),
        ["sessions"] => sessions(),
        ["processors"] => processors(),
        _ => return ExitCode::from(2),
    };
    for line in done {
        println!("{line}");
    }
    ExitCode::SUCCESS
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

/// The lines of the attempts that succeeded.
fn told<const N: usize>(attempts: [(bool, &str); N]) -> Vec<String> {
    let succeeded = attempts.into_iter().filter(|(succeeded, _)| *succeeded);
    succeeded.map(|(_, line)| line.to_string()).collect()
}

/// Runs a function in a child process, which then ends. Whether there is a child.
fn in_child(run: impl FnOnce()) -> bool {
    // SAFETY: this process has one thread.
    match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            run();
            std::process::exit(0)
        }
        forked => forked.is_ok(),
    }
}

fn files(read: &Path, written: &Path) -> Vec<String> {
    told([
        (fs::read(read).is_ok(), "read a file outside"),
        (File::create(written).is_ok(), "wrote a file outside"),
    ])
}

/// A listener on an abstract socket of this name, which a box must not reach.
pub fn abstract_listener(name: &str) -> io::Result<UnixListener> {
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

fn network(port: &str, abstract_name: &str) -> Vec<String> {
    let port = TcpStream::connect(("127.0.0.1", number(port) as u16));
    let socket = SocketAddr::from_abstract_name(abstract_name)
        .and_then(|name| UnixStream::connect_addr(&name));
    told([
        (port.is_ok(), "connected to a port of this machine"),
        (socket.is_ok(), "connected to an abstract socket"),
    ])
}

fn processes(judge: &str) -> Vec<String> {
    // In the box, this process id may belong to another process.
    let is_judge = |text: Vec<u8>| String::from_utf8_lossy(&text).contains("sandbox");
    let seen = fs::read(format!("/proc/{judge}/cmdline")).is_ok_and(is_judge);
    let read = seen && fs::read(format!("/proc/{judge}/environ")).is_ok();
    told([(seen, "saw the judge's process"), (read, "read the judge's environment")])
}

fn signals(victim: &str) -> Vec<String> {
    let sent = kill(Pid::from_raw(number(victim) as i32), Signal::SIGKILL);
    told([(sent.is_ok(), "sent a signal to another process")])
}

/// Waits up to a minute for a signal from another probe.
fn victim() -> Vec<String> {
    sleep(Duration::from_secs(60));
    Vec::new()
}

fn calls() -> Vec<String> {
    use nix::sched::{CloneFlags, unshare};
    let unshared = unshare(CloneFlags::CLONE_NEWUSER);
    // SAFETY: the calls take plain numbers; a null pointer is refused by the kernel.
    let traced = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
    // SAFETY: as above. The kernel looks at its first argument, no operation, and refuses the call
    // where it has it.
    let keys = unsafe { libc::syscall(libc::SYS_keyctl, 0, 0, 0, 0, 0) };
    told([
        (unshared.is_ok(), "made a user namespace"),
        (traced == 0, "asked to be traced"),
        (keys >= 0, "reached the kernel's key rings"),
    ])
}

fn supervision() -> Vec<String> {
    let parent = std::os::unix::process::parent_id();
    let opened = File::options().write(true).open(format!("/proc/{parent}/fd/1"));
    let signalled = kill(Pid::from_raw(parent as i32), None);
    told([
        (opened.is_ok(), "opened a descriptor of its supervisor"),
        (signalled.is_ok() && parent != 1, "may send signals to its supervisor"),
    ])
}

/// Allocates memory in three children, a third of it in each, and waits until all have theirs.
fn memory(mib: u64) -> Vec<String> {
    let Ok((mut parent, mut child)) = UnixStream::pair() else { return Vec::new() };
    for _ in 0..3 {
        in_child(|| {
            let eaten = vec![1u8; (mib << 20) as usize / 3];
            std::hint::black_box(&eaten);
            let _ = child.write_all(b"e");
            sleep(Duration::from_secs(5));
        });
    }
    drop(child);
    if parent.read_exact(&mut [0; 3]).is_err() {
        return Vec::new();
    }
    // Usage is measured every few milliseconds.
    sleep(Duration::from_millis(500));
    vec!["took more memory than it may".to_string()]
}

fn many(count: u64) -> Vec<String> {
    for _ in 0..count {
        if !in_child(|| sleep(Duration::from_secs(5))) {
            return Vec::new();
        }
    }
    sleep(Duration::from_millis(200));
    vec![format!("had {count} processes")]
}

fn disk(mib: u64) -> Vec<String> {
    let piece = vec![1u8; 1 << 20];
    for number in 0..mib {
        if File::create(format!("piece-{number}"))
            .and_then(|mut file| file.write_all(&piece))
            .is_err()
        {
            return Vec::new();
        }
    }
    sleep(Duration::from_secs(1));
    vec![format!("wrote {mib} MiB")]
}

/// Uses CPU time in a child that nobody waits for.
fn unwaited(time: Duration) -> Vec<String> {
    // SAFETY: an ignored signal runs no code of ours.
    let ignored = unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) };
    if ignored.is_err() {
        return Vec::new();
    }
    in_child(|| drop(burn(time)));
    let _ = nix::sys::wait::wait();
    Vec::new()
}

fn burn(time: Duration) -> Vec<String> {
    while clock::cpu::process_time() < time {
        std::hint::black_box((0..10_000u64).fold(0, |sum: u64, value| sum ^ (value * value)));
    }
    Vec::new()
}

/// Stops the performance counters of this process, then uses CPU time in a child that nobody waits
/// for.
fn stopped_counter(time: Duration) -> Vec<String> {
    // SAFETY: the call takes plain numbers.
    unsafe { libc::prctl(libc::PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0) };
    unwaited(time)
}

/// Uses CPU time in a program that nobody waits for, and that its user may execute but not read.
fn unreadable(milliseconds: u64) -> Vec<String> {
    let copied = std::env::current_exe().and_then(|own| fs::copy(own, "unreadable"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o111);
    if copied.is_err() || fs::set_permissions("unreadable", mode).is_err() {
        // The file could not be made. Uses the same CPU time in another way.
        return unwaited(Duration::from_millis(milliseconds));
    }
    // SAFETY: an ignored signal runs no code of ours.
    let _ = unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) };
    let mut program = std::process::Command::new("./unreadable");
    let _ = program.args([PROBE, "burn", &milliseconds.to_string()]).spawn();
    let _ = nix::sys::wait::wait();
    Vec::new()
}

/// Writes to files that have been deleted and are still open.
fn nameless(mib: u64) -> Vec<String> {
    let piece = vec![1u8; 1 << 20];
    let mut held = Vec::new();
    for _ in 0..mib {
        let Ok(mut file) = File::create("nameless") else { return Vec::new() };
        if fs::remove_file("nameless").is_err() || file.write_all(&piece).is_err() {
            return Vec::new();
        }
        held.push(file);
    }
    sleep(Duration::from_millis(500));
    vec![format!("holds {mib} MiB in deleted files")]
}

/// Sets limits of the supervising process, and lowers its priority.
fn watcher() -> Vec<String> {
    let watcher = std::os::unix::process::parent_id() as i32;
    // SAFETY: all-zero values of these plain C structs are valid.
    let (mut limit, idle): (libc::rlimit, libc::sched_param) = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel reads nothing and writes the live local.
    let limited =
        unsafe { libc::prlimit(watcher, libc::RLIMIT_NOFILE, std::ptr::null(), &raw mut limit) };
    // Success says nothing: the filter may let these calls succeed without an effect. By call
    // number, since musl's functions do nothing. SAFETY: the calls take plain numbers. The second
    // one returns 20 less the priority.
    let state = || unsafe {
        let policy = libc::syscall(libc::SYS_sched_getscheduler, watcher);
        (policy, libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, watcher))
    };
    let (policy, priority) = state();
    // SAFETY: the kernel reads a live local.
    unsafe {
        libc::syscall(libc::SYS_sched_setscheduler, watcher, libc::SCHED_IDLE, &raw const idle)
    };
    // SAFETY: the call takes plain numbers.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, watcher as u32, 19) };
    told([
        (limited == 0, "may set limits of its supervisor"),
        (state().0 != policy, "made its supervisor idle"),
        (state().1 != priority, "made its supervisor nice"),
    ])
}

/// Allocates memory in a thread of a process whose main thread has ended.
fn behind_leader(mib: u64) -> Vec<String> {
    std::thread::spawn(move || {
        sleep(Duration::from_millis(50));
        let eaten = vec![1u8; (mib << 20) as usize];
        sleep(Duration::from_millis(500));
        std::hint::black_box(&eaten);
        println!("took memory after its main thread had ended");
        std::process::exit(0);
    });
    // SAFETY: nothing of this thread's is used by the other one.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
    Vec::new()
}

/// Makes the kernel allocate page tables: one page for every two MiB of address space that are
/// read.
fn tables(mib: u64) -> Vec<String> {
    use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
    const STEP: usize = 2 << 20;
    let count = (mib << 20) as usize / 4096;
    let Some(length) = std::num::NonZeroUsize::new(count * STEP) else { return Vec::new() };
    let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
    // SAFETY: a new mapping of this process's own.
    let Ok(start) = (unsafe { mmap_anonymous(None, length, ProtFlags::PROT_READ, flags) }) else {
        return Vec::new();
    };
    for page in 0..count {
        // SAFETY: the address is within the mapping, which may be read.
        unsafe { start.cast::<u8>().add(page * STEP).read_volatile() };
    }
    sleep(Duration::from_millis(500));
    vec![format!("has {mib} MiB of page tables")]
}

/// Creates a System V message queue.
fn queues() -> Vec<String> {
    // SAFETY: the call takes plain numbers.
    let queue = unsafe { libc::msgget(libc::IPC_PRIVATE, 0o600) };
    if queue < 0 {
        return Vec::new();
    }
    // SAFETY: the call takes plain numbers, and no pointer for this command.
    unsafe { libc::msgctl(queue, libc::IPC_RMID, std::ptr::null_mut()) };
    vec!["made a message queue".to_string()]
}

/// Fills socket buffers.
fn sockets(mib: u64) -> Vec<String> {
    let piece = vec![1u8; 1 << 16];
    let mut held = Vec::new();
    let mut written = 0;
    while written < mib << 20 {
        let Ok((one, other)) = UnixStream::pair() else { return Vec::new() };
        let _ = one.set_nonblocking(true);
        while let Ok(count) = (&one).write(&piece) {
            written += count as u64;
        }
        held.push((one, other));
    }
    sleep(Duration::from_millis(500));
    vec![format!("holds {mib} MiB in sockets")]
}

/// Takes memory that is shared without a file, and gives it up without the kernel releasing it: no
/// process seems to have it.
fn shared(mib: u64) -> Vec<String> {
    use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, mmap_anonymous};
    const PIECE: usize = 16 << 20;
    let length = std::num::NonZeroUsize::new(PIECE).expect("a piece has a size");
    let zero = File::options().read(true).write(true).open("/dev/zero");
    for piece in 0..mib / 16 {
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        let mapped = match &zero {
            // SAFETY: a new mapping of this process's own, of a device that is no file of
            // anybody's.
            Ok(zero) if piece % 2 == 0 => unsafe {
                mmap(None, length, access, MapFlags::MAP_SHARED, zero, 0)
            },
            // SAFETY: a new mapping of this process's own.
            _ => unsafe { mmap_anonymous(None, length, access, MapFlags::MAP_SHARED) },
        };
        let Ok(start) = mapped else { return Vec::new() };
        for page in (0..PIECE).step_by(4096) {
            // SAFETY: the address is within the mapping, which may be written.
            unsafe { start.cast::<u8>().add(page).write_volatile(1) };
        }
        // SAFETY: nothing in this process refers to the mapping.
        let _ = unsafe { madvise(start, PIECE, MmapAdvise::MADV_DONTNEED) };
    }
    sleep(Duration::from_millis(500));
    vec![format!("holds {mib} MiB of shared memory")]
}

/// Makes the kernel allocate items of epoll: some 200 bytes each.
fn epoll(mib: u64) -> Vec<String> {
    use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
    let mut sockets = Vec::new();
    let mut waits = Vec::new();
    for _ in 0..1000 {
        let (Ok((one, other)), Ok(wait)) =
            (UnixStream::pair(), Epoll::new(EpollCreateFlags::empty()))
        else {
            return Vec::new();
        };
        sockets.extend([one, other]);
        waits.push(wait);
    }
    let mut left = (mib << 20) / 200;
    for socket in &sockets {
        for wait in &waits {
            if wait.add(socket, EpollEvent::new(EpollFlags::EPOLLIN, 0)).is_err() {
                return Vec::new();
            }
            left = left.saturating_sub(1);
        }
        if left == 0 {
            break;
        }
    }
    sleep(Duration::from_millis(500));
    vec![format!("holds {mib} MiB in items of epoll")]
}

/// Makes the kernel allocate mappings: some 200 bytes each, and 65,530 for each process.
fn mappings(mib: u64) -> Vec<String> {
    use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, mprotect};
    const EACH: usize = 60_000;
    let Ok((mut parent, mut child)) = UnixStream::pair() else { return Vec::new() };
    let children = ((mib << 20) as usize / 200 / EACH).min(20);
    for _ in 0..children {
        in_child(|| {
            let length = std::num::NonZeroUsize::new(EACH << 12).expect("a mapping has a size");
            let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
            // SAFETY: a new mapping of this process's own.
            let Ok(start) = (unsafe { mmap_anonymous(None, length, ProtFlags::PROT_NONE, flags) })
            else {
                std::process::exit(1)
            };
            for page in (0..EACH).step_by(2) {
                // SAFETY: the page is within the mapping, to which nothing refers.
                let at = unsafe {
                    std::ptr::NonNull::new_unchecked(start.as_ptr().byte_add(page << 12))
                };
                // SAFETY: as above.
                let _ = unsafe { mprotect(at, 4096, ProtFlags::PROT_READ) };
            }
            let _ = child.write_all(b"m");
            sleep(Duration::from_secs(5));
        });
    }
    drop(child);
    if parent.read_exact(&mut vec![0; children]).is_err() {
        return Vec::new();
    }
    sleep(Duration::from_secs(1));
    vec![format!("holds {} mappings", children * EACH)]
}

/// Changes the priority of its session, and the order in which the kernel ends processes for lack
/// of memory.
fn priority() -> Vec<String> {
    let wrote = |name: &str, text: &str| {
        File::options()
            .write(true)
            .open(Path::new("/proc/self").join(name))
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .is_ok()
    };
    told([
        (wrote("oom_score_adj", "0"), "asked the kernel to end others first"),
        (wrote("autogroup", "1"), "set the priority of its session"),
    ])
}

/// Makes a session, which gets as much processor time as any other one.
fn sessions() -> Vec<String> {
    let group = || fs::read_to_string("/proc/self/autogroup").unwrap_or_default();
    let before = group();
    in_child(|| {
        let _ = setsid();
        if group() != before {
            println!("made a session with a share of its own");
        }
    });
    let _ = nix::sys::wait::wait();
    Vec::new()
}

/// Moves to processors that it was not given.
fn processors() -> Vec<String> {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    let own = Pid::from_raw(0);
    let count = || {
        let set = sched_getaffinity(own).unwrap_or_default();
        (0..CpuSet::count()).filter(|&index| set.is_set(index).unwrap_or(false)).count()
    };
    let before = count();
    let mut all = CpuSet::new();
    (0..CpuSet::count()).for_each(|index| _ = all.set(index));
    let _ = sched_setaffinity(own, &all);
    told([(count() > before, "took processors of others")])
}

/// Locks a file that other programs use.
fn lock(path: &Path) -> Vec<String> {
    let locked = File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    told([(locked, "locked a program that others use")])
}

/// Leaves a process behind, in a session of its own, that holds a lock while it lives.
fn outlive() -> Vec<String> {
    in_child(|| {
        let _ = setsid();
        let lock = File::create("lock");
        let _ = lock.as_ref().map(File::lock);
        let _ = File::create("locked");
        sleep(Duration::from_secs(30));
    });
    while !Path::new("locked").exists() {
        sleep(Duration::from_millis(1));
    }
    Vec::new()
}
