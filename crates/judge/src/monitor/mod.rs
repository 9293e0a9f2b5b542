//! `judge monitor`: runs games of FoxGame between agents that connect (foxgame.md, "The monitor's protocol").

pub(crate) mod connection;
mod door;
mod http;
mod live;
mod lobby;
mod places;
pub(crate) mod player;
mod roles;
mod times;

use crate::interrupt;
use crate::output::print;
use anyhow::Result;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{End, Event, Header, MoveRecord, Recorder, Start, VERSION};
use arena::result::Termination;
use arena::terms::Bounds;
use arena::terms::Clock;
use arena::terms::LimitRule;
use arena::terms::{Openings, Shape};
use clap::Args;
use connection::{Connection, FAREWELL, Failure};
use engine::{Game, Outcome, Protocol, Side, Task};
use foxgame::monitor::wire::{FromMonitor, PORT};
use foxgame::{Move, Position};
use live::Live;
use lobby::Lobby;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use system::priority::be_prompt;
use times::Times;

/// The options of `judge monitor`.
#[derive(Args)]
pub(crate) struct MonitorOptions {
    /// The port to listen on; 0 takes a free one
    #[arg(short, long, default_value_t = PORT)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    bind: String,

    /// Milliseconds of wall time for each turn; 5 % more are forgiven
    #[arg(short, long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeslice: u64,

    /// Leave after this number of games
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Append everything to a new file of JSON lines, for judge replay and judge watch
    #[arg(short, long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the board in the terminal after each move
    #[arg(short, long)]
    watch: bool,

    /// Serve a page that follows the game, on this port of the loopback address; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
}

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example, in three windows:
  judge monitor --port 6000 --timeslice 500 --watch --http 8000 --record games.jsonl
  foxgame -a localhost -p 6000 -r fox -n Reineke
  foxgame -a localhost -p 6000 -r sheep -n Flock
and a browser on http://127.0.0.1:8000/ follows the game. Afterwards: judge replay games.jsonl --html games.html
Prints one line a game. Exit code: 0 all games were played; 130 interrupted; 2 a port, a file or the command line is bad.";

/// Runs the number of games that was asked for.
pub(crate) fn monitor(options: &MonitorOptions) -> Result<ExitCode> {
    interrupt::catch()?;
    let mut recorder = match &options.record {
        Some(path) => Recorder::create(path, &Event::Header(header(options)))?,
        None => Recorder::nowhere(),
    };
    let lobby = Lobby::open(&options.bind, options.port)?;
    let live = Live::new(options.watch);
    eprintln!("listening on {}, {} ms a turn", lobby.address, options.timeslice);
    if let Some(port) = options.http {
        let address = http::serve(port, live.clone())?;
        eprintln!("the game is shown on http://{address}/");
    }
    // This thread and those that listen to agents keep the time; those that serve viewers do not.
    be_prompt();
    let mut times = Times::default();
    let mut code = ExitCode::SUCCESS;
    for number in 1..=options.games {
        let Some(agents) = (if interrupt::asked() { None } else { lobby.pair(interrupt::asked) }) else {
            code = ExitCode::from(interrupt::EXIT_CODE);
            break;
        };
        let mut sink = |event: Event| {
            live.show(&event);
            recorder.append(&event)
        };
        let end = game(number, agents, Duration::from_millis(options.timeslice), &mut times, &mut sink)?;
        let [fox, sheep] = &end.players;
        let winner = end.winner.map_or("NONE", |index| Position::SIDES[index]);
        print(&format!(
            "game {number}: FOX {fox}, SHEEP {sheep}: winner {winner}, {} ({}), {} plies\n",
            end.termination, end.reason, end.plies
        ));
        lobby.free();
    }
    eprintln!("{times}");
    Ok(code)
}

fn header(options: &MonitorOptions) -> Header {
    // Who plays is only known when they come; a record's reader takes their names from the games.
    let anybody = EngineSpec {
        name: String::new(),
        kind: PlayerKind::Monitor { command: Vec::new(), directory: None },
        clock: Clock::Single(options.timeslice as f64 / 1e3),
        margin: 0.0,
    };
    Header {
        version: VERSION,
        game: Position::NAME.to_string(),
        rules: None,
        engines: vec![anybody],
        shape: Shape::Roundrobin,
        // There is no schedule.
        pairs: 0,
        openings: Openings::Start,
        seed: 0,
        max_plies: Position::PLY_LIMIT,
        at_limit: LimitRule::Draw,
        bounds: Bounds::default(),
        shard: None,
        rounds: None,
        adjudication: Default::default(),
    }
}

/// The names of two agents, with their roles if they gave the same one.
fn names(agents: &[Connection; 2]) -> [String; 2] {
    let [fox, sheep] = [&agents[0].name, &agents[1].name];
    if fox == sheep {
        return Side::BOTH.map(|side| format!("{fox} ({})", Position::side_word(side)));
    }
    [fox.clone(), sheep.clone()]
}

/// One game from `begin` to `winner`.
fn game(
    number: u32,
    mut agents: [Connection; 2],
    slice: Duration,
    times: &mut Times,
    sink: &mut dyn FnMut(Event) -> Result<()>,
) -> Result<End> {
    let players = names(&agents);
    let mut position = Position::initial();
    let control = engine::TimeControl::Single;
    let opening = Position::write_task(&Task { position: position.clone(), control, clock: slice });
    sink(Event::Start(Start { game: number, players: players.clone(), opening, line: Vec::new(), walls: None }))?;
    let timeslice = FromMonitor::Timeslice(slice.as_millis() as u64);
    for agent in &mut agents {
        // What was sent before the game began is nobody's turn.
        agent.is_there();
        agent.send(&[timeslice.clone(), FromMonitor::Begin]);
    }
    let mut since = Instant::now();
    let (mut plies, mut used) = (0, [0.0; 2]);
    let (winner, termination, reason) = loop {
        let side = position.side_to_move();
        let (answer, took) = agents[side.index()].turn(&position, slice, since);
        used[side.index()] += took.as_secs_f64();
        times.add(took, slice);
        let (stops, mv) = match answer {
            Ok(legal) => legal,
            Err(failure) => {
                let (termination, reason) = blame(&position, plies + 1, failure);
                break (Some(side.other()), termination, reason);
            }
        };
        sink(Event::Move(move_record(number, plies, &position, mv, took)))?;
        let reason = position.reason_after(mv);
        position.play(mv);
        plies += 1;
        if let Some(reason) = reason {
            break (position.outcome().and_then(Outcome::winner), Termination::Normal, reason);
        }
        let other = &mut agents[side.other().index()];
        other.is_there();
        other.send(&[timeslice.clone(), FromMonitor::Move(stops), FromMonitor::Done]);
        since = Instant::now();
        agents[side.index()].send(std::slice::from_ref(&timeslice));
    };
    times.end(termination);
    agents.iter_mut().for_each(|agent| agent.announce(winner, &reason));
    let end = Instant::now() + FAREWELL;
    agents.into_iter().for_each(|agent| agent.see_off(end));
    let end = End {
        game: number,
        players,
        winner: winner.map(Side::index),
        points: None,
        termination,
        reason,
        plies,
        cpu: used.map(round),
        board: Some(position.picture(None)),
        fault: None,
    };
    sink(Event::End(end.clone()))?;
    Ok(end)
}

/// The end of a game that the side to move has lost by its failure.
fn blame(position: &Position, ply: u32, failure: Failure) -> (Termination, String) {
    let side = Position::side_word(position.side_to_move());
    match failure {
        Failure::Unreadable(reason) => (Termination::IllegalMove, reason),
        Failure::Other(fault) => (fault.termination, format!("{side} (ply {ply}): {}", fault.reason)),
    }
}

/// The record of a move. The clock of these games is wall time, which therefore stands in both places.
fn move_record(game: u32, ply: u32, position: &Position, mv: Move, took: Duration) -> MoveRecord {
    let seconds = round(took.as_secs_f64());
    MoveRecord {
        game,
        ply,
        side: Position::side_word(position.side_to_move()).to_string(),
        mv: position.describe_move(mv),
        output: position.write_move(mv),
        cpu: seconds,
        wall: seconds,
        left: None,
        score: None,
        depth: None,
        stdout: String::new(),
        stderr: String::new(),
        note: None,
        analysis: None,
    }
}

/// Seconds rounded to microseconds.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
