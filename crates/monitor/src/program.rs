//! Players of FoxGame that speak the monitor's protocol: a program is started for each game and its
//! clock measures wall time.

use crate::agent::{ConnectedAgent, foxgame};
use crate::connection::{AgentConnection, HANDSHAKE_TIMEOUT};
use anygame::game::GameFiles;
use anygame::{AnyMove, AnyTask};
use anyhow::bail;
use arena::player::blame::{Blame, NoTurn};
use arena::player::directory::PlayerDirectory;
use arena::player::exit::{GameProgram, Program, ending};
use arena::player::protocol::PlayerProtocol;
use arena::player::start::{StartAttempt, Starter};
use arena::player::{Player, Turn, shortened};
use arena::processors;
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use engine::{Protocol, Side};
use foxgame::Position;
use foxgame::monitor::wire::{Lines, PORT};
use sandbox::job::{Job, TurnLimits};
use sandbox::room::{self, Place};
use sandbox::supervise::Running;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

/// The protocol of FoxGame's monitor, as in `proto=monitor`.
pub const MONITOR: PlayerProtocol = PlayerProtocol {
    name: "monitor",
    help: &[
        "the program plays over TCP, started with -a HOST -p PORT -r ROLE",
        "-n NAME; st= is wall time then, and 5 % more is forgiven",
    ],
    refusal: |has_st, has_margin| match (has_st, has_margin) {
        (false, _) => Some("the monitor's clock is for each move: expected st=SECONDS"),
        (true, true) => Some("5 % of st= is forgiven; margin= is for files"),
        (true, false) => None,
    },
    player: |program, spec, bounds| {
        Box::new(MonitorPlayer::new(program, spec.clock.length(), bounds))
    },
};

/// The time between two checks whether the program has connected.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

struct MonitorPlayer {
    /// The program as a player, or the reason why it could not be started. It is dropped first,
    /// then the processes, and at last their directory.
    agent: Result<ConnectedAgent, String>,
    running: Option<Running>,
    /// The room for the programs of both players.
    place: Option<Rc<Place>>,
    directory: Option<PlayerDirectory>,
    program: GameProgram,
    slice: Duration,
    /// Whether the opponent's program runs on the same processors.
    shares: bool,
}

impl MonitorPlayer {
    fn new(program: &Program, slice: Duration, bounds: &Bounds) -> MonitorPlayer {
        MonitorPlayer {
            program: GameProgram::new(program, bounds),
            slice,
            directory: None,
            running: None,
            place: None,
            shares: processors::share().len() < 2,
            agent: Err(String::new()),
        }
    }

    /// Prepares the turn of the program: it thinks on the opponent's time as well, but only where
    /// the opponent leaves a processor to it. Its waiting counts from now on.
    fn on_turn(&mut self) {
        if let Some(running) = &mut self.running {
            if self.shares {
                running.let_others_first(false);
            }
            running.begin_turn(TurnLimits::NONE);
        }
    }

    /// Starts the program and waits until it is ready. The inner error is the reason why the
    /// program cannot play.
    fn start(&mut self, side: Side) -> anyhow::Result<Result<AgentConnection, String>> {
        let role = Position::side_word(side);
        let (directory, mut job) = self.program.prepare(GameFiles::USUAL)?;
        let own = connects(&mut job, role)?;
        // Both programs of a game run at the same time.
        job.processors = processors::half(side.index());
        self.place = room::take_for_game(&job);
        let until = Instant::now() + HANDSHAKE_TIMEOUT;
        let started = Starter::new(&self.program.program())
            .start(&job, &directory, || start_and_accept(&job, own.as_ref(), until));
        self.directory = Some(directory);
        let (running, stream) = match started {
            Ok(Ok(both)) => both,
            Ok(Err(reason)) => return Ok(Err(reason)),
            Err(NoTurn { blame: Blame::Player, reason }) => return Ok(Err(reason)),
            Err(error) => return Err(error.into()),
        };
        self.running = Some(running);
        stream.set_nonblocking(false)?;
        let mut connection = AgentConnection::new(stream, Vec::new(), Lines::default())?;
        let handshake =
            connection.hello(until).and_then(|_| connection.assign_role(side, until, || false));
        Ok(handshake.map(|()| connection).map_err(|error| format!("{error:#}")))
    }
}

/// Tells a job's program where it connects. Returns the listener there; `None` for a job with
/// namespaces, since the sandbox makes one in the network namespace.
fn connects(job: &mut Job, role: &str) -> io::Result<Option<TcpListener>> {
    // In a network namespace of its own every port is free.
    let (own, port) = if job.layers.namespaces {
        (None, PORT)
    } else {
        let own = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = own.local_addr()?.port();
        (Some(own), port)
    };
    job.port = Some(port);
    let port = port.to_string();
    job.command.extend(["-a", "127.0.0.1", "-p", &port, "-r", role, "-n", role].map(String::from));
    Ok(own)
}

/// Starts a job's program and waits for its connection to the judge's own listener `own`, or else
/// to that of its sandbox. The inner error is the reason why the program has not connected.
fn start_and_accept(
    job: &Job,
    own: Option<&TcpListener>,
    until: Instant,
) -> io::Result<StartAttempt<Result<(Running, TcpStream), String>>> {
    let mut running = Running::start(job)?;
    let listener = match own.map_or_else(|| running.listener(), TcpListener::try_clone) {
        Ok(listener) => listener,
        Err(error) => {
            let refused = running.finish()?.not_started.map(StartAttempt::Refused);
            return refused.ok_or(error);
        }
    };
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(StartAttempt::Begun(Ok((running, stream)))),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            Err(_) => {}
        }
        if running.is_over() {
            let report = running.finish()?;
            if let Some(reason) = report.not_started {
                return Ok(StartAttempt::Refused(reason));
            }
            let how = ending(&report).map_or("exit code 0".to_string(), |exit| exit.to_string());
            return Ok(StartAttempt::Begun(Err(format!("ended without connecting ({how})"))));
        }
        if Instant::now() > until {
            return Ok(StartAttempt::Begun(Err("did not connect".to_string())));
        }
        thread::sleep(POLL_INTERVAL);
    }
}

impl Player for MonitorPlayer {
    fn begin(&mut self, start: &anygame::Position, side: Side) -> anyhow::Result<()> {
        if *foxgame(start)? != Position::initial() {
            bail!(
                "proto=monitor: its programs know only the starting position: use --openings start"
            );
        }
        // The game begins with the first turn: SHEEP's program is started only after FOX's.
        let started = self.start(side)?;
        self.on_turn();
        if let (true, Side::Second, Some(running)) = (self.shares, side, &self.running) {
            running.let_others_first(true);
        }
        self.agent = started.map(|connection| ConnectedAgent::new(connection, self.slice));
        Ok(())
    }

    fn opponent_played(&mut self, before: &anygame::Position, mv: &AnyMove) -> anyhow::Result<()> {
        self.on_turn();
        self.agent.as_mut().map_or(Ok(()), |agent| agent.opponent_played(before, mv))
    }

    fn turn(&mut self, task: &AnyTask) -> anyhow::Result<Turn> {
        match &mut self.agent {
            Ok(agent) => {
                let used = || self.running.as_ref().and_then(Running::used);
                let mut turn = agent
                    .turn_measured(task, &mut || used().map_or(Duration::ZERO, |used| used.waited));
                let said = self.running.as_mut().and_then(Running::end_turn);
                if let (Ok(turn), Some((_, said))) = (&mut turn, said) {
                    turn.traces.stderr = shortened(said, self.program.bounds.keep);
                }
                if let (true, Some(running)) = (self.shares, &self.running) {
                    running.let_others_first(true);
                }
                turn
            }
            Err(reason) => Ok(Turn::lost(Fault::new(Termination::Crash, reason.clone()))),
        }
    }

    fn end_reason(&self) -> Option<String> {
        self.agent.as_ref().ok()?.end_reason()
    }

    fn finish(&mut self, winner: Option<Side>, reason: &str) {
        if let Ok(agent) = &mut self.agent {
            agent.finish(winner, reason);
        }
    }
}
