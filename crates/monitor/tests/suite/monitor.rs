//! A real monitor, and the tests' own agents, which talk to it line by line.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use testing::server::{PATIENCE, Server};

/// A slice in milliseconds that no test waits for.
pub(crate) const LONG: &str = "600000";
pub(crate) const SLICE: u64 = 600_000;

pub(crate) fn program() -> String {
    testing::example(env!("CARGO_PKG_NAME"), "monitor")
}

pub(crate) struct Monitor {
    pub server: Server,
    /// The address and port of the page with the running game.
    pub page: Option<String>,
}

impl Deref for Monitor {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Monitor {
    pub(crate) fn start(arguments: &[&str]) -> Monitor {
        let mut server = Server::start(Command::new(program()).args(arguments));
        let page = arguments.contains(&"--http").then(|| {
            let line = server.message();
            let address = line.strip_prefix("the game is shown on http://").unwrap();
            address.trim_end_matches('/').to_string()
        });
        Monitor { server, page }
    }

    pub(crate) fn agent(&self) -> Agent {
        Agent::on(self.connect())
    }

    pub(crate) fn agent_that_says(&self, text: &str) -> Agent {
        let mut agent = self.agent();
        agent.say(text);
        agent
    }

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

    /// An agent that is ready to play this role, which those who have just left may still have.
    pub(crate) fn seated(&self, role: &str) -> Agent {
        let (start, hello) = (Instant::now(), format!("hello {role}\n"));
        loop {
            let mut agent = self.agent();
            if agent.stream.write_all(hello.as_bytes()).is_ok() && agent.hear() == hello {
                agent.say("ready\n");
                return agent;
            }
            assert!(start.elapsed() < PATIENCE, "{role} is not to be had");
            sleep(Duration::from_millis(5));
        }
    }

    /// FOX and SHEEP, both [seated](Self::seated).
    pub(crate) fn seated_pair(&self) -> [Agent; 2] {
        ["FOX", "SHEEP"].map(|role| self.seated(role))
    }

    /// Two agents whose game has begun.
    pub(crate) fn game(&self, slice: u64) -> [Agent; 2] {
        let mut pair = self.pair();
        pair.iter_mut().for_each(|agent| agent.hears_the_beginning(slice));
        pair
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

    #[track_caller]
    pub(crate) fn hears_the_beginning(&mut self, slice: u64) {
        self.hears(&[&format!("timeslice {slice}\n"), "begin\n"]);
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
