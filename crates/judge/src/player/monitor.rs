//! A program that speaks the protocol of FoxGame's monitor (foxgame.md), started for each game. Its clock is wall time.

use super::{Fault, Player, Traces, Turn};
use crate::monitor::connection::{Connection, FAREWELL, HANDSHAKE};
use crate::referee::Termination;
use anyhow::{Context, Result, anyhow, bail};
use engine::{Agent, OneRuleSet, Protocol, RuleSet, Side, Task};
use foxgame::Position;
use foxgame::wire::{FromMonitor, Lines};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often to look whether the program has connected.
const PAUSE: Duration = Duration::from_millis(5);

/// A program that is started anew for each game, and connected to.
pub struct MonitorPlayer {
    command: Vec<String>,
    slice: Duration,
    child: Option<Child>,
    connection: Option<Connection>,
    begun: bool,
    /// When its clock began to run, if that was before its turn was asked for.
    since: Option<Instant>,
    /// Why it cannot play, if it could not be seated.
    absent: Option<String>,
    /// Why the game is over, once it is by the rules, in the words of the course's monitor.
    verdict: Option<String>,
    /// When it was told who has won.
    told: Option<Instant>,
}

impl MonitorPlayer {
    /// A player that is not started yet.
    pub fn new(command: &[String], slice: Duration) -> MonitorPlayer {
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
    fn seat(&mut self, side: Side) -> Result<std::result::Result<Connection, String>> {
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

/// The same position of the game that the protocol is for. The protocol is FoxGame's alone, and the texts of its files
/// lead there from a game whose type is not known here.
fn foxgame<A: Agent>(position: &A) -> Result<Position> {
    let task = Task { position: position.clone(), control: engine::TimeControl::Single, clock: Duration::from_secs(1) };
    let read = Position::read_task(&A::write_task(&task), OneRuleSet);
    Ok(read.map_err(|error| anyhow!("proto=monitor: {error}"))?.position)
}

impl<A: Agent> Player<A> for MonitorPlayer {
    fn begin(&mut self, start: &A, side: Side) -> Result<()> {
        if *start != A::start(<A::Rules as RuleSet>::JUDGE) {
            bail!("proto=monitor: its programs know only the starting position: use --openings start");
        }
        match self.seat(side)? {
            Ok(connection) => self.connection = Some(connection),
            Err(reason) => self.absent = Some(reason),
        }
        Ok(())
    }

    fn opponent_played(&mut self, before: &A, mv: A::Move) -> Result<()> {
        self.begin_once();
        let position = foxgame(before)?;
        let mv = position.read_move(&before.write_move(mv)).map_err(|violation| anyhow!("{violation}"))?;
        let lines = [self.timeslice(), FromMonitor::Move(position.stops(mv)), FromMonitor::Done];
        self.verdict = position.reason_after(mv);
        if self.verdict.is_none()
            && let Some(connection) = &mut self.connection
        {
            connection.is_there();
            connection.send(&lines);
            self.since = Some(Instant::now());
        }
        Ok(())
    }

    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        self.begin_once();
        let since = self.since.take().unwrap_or_else(Instant::now);
        let timeslice = self.timeslice();
        let turn = |answer, wall: Duration| Turn { answer, cpu: wall, wall, traces: Traces::default() };
        let fault = |termination, reason| Err(Fault { termination, reason });
        let Some(connection) = &mut self.connection else {
            let reason = self.absent.clone().unwrap_or_default();
            return Ok(turn(fault(Termination::Crash, reason), Duration::ZERO));
        };
        let position = foxgame(&task.position)?;
        let (answer, wall) = connection.turn(&position, self.slice, since);
        let mv = match answer {
            Ok((_, mv)) => mv,
            Err(failure) => return Ok(turn(Err(failure.into()), wall.min(self.slice))),
        };
        self.verdict = position.reason_after(mv);
        if self.verdict.is_none() {
            connection.send(&[timeslice]);
        }
        let mv = task.position.read_move(&position.write_move(mv)).map_err(|violation| anyhow!("{violation}"))?;
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
            super::os::kill_group(child.id());
            let _ = child.wait();
        }
    }
}
