//! Attack probes: attempts to get past the sandbox layers, made by the judge's executable from
//! inside a box. A probe prints one line for each thing that it could do.
#![allow(unsafe_code, reason = "attempts need what no safe library offers: fork, ignored signals")]

use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, mmap_anonymous, mprotect};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::{ForkResult, Pid, fork, setsid};
use std::ffi::c_void;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::num::NonZeroUsize;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::ExitCode;
use std::ptr::NonNull;
use std::thread::sleep;
use std::time::Duration;

/// The hidden command that runs a probe; the next argument is the probe's name.
pub const PROBE: &str = "probe";

/// What a probe could do; an error if it could do nothing.
type Told = io::Result<Vec<String>>;

/// Runs a probe. Exit code 2 if there is no probe of that name.
pub fn run(words: &[String]) -> ExitCode {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let number: u64 = word(1).parse().unwrap_or(0);
    let time = Duration::from_millis(number);
    let told = match word(0) {
        "files" => files(Path::new(word(1)), Path::new(word(2))),
        "network" => network(number as u16, word(2)),
        "processes" => processes(number),
        "signals" => signals(number as i32),
        "victim" => wait_for_signal(),
        "calls" => calls(),
        "supervision" => supervision(),
        "memory" => memory(number),
        "fork" => many(number),
        "disk" => disk(number),
        "unwaited" => unwaited(time),
        "outlive" => outlive(),
        "counter" => stopped_counter(time),
        "unreadable" => unreadable(time),
        "burn" => burn(time),
        "nameless" => nameless(number),
        "watcher" => watcher(),
        "leader" => behind_leader(number),
        "tables" => tables(number),
        "queues" => queues(),
        "sockets" => sockets(number),
        "lock" => lock(Path::new(word(1))),
        "shared" => shared(number),
        "epoll" => epoll(number),
        "mappings" => mappings(number),
        "priority" => priority(),
        "sessions" => sessions(),
        "processors" => processors(),
        _ => return ExitCode::from(2),
    };
    for line in told.unwrap_or_default() {
        println!("{line}");
    }
    ExitCode::SUCCESS
}

fn told<const N: usize>(attempts: [(bool, &str); N]) -> Told {
    let succeeded = attempts.into_iter().filter(|(succeeded, _)| *succeeded);
    Ok(succeeded.map(|(_, line)| line.to_string()).collect())
}

/// The line of an attempt that succeeds if this process still lives then: usage is measured now and
/// then.
fn told_after(milliseconds: u64, line: String) -> Told {
    sleep(Duration::from_millis(milliseconds));
    Ok(vec![line])
}

fn in_child(run: impl FnOnce()) -> io::Result<()> {
    // SAFETY: this process has one thread.
    if let ForkResult::Child = unsafe { fork() }? {
        run();
        std::process::exit(0)
    }
    Ok(())
}

/// Runs a function in each of some children, which keep its result for a while.
fn in_children<T>(count: usize, run: impl Fn() -> io::Result<T>) -> io::Result<()> {
    let (mut parent, mut child) = UnixStream::pair()?;
    for _ in 0..count {
        in_child(|| {
            if let Ok(kept) = run() {
                let _ = child.write_all(b"d");
                sleep(Duration::from_secs(5));
                black_box(&kept);
            }
        })?;
    }
    drop(child);
    parent.read_exact(&mut vec![0; count])
}

fn mapping(length: usize, access: ProtFlags, flags: MapFlags) -> io::Result<NonNull<c_void>> {
    let length = NonZeroUsize::new(length).ok_or(io::ErrorKind::InvalidInput)?;
    // SAFETY: nothing refers to a new mapping.
    Ok(unsafe { mmap_anonymous(None, length, access, flags) }?)
}

fn files(read: &Path, written: &Path) -> Told {
    told([
        (fs::read(read).is_ok(), "read a file outside"),
        (File::create(written).is_ok(), "wrote a file outside"),
    ])
}

/// A listener on an abstract socket of this name, which a box must not reach.
pub fn abstract_listener(name: &str) -> io::Result<UnixListener> {
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

fn network(port: u16, abstract_name: &str) -> Told {
    let port = TcpStream::connect(("127.0.0.1", port));
    let socket = SocketAddr::from_abstract_name(abstract_name)
        .and_then(|name| UnixStream::connect_addr(&name));
    told([
        (port.is_ok(), "connected to a port of this machine"),
        (socket.is_ok(), "connected to an abstract socket"),
    ])
}

fn processes(judge: u64) -> Told {
    // In the box, this process id may belong to another process.
    let is_judge = |text: Vec<u8>| String::from_utf8_lossy(&text).contains("sandbox");
    let seen = fs::read(format!("/proc/{judge}/cmdline")).is_ok_and(is_judge);
    let read = seen && fs::read(format!("/proc/{judge}/environ")).is_ok();
    told([(seen, "saw the judge's process"), (read, "read the judge's environment")])
}

fn signals(victim: i32) -> Told {
    let sent = kill(Pid::from_raw(victim), Signal::SIGKILL);
    told([(sent.is_ok(), "sent a signal to another process")])
}

fn wait_for_signal() -> Told {
    sleep(Duration::from_secs(60));
    told([])
}

fn calls() -> Told {
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

fn supervision() -> Told {
    let parent = parent_id();
    let opened = File::options().write(true).open(format!("/proc/{parent}/fd/1"));
    let signalled = kill(Pid::from_raw(parent as i32), None);
    told([
        (opened.is_ok(), "opened a descriptor of its supervisor"),
        (signalled.is_ok() && parent != 1, "may send signals to its supervisor"),
    ])
}

fn memory(mib: u64) -> Told {
    in_children(3, || Ok(vec![1u8; (mib << 20) as usize / 3]))?;
    told_after(500, "took more memory than it may".to_string())
}

fn many(count: u64) -> Told {
    in_children(count as usize, || Ok(()))?;
    told_after(200, format!("had {count} processes"))
}

fn disk(mib: u64) -> Told {
    for number in 0..mib {
        fs::write(format!("piece-{number}"), vec![1u8; 1 << 20])?;
    }
    told_after(1_000, format!("wrote {mib} MiB"))
}

/// Uses CPU time in a child that nobody waits for.
fn unwaited(time: Duration) -> Told {
    ignore_children()?;
    in_child(|| drop(burn(time)))?;
    let _ = nix::sys::wait::wait();
    told([])
}

fn ignore_children() -> io::Result<()> {
    // SAFETY: an ignored signal runs no code of ours.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) }?;
    Ok(())
}

fn burn(time: Duration) -> Told {
    while clock::cpu::process_time() < time {
        black_box((0..10_000u64).fold(0, |sum: u64, value| sum ^ (value * value)));
    }
    told([])
}

/// Stops the performance counters of this process, then uses CPU time in a child that nobody waits
/// for.
fn stopped_counter(time: Duration) -> Told {
    // SAFETY: the call takes plain numbers.
    unsafe { libc::prctl(libc::PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0) };
    unwaited(time)
}

/// Uses CPU time in a program that nobody waits for, and that its user may execute but not read.
fn unreadable(time: Duration) -> Told {
    let copied = std::env::current_exe().and_then(|own| fs::copy(own, "unreadable"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o111);
    if copied.is_err() || fs::set_permissions("unreadable", mode).is_err() {
        // The file could not be made.
        return unwaited(time);
    }
    ignore_children()?;
    let mut program = std::process::Command::new("./unreadable");
    let _ = program.args([PROBE, "burn", &time.as_millis().to_string()]).spawn();
    let _ = nix::sys::wait::wait();
    told([])
}

/// Writes to files that have been deleted and are still open.
fn nameless(mib: u64) -> Told {
    let piece = vec![1u8; 1 << 20];
    let mut held = Vec::new();
    for _ in 0..mib {
        let mut file = File::create("nameless")?;
        fs::remove_file("nameless")?;
        file.write_all(&piece)?;
        held.push(file);
    }
    told_after(500, format!("holds {mib} MiB in deleted files"))
}

/// Sets limits of the supervising process, and lowers its priority.
fn watcher() -> Told {
    let watcher = parent_id() as i32;
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
fn behind_leader(mib: u64) -> Told {
    std::thread::spawn(move || {
        sleep(Duration::from_millis(50));
        let eaten = vec![1u8; (mib << 20) as usize];
        sleep(Duration::from_millis(500));
        black_box(&eaten);
        println!("took memory after its main thread had ended");
        std::process::exit(0);
    });
    // SAFETY: nothing of this thread's is used by the other one.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
    told([])
}

/// One page of page tables for every two MiB of address space that are read.
fn tables(mib: u64) -> Told {
    const STEP: usize = 2 << 20;
    let count = (mib << 20) as usize / 4096;
    let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
    let start = mapping(count * STEP, ProtFlags::PROT_READ, flags)?;
    for page in 0..count {
        // SAFETY: the address is within the mapping, which may be read.
        unsafe { start.cast::<u8>().add(page * STEP).read_volatile() };
    }
    told_after(500, format!("has {mib} MiB of page tables"))
}

fn queues() -> Told {
    // SAFETY: the call takes plain numbers.
    let queue = unsafe { libc::msgget(libc::IPC_PRIVATE, 0o600) };
    // SAFETY: the call takes plain numbers, and no pointer for this command.
    unsafe { libc::msgctl(queue, libc::IPC_RMID, std::ptr::null_mut()) };
    told([(queue >= 0, "made a message queue")])
}

fn sockets(mib: u64) -> Told {
    let piece = vec![1u8; 1 << 16];
    let mut held = Vec::new();
    let mut written = 0;
    while written < mib << 20 {
        let (one, other) = UnixStream::pair()?;
        let _ = one.set_nonblocking(true);
        while let Ok(count) = (&one).write(&piece) {
            written += count as u64;
        }
        held.push((one, other));
    }
    told_after(500, format!("holds {mib} MiB in sockets"))
}

/// Takes memory that is shared without a file, and gives it up without the kernel releasing it: no
/// process seems to have it.
fn shared(mib: u64) -> Told {
    const PIECE: usize = 16 << 20;
    let length = NonZeroUsize::new(PIECE).expect("a piece has a size");
    let zero = File::options().read(true).write(true).open("/dev/zero");
    let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
    for piece in 0..mib / 16 {
        let start = match &zero {
            Ok(zero) if piece % 2 == 0 => {
                // SAFETY: a new mapping of this process's own, of a device that is nobody's file.
                unsafe { mmap(None, length, access, MapFlags::MAP_SHARED, zero, 0) }?
            }
            _ => mapping(PIECE, access, MapFlags::MAP_SHARED)?,
        };
        for page in (0..PIECE).step_by(4096) {
            // SAFETY: the address is within the mapping, which may be written.
            unsafe { start.cast::<u8>().add(page).write_volatile(1) };
        }
        // SAFETY: nothing in this process refers to the mapping.
        let _ = unsafe { madvise(start, PIECE, MmapAdvise::MADV_DONTNEED) };
    }
    told_after(500, format!("holds {mib} MiB of shared memory"))
}

/// Some 200 bytes of the kernel each.
fn epoll(mib: u64) -> Told {
    use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
    let (mut sockets, mut waits) = (Vec::new(), Vec::new());
    for _ in 0..1000 {
        sockets.extend(<[UnixStream; 2]>::from(UnixStream::pair()?));
        waits.push(Epoll::new(EpollCreateFlags::empty())?);
    }
    let pairs = sockets.iter().flat_map(|socket| waits.iter().map(move |wait| (socket, wait)));
    for (socket, wait) in pairs.take((mib << 20) as usize / 200) {
        wait.add(socket, EpollEvent::new(EpollFlags::EPOLLIN, 0))?;
    }
    told_after(500, format!("holds {mib} MiB in items of epoll"))
}

/// Some 200 bytes of the kernel each, and 65,530 for each process.
fn mappings(mib: u64) -> Told {
    const EACH: usize = 60_000;
    let children = ((mib << 20) as usize / 200 / EACH).min(20);
    in_children(children, || {
        let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
        let start = mapping(EACH << 12, ProtFlags::PROT_NONE, flags)?;
        for page in (0..EACH).step_by(2) {
            // SAFETY: the page is within the mapping, to which nothing refers.
            let _ = unsafe { mprotect(start.byte_add(page << 12), 4096, ProtFlags::PROT_READ) };
        }
        Ok(())
    })?;
    told_after(1_000, format!("holds {} mappings", children * EACH))
}

/// The priority of its session, and the order in which the kernel ends processes for lack of
/// memory.
fn priority() -> Told {
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
fn sessions() -> Told {
    let group = || fs::read_to_string("/proc/self/autogroup").unwrap_or_default();
    let before = group();
    in_child(|| {
        let _ = setsid();
        if group() != before {
            println!("made a session with a share of its own");
        }
    })?;
    let _ = nix::sys::wait::wait();
    told([])
}

fn processors() -> Told {
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

fn lock(path: &Path) -> Told {
    let locked = File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    told([(locked, "locked a program that others use")])
}

/// Leaves a process behind, in a session of its own, that holds a lock while it lives.
fn outlive() -> Told {
    in_child(|| {
        let _ = setsid();
        let lock = File::create("lock");
        let _ = lock.as_ref().map(File::lock);
        let _ = File::create("locked");
        sleep(Duration::from_secs(30));
    })?;
    while !Path::new("locked").exists() {
        sleep(Duration::from_millis(1));
    }
    told([])
}
