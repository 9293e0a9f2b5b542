//! The supervisor of a box with namespaces: it creates the namespaces, forks the init process into
//! them, and stays outside, where nothing in the box can see it. The kernel kills the whole box
//! when the init process ends, and the init process when the supervisor ends.
#![allow(
    unsafe_code,
    reason = "neither fork nor the ioctl that brings up a device has a safe form in the libraries"
)]

use super::{cgroup, descriptors, identity, init, process_tree, store, usage};
use crate::job::{ExitReport, Job, TurnLimits, within};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{ForkResult, chdir, fork, pipe2};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The init process has this time after the longest that a job may take, to end all other processes
/// and report, and the other one after the judge is gone.
const LATEST: Duration = Duration::from_secs(7);
const LATEST_ALONE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Job) -> ExitReport {
    try_run(job).unwrap_or_else(|why| init::not_built(&why))
}

fn try_run(job: &Job) -> Result<ExitReport, String> {
    // When the machine runs out of memory, the kernel kills a box before the judge.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    let group = job.layers.groups.as_ref().map(|groups| cgroup::ControlGroup::new(groups, job));
    let (group, files) = group.transpose().map_err(within("control group"))?.unzip();
    usage::note_socket_sizes();
    make_namespaces(job).map_err(within("namespaces"))?;
    limit_tcp_buffers();
    if let Some(user) = job.identity {
        own(job, user.id, user.id).map_err(within("the owner of the player's files"))?;
    }
    if let Some(port) = job.port {
        listen_on_loopback(port)
            .and_then(|listener| descriptors::send(&io::stdout(), &listener))
            .map_err(within("loopback"))?;
    }
    let (reports, report) = pipe2(nix::fcntl::OFlag::O_CLOEXEC).map_err(within("pipe"))?;
    let (mut init_socket, supervisor_socket) = UnixStream::pair().map_err(within("socket"))?;
    let start = Instant::now();
    // SAFETY: this process has one thread, so its forked copy may call any function.
    let init = match unsafe { fork() }.map_err(within("init process"))? {
        ForkResult::Child => {
            drop((reports, init_socket));
            init::run(job, report, supervisor_socket, files);
        }
        ForkResult::Parent { child } => child,
    };
    drop((report, files, supervisor_socket));
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        process_tree::kill(init.as_raw());
        return Err(within("PR_SET_DUMPABLE")(error));
    }
    if let Some(user) = job.identity {
        // On failure the init process reads the end of the socket and reports that its users are
        // missing.
        let _ = identity::answer_user_map_request(&mut init_socket, init.as_raw(), user.id);
    }
    drop(init_socket);
    // Later turns have limits that the init process and the judge know.
    let limits = if job.talks { TurnLimits::NONE } else { job.first_turn() };
    let report = await_report(reports, start + limits.longest() + LATEST);
    // The kernel kills the box with its init process.
    process_tree::kill(init.as_raw());
    let _ = process_tree::wait_for(init.as_raw(), Duration::from_secs(2));
    let taken_back = own_by_judge(job);
    let report = report.and_then(|text| serde_json::from_slice(&text).ok());
    let mut report = report.unwrap_or_else(|| ExitReport::lost(start));
    if let Some(group) = group {
        group.close(job, &mut report);
    }
    if let Err(error) = taken_back {
        report.machine_fault = Some(within("the player's files cannot be taken back")(error));
    }
    Ok(report)
}

/// For a box whose supervisor was lost.
pub(crate) fn take_back(job: &Job) {
    let entered = job.identity.map_or(Ok(()), identity::enter);
    let entered =
        entered.and_then(|()| job.store.map_or(Ok(()), |holder| store::enter(holder, true)));
    // Files that stay the player's are removed before its next turn, or are the machine's fault.
    let _ = entered.and_then(|()| own_by_judge(job));
}

/// The next child becomes the init process.
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

/// Keeps TCP from growing the buffers of a connection: each may hold as much as any other socket's.
/// The files belong to the namespace, so this fails only on kernels without TCP.
fn limit_tcp_buffers() {
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 212992");
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 212992");
}

/// For a player that is reached over TCP.
fn listen_on_loopback(port: u16) -> io::Result<TcpListener> {
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
        0 => TcpListener::bind((Ipv4Addr::LOCALHOST, port)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The report of the init process; `None` if it sends none in time. A judge that has gone, which the
/// init process sees too, does not wait for it.
fn await_report(reports: OwnedFd, mut until: Instant) -> Option<Vec<u8>> {
    let mut reports = File::from(reports);
    let mut text = Vec::new();
    let mut piece = [0; 1 << 12];
    let mut is_gone = false;
    while Instant::now() < until {
        let stdin = io::stdin();
        let mut polled = [
            PollFd::new(reports.as_fd(), PollFlags::POLLIN),
            // Messages are for the init process; this is the end of them.
            PollFd::new(stdin.as_fd(), PollFlags::from_bits_retain(libc::POLLRDHUP)),
        ];
        let count = if is_gone { 1 } else { 2 };
        match poll(&mut polled[..count], descriptors::timeout(until)) {
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return None,
        }
        let [reported, gone] = polled.map(|polled| polled.revents() != Some(PollFlags::empty()));
        if gone && !is_gone {
            is_gone = true;
            until = until.min(Instant::now() + LATEST_ALONE);
        }
        if reported {
            match reports.read(&mut piece) {
                Ok(0) => return (!text.is_empty()).then_some(text),
                Ok(count) => text.extend_from_slice(&piece[..count]),
                Err(_) => return None,
            }
        }
    }
    None
}

/// Gives the files of a job to a user, if the judge cannot: the supervisor of an ordinary user's
/// box has all rights in the keeper's user namespace. The files belong to the player during its
/// turn.
fn own(job: &Job, user: u32, group: u32) -> io::Result<()> {
    if job.is_given() { own_all(&job.directory, user, group) } else { Ok(()) }
}

fn own_by_judge(job: &Job) -> io::Result<()> {
    let (user, group) = identity::judges_ids();
    own(job, user, group)
}

/// Changes the owner of a directory and of all that is in it, not of what links lead to. The tree
/// may be deeper than a path can be long, so this process, which has one thread, walks through it.
fn own_all(directory: &Path, user: u32, group: u32) -> io::Result<()> {
    if !std::fs::symlink_metadata(directory)?.is_dir() {
        return lchown(directory, Some(user), Some(group));
    }
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
    Ok(chdir("/")?)
}

/// Changes the owner of all entries of the current directory. Returns the directories.
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
