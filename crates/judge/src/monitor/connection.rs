//! One agent's end of the line: handshake, turns, and what strangers may do.

use crate::player::Fault;
use crate::referee::Termination;
use crate::standstill;
use anyhow::{Result, anyhow, bail};
use engine::Side;
use foxgame::board::Point;
use foxgame::listen::{self, listen};
use foxgame::wire::{FromAgent, FromMonitor};
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// An agent has to be ready so long after it connected.
pub const HANDSHAKE: Duration = Duration::from_secs(10);
/// After the last word the agent may take so long to hang up.
const FAREWELL: Duration = Duration::from_secs(1);
/// An agent that does not read what it is sent is given up on after this.
const SEND_LIMIT: Duration = Duration::from_secs(5);
/// Of a time slice, what is forgiven (foxgame.md, "The monitor's protocol").
pub const GRACE: f64 = 0.05;
/// After its latest moment an answer is waited for so much longer, to tell how late it was.
const CURIOSITY: Duration = Duration::from_millis(100);
/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 60;
/// So many lines from one agent may wait to be read; one that sends more is made to wait.
const MOST_WAITING: usize = 256;

/// What came in, and when.
enum Heard {
    Line(FromAgent, Instant),
    Lost,
}

/// An agent that is connected.
pub struct Connection {
    stream: TcpStream,
    heard: Receiver<Heard>,
    lost: bool,
    /// The name that it gave, or its address.
    pub name: String,
}

impl Connection {
    /// Listens to what comes in on a stream from now on.
    pub fn new(stream: TcpStream) -> Result<Connection> {
        standstill::watch();
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_LIMIT))?;
        let name = stream.peer_addr()?.to_string();
        let (sender, heard) = sync_channel(MOST_WAITING);
        let mut noise = 0;
        listen(&stream, move |heard| hand_over(heard, &mut noise, &sender))?;
        Ok(Connection { stream, heard, lost: false, name })
    }

    /// Waits for `hello`; gives the role it would like.
    pub fn hello(&mut self, until: Instant) -> Result<Option<Side>> {
        loop {
            if let FromAgent::Hello(wish) = self.next(until)?.0 {
                return Ok(wish);
            }
        }
    }

    /// Grants a role, and waits until the agent is ready.
    pub fn welcome(&mut self, side: Side, until: Instant) -> Result<()> {
        self.send(&[FromMonitor::Hello(side)]);
        loop {
            match self.next(until)?.0 {
                FromAgent::Name(name) => {
                    self.name = name.chars().filter(|symbol| !symbol.is_control()).take(LONGEST_NAME).collect();
                }
                FromAgent::Ready => return Ok(()),
                _ => {}
            }
        }
    }

    fn next(&mut self, until: Instant) -> Result<(FromAgent, Instant)> {
        match self.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Heard::Line(line, moment)) => Ok((line, moment)),
            Err(RecvTimeoutError::Timeout) => Err(anyhow!("{} keeps silent", self.name)),
            Ok(Heard::Lost) | Err(RecvTimeoutError::Disconnected) => {
                self.lost = true;
                bail!("{} hung up", self.name)
            }
        }
    }

    /// Forgets what came in while nothing was expected; whether the agent is still there.
    pub fn is_there(&mut self) -> bool {
        self.lost |= self.heard.try_iter().any(|heard| matches!(heard, Heard::Lost));
        !self.lost
    }

    /// Sends lines in one piece. Failures show when the agent's next line is waited for.
    pub fn send(&mut self, lines: &[FromMonitor]) {
        let text: String = lines.iter().map(FromMonitor::line).collect();
        if self.stream.write_all(text.as_bytes()).is_err() {
            // Nobody waits for an agent that cannot be told anything.
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits for `move` and `done`. The clock has run since `since`; with the time that the agent took.
    pub fn turn(&mut self, slice: Duration, since: Instant) -> (Result<Vec<Point>, Fault>, Duration) {
        let latest = since + slice.mul_f64(1.0 + GRACE);
        let fault = |termination, reason: String| Err(Fault { termination, reason });
        let late = |took: Duration, word: &str| {
            let (milliseconds, slice) = (took.as_secs_f64() * 1e3, slice.as_millis());
            let excuse = standstill::excuse(since, since + took);
            let reason = format!("late: {word}{milliseconds:.1} ms, the slice is {slice} ms and 5 % of grace{excuse}");
            (fault(Termination::TimeForfeit, reason), took)
        };
        let mut stops = None;
        loop {
            match self.next(latest + CURIOSITY) {
                Ok((line, moment)) if moment > latest => {
                    let took = moment.saturating_duration_since(since);
                    match line {
                        FromAgent::Done => return late(took, ""),
                        _ if moment > latest + CURIOSITY => return late(took, "no answer after "),
                        _ => {}
                    }
                }
                Ok((FromAgent::Move(heard), _)) => stops = Some(heard),
                Ok((FromAgent::Done, moment)) => {
                    if let Some(stops) = stops.take() {
                        return (Ok(stops), moment.saturating_duration_since(since));
                    }
                }
                Ok(_) => {}
                Err(_) if self.lost && Instant::now() <= latest => {
                    return (fault(Termination::Crash, "the connection was lost".to_string()), since.elapsed());
                }
                Err(_) => return late(since.elapsed(), "no answer after "),
            }
        }
    }

    /// Says who won, and waits a moment for the agent to hang up.
    pub fn finish(mut self, winner: Option<Side>, reason: &str) {
        self.send(&[FromMonitor::Winner(winner, reason.to_string())]);
        let _ = self.stream.shutdown(Shutdown::Write);
        // A stream that is closed with something unread in it would take the last word with it.
        let end = Instant::now() + FAREWELL;
        while !self.lost && Instant::now() < end {
            let _ = self.next(end);
        }
    }
}

impl Drop for Connection {
    /// Whoever is turned away is told so; otherwise the threads that listen would keep the line open.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Passes on what means something, until nobody is interested any more. Waits while too much is waiting already, and now
/// and then while nothing but noise comes.
fn hand_over(heard: listen::Heard, noise: &mut usize, sender: &SyncSender<Heard>) -> ControlFlow<()> {
    let heard = match heard {
        listen::Heard::Line(line, moment) => FromAgent::read(&line).map(|line| Heard::Line(line, moment)),
        listen::Heard::End(_) => Some(Heard::Lost),
    };
    let Some(heard) = heard else {
        *noise += 1;
        if noise.is_multiple_of(MOST_WAITING) {
            thread::sleep(Duration::from_millis(20));
        }
        return ControlFlow::Continue(());
    };
    *noise = 0;
    if sender.send(heard).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
