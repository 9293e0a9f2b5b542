//! A real monitor, and the tests' own agents, which talk to it line by line.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use testing::process::PATIENCE;

/// The path of the monitor.
pub(crate) fn program() -> String {
    testing::example(env!("CARGO_PKG_NAME"), "monitor")
}

/// A monitor that was started, and the port it took.
pub(crate) struct Monitor {
    process: Child,
    output: BufReader<ChildStdout>,
    messages: Receiver<String>,
    pub port: u16,
    pub http: Option<u16>,
}

impl Monitor {
    pub(crate) fn start(arguments: &[&str]) -> Monitor {
        let mut process = Command::new(program())
            .args(["--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut messages = BufReader::new(process.stderr.take().unwrap());
        let port_in = |line: &str| {
            let after = line.split("127.0.0.1:").nth(1).unwrap_or_else(|| panic!("{line:?}"));
            after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
        };
        let mut line = String::new();
        messages.read_line(&mut line).unwrap();
        let port = port_in(&line);
        let http = arguments.contains(&"--http").then(|| {
            line.clear();
            messages.read_line(&mut line).unwrap();
            port_in(&line)
        });
        // Read to the end, so that later messages do not fill the pipe.
        let (sender, received) = channel();
        std::thread::spawn(move || messages.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Monitor { process, output, messages: received, port, http }
    }

    pub(crate) fn agent(&self) -> Agent {
        Agent::on(TcpStream::connect(("127.0.0.1", self.port)).unwrap())
    }

    /// A crowd of `count` connections that say nothing.
    pub(crate) fn crowd(&self, count: usize) -> Vec<TcpStream> {
        (0..count).map(|_| TcpStream::connect(("127.0.0.1", self.port)).unwrap()).collect()
    }

    /// An agent that has said something.
    pub(crate) fn agent_that_says(&self, text: &str) -> Agent {
        let mut agent = self.agent();
        agent.say(text);
        agent
    }

    /// Two agents who are ready, with a generous clock unless the arguments say otherwise.
    pub(crate) fn pair(&self) -> [Agent; 2] {
        let [mut fox, mut sheep] = [self.agent(), self.agent()];
        fox.say("hello FOX\n");
        assert_eq!(fox.hear(), "hello FOX\n");
        sheep.say("hello SHEEP\r\n");
        assert_eq!(sheep.hear(), "hello SHEEP\n");
        fox.say("name Reineke\nready\n");
        sheep.say("name Flock\r\nready\r\n");
        [fox, sheep]
    }

    /// Two agents whose game has begun.
    pub(crate) fn game(&self, slice: u64) -> [Agent; 2] {
        let mut pair = self.pair();
        for agent in &mut pair {
            agent.hears(&[&format!("timeslice {slice}\n"), "begin\n"]);
        }
        pair
    }

    /// Waits until the monitor has said so many lines with this part on its standard error.
    #[track_caller]
    pub(crate) fn tells(&self, part: &str, mut times: usize) {
        let start = Instant::now();
        let mut told = Vec::new();
        while times > 0 {
            let Ok(line) = self.messages.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) else {
                panic!("{part:?} is missing {times} times; told: {told:#?}");
            };
            times -= usize::from(line.contains(part));
            told.push(line);
        }
    }

    /// Waits for the end of all games and returns the monitor's output, one line a game.
    pub(crate) fn report(mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).unwrap();
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
        text
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) struct Agent {
    pub stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Agent {
    pub(crate) fn on(stream: TcpStream) -> Agent {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Agent { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The next line with its end; empty when the monitor has hung up.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(_) => line,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => line,
            Err(error) => panic!("{error} after {line:?}"),
        }
    }

    #[track_caller]
    pub(crate) fn hears(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.hear(), *line);
        }
    }

    /// The line that names the winner, whatever came before it.
    #[track_caller]
    pub(crate) fn hears_the_winner(&mut self) -> String {
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "no winner was named");
            if line.starts_with("winner") {
                return line;
            }
        }
    }
}
