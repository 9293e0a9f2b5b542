//! The supervisor of a box with namespaces: it creates the namespaces, forks the init process into
//! them, and stays outside, where nothing in the box can see it. The kernel kills the whole box
//! when the init process ends, and the init process when the supervisor ends.
#![allow(
    unsafe_code,
    reason = "neither fork nor the ioctl that brings up a device has a safe form in the libraries"
)]

use super::{cgroup, counter, descriptors, identity, init, store, usage};
use crate::job::{ExitReport, Job};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{ForkResult, Pid, chdir, fork, pipe2};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time after the longest that a job may take, in which the init process has to end all other
/// processes and report.
const LATEST: Duration = Duration::from_secs(7);
/// The `oom_score_adj` of a box: when the machine runs out of memory, the kernel kills a box before
/// the judge.
const FIRST_TO_GO: &str = "500";

/// Runs the program of a job in a box of its own.
pub(crate) fn run(job: &Job) -> ExitReport {
    let refused = |what: &str, error| init::not_built(what, &error);
    let _ = std::fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    let group = job.layers.groups.as_ref().map(|groups| cgroup::ControlGroup::new(groups, job));
    let (group, files) = match group.transpose() {
        Ok(group) => group.unzip(),
        Err(error) => return refused("control group", error),
    };
    usage::note_socket_sizes();
    if let Err(error) = make_namespaces(job) {
        return refused("namespaces", error);
    }
    limit_tcp_buffers();
    if let Err(error) = own(job, job.identity.map(|user| (user.id, user.id))) {
        return refused("the owner of the player's files", error);
    }
    if let Some(port) = job.port
        && let Err(error) = listen_on_loopback(port)
            .and_then(|listener| descriptors::send(&io::stdout(), &listener))
    {
        return refused("loopback", error);
    }
    let (reports, report) = match pipe2(nix::fcntl::OFlag::O_CLOEXEC) {
        Ok(ends) => ends,
        Err(error) => return refused("pipe", error.into()),
    };
    let (mut init_socket, supervisor_socket) = match UnixStream::pair() {
        Ok(ends) => ends,
        Err(error) => return refused("socket", error),
    };
    // The program inherits this counter as well as that of the init process, which only the init
    // process can read.
    let counter = if job.is_counted() { counter::open().ok() } else { None };
    let start = Instant::now();
    // SAFETY: this process has one thread, so its forked copy may call any function.
    let init = match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            drop((reports, init_socket));
            init::run(job, report, supervisor_socket, files);
        }
        Ok(ForkResult::Parent { child }) => child,
        Err(error) => return refused("init process", error.into()),
    };
    drop((report, files, supervisor_socket));
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        let _ = kill(init, Signal::SIGKILL);
        return refused("PR_SET_DUMPABLE", error.into());
    }
    if let Some(user) = job.identity {
        // On failure the init process reads the end of the socket and reports that its users are
        // missing.
        let _ = identity::answer_user_map_request(&mut init_socket, init.as_raw(), user.id);
    }
    drop(init_socket);
    let report = await_report(reports, start + job.longest() + LATEST, counter.as_ref());
    end(init);
    let taken_back = own(job, Some(identity::judges_ids()));
    let lost = || ExitReport {
        wall: start.elapsed().as_secs_f64(),
        orphaned: true,
        ..ExitReport::default()
    };
    let mut report =
        report.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_else(lost);
    if let Some(group) = group {
        group.close(job, &mut report);
    }
    if let Err(error) = taken_back {
        report.machine_fault = Some(format!("the player's files cannot be taken back: {error}"));
    }
    report
}

/// Gives a player's files back to the judge after the supervisor of its box was lost.
pub(crate) fn take_back(job: &Job) {
    let entered = job.identity.map_or(Ok(()), identity::enter);
    let entered =
        entered.and_then(|()| job.store.map_or(Ok(()), |holder| store::enter(holder, true)));
    // Files that stay the player's are removed before its next turn, or are the machine's fault.
    let _ = entered.and_then(|()| own(job, Some(identity::judges_ids())));
}

/// Creates the namespaces that need no process of their own. The next child becomes the init
/// process.
fn make_namespaces(job: &Job) -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    if let Some(user) = job.identity {
        identity::enter(user)?;
    }
    if let Some(holder) = job.store {
        store::enter(holder, job.identity.is_some())?;
    } else if job.identity.is_none() {
        return identity::unshare_alone(flags);
    }
    // Root needs no user namespace to mount, nor does a process that has entered the keeper's. The
    // init process makes one, and gives up all rights outside of it, once the box is built.
    Ok(unshare(flags)?)
}

/// Keeps TCP of this network namespace from growing the buffers of a connection: each may hold as
/// much as any other socket's. The files belong to the namespace, so this fails only on kernels
/// without TCP.
fn limit_tcp_buffers() {
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 212992");
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 212992");
}

/// Brings up the loopback device of this network namespace and listens on a port of it, for a
/// player that is reached over TCP.
fn listen_on_loopback(port: u16) -> io::Result<TcpListener> {
    bring_up_loopback()?;
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

fn bring_up_loopback() -> io::Result<()> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // SAFETY: an all-zero ifreq is a valid value of this plain C struct.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(*b"lo") {
        *place = byte as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the kernel reads the live local, a whole ifreq, as this request asks.
    match unsafe {
        libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as libc::Ioctl, &raw const request)
    } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The report of the init process. `None` if it ends without a report or is late, or if the judge
/// is gone. Meanwhile the judge may ask for the CPU time of the box.
fn await_report(reports: OwnedFd, until: Instant, counter: Option<&OwnedFd>) -> Option<Vec<u8>> {
    let mut reports = File::from(reports);
    let mut text = Vec::new();
    let mut piece = [0; 1 << 12];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let timeout = PollTimeout::try_from(left.as_millis().min(1 << 30) as i32 + 1)
            .unwrap_or(PollTimeout::MAX);
        let stdin = io::stdin();
        let mut polled = [
            PollFd::new(reports.as_fd(), PollFlags::POLLIN),
            PollFd::new(stdin.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut polled, timeout) {
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return None,
        }
        let [reported, asked] = polled.map(|polled| polled.any().unwrap_or(false));
        if reported {
            match reports.read(&mut piece) {
                Ok(0) => return (!text.is_empty()).then_some(text),
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(_) => return None,
            }
        } else if asked && !answer_about_cpu(counter) {
            return None;
        }
    }
}

/// Answers a question of the judge for the CPU time of the box ([`super::waiting::BoxWaits`]).
/// Returns whether there was one: otherwise the judge is gone.
fn answer_about_cpu(counter: Option<&OwnedFd>) -> bool {
    if !io::stdin().read(&mut [0]).is_ok_and(|length| length > 0) {
        return false;
    }
    let nanoseconds = counter
        .and_then(|counter| counter::read(counter).ok())
        .map_or(u64::MAX, |cpu| cpu.as_nanos() as u64);
    let mut stdout = io::stdout().lock();
    stdout.write_all(&[0]).and_then(|()| stdout.write_all(&nanoseconds.to_le_bytes())).is_ok()
        && stdout.flush().is_ok()
}

/// Kills the init process, and the box with it. Gives up after two seconds.
fn end(init: Pid) {
    let _ = kill(init, Signal::SIGKILL);
    let _ = crate::linux::process_tree::wait_for(init.as_raw(), Duration::from_secs(2));
}

/// Gives the files of a job to a user and a group, if the judge cannot do so itself: an ordinary
/// user cannot give files to the user of a box, but the supervisor can, which has all rights in the
/// keeper's user namespace. The files belong to the player during its turn, and to the judge's user
/// between turns.
fn own(job: &Job, ids: Option<(u32, u32)>) -> io::Result<()> {
    match (job.identity, ids) {
        (Some(user), Some((user_id, group))) if user.owner().is_none() => {
            own_all(&job.directory, user_id, group)
        }
        _ => Ok(()),
    }
}

/// Changes the owner of a directory and of all that is in it. Links are not followed. The tree may
/// be deeper than a path can be long, so this process, which has one thread, walks through it.
fn own_all(directory: &Path, user: u32, group: u32) -> io::Result<()> {
    if std::fs::symlink_metadata(directory)?.is_dir() {
        chdir(directory)?;
        lchown(".", Some(user), Some(group))?;
        let mut levels = vec![own_entries(user, group)?];
        while let Some(level) = levels.last_mut() {
            if let Some(name) = level.pop() {
                chdir(name.as_os_str())?;
                levels.push(own_entries(user, group)?);
            } else {
                levels.pop();
                if !levels.is_empty() {
                    chdir("..")?;
                }
            }
        }
        return Ok(chdir("/")?);
    }
    lchown(directory, Some(user), Some(group))
}

/// Changes the owner of all entries of the current directory, and returns the names of the
/// directories.
fn own_entries(user: u32, group: u32) -> io::Result<Vec<OsString>> {
    let mut directories = Vec::new();
    for entry in std::fs::read_dir(".")? {
        let entry = entry?;
        lchown(entry.file_name(), Some(user), Some(group))?;
        if entry.file_type()?.is_dir() {
            directories.push(entry.file_name());
        }
    }
    Ok(directories)
}
