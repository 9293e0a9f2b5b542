//! The namespaces of a box: processes, network, IPC, host name, control groups.
#![allow(
    unsafe_code,
    reason = "the ioctl that brings up a device has no safe form in the libraries"
)]

use super::{identity, store};
use crate::job::Job;
use nix::sched::{CloneFlags, unshare};
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::fd::AsRawFd;

/// Moves the calling process into the namespaces that last from turn to turn: that of the keeper,
/// and those of the player's storage process.
pub(super) fn enter_lasting(job: &Job) -> io::Result<()> {
    job.identity.map_or(Ok(()), identity::enter)?;
    job.store.map_or(Ok(()), |holder| store::enter(holder, job.identity.is_some()))
}

/// The next child of the calling process becomes the init process.
pub(crate) fn make(job: &Job) -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    enter_lasting(job)?;
    if job.identity.is_none() && job.store.is_none() {
        identity::unshare_alone(flags)?;
    } else {
        // Root needs no user namespace to mount, nor does a process that has entered the keeper's.
        // The init process makes one, and gives up all rights outside of it, once the box is built.
        unshare(flags)?;
    }
    // Keeps TCP from growing the buffers of a connection: each may hold as much as any other
    // socket's. The file belongs to the namespace, so this fails only on kernels without TCP.
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 212992");
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 212992");
    Ok(())
}

/// For a player that is reached over TCP.
pub(crate) fn listen_on_loopback(port: u16) -> io::Result<TcpListener> {
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
