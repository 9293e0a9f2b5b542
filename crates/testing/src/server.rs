//! Servers as processes of their own.

use clock::lock;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for each answer.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. Dropping it ends it.
pub struct Server {
    /// The process.
    pub child: Child,
    /// Its address and port, on the loopback device.
    pub address: String,
    output: Mutex<Receiver<String>>,
    messages: Mutex<Receiver<String>>,
}

impl Server {
    /// Starts a command with any free port, and waits until it says where it listens.
    pub fn start(command: &mut Command) -> Server {
        let command = command.args(["--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (told, address) = channel();
        let output = lines(child.stdout.take().unwrap(), told.clone());
        let messages = lines(child.stderr.take().unwrap(), told);
        let mut server = Server { child, address: String::new(), output, messages };
        // A server that ends instead is noticed at once.
        server.address = address.recv_timeout(5 * PATIENCE).expect("it says where it listens");
        assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
        server
    }

    /// The next line of its standard output, after the one with its address.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.output.get_mut().unwrap().recv_timeout(PATIENCE).expect("a line of output")
    }

    /// The next line of its standard error, without the one with its address.
    #[track_caller]
    pub fn message(&mut self) -> String {
        self.messages.get_mut().unwrap().recv_timeout(PATIENCE).expect("a message")
    }

    /// Waits until it has said so many lines with this part on its standard error.
    #[track_caller]
    pub fn tells(&self, part: &str, mut times: usize) {
        let start = Instant::now();
        let messages = lock(&self.messages);
        let mut told = Vec::new();
        while times > 0 {
            let Ok(line) = messages.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) else {
                panic!("{part:?} is missing {times} times; told: {told:#?}");
            };
            times -= usize::from(line.contains(part));
            told.push(line);
        }
    }

    /// Waits for its end by itself with exit code 0, and returns its standard output.
    #[track_caller]
    pub fn report(mut self) -> String {
        let text = self.output.get_mut().unwrap().iter().map(|line| line + "\n").collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        text
    }

    /// A connection whose answers have a time limit.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A figure of the process, sizes in kB, by its name in `/proc/PID/status`.
    pub fn figure(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
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

    /// At most so many connections, and a quarter of the handles that this process may have: other
    /// tests run beside.
    pub fn crowd(&self, most: usize) -> Vec<TcpStream> {
        let limits = fs::read_to_string("/proc/self/limits").unwrap();
        let handles = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
        let handles: usize =
            handles.split_whitespace().next().unwrap().parse().unwrap_or(usize::MAX);
        (0..most.min(handles / 4)).map_while(|_| TcpStream::connect(&self.address).ok()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream without the server's address, which goes to `told`.
fn lines(stream: impl Read + Send + 'static, told: Sender<String>) -> Mutex<Receiver<String>> {
    let (said, lines) = channel();
    // Everything is read, so that no pipe fills up.
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            println!("{line}");
            let _ = match line.strip_prefix("listening on ") {
                Some(place) => told.send(
                    place.trim_start_matches("http://").split(['/', ',']).next().unwrap().into(),
                ),
                None => said.send(line),
            };
        }
    });
    Mutex::new(lines)
}

/// A guard that keeps tests with hundreds of connections apart: at once they would take all handles
/// that a process may usually have.
pub fn one_crowd_at_a_time() -> MutexGuard<'static, ()> {
    static CROWD: Mutex<()> = Mutex::new(());
    // A test that failed leaves nothing that concerns the next one.
    lock(&CROWD)
}
