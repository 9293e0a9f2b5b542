//! A scripted monitor for tests, with the agent's binary as its client.

use engine::Game;
use foxgame::Position;
use foxgame::monitor::wire::FromAgent;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A scripted monitor with one agent connected.
pub(crate) struct MonitorStub {
    agent: Child,
    pub(crate) stream: TcpStream,
    lines: BufReader<TcpStream>,
}

const READ_TIMEOUT: Duration = Duration::from_secs(20);

impl MonitorStub {
    pub(crate) fn start(arguments: &[&str]) -> MonitorStub {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let agent = Command::new(env!("CARGO_BIN_EXE_foxgame"))
            .args(["-a", "127.0.0.1", "-p", &port])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stream = listener.accept().unwrap().0;
        stream.set_read_timeout(Some(READ_TIMEOUT)).unwrap();
        MonitorStub { agent, lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Starts an agent that asks for a side, and begins the game.
    pub(crate) fn at_play(side: &str, arguments: &[&str], slice: u64) -> MonitorStub {
        let mut monitor = MonitorStub::start(&[&["-r", side], arguments].concat());
        let hello = format!("hello {side}\n");
        assert_eq!(monitor.receive(), hello);
        monitor.send(&hello);
        assert_eq!([monitor.receive(), monitor.receive()], ["name menagerie\n", "ready\n"]);
        monitor.send(&format!("timeslice {slice}\nbegin\n"));
        monitor
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// Stops the agent's process for `time`, as a busy machine does.
    pub(crate) fn stop_agent(&self, time: Duration) {
        for signal in ["-STOP", "-CONT"] {
            let sent = Command::new("kill").args([signal, &self.agent.id().to_string()]).status();
            assert!(sent.expect("the program kill is needed").success());
            if signal == "-STOP" {
                std::thread::sleep(time);
            }
        }
    }

    /// The agent's threads: the nanoseconds that each has run for, and the processors that it may
    /// use.
    #[cfg(target_os = "linux")]
    pub(crate) fn threads(&self) -> Vec<(u64, Vec<usize>)> {
        let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
        let thread = |entry: std::fs::DirEntry| {
            let statistics = read(entry.path().join("schedstat"));
            let ran = statistics.split(' ').next().unwrap().parse().unwrap();
            let status = read(entry.path().join("status"));
            let list = status.split_once("Cpus_allowed_list:\t").unwrap().1.lines().next().unwrap();
            let ranges = list.split(',').map(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                first.parse().unwrap()..=last.parse().unwrap()
            });
            (ran, ranges.flatten().collect())
        };
        let directory = format!("/proc/{}/task", self.agent.id());
        std::fs::read_dir(directory).unwrap().map(|entry| thread(entry.unwrap())).collect()
    }

    /// The next line that the agent sends, with its line end.
    pub(crate) fn receive(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }

    /// Asserts that the agent sends nothing for `time`.
    pub(crate) fn expect_silence(&mut self, time: Duration) {
        self.stream.set_read_timeout(Some(time)).unwrap();
        let mut byte = [0];
        let received = self.lines.read(&mut byte);
        assert!(received.is_err(), "{received:?} {byte:?}");
        self.stream.set_read_timeout(Some(READ_TIMEOUT)).unwrap();
    }

    /// Reads the agent's move and `done`, and plays the move on `position`.
    pub(crate) fn play_agent_turn(&mut self, position: &mut Position) {
        let line = self.receive();
        let Some(FromAgent::Move(stops)) = FromAgent::read(&line) else { panic!("{line:?}") };
        assert_eq!(FromAgent::Move(stops.clone()).line(), line);
        let mv = position.play_over(&stops).unwrap_or_else(|reason| panic!("{line}: {reason}"));
        position.play(mv);
        assert_eq!(self.receive(), "done\n");
    }

    /// Sends a time slice and the opponent's first legal move, and plays it on `position`.
    pub(crate) fn play_first_move(&mut self, position: &mut Position, slice: u64) {
        let mv = position.legal_moves()[0];
        let words = FromAgent::Move(position.stops(mv)).line();
        position.play(mv);
        self.send(&format!("timeslice {slice}\n{words}done\n"));
    }

    /// Asserts that the agent closes the connection, even if it leaves lines unread.
    pub(crate) fn expect_end(&mut self) {
        match self.lines.read_to_end(&mut Vec::new()) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => {
                panic!("it has not hung up: {error}")
            }
            _ => {}
        }
    }

    pub(crate) fn wait(self) -> Output {
        self.agent.wait_with_output().unwrap()
    }

    /// Ends the game, and checks that the agent's process ends well. Returns its messages.
    pub(crate) fn end(mut self) -> String {
        self.send("winner NONE reason: enough\n");
        let output = self.wait();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{text}");
        text
    }

    /// Checks that the agent ends with exit code 3 and one line. Returns the line.
    pub(crate) fn expect_failure(self) -> String {
        assert_failed(self.wait())
    }
}

/// Checks that an agent has ended with exit code 3 and one line. Returns the line.
pub(crate) fn assert_failed(output: Output) -> String {
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}
