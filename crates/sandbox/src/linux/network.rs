//! The loopback device of a box, for players that are reached over TCP.
#![allow(unsafe_code, reason = "devices are brought up by an ioctl, which has no safe form in the libraries")]

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsRawFd;

/// Brings up the loopback device of this network namespace and listens on a port of it.
pub(super) fn listen(port: u16) -> io::Result<TcpListener> {
    bring_up()?;
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Keeps TCP of this network namespace from growing the buffers of a connection: each may hold as much as any other socket's.
/// The files belong to the namespace, so this fails only on kernels without TCP.
pub(super) fn limit_buffers() {
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 212992");
    let _ = std::fs::write("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 212992");
}

fn bring_up() -> io::Result<()> {
    let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // SAFETY: an all-zero ifreq is a valid value of this plain C struct.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(*b"lo") {
        *place = byte as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the kernel reads the live local, a whole ifreq, as this request asks.
    match unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as libc::Ioctl, &raw const request) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
