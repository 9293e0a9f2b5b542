//! File descriptors sent from one process to another over a socket.

use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

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

/// Receives a descriptor. Waits as long as the socket's read timeout; an error if no descriptor
/// comes.
#[allow(unsafe_code, reason = "a received descriptor is a bare number in the library")]
pub(crate) fn receive(socket: &impl AsRawFd) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut pieces = [IoSliceMut::new(&mut byte)];
    let mut room = nix::cmsg_space!(i32);
    let message = recvmsg::<()>(
        socket.as_raw_fd(),
        &mut pieces,
        Some(&mut room),
        MsgFlags::MSG_CMSG_CLOEXEC,
    )?;
    for part in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(descriptors) = part
            && let Some(&descriptor) = descriptors.first()
        {
            // SAFETY: the descriptor was just made for this process and has no other owner.
            return Ok(unsafe { OwnedFd::from_raw_fd(descriptor) });
        }
    }
    Err(io::Error::other("no descriptor was sent"))
}
