//! One agent's end of the line: handshake, turns, and what strangers may do.

use anyhow::{Result, anyhow, bail};
use arena::result::Fault;
use arena::result::Termination;
use engine::Side;
use engine::protocol::quote;
use foxgame::board::Point;
use foxgame::monitor::listen::{self, listen_after};
use foxgame::monitor::wire::{FromAgent, FromMonitor, Lines, read_move};
use foxgame::{Move, Position};
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use system::host_pauses;

/// The time for an agent to say `hello` after it connected, and again to be ready after it was given a role.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time for an agent to hang up after the last word.
pub(crate) const FAREWELL: Duration = Duration::from_secs(1);
/// The time after which an agent that does not read what it is sent is given up on.
const SEND_LIMIT: Duration = Duration::from_secs(5);
/// The part of a time slice that is forgiven (foxgame.md, "The monitor's protocol").
pub(crate) const GRACE: f64 = 0.05;
/// The time for which a late answer is still waited for, to tell how late it was.
const CURIOSITY: Duration = Duration::from_millis(100);
/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 60;
/// Lines of one agent that may wait to be read; one that sends more is made to wait. As many lines may come before it is
/// ready, and at a time while it waits for its game.
const MOST_LINES: usize = 256;

/// A line that came in, and when.
enum Heard {
    Line(String, Instant),
    Lost,
}

/// A turn's legal move, with its stops as they came, or what the agent did instead.
pub(crate) type Answer = Result<(Vec<Point>, Move), Failure>;

/// The failure of an agent to make a legal move in its turn.
pub enum Failure {
    /// A line that cannot be read: the reason in the words of the course's monitor, the side included.
    Unreadable(String),
    /// Anything else.
    Other(Fault),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        match failure {
            Failure::Unreadable(reason) => Fault { termination: Termination::IllegalMove, reason },
            Failure::Other(fault) => fault,
        }
    }
}

/// Whether a line of an agent's begins its handshake, rightly or not: `hello`, or `ready` without it.
pub(crate) fn introduces(line: &str) -> bool {
    says_hello(line) || FromAgent::read(line) == Some(FromAgent::Ready)
}

fn says_hello(line: &str) -> bool {
    line.split_whitespace().next() == Some("hello")
}

/// An agent that is connected.
pub(crate) struct Connection {
    stream: TcpStream,
    heard: Receiver<Heard>,
    lost: bool,
    /// Whether the agent has said `ready`.
    ready: bool,
    /// Lines that the agent may still say before it is ready.
    patience: usize,
    /// The name that it gave, or its address.
    pub name: String,
}

impl Connection {
    /// Listens to what comes in on a stream from now on, after the lines that have come already and the beginning of
    /// another.
    pub(crate) fn new(stream: TcpStream, said: Vec<String>, beginning: Lines) -> Result<Connection> {
        host_pauses::watch();
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_LIMIT))?;
        let name = stream.peer_addr()?.to_string();
        let (sender, heard) = sync_channel(MOST_LINES);
        // No more of them than an agent may say before it is ready.
        for line in said.into_iter().take(MOST_LINES) {
            let _ = sender.try_send(Heard::Line(line, Instant::now()));
        }
        listen_after(&stream, beginning, move |heard| hand_over(heard, &sender))?;
        Ok(Connection { stream, heard, lost: false, ready: false, patience: MOST_LINES, name })
    }

    /// Waits for `hello`, or for `ready` without it; gives the role it would like.
    pub(crate) fn hello(&mut self, until: Instant) -> Result<Option<Side>> {
        loop {
            let line = self.next(until)?.0;
            match self.take_in(&line)? {
                Some(FromAgent::Hello(wish)) => return Ok(wish),
                _ if self.ready => return Ok(None),
                _ => {}
            }
        }
    }

    /// Takes in what has come meanwhile. An error means that the agent has gone, or has to.
    pub(crate) fn attend(&mut self) -> Result<()> {
        loop {
            match self.heard.try_recv() {
                Ok(Heard::Line(line, _)) => self.take_in(&line)?,
                Ok(Heard::Lost) | Err(TryRecvError::Disconnected) => return Err(self.hung_up()),
                Err(TryRecvError::Empty) => return Ok(()),
            };
        }
    }

    /// Grants a role, and waits until the agent is ready.
    pub(crate) fn welcome(&mut self, side: Side, until: Instant) -> Result<()> {
        self.send(&[FromMonitor::Hello(side)]);
        while !self.ready {
            let line = self.next(until)?.0;
            self.take_in(&line)?;
        }
        Ok(())
    }

    /// Takes in a line from before the game. An error means that the agent has to go; it has been sent the reason.
    fn take_in(&mut self, line: &str) -> Result<Option<FromAgent>> {
        if self.patience == 0 {
            return Err(self.refuse(&format!("expected ready within {MOST_LINES} lines")));
        }
        self.patience -= 1;
        let said = FromAgent::read(line);
        match &said {
            Some(FromAgent::Name(name)) => {
                self.name = name.chars().filter(|symbol| !symbol.is_control()).take(LONGEST_NAME).collect();
            }
            Some(FromAgent::Ready) => self.ready = true,
            None if says_hello(line) => {
                return Err(self.refuse(&format!("expected hello, hello FOX or hello SHEEP, found {}", quote(line))));
            }
            _ => {}
        }
        Ok(said)
    }

    /// Tells the agent why it cannot stay.
    fn refuse(&mut self, reason: &str) -> anyhow::Error {
        self.write(&refusal(reason));
        anyhow!("{}: {reason}", self.name)
    }

    fn hung_up(&mut self) -> anyhow::Error {
        self.lost = true;
        anyhow!("{} hung up", self.name)
    }

    fn next(&mut self, until: Instant) -> Result<(String, Instant)> {
        match self.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Heard::Line(line, moment)) => Ok((line, moment)),
            Err(RecvTimeoutError::Timeout) => bail!("{} keeps silent", self.name),
            Ok(Heard::Lost) | Err(RecvTimeoutError::Disconnected) => Err(self.hung_up()),
        }
    }

    /// Forgets what came in while nothing was expected; whether the agent is still there, and no flood comes from it.
    pub(crate) fn is_there(&mut self) -> bool {
        for _ in 0..MOST_LINES {
            match self.heard.try_recv() {
                Ok(Heard::Line(..)) => {}
                Ok(Heard::Lost) | Err(TryRecvError::Disconnected) => {
                    self.lost = true;
                    return false;
                }
                Err(TryRecvError::Empty) => return !self.lost,
            }
        }
        false
    }

    /// Sends lines in one piece. Failures show when the agent's next line is waited for.
    pub(crate) fn send(&mut self, lines: &[FromMonitor]) {
        self.write(&lines.iter().map(FromMonitor::line).collect::<String>());
    }

    fn write(&mut self, text: &str) {
        if self.stream.write_all(text.as_bytes()).is_err() {
            // Nobody waits for an agent that cannot be told anything.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits for the two lines of a turn: a move, and any other. The clock has run since `since`; with the time that the
    /// agent took. A first line that cannot be read is an illegal move at once, however late it is.
    pub(crate) fn turn(&mut self, position: &Position, slice: Duration, since: Instant) -> (Answer, Duration) {
        let latest = since + slice.mul_f64(1.0 + GRACE);
        let fault = |termination, reason: String| Failure::Other(Fault { termination, reason });
        let late = |took: Duration, word: &str| {
            let (milliseconds, slice) = (took.as_secs_f64() * 1e3, slice.as_millis());
            let excuse = host_pauses::excuse(since, since + took);
            let reason = format!("late: {word}{milliseconds:.1} ms, the slice is {slice} ms and 5 % of grace{excuse}");
            (Err(fault(Termination::TimeForfeit, reason)), took)
        };
        let mut stops = None;
        loop {
            let (line, moment) = match self.next(latest + CURIOSITY) {
                Ok(heard) => heard,
                Err(_) if self.lost && Instant::now() <= latest => {
                    return (Err(fault(Termination::Crash, "the connection was lost".to_string())), since.elapsed());
                }
                Err(_) => return late(since.elapsed(), "no answer after "),
            };
            let took = moment.saturating_duration_since(since);
            match stops.take() {
                _ if moment > latest + CURIOSITY => return late(took, "no answer after "),
                None => match read_move(&line) {
                    Ok(read) => stops = Some(read),
                    Err(why) => return (Err(Failure::Unreadable(position.unreadable(&line, &why))), took),
                },
                Some(_) if moment > latest => return late(took, ""),
                Some(stops) => {
                    let illegal = |reason| fault(Termination::IllegalMove, reason);
                    return (position.play_over(&stops).map(|mv| (stops, mv)).map_err(illegal), took);
                }
            }
        }
    }

    /// Says who has won: the last word.
    pub(crate) fn announce(&mut self, winner: Option<Side>, reason: &str) {
        self.send(&[FromMonitor::Winner(winner, reason.to_string())]);
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Waits for the agent to hang up. A stream that is closed with something unread in it would take the last word
    /// with it.
    pub(crate) fn see_off(mut self, until: Instant) {
        let _ = self.stream.shutdown(Shutdown::Write);
        while !self.lost && Instant::now() < until {
            let _ = self.next(until);
        }
    }
}

impl Drop for Connection {
    /// Hangs up. Otherwise the threads that listen would keep the line open.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The line for an agent that is turned away. It means nothing in the protocol, so that an agent may ignore it.
pub(crate) fn refusal(reason: &str) -> String {
    format!("refused: {reason}\n")
}

/// Passes on lines as they come, until the receiver is gone. Waits while too much is waiting already.
fn hand_over(heard: listen::Heard, sender: &SyncSender<Heard>) -> ControlFlow<()> {
    let heard = match heard {
        listen::Heard::Line(line, moment) => Heard::Line(line, moment),
        listen::Heard::End(_) => Heard::Lost,
    };
    if sender.send(heard).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
