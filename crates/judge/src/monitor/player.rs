//! A program that speaks the protocol of FoxGame's monitor (foxgame.md), started for each game. Its clock is wall time.

use super::connection::{Connection, FAREWELL, HANDSHAKE};
use anyhow::{Context, Result, bail};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::player::{OtherPlayers, Player, Traces, Turn};
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use engine::{Protocol, Side, Task};
use foxgame::monitor::wire::{FromMonitor, Lines};
use foxgame::{Move, Position};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Programs for FoxGame that speak the monitor's protocol.
pub(crate) struct MonitorPrograms;

impl OtherPlayers<Position> for MonitorPrograms {
    const PROTOCOLS: &'static [&'static str] = &["monitor"];

    fn player(spec: &EngineSpec, bounds: &Bounds) -> Option<Result<Box<dyn Player<Position>>>> {
        match &spec.kind {
            PlayerKind::Monitor { command } => Some(Ok(Box::new(MonitorPlayer::new(command, spec.clock.length())))),
            _ => None,
        }
    }
}

/// The time between two looks whether the program has connected.
const PAUSE: Duration = Duration::from_millis(5);

/// A program that is started anew for each game, and connected to.
pub(crate) struct MonitorPlayer {
    command: Vec<String>,
    slice: Duration,
    child: Option<Child>,
    connection: Option<Connection>,
    begun: bool,
    /// When the clock of the program began to run, if that was before its turn was asked for.
    since: Option<Instant>,
    /// The reason why the program could not be started, if it could not.
    absent: Option<String>,
    /// The end of the game by the rules, once it has come, in the words of the course's monitor.
    verdict: Option<String>,
    /// The moment when the program was told who has won.
    told: Option<Instant>,
}

impl MonitorPlayer {
    /// A player that is not started yet.
    pub(crate) fn new(command: &[String], slice: Duration) -> MonitorPlayer {
        let command = command.to_vec();
        MonitorPlayer {
            command,
            slice,
            child: None,
            connection: None,
            begun: false,
            since: None,
            absent: None,
            verdict: None,
            told: None,
        }
    }

    /// Starts the program, and waits until it is ready.
    fn start(&mut self, side: Side) -> Result<std::result::Result<Connection, String>> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
        listener.set_nonblocking(true)?;
        let word = Position::side_word(side);
        let port = listener.local_addr()?.port().to_string();
        let Some((program, arguments)) = self.command.split_first() else { bail!("the command is empty") };
        let mut command = Command::new(program);
        command.args(arguments).args(["-a", "127.0.0.1", "-p", &port, "-r", word, "-n", word]);
        // A group of its own, so that it goes with all that it starts.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let child = command.spawn().with_context(|| format!("{program}: cannot be started"))?;
        let child = self.child.insert(child);
        let until = Instant::now() + HANDSHAKE;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return Err(error.into()),
                Err(_) => {}
            }
            if let Some(status) = child.try_wait()? {
                return Ok(Err(format!("ended without connecting ({status})")));
            }
            if Instant::now() > until {
                return Ok(Err("did not connect".to_string()));
            }
            thread::sleep(PAUSE);
        };
        stream.set_nonblocking(false)?;
        let mut connection = Connection::new(stream, Vec::new(), Lines::default())?;
        let handshake = connection.hello(until).and_then(|_| connection.welcome(side, until));
        Ok(handshake.map(|()| connection).map_err(|error| format!("{error:#}")))
    }

    fn timeslice(&self) -> FromMonitor {
        FromMonitor::Timeslice(self.slice.as_millis() as u64)
    }

    /// Tells the player that the game begins, once.
    fn begin_once(&mut self) {
        if !self.begun {
            self.begun = true;
            let lines = [self.timeslice(), FromMonitor::Begin];
            if let Some(connection) = &mut self.connection {
                connection.is_there();
                connection.send(&lines);
            }
        }
    }
}

impl Player<Position> for MonitorPlayer {
    fn begin(&mut self, start: &Position, side: Side) -> Result<()> {
        if *start != Position::initial() {
            bail!("proto=monitor: its programs know only the starting position: use --openings start");
        }
        match self.start(side)? {
            Ok(connection) => self.connection = Some(connection),
            Err(reason) => self.absent = Some(reason),
        }
        Ok(())
    }

    fn opponent_played(&mut self, before: &Position, mv: Move) -> Result<()> {
        self.begin_once();
        let lines = [self.timeslice(), FromMonitor::Move(before.stops(mv)), FromMonitor::Done];
        self.verdict = before.reason_after(mv);
        if self.verdict.is_none()
            && let Some(connection) = &mut self.connection
        {
            connection.is_there();
            connection.send(&lines);
            self.since = Some(Instant::now());
        }
        Ok(())
    }

    fn turn(&mut self, task: &Task<Position>) -> Result<Turn<Move>> {
        self.begin_once();
        let since = self.since.take().unwrap_or_else(Instant::now);
        let timeslice = self.timeslice();
        let turn = |answer, wall: Duration| Turn { answer, cpu: wall, wall, traces: Traces::default() };
        let fault = |termination, reason| Err(Fault { termination, reason });
        let Some(connection) = &mut self.connection else {
            let reason = self.absent.clone().unwrap_or_default();
            return Ok(turn(fault(Termination::Crash, reason), Duration::ZERO));
        };
        let (answer, wall) = connection.turn(&task.position, self.slice, since);
        let mv = match answer {
            Ok((_, mv)) => mv,
            Err(failure) => return Ok(turn(Err(failure.into()), wall.min(self.slice))),
        };
        self.verdict = task.position.reason_after(mv);
        if self.verdict.is_none() {
            connection.send(&[timeslice]);
        }
        // The grace is not charged.
        let mut turn = turn(Ok(mv), wall.min(self.slice));
        turn.wall = wall;
        Ok(turn)
    }

    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        if let Some(connection) = &mut self.connection {
            connection.announce(winner, self.verdict.as_deref().unwrap_or(reason));
            self.told = Some(Instant::now());
        }
    }
}

impl Drop for MonitorPlayer {
    fn drop(&mut self) {
        // Whoever plays against it is told at the same time, and waits for nobody.
        if let (Some(connection), Some(told)) = (self.connection.take(), self.told) {
            connection.see_off(told + FAREWELL);
        }
        if let Some(mut child) = self.child.take() {
            system::process_tree::kill_group(child.id());
            let _ = child.wait();
        }
    }
}
