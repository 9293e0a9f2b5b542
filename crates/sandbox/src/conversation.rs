//! Two programs in boxes, each of which reads what the other writes.
//!
//! The judge moves the bytes through two named pipes in each directory: no box has a file of the
//! other. A side that has ended, or has closed its output, is the end of the input of the other.
//! The judge takes what a side writes to one that no longer reads, so that nobody is ended by a
//! broken pipe; the supervisors end both at the limits of their jobs.

use crate::job::{ExitReport, Job};
use std::io;
use std::path::Path;

/// A side of a conversation.
pub struct Party<'a> {
    /// The job; its standard input and output are those of the conversation.
    pub job: &'a Job,
    /// The directory of the job, as the judge sees it.
    pub directory: &'a Path,
    /// The owner of the files there, if it is not the judge.
    pub owner: Option<u32>,
}

/// The result of a conversation.
pub struct Conversation {
    /// The reports of both sides.
    pub reports: [ExitReport; 2],
    /// Whether the first side was the first whose output has ended.
    pub is_first_first: bool,
    /// Whether the first side was ended because it wrote more than it may.
    pub is_too_long: bool,
}

/// Runs both jobs until both have ended, and moves at most `limit` bytes of what the first side
/// writes. The judge ends the first side if the second one ends before it, and with another exit
/// code than `good`. `heard` is told what each side, 0 or 1, has written. Errors: a supervisor
/// cannot be started, or the pipes fail.
#[cfg(target_os = "linux")]
pub fn converse(
    parties: [Party; 2],
    limit: u64,
    good: i32,
    mut heard: impl FnMut(usize, &[u8]),
) -> io::Result<Conversation> {
    let [first, second] = parties;
    let mut sides = [linux::Side::start(&first)?, linux::Side::start(&second)?];
    let (mut first_end, mut is_too_long) = (None, false);
    while sides.iter().any(|side| side.running.is_some()) {
        // What a side has written before its end still lies in its pipe.
        for side in &mut sides {
            side.look()?;
        }
        for at in [0, 1] {
            let [one, other] = &mut sides;
            let (from, to) = if at == 0 { (one, other) } else { (other, one) };
            from.move_to(to, |bytes| heard(at, bytes))?;
            if from.output.is_none() {
                first_end.get_or_insert(at);
            }
        }
        let [one, other] = &mut sides;
        is_too_long |= one.written > limit;
        if is_too_long {
            one.stop()?;
            other.stop()?;
        } else if first_end == Some(1)
            && other.report.as_ref().is_some_and(|report| report.exit_code != Some(good))
        {
            one.stop()?;
        }
        linux::wait(&sides)?;
    }
    let reports = sides.map(|side| side.report.unwrap_or_default());
    Ok(Conversation { reports, is_first_first: first_end == Some(0), is_too_long })
}

/// There are no named pipes of this kind elsewhere.
#[cfg(not(target_os = "linux"))]
pub fn converse(
    _: [Party; 2],
    _: u64,
    _: i32,
    _: impl FnMut(usize, &[u8]),
) -> io::Result<Conversation> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "conversations of programs need Linux"))
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Party;
    use crate::job::{ExitReport, Job};
    use crate::lines::{NAMES, make_pipe};
    use crate::streams::PIECE;
    use crate::supervise::Running;
    use nix::fcntl::OFlag;
    use nix::poll::{PollFd, PollFlags, PollTimeout};
    use std::fs::{File, OpenOptions};
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;
    use std::os::unix::fs::OpenOptionsExt;

    /// How often the judge looks whether a side has ended, in milliseconds.
    const LOOK_INTERVAL: u16 = 20;
    /// The most pieces that are moved before the other side has its turn.
    const MOST_PIECES: u32 = 16;
    /// Opens both pipes, tells the judge so by one byte, and becomes the program.
    const SCRIPT: &str = "exec < .requests > .answers && echo && exec \"$0\" \"$@\"";

    pub(super) struct Side {
        pub running: Option<Running>,
        /// Once it has ended.
        pub report: Option<ExitReport>,
        /// Bytes that it has written.
        pub written: u64,
        /// `None` once the other side has ended, or this one reads no longer.
        input: Option<File>,
        /// `None` once it has ended.
        pub output: Option<File>,
        /// Reads the input as well until the program does: a pipe that nobody reads is broken.
        _reads: Option<File>,
        is_ready: bool,
        /// What the other side has not yet taken.
        pending: Vec<u8>,
    }

    impl Side {
        pub(super) fn start(party: &Party) -> io::Result<Side> {
            let [requests, answers] = NAMES.map(|name| party.directory.join(name));
            for path in [&requests, &answers] {
                make_pipe(path, party.owner)?;
            }
            let flags = OFlag::O_NONBLOCK.bits();
            let reads = |path| OpenOptions::new().read(true).custom_flags(flags).open(path);
            let (holder, output) = (reads(&requests)?, reads(&answers)?);
            let input = OpenOptions::new().write(true).custom_flags(flags).open(&requests)?;
            let shell = ["/bin/sh", "-c", SCRIPT].map(str::to_string);
            let command = [&shell[..], &party.job.command].concat();
            let running = Running::start(&Job { command, ..party.job.clone() })?;
            Ok(Side {
                running: Some(running),
                report: None,
                written: 0,
                input: Some(input),
                output: Some(output),
                _reads: Some(holder),
                is_ready: false,
                pending: Vec::new(),
            })
        }

        /// Takes the report of a side that has ended.
        pub(super) fn look(&mut self) -> io::Result<()> {
            let is_over = |running: &mut Running| {
                running.is_over() || std::time::Instant::now() >= running.latest()
            };
            if self.running.as_mut().is_some_and(is_over)
                && let Some(running) = self.running.take()
            {
                self.report = Some(running.finish()?);
            }
            Ok(())
        }

        /// Ends it, if it has not ended.
        pub(super) fn stop(&mut self) -> io::Result<()> {
            if let Some(running) = self.running.take() {
                self.report = Some(running.stop()?);
            }
            Ok(())
        }

        /// Moves what it has written, as far as there is something, and the other side takes it.
        pub(super) fn move_to(
            &mut self,
            other: &mut Side,
            mut heard: impl FnMut(&[u8]),
        ) -> io::Result<()> {
            for _ in 0..MOST_PIECES {
                if !self.pending.is_empty() && !other.take(&mut self.pending)? {
                    return Ok(());
                }
                let Some(output) = &mut self.output else { break };
                let mut piece = [0; PIECE];
                match output.read(&mut piece) {
                    // Without a writer from the beginning of the run, it is not an end.
                    Ok(0) if self.is_ready || self.report.is_some() => self.output = None,
                    Ok(0) => return Ok(()),
                    Ok(count) => {
                        let begin = usize::from(!self.is_ready);
                        (self.is_ready, self._reads) = (true, None);
                        self.written += (count - begin) as u64;
                        self.pending.extend_from_slice(&piece[begin..count]);
                        if count > begin {
                            heard(&self.pending);
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        // Another process may hold the pipe of a box that has ended.
                        if self.report.is_some() {
                            self.output = None;
                        }
                        return Ok(());
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            // A shell that has not yet opened its pipes waits for one who writes.
            if self.output.is_none() && self.pending.is_empty() && other.is_ready {
                other.input = None;
            }
            Ok(())
        }

        /// Takes bytes of the other side; those that nobody reads are lost. Whether it took all.
        fn take(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
            while let Some(input) = &mut self.input
                && !bytes.is_empty()
            {
                match input.write(bytes) {
                    Ok(count) => drop(bytes.drain(..count)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        if self.report.is_none() {
                            return Ok(false);
                        }
                        self.input = None;
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => self.input = None,
                }
            }
            bytes.clear();
            Ok(true)
        }
    }

    /// Waits until a side has written something, or takes what waits for it, for a while.
    pub(super) fn wait(sides: &[Side; 2]) -> io::Result<()> {
        let mut polled = Vec::new();
        for (side, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
            if !side.pending.is_empty() {
                let input = other.input.as_ref();
                polled.extend(input.map(|input| PollFd::new(input.as_fd(), PollFlags::POLLOUT)));
            } else if let Some(output) = &side.output {
                polled.push(PollFd::new(output.as_fd(), PollFlags::POLLIN));
            }
        }
        match nix::poll::poll(&mut polled, PollTimeout::from(LOOK_INTERVAL)) {
            Ok(_) | Err(nix::Error::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
