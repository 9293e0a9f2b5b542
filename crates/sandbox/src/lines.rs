//! Lines of text to and from a program in a box, through two named pipes in its directory.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The pipe of standard input, and that of standard output.
pub(crate) const NAMES: [&str; 2] = [".requests", ".answers"];
#[cfg(unix)]
const LONGEST_START: usize = 80;

/// The two pipes.
#[cfg(unix)]
pub struct LinePipes {
    requests: std::fs::File,
    answers: std::fs::File,
    /// The most bytes of an answer, and how many of the lines of this one have been taken.
    limit: usize,
    taken: usize,
    pending: Vec<u8>,
    /// Where the next line begins in `pending`, and up to where no line ends.
    begin: usize,
    searched: usize,
}

/// The result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, without its end.
    Line(String),
    /// No line yet.
    Nothing,
    /// The answer is longer than it may be; the beginning of its last line.
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
    /// Makes the pipes in a directory, for a program of this user, if one is given. `limit` is the
    /// most bytes of an answer, with all of its lines, empty ones too.
    pub fn make(directory: &Path, owner: Option<u32>, limit: usize) -> io::Result<LinePipes> {
        use std::os::unix::fs::OpenOptionsExt;
        let open = |name: &str| {
            let path = directory.join(name);
            make_pipe(&path, owner)?;
            // Open for both, neither side waits for the other.
            let flags = nix::fcntl::OFlag::O_NONBLOCK.bits();
            std::fs::OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)
        };
        let [requests, answers] = NAMES.map(open);
        Ok(LinePipes {
            requests: requests?,
            answers: answers?,
            limit,
            taken: 0,
            pending: Vec::new(),
            begin: 0,
            searched: 0,
        })
    }

    /// Begins an answer: what is received from now on, with what lies in the pipe, belongs to it.
    pub fn begin_answer(&mut self) {
        self.taken = 0;
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

    /// Waits for a line until the given moment, whatever comes.
    pub fn receive(&mut self, until: Instant) -> io::Result<Received> {
        use std::io::Read;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut is_over = false;
        loop {
            let end = self.pending[self.searched..].iter().position(|&byte| byte == b'\n');
            let end = end.map(|at| self.searched + at);
            self.searched = end.map_or(self.pending.len(), |end| end + 1);
            let line = self.begin..end.unwrap_or(self.searched);
            if self.taken + self.searched - self.begin > self.limit {
                let start = &self.pending[line][..];
                return Ok(Received::TooLong(text(&start[..start.len().min(LONGEST_START)])));
            }
            if end.is_some() {
                self.taken += self.searched - self.begin;
                self.begin = self.searched;
                return Ok(Received::Line(text(&self.pending[line])));
            }
            let left = until.saturating_duration_since(Instant::now());
            if is_over || !wait(&self.answers, nix::poll::PollFlags::POLLIN, left)? {
                return Ok(Received::Nothing);
            }
            is_over = left.is_zero();
            self.pending.drain(..self.begin);
            (self.begin, self.searched) = (0, self.pending.len());
            let mut piece = [0; crate::streams::PIECE];
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

/// Makes a named pipe for a program of this user, if one is given.
#[cfg(unix)]
pub(crate) fn make_pipe(path: &Path, owner: Option<u32>) -> io::Result<()> {
    // That of an earlier start.
    let _ = std::fs::remove_file(path);
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR)?;
    crate::system::give(path, owner)
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
    pub fn make(_: &Path, _: Option<u32>, _: usize) -> io::Result<LinePipes> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "programs of rules run on Linux and macOS alone",
        ))
    }

    pub fn send(&mut self, _: &[u8], _: Duration) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn begin_answer(&mut self) {}

    pub fn receive(&mut self, _: Instant) -> io::Result<Received> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_in_order_and_within_their_limit() {
        let place = tempfile::tempdir().unwrap();
        let mut pipes = LinePipes::make(place.path(), None, 9).unwrap();
        let soon = Duration::from_millis(1);
        assert_eq!(pipes.receive(Instant::now() + soon).unwrap(), Received::Nothing);
        let command = with_pipes(&["cat".to_string()]);
        let mut echo = std::process::Command::new(&command[0])
            .args(&command[1..])
            .current_dir(&place)
            .spawn()
            .unwrap();
        let mut answers = |text: &str, count: usize| {
            pipes.begin_answer();
            assert_eq!(pipes.send(text.as_bytes(), soon).unwrap(), text.len());
            let mut received = Vec::new();
            while received.len() < count {
                match pipes.receive(Instant::now() + Duration::from_secs(5)).unwrap() {
                    Received::Nothing => {}
                    other => received.push(other),
                }
            }
            received
        };
        let line = |text: &str| Received::Line(text.to_string());
        assert_eq!(answers("one\ntwo\n\n", 3), ["one", "two", ""].map(line));
        assert_eq!(answers("12345678\n9", 1), [line("12345678")]);
        // The limit is for all lines of an answer, for empty ones too.
        let long = |text: &str| Received::TooLong(text.to_string());
        let received = answers("876\n\n\n\n\n\n", 6);
        assert_eq!(
            received,
            ["9876", "", "", "", ""].map(line).into_iter().chain([long("")]).collect::<Vec<_>>()
        );
        echo.kill().unwrap();
        echo.wait().unwrap();
    }
}
