//! The monitor's side of a connection to an agent of FoxGame: handshake, turns, and limits on what
//! an agent may send.

use anyhow::{Result, anyhow};
use arena::result::{Fault, Reason, Termination};
use engine::Side;
use engine::protocol::quote;
use foxgame::monitor::listen::{StreamEvent, listen};
use foxgame::monitor::wire::{FromAgent, FromMonitor, Lines, read_move};
use foxgame::{Move, Position};
use sandbox::host_pauses;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// The time limit for `hello` after an agent has connected, and for `ready` after it has a role.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit for an agent to close its connection after the closing message.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// The time limit for writing to an agent that does not read.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// The tolerance for late answers, as a part of the time slice.
const GRACE: f64 = 0.05;
/// The time to wait for a late answer, so that the message can say how late it was.
const LATE_ANSWER_WAIT: Duration = Duration::from_millis(100);
/// The time between two checks whether an agent that is not ready has lost its slot.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The length in characters to which an agent's name is cut.
const MAX_NAME_LENGTH: usize = 60;
/// The maximum number of an agent's unread lines; reading from the agent pauses beyond it. The same
/// limit holds for the lines before `ready`, and at a time while the agent waits for its game.
const MAX_LINES: usize = 256;

/// Whether a line starts a handshake: `hello`, well-formed or not, or `ready` without it.
pub fn starts_handshake(line: &str) -> bool {
    is_hello(line) || FromAgent::read(line) == Some(FromAgent::Ready)
}

fn is_hello(line: &str) -> bool {
    line.split_whitespace().next() == Some("hello")
}

/// A connection to an agent.
pub struct AgentConnection {
    stream: TcpStream,
    received: Receiver<StreamEvent>,
    is_closed: bool,
    is_ready: bool,
    /// The number of lines that the agent may still send before `ready`.
    lines_before_ready: usize,
    /// The name that the agent gave, or its address.
    pub name: String,
}

impl AgentConnection {
    /// Starts to read from a stream. `lines` have been read from the stream already, and `partial`
    /// has the beginning of the next line.
    pub fn new(stream: TcpStream, lines: Vec<String>, partial: Lines) -> Result<AgentConnection> {
        host_pauses::watch();
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_TIMEOUT))?;
        let name = stream.peer_addr()?.to_string();
        let (sender, received) = sync_channel(MAX_LINES);
        // The channel has room for these lines, and more of them than this are refused anyway.
        for line in lines.into_iter().take(MAX_LINES) {
            let _ = sender.try_send(StreamEvent::Line(line, Instant::now()));
        }
        listen(&stream, partial, move |event| match sender.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        Ok(AgentConnection {
            stream,
            received,
            is_closed: false,
            is_ready: false,
            lines_before_ready: MAX_LINES,
            name,
        })
    }

    /// Waits for `hello`, or for `ready` without it, and returns the role that the agent prefers.
    pub fn hello(&mut self, until: Instant) -> Result<Option<Side>> {
        loop {
            let line = self.next_line(until)?.0;
            match self.read_handshake_line(&line)? {
                Some(FromAgent::Hello(preference)) => return Ok(preference),
                _ if self.is_ready => return Ok(None),
                _ => {}
            }
        }
    }

    /// Processes the lines that have arrived, and returns whether the agent is ready.
    ///
    /// # Errors
    /// The agent has closed the connection, or has been refused.
    pub fn process_pending(&mut self) -> Result<bool> {
        while let Some((line, _)) = self.wait_for_line(Instant::now())? {
            self.read_handshake_line(&line)?;
        }
        Ok(self.is_ready)
    }

    /// Sends the agent its role and waits until the agent is ready. The agent is refused if
    /// `is_evicted` returns true before that.
    pub fn assign_role(
        &mut self,
        side: Side,
        until: Instant,
        is_evicted: impl Fn() -> bool,
    ) -> Result<()> {
        self.send(&[FromMonitor::Hello(side)]);
        while !self.is_ready {
            if is_evicted() {
                return Err(self.refuse("others have come, and you are not ready"));
            }
            match self.wait_for_line(until.min(Instant::now() + POLL_INTERVAL))? {
                Some((line, _)) => drop(self.read_handshake_line(&line)?),
                None if Instant::now() >= until => return Err(self.timeout_error()),
                None => {}
            }
        }
        Ok(())
    }

    /// Processes a line from before the game.
    ///
    /// # Errors
    /// The agent has been refused and has been sent the reason.
    fn read_handshake_line(&mut self, line: &str) -> Result<Option<FromAgent>> {
        if self.lines_before_ready == 0 {
            return Err(self.refuse(&format!("expected ready within {MAX_LINES} lines")));
        }
        self.lines_before_ready -= 1;
        let message = FromAgent::read(line);
        match &message {
            Some(FromAgent::Name(name)) => {
                self.name = name
                    .chars()
                    .filter(|symbol| !symbol.is_control())
                    .take(MAX_NAME_LENGTH)
                    .collect();
            }
            Some(FromAgent::Ready) => self.is_ready = true,
            None if is_hello(line) => {
                return Err(self.refuse(&format!(
                    "expected hello, hello FOX or hello SHEEP, found {}",
                    quote(line)
                )));
            }
            _ => {}
        }
        Ok(message)
    }

    /// Sends the agent the reason why it is refused, and returns that reason as an error.
    fn refuse(&mut self, reason: &str) -> anyhow::Error {
        self.write(&refusal_line(reason));
        anyhow!("{}: {reason}", self.name)
    }

    fn timeout_error(&self) -> anyhow::Error {
        anyhow!("{} did not answer in time", self.name)
    }

    fn next_line(&mut self, until: Instant) -> Result<(String, Instant)> {
        self.wait_for_line(until)?.ok_or_else(|| self.timeout_error())
    }

    /// Waits for the next line and returns it with the time of its arrival, or `None` if there is
    /// none in time.
    fn wait_for_line(&mut self, until: Instant) -> Result<Option<(String, Instant)>> {
        match self.received.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(StreamEvent::Line(line, moment)) => Ok(Some((line, moment))),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(StreamEvent::End(_)) | Err(RecvTimeoutError::Disconnected) => {
                self.is_closed = true;
                Err(anyhow!("{} closed the connection", self.name))
            }
        }
    }

    /// Discards lines that arrived while none was expected. Returns false if the connection is
    /// closed, or if more lines than the maximum were waiting.
    pub fn discard_pending(&mut self) -> bool {
        for _ in 0..MAX_LINES {
            match self.wait_for_line(Instant::now()) {
                Ok(Some(_)) => {}
                Ok(None) => return !self.is_closed,
                Err(_) => return false,
            }
        }
        false
    }

    /// Sends lines in one write.
    pub fn send(&mut self, lines: &[FromMonitor]) {
        self.write(&lines.iter().map(FromMonitor::line).collect::<String>());
    }

    fn write(&mut self, text: &str) {
        if self.stream.write_all(text.as_bytes()).is_err() {
            // The next read reports it.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits for the two lines of a turn, a move and any second line, and returns the answer with
    /// the time that the agent took. The clock has run since `since`, but for the time that the
    /// agent was kept waiting for a processor, which `waited` measures. A malformed first line
    /// counts as an illegal move even if it is late.
    pub fn turn(
        &mut self,
        position: &Position,
        slice: Duration,
        since: Instant,
        waited: &mut dyn FnMut() -> Duration,
    ) -> (Result<Move, Fault>, Duration) {
        let grace = since + slice.mul_f64(1.0 + GRACE);
        let mut latest = grace;
        let late = |took: Duration, prefix: &str| {
            let (ms, slice) = (took.as_secs_f64() * 1e3, slice.as_millis());
            let excuse = host_pauses::excuse(since, since + took);
            let reason = format!(
                "late: {prefix}{ms:.1} ms, the slice is {slice} ms and 5 % of grace{excuse}"
            );
            (Err(Fault::new(Termination::TimeForfeit, reason)), took)
        };
        let mut stops = None;
        loop {
            let next = self.next_line(latest + LATE_ANSWER_WAIT);
            if Instant::now() > latest {
                // An agent cannot keep itself waiting for more than a slice.
                let longer = grace + waited().min(slice);
                if longer > latest {
                    latest = longer;
                    if next.is_err() && !self.is_closed {
                        continue;
                    }
                }
            }
            let (line, moment) = match next {
                Ok(line) => line,
                Err(_) if self.is_closed && Instant::now() <= latest => {
                    let lost = Fault::new(Termination::Crash, "the connection was lost");
                    return (Err(lost), since.elapsed());
                }
                Err(_) => return late(since.elapsed(), "no answer after "),
            };
            let took = moment.saturating_duration_since(since);
            match stops.take() {
                _ if moment > latest + LATE_ANSWER_WAIT => return late(took, "no answer after "),
                None => match read_move(&line) {
                    Ok(read) => stops = Some(read),
                    Err(why) => {
                        let reason = Reason::NamesSide(position.unreadable(&line, &why));
                        return (Err(Fault::new(Termination::IllegalMove, reason)), took);
                    }
                },
                Some(_) if moment > latest => return late(took, ""),
                Some(stops) => {
                    // The words then begin with the side that has no piece there.
                    let is_empty = stops.len() > 1 && position.board().empty().contains(stops[0]);
                    let illegal = |words| {
                        let kind = if is_empty { Reason::NamesSide } else { Reason::Words };
                        Fault::new(Termination::IllegalMove, kind(words))
                    };
                    return (position.play_over(&stops).map_err(illegal), took);
                }
            }
        }
    }

    /// Sends the winner and the reason, which is the closing message.
    pub fn announce(&mut self, winner: Option<Side>, reason: &str) {
        self.send(&[FromMonitor::Winner(winner, reason.to_string())]);
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Waits for the agent to close its end: closing a socket with unread data resets the
    /// connection, which may discard the closing message.
    pub fn close(&mut self, until: Instant) {
        let _ = self.stream.shutdown(Shutdown::Write);
        while !self.is_closed && Instant::now() < until {
            let _ = self.next_line(until);
        }
    }
}

impl Drop for AgentConnection {
    /// Shuts the stream down, which the listening threads would keep open.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The line for an agent that is refused. It is no message of the protocol, so that an agent may
/// ignore it.
pub fn refusal_line(reason: &str) -> String {
    format!("refused: {reason}\n")
}
