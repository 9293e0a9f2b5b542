//! A server that bad clients try, and crowds of them.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The time limit for each answer.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server as a process. Dropping it ends it.
pub struct Server {
    /// The process.
    pub child: Child,
    port: u16,
}

impl Server {
    /// Starts a command that takes any free port, and waits until it has told which.
    pub fn listening(command: &mut Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (said, told) = std::sync::mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let said = said.clone();
            // Everything is read, so that no pipe fills up.
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let after = line.split("127.0.0.1:").nth(1).filter(|_| line.starts_with("listening on "));
                    if let Some(after) = after {
                        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                        let _ = said.send(digits.parse().unwrap());
                    }
                }
            });
        }
        let port = told.recv_timeout(PATIENCE).expect("it says where it listens, on loopback");
        Server { child, port }
    }

    /// A connection whose answers have a time limit.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A figure of the process, sizes in kB, by its name in `/proc/PID/status`.
    pub fn figure(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Fails where the server has ended, or has ever used 64 MiB of memory.
    #[track_caller]
    pub fn stays_small(&mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "it has ended");
        let peak = self.figure("VmHWM");
        assert!(peak < 64 << 10, "{peak} kB");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A crowd of `most` connections, but at most a quarter of the handles that this process may have: other tests run beside.
pub fn crowd(server: &Server, most: usize) -> Vec<TcpStream> {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let handles = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let handles: usize = handles.split_whitespace().next().unwrap().parse().unwrap_or(usize::MAX);
    let address = ("127.0.0.1", server.port);
    (0..most.min(handles / 4)).map_while(|_| TcpStream::connect(address).ok()).collect()
}

/// Keeps tests that open hundreds of connections apart, by a guard that each holds: at once they would take all handles
/// that a process may usually have.
pub fn one_crowd_at_a_time() -> MutexGuard<'static, ()> {
    static CROWD: Mutex<()> = Mutex::new(());
    // A test that failed leaves nothing that concerns the next one.
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}
