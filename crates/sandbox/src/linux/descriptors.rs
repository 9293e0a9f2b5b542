//! File descriptors: made by system calls, sent from one process to another over a socket, waited
//! for.
#![allow(unsafe_code, reason = "a descriptor is a bare number in the libraries")]

use nix::poll::PollTimeout;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Instant;

/// The descriptor that a system call has just opened.
pub(crate) fn owned(opened: i64) -> io::Result<OwnedFd> {
    if opened < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(opened as i32) })
}

/// The time for a poll that ends at `until`. Rounded up: after a poll that ended too early, the next
/// one would follow at once.
pub(crate) fn timeout(until: Instant) -> PollTimeout {
    let left = until.saturating_duration_since(Instant::now()).as_millis() + 1;
    i32::try_from(left)
        .map_or(PollTimeout::MAX, |left| PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX))
}

/// Sends a descriptor, with one byte of data to carry it.
pub(crate) fn send(socket: &impl AsRawFd, descriptor: &impl AsRawFd) -> io::Result<()> {
    let descriptors = [descriptor.as_raw_fd()];
    let message = [ControlMessage::ScmRights(&descriptors)];
    sendmsg::<()>(
        socket.as_raw_fd(),
        &[IoSlice::new(b"d")],
        &message,
        MsgFlags::MSG_NOSIGNAL,
        None,
    )?;
    Ok(())
}

/// Receives a descriptor. Waits as long as the socket's read timeout, also where this process is
/// stopped and goes on in the meantime.
pub(crate) fn receive(socket: &impl AsRawFd) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut pieces = [IoSliceMut::new(&mut byte)];
    let mut room = nix::cmsg_space!(i32);
    let (socket, flags) = (socket.as_raw_fd(), MsgFlags::MSG_CMSG_CLOEXEC);
    let message = loop {
        match recvmsg::<()>(socket, &mut pieces, Some(&mut room), flags) {
            Err(nix::Error::EINTR) => {}
            received => break received?,
        }
    };
    let first = message.cmsgs()?.find_map(|part| match part {
        ControlMessageOwned::ScmRights(descriptors) => descriptors.first().copied(),
        _ => None,
    });
    owned(first.ok_or_else(|| io::Error::other("no descriptor was sent"))?.into())
}
