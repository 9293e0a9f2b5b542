//! Lines of text to and from a program in a box, through two named pipes in its directory.

use std::io;
use std::path::Path;
use std::time::Duration;

const NAMES: [&str; 2] = [".requests", ".answers"];
#[cfg(unix)]
const PIECE: usize = 1 << 16;

/// The two pipes.
#[cfg(unix)]
pub struct LinePipes {
    requests: std::fs::File,
    answers: std::fs::File,
    pending: Vec<u8>,
}

/// The result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, without its end.
    Line(String),
    /// No line yet.
    Nothing,
    /// The line is longer than it may be; its beginning.
    TooLong(String),
}

/// The command that runs a program with the pipes of its directory as standard input and output.
pub fn with_pipes(command: &[String]) -> Vec<String> {
    let [requests, answers] = NAMES;
    let script = format!("exec \"$0\" \"$@\" < {requests} > {answers}");
    [&["/bin/sh".to_string(), "-c".to_string(), script][..], command].concat()
}

#[cfg(unix)]
impl LinePipes {
    /// Makes the pipes in a directory, for a program of this user, if one is given.
    pub fn make(directory: &Path, owner: Option<u32>) -> io::Result<LinePipes> {
        use std::os::unix::fs::OpenOptionsExt;
        let open = |name: &str| {
            let path = directory.join(name);
            // Those of an earlier start.
            let _ = std::fs::remove_file(&path);
            nix::unistd::mkfifo(
                &path,
                nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR,
            )?;
            crate::system::give(&path, owner)?;
            // Open for both, neither side waits for the other.
            let flags = nix::fcntl::OFlag::O_NONBLOCK.bits();
            std::fs::OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)
        };
        let [requests, answers] = NAMES;
        Ok(LinePipes { requests: open(requests)?, answers: open(answers)?, pending: Vec::new() })
    }

    /// Waits for so long at most to send a part of a text. Returns the number of bytes that were
    /// sent.
    pub fn send(&mut self, text: &[u8], patience: Duration) -> io::Result<usize> {
        use std::io::Write;
        if !wait(&self.requests, nix::poll::PollFlags::POLLOUT, patience)? {
            return Ok(0);
        }
        match self.requests.write(text) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            written => written,
        }
    }

    /// Waits for so long at most for a line of at most `limit` bytes.
    pub fn receive(&mut self, limit: usize, patience: Duration) -> io::Result<Received> {
        use std::io::Read;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        loop {
            if let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
                let rest = self.pending.split_off(end + 1);
                let line = std::mem::replace(&mut self.pending, rest);
                return Ok(Received::Line(text(&line[..end])));
            }
            if self.pending.len() > limit {
                return Ok(Received::TooLong(text(&self.pending[..limit.min(80)])));
            }
            if !wait(&self.answers, nix::poll::PollFlags::POLLIN, patience)? {
                return Ok(Received::Nothing);
            }
            let mut piece = [0; PIECE];
            match self.answers.read(&mut piece) {
                Ok(count) => self.pending.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Received::Nothing);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(unix)]
fn wait(pipe: &std::fs::File, what: nix::poll::PollFlags, patience: Duration) -> io::Result<bool> {
    use std::os::fd::AsFd;
    let mut polled = [nix::poll::PollFd::new(pipe.as_fd(), what)];
    let milliseconds = u16::try_from(patience.as_millis()).unwrap_or(u16::MAX);
    match nix::poll::poll(&mut polled, milliseconds) {
        Ok(ready) => Ok(ready > 0),
        Err(nix::Error::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// There are no named pipes of this kind on Windows.
#[cfg(not(unix))]
pub struct LinePipes;

#[cfg(not(unix))]
#[allow(missing_docs, reason = "those for Unix say what each does")]
impl LinePipes {
    pub fn make(_: &Path, _: Option<u32>) -> io::Result<LinePipes> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "programs of rules run on Linux and macOS alone",
        ))
    }

    pub fn send(&mut self, _: &[u8], _: Duration) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn receive(&mut self, _: usize, _: Duration) -> io::Result<Received> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_in_order_and_within_their_limit() {
        let place = tempfile::tempdir().unwrap();
        let mut pipes = LinePipes::make(place.path(), None).unwrap();
        let soon = Duration::from_millis(1);
        assert_eq!(pipes.receive(9, soon).unwrap(), Received::Nothing);
        let command = with_pipes(&["cat".to_string()]);
        let mut echo = std::process::Command::new(&command[0])
            .args(&command[1..])
            .current_dir(&place)
            .spawn()
            .unwrap();
        assert_eq!(pipes.send(b"one\ntwo\n0123456789012", soon).unwrap(), 21);
        let mut received = Vec::new();
        while received.len() < 3 {
            match pipes.receive(9, Duration::from_secs(5)).unwrap() {
                Received::Nothing => {}
                other => received.push(other),
            }
        }
        let long = Received::TooLong("012345678".to_string());
        assert_eq!(
            received,
            [Received::Line("one".to_string()), Received::Line("two".to_string()), long]
        );
        echo.kill().unwrap();
        echo.wait().unwrap();
    }
}
