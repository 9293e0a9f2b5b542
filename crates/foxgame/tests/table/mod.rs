//! A monitor of the tests' own, with the real program at its table.
#![allow(dead_code, reason = "not every test needs all of it")]

use engine::Game;
use foxgame::Position;
use foxgame::monitor::wire::FromAgent;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A monitor of the test's own, with one agent connected.
pub(crate) struct Table {
    agent: Child,
    pub(crate) stream: TcpStream,
    lines: BufReader<TcpStream>,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Table {
    pub(crate) fn seat(arguments: &[&str]) -> Table {
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
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Table { agent, lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The next line with its end, exactly as it came.
    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }

    /// Nothing comes for a while.
    pub(crate) fn hears_nothing(&mut self, time: Duration) {
        self.stream.set_read_timeout(Some(time)).unwrap();
        let mut byte = [0];
        let heard = self.lines.read(&mut byte);
        assert!(heard.is_err(), "{heard:?} {byte:?}");
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }

    /// A move and `done`, made on the test's own board.
    pub(crate) fn takes_turn(&mut self, position: &mut Position) {
        let line = self.hear();
        assert!(line.starts_with("move ") && line.ends_with('\n') && !line.contains('\r'), "{line:?}");
        let Some(FromAgent::Move(stops)) = FromAgent::read(&line) else { panic!("{line:?}") };
        assert_eq!(FromAgent::Move(stops.clone()).line(), line, "not a blank too many");
        let mv = position.play_over(&stops).unwrap_or_else(|reason| panic!("{line}: {reason}"));
        position.play(mv);
        assert_eq!(self.hear(), "done\n");
    }

    /// The agent hangs up, whatever it leaves unread.
    pub(crate) fn hears_the_end(&mut self) {
        match self.lines.read_to_end(&mut Vec::new()) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("it has not hung up: {error}"),
            _ => {}
        }
    }

    pub(crate) fn leaves(self) -> Output {
        self.agent.wait_with_output().unwrap()
    }
}
