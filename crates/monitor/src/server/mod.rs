//! `judge monitor`: runs games of FoxGame between agents that connect over TCP (docs/foxgame.md,
//! "The monitor").

mod accept;
mod http;
mod pairing;
mod queue;
mod roles;
mod times;
mod view;

use crate::agent::ConnectedAgent;
use crate::connection::AgentConnection;
use crate::program::MONITOR;
use anygame::{AnyGame, GameClock};
use anyhow::{Result, ensure};
use arena::player::Player;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{End, Event, Header, Recorder, VERSION};
use arena::referee::{GameOrder, Sink, play_game_between};
use arena::terms::{Bounds, LimitRule, Opening};
use clap::Args;
use clock::priority::be_prompt;
use engine::{Protocol, Side, Task, TimeControl};
use foxgame::Position;
use foxgame::monitor::wire::PORT;
use http_server::hosts::HostOptions;
use pairing::Pairing;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use times::ResponseTimes;
use view::LiveView;

/// A game has no move limit: the rules end it.
const MAX_PLIES: u32 = u32::MAX;

/// The options of `judge monitor`.
#[derive(Args)]
pub struct MonitorOptions {
    /// The port to listen on; 0 takes a free one
    #[arg(short, long, default_value_t = PORT)]
    port: u16,

    /// The address to listen on; with 0.0.0.0 other machines can connect
    #[arg(long, default_value = "127.0.0.1")]
    bind: String,

    /// Milliseconds of wall time for each turn; answers up to 5 % later are accepted
    #[arg(short, long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeslice: u64,

    /// End after this number of games
    #[arg(short, long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Write all games to a new file of JSON lines, for judge replay and judge watch
    #[arg(short, long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the board in the terminal after each move
    #[arg(short, long)]
    watch: bool,

    /// Serve a page that shows the running game, on this port of the loopback address; 0 takes a
    /// free one
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,

    #[command(flatten)]
    hosts: HostOptions,
}

/// An example for the help text.
pub const EXAMPLE: &str = "\
Example, in three windows:
  judge monitor --port 6000 --timeslice 500 --watch --http 8000 --record games.jsonl
  foxgame -a localhost -p 6000 -r fox -n Reineke
  foxgame -a localhost -p 6000 -r sheep -n Flock
http://127.0.0.1:8000/ then shows the running game in a browser. Afterwards: judge replay games.jsonl --html games.html
Prints one line a game. Exit code: 0 all games were played; 130 interrupted; 2 a port, a file or the command line is bad.";

/// Runs the requested number of games.
pub fn monitor(options: &MonitorOptions) -> Result<ExitCode> {
    ensure!(
        options.http.is_some() || options.hosts.names.is_empty(),
        "--host: expected --http PORT with it"
    );
    interrupt::catch()?;
    let slice = Duration::from_millis(options.timeslice);
    let mut recorder = match &options.record {
        Some(path) => Recorder::create(path, &Event::Header(header(slice)))?,
        None => Recorder::nowhere(),
    };
    let mut pairing = Pairing::listen(&options.bind, options.port)?;
    let view = LiveView::new(options.watch);
    eprintln!("listening on {}, {} ms a turn", pairing.address, options.timeslice);
    if let Some(port) = options.http {
        let address = http::serve(port, &options.hosts, view.clone())?;
        eprintln!("the game is shown on http://{address}/");
    }
    // This thread measures times; those that serve browsers, started before, do not.
    be_prompt();
    let mut times = ResponseTimes::default();
    let mut code = ExitCode::SUCCESS;
    for number in 1..=options.games {
        let agents = if interrupt::asked() { None } else { pairing.next_pair(interrupt::asked) };
        let Some(agents) = agents else {
            code = ExitCode::from(interrupt::EXIT_CODE);
            break;
        };
        let mut sink = |event: Event| {
            view.show(&event);
            times.add(&event, slice);
            recorder.append(&event)
        };
        let end = play(number, agents, slice, &mut sink)?;
        let [fox, sheep] = &end.players;
        let winner = end.winner.map_or("NONE", |index| Position::SIDES[index]);
        print(&format!(
            "game {number}: FOX {fox}, SHEEP {sheep}: winner {winner}, {} ({}), {}\n",
            end.termination,
            end.reason,
            arena::plain::counted(end.plies, "ply", "plies")
        ));
        pairing.end_game();
    }
    eprintln!("{times}");
    Ok(code)
}

fn agent_of(name: String, slice: Duration) -> EngineSpec {
    EngineSpec {
        name,
        kind: PlayerKind::Protocol {
            protocol: MONITOR.name.to_string(),
            command: Vec::new(),
            directory: None,
            own_command: false,
        },
        clock: GameClock::Single(slice.as_secs_f64()),
        margin: 0.0,
    }
}

fn header(slice: Duration) -> Header {
    Header {
        version: VERSION,
        game: Position::NAME.to_string(),
        // Readers of a record take the names of the agents from its games.
        engines: vec![agent_of(String::new(), slice)],
        max_plies: MAX_PLIES,
        ..Header::default()
    }
}

/// The names of two agents, with their roles if the names are equal.
fn names(agents: &[AgentConnection; 2]) -> [String; 2] {
    let [fox, sheep] = [&agents[0].name, &agents[1].name];
    if fox == sheep {
        return Side::BOTH.map(|side| format!("{fox} ({})", Position::side_word(side)));
    }
    [fox.clone(), sheep.clone()]
}

fn play(number: u32, agents: [AgentConnection; 2], slice: Duration, sink: Sink) -> Result<End> {
    let engines = names(&agents).map(|name| agent_of(name, slice));
    let (position, control) = (Position::initial(), TimeControl::Single);
    let order = GameOrder {
        game: number,
        engines,
        opening: Opening {
            input: Position::write_task(&Task { position, control, clock: slice }),
            line: Vec::new(),
        },
        rules: None,
        single: false,
        max_plies: MAX_PLIES,
        at_limit: LimitRule::Draw,
        bounds: Bounds::default(),
        seed: 0,
        random_moves: 0,
        adjudication: Default::default(),
    };
    let players =
        agents.map(|agent| Box::new(ConnectedAgent::new(agent, slice)) as Box<dyn Player>);
    play_game_between(&AnyGame::of::<Position>(), players, &order, sink)
}
