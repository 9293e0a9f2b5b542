//! `judge monitor`: runs games of FoxGame between agents that connect (foxgame.md, "The monitor's protocol").

pub mod connection;
mod http;
mod live;
mod lobby;

use crate::interrupt;
use crate::player::process::Bounds;
use crate::player::spec::Clock;
use crate::player::{EngineSpec, Fault, Kind};
use crate::record::{End, Event, Header, PlayRecord, Recorder, Start, VERSION};
use crate::referee::{LimitRule, Termination};
use crate::schedule::{Openings, Shape};
use anyhow::Result;
use clap::Args;
use connection::Connection;
use engine::{Game, Protocol, Side, Task};
use foxgame::wire::{FromMonitor, PORT};
use foxgame::{Play, Position};
use live::Live;
use lobby::Lobby;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The options of `judge monitor`.
#[derive(Args)]
pub struct MonitorOptions {
    /// The port to listen on; 0 takes a free one
    #[arg(short, long, default_value_t = PORT)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    bind: String,

    /// Milliseconds of wall time for each turn; 5 % more are forgiven
    #[arg(short, long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeslice: u64,

    /// Leave after so many games
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Append everything to a new file of JSON lines, for judge replay and judge watch
    #[arg(short, long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the board in the terminal after each play
    #[arg(short, long)]
    watch: bool,

    /// Serve a page that follows the game, on this port of the loopback address; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
}

/// An example for the help text.
pub const EXAMPLE: &str = "\
Example, in three windows:
  judge monitor --port 6000 --timeslice 500 --watch --http 8000 --record games.jsonl
  foxgame -a localhost -p 6000 -r fox -n Reineke
  foxgame -a localhost -p 6000 -r sheep -n Flock
and a browser on http://127.0.0.1:8000/ follows the game. Afterwards: judge replay games.jsonl --html games.html
Prints one line a game. Exit code: 0 all games were played; 130 interrupted; 2 a port, a file or the command line is bad.";

/// Runs games until there were enough.
pub fn monitor(options: &MonitorOptions) -> Result<ExitCode> {
    interrupt::catch()?;
    foxgame::promptness::be_prompt();
    let mut recorder = match &options.record {
        Some(path) => Recorder::create(path, &header(options))?,
        None => Recorder::nowhere(),
    };
    let lobby = Lobby::open(&options.bind, options.port)?;
    let live = Live::new(options.watch);
    eprintln!("listening on {}, {} ms a turn", lobby.address, options.timeslice);
    if let Some(port) = options.http {
        let address = http::serve(port, live.clone())?;
        eprintln!("the game is shown on http://{address}/");
    }
    for number in 1..=options.games {
        let Some(seats) = (if interrupt::asked() { None } else { lobby.pair(interrupt::asked) }) else {
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        };
        let mut sink = |event: Event| {
            live.show(&event);
            recorder.append(&event)
        };
        let end = game(number, seats, Duration::from_millis(options.timeslice), &mut sink)?;
        let [fox, sheep] = &end.players;
        let winner = end.winner.map_or("NONE", |index| Position::SIDES[index]);
        crate::print(&format!(
            "game {number}: FOX {fox}, SHEEP {sheep}: winner {winner}, {} ({}), {} plies\n",
            end.termination, end.reason, end.plies
        ));
        Side::BOTH.into_iter().for_each(|side| lobby.free(side));
    }
    Ok(ExitCode::SUCCESS)
}

fn header(options: &MonitorOptions) -> Header {
    let clock = Clock::Single(options.timeslice as f64 / 1e3);
    let seat = |side: Side| EngineSpec {
        name: format!("any agent as {}", Position::side_word(side)),
        kind: Kind::Monitor { command: Vec::new() },
        clock,
        margin: 0.0,
    };
    Header {
        version: VERSION,
        game: Position::NAME.to_string(),
        rules: None,
        engines: Side::BOTH.map(seat).to_vec(),
        shape: Shape::Roundrobin,
        pairs: options.games.div_ceil(2),
        openings: Openings::Start,
        seed: 0,
        max_plies: Position::PLY_LIMIT,
        at_limit: LimitRule::Draw,
        bounds: Bounds::default(),
        shard: None,
    }
}

/// One game from `begin` to `winner`.
fn game(
    number: u32,
    mut seats: [Connection; 2],
    slice: Duration,
    sink: &mut dyn FnMut(Event) -> Result<()>,
) -> Result<End> {
    let players = [seats[0].name.clone(), seats[1].name.clone()];
    let mut position = Position::initial();
    let control = engine::TimeControl::Single;
    let opening = Position::write_task(&Task { position: position.clone(), control, clock: slice });
    sink(Event::Start(Start { game: number, players: players.clone(), opening, line: Vec::new() }))?;
    let timeslice = FromMonitor::Timeslice(slice.as_millis() as u64);
    for seat in &mut seats {
        // What was sent before the game began is nobody's turn.
        seat.is_there();
        seat.send(&[timeslice.clone(), FromMonitor::Begin]);
    }
    let mut since = Instant::now();
    let (mut plies, mut used) = (0, [0.0; 2]);
    let (winner, termination, reason) = loop {
        if let Some(ending) = position.ending() {
            break (ending.outcome().winner(), Termination::Normal, ending.reason().to_string());
        }
        let side = position.side_to_move();
        let (answer, took) = seats[side.index()].turn(slice, since);
        used[side.index()] += took.as_secs_f64();
        let legal = answer.and_then(|stops| {
            let illegal = |reason| Fault { termination: Termination::IllegalMove, reason };
            position.play_over(&stops).map(|play| (stops, play)).map_err(illegal)
        });
        let (stops, play) = match legal {
            Ok(legal) => legal,
            Err(fault) => {
                let reason = format!("{} (ply {}): {}", Position::side_word(side), plies + 1, fault.reason);
                break (Some(side.other()), fault.termination, reason);
            }
        };
        sink(Event::Play(play_record(number, plies, &position, play, took)))?;
        position.play(play);
        plies += 1;
        if position.outcome().is_none() {
            let other = &mut seats[side.other().index()];
            other.is_there();
            other.send(&[timeslice.clone(), FromMonitor::Move(stops), FromMonitor::Done]);
            since = Instant::now();
            seats[side.index()].send(std::slice::from_ref(&timeslice));
        }
    };
    for seat in seats {
        seat.finish(winner, &reason);
    }
    let end = End {
        game: number,
        players,
        winner: winner.map(Side::index),
        points: None,
        termination,
        reason,
        plies,
        cpu: used.map(round),
        board: None,
        fault: None,
    };
    sink(Event::End(end.clone()))?;
    Ok(end)
}

/// The clock of these games is wall time, which therefore stands in both places.
fn play_record(game: u32, ply: u32, position: &Position, play: Play, took: Duration) -> PlayRecord {
    let seconds = round(took.as_secs_f64());
    PlayRecord {
        game,
        ply,
        side: Position::side_word(position.side_to_move()).to_string(),
        play: position.describe_play(play),
        output: position.write_play(play),
        cpu: seconds,
        wall: seconds,
        left: None,
        score: None,
        depth: None,
        stdout: String::new(),
        stderr: String::new(),
        note: None,
    }
}

/// Microseconds are enough.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
