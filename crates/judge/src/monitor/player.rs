//! A program that speaks the protocol of FoxGame's monitor (foxgame.md), started for each game. Its clock is wall time.

use super::connection::{Connection, FAREWELL, HANDSHAKE};
use anyhow::{Context, Result, bail};
use arena::player::directory::PlayerDirectory;
use arena::player::exit::{NO_SUPERVISOR, Program, ending, job, turn};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::player::{OtherPlayers, Player, Traces, Turn};
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use engine::{Protocol, Side, Task};
use foxgame::monitor::wire::{FromMonitor, Lines, PORT};
use foxgame::{Move, Position};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use system::supervise::{Job, Running};

/// Programs for FoxGame that speak the monitor's protocol.
pub(crate) struct MonitorPrograms;

impl OtherPlayers<Position> for MonitorPrograms {
    const PROTOCOLS: &'static [&'static str] = &["monitor"];

    fn player(spec: &EngineSpec, bounds: &Bounds) -> Option<Result<Box<dyn Player<Position>>>> {
        match &spec.kind {
            PlayerKind::Monitor { command, directory } => {
                Some(Ok(Box::new(MonitorPlayer::new(command, directory.as_deref(), spec.clock.length(), bounds))))
            }
            _ => None,
        }
    }
}

/// No game lasts nearly as long: a program is ended when its player goes.
const LONGEST_GAME: Duration = Duration::from_secs(7 * 24 * 3600);
/// The time between two looks whether the program has connected.
const PAUSE: Duration = Duration::from_millis(5);

/// A program that is started anew for each game, and connected to.
pub(crate) struct MonitorPlayer {
    command: Vec<String>,
    slice: Duration,
    home: Option<PathBuf>,
    bounds: Bounds,
    directory: Option<PlayerDirectory>,
    running: Option<Running>,
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
    pub(crate) fn new(command: &[String], home: Option<&Path>, slice: Duration, bounds: &Bounds) -> MonitorPlayer {
        let command = command.to_vec();
        MonitorPlayer {
            command,
            slice,
            home: home.map(Path::to_owned),
            bounds: bounds.clone(),
            directory: None,
            running: None,
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
        let word = Position::side_word(side);
        let (program, own) = self.program(word)?;
        let mut running = Running::start(&program).context(NO_SUPERVISOR)?;
        let listener = match own.map_or_else(|| running.listener(), Ok) {
            Ok(listener) => listener,
            Err(error) => {
                let report = running.finish()?;
                bail!(report.not_started.unwrap_or_else(|| format!("no connection to a box: {error}")));
            }
        };
        listener.set_nonblocking(true)?;
        let until = Instant::now() + HANDSHAKE;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return Err(error.into()),
                Err(_) => {}
            }
            if running.is_over() {
                let report = running.finish()?;
                if let Some(reason) = report.not_started {
                    bail!(reason);
                }
                let how = ending(&report).unwrap_or_else(|| "exit code 0".to_string());
                return Ok(Err(format!("ended without connecting ({how})")));
            }
            if Instant::now() > until {
                return Ok(Err("did not connect".to_string()));
            }
            thread::sleep(PAUSE);
        };
        self.running = Some(running);
        stream.set_nonblocking(false)?;
        let mut connection = Connection::new(stream, Vec::new(), Lines::default())?;
        let handshake = connection.hello(until).and_then(|_| connection.welcome(side, until));
        Ok(handshake.map(|()| connection).map_err(|error| format!("{error:#}")))
    }

    /// What runs for the whole game, and the listener that it is to connect to, unless that is in its box.
    fn program(&mut self, word: &str) -> Result<(Job, Option<TcpListener>)> {
        let program = Program { command: &self.command, home: self.home.as_deref(), own_command: false };
        let directory = PlayerDirectory::new(self.home.as_deref(), &self.bounds)?;
        directory.prepare("")?;
        let mut job = turn(&job(&program, &directory, &self.bounds)?, &self.bounds, LONGEST_GAME);
        // In a box of its own every port is free; the listener comes from there.
        let own = if job.walls.namespaces { None } else { Some(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?) };
        let port = own.as_ref().map_or(Ok(PORT), |own| own.local_addr().map(|address| address.port()))?;
        job.port = Some(port);
        let port = port.to_string();
        job.command.extend(["-a", "127.0.0.1", "-p", &port, "-r", word, "-n", word].map(String::from));
        self.directory = Some(directory);
        Ok((job, own))
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
        // The program goes with all that it started, and then its directory.
        drop(self.running.take());
        drop(self.directory.take());
    }
}
