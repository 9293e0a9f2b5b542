//! `judge play`: serves the page on which people play the games, to this machine only.

mod bench;
mod own_game;
pub mod puzzle;
mod site;

use anyhow::{Context, Result};
use arena::terms::Bounds;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use bench::Bench;
use clap::Args;
use http_server::hosts::{HostOptions, Hosts};
use http_server::listen::listen;
use http_server::service::{HttpLimits, plain};
use sandbox::system::OPENER;
use serde_json::Value;
use site::Site;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use terminal::games::{all, find, name_parser};
use terminal::output::print;
use terminal::sandbox_layers::warn_author;
use terminal::settings::BoxSettings;

/// The end of the help text.
pub const EXAMPLE: &str = "\
A judge built by `make play` has the page. Otherwise it serves a folder made by `make site`: that of --site, or a folder named
site beside the judge, two folders above it, or in the current directory. Only this machine can reach the page.

Examples:
  judge play
  judge play --port 8000 --no-browser
  judge play --site /srv/games
  judge play --game halma --engine cmd='python3 homework.py' name=mine
  judge play --game ./my-game                (the folder of a game of your own)
The first line of standard output has the address of the page. ^C ends the server.
Exit code: 2 no page was found, or the port is taken.";

/// The limits for browsers, whose requests have no bodies.
const LIMITS: HttpLimits =
    HttpLimits { connections: 64, methods: &[Method::GET], body: 0, time: Duration::from_secs(10) };
const LIMITS_WITH_PROGRAMS: HttpLimits =
    HttpLimits { methods: &[Method::GET, Method::POST], body: 1 << 18, ..LIMITS };
/// The page shows so many bytes of each of a program's streams.
const KEPT: usize = 16 << 10;
const ENGINES: &str = "/engines.json";
const RULES: &str = "/rules/own.txt";

/// Options of `judge play`.
#[derive(Args)]
pub struct PlayOptions {
    /// The port; 0 for any free port. A browser keeps the last game for each port
    #[arg(long, value_name = "PORT", default_value_t = 8240)]
    port: u16,

    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,

    /// The folder of the page, made by scripts/site
    #[arg(long, value_name = "DIRECTORY")]
    site: Option<PathBuf>,

    /// A program that can be chosen as a player on the page; repeat for more
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    engine: Vec<String>,

    /// The game that comes first, and of the programs; the folder of a game of your own as well
    /// [default: all games that the programs can play]
    #[arg(long, value_name = "GAME", value_parser = name_parser())]
    game: Option<String>,

    #[command(flatten)]
    hosts: HostOptions,

    #[command(flatten)]
    boxes: BoxSettings,
}

/// Serves the page until the process is ended. `engines` are the arguments of each `--engine`.
pub fn play(options: &PlayOptions, engines: &[Vec<String>]) -> Result<()> {
    let bench = bench(options, engines)?;
    let limits = if bench.is_some() { LIMITS_WITH_PROGRAMS } else { LIMITS };
    let site = site::find(options.site.as_deref())?;
    let (listener, address) =
        listen((Ipv4Addr::LOCALHOST, options.port).into()).with_context(|| {
            format!("--port {}: choose another port, or 0 for any free port", options.port)
        })?;
    let page = format!("http://{address}/");
    print(&format!("listening on {page}\n"));
    if !options.no_browser {
        open_browser(&page);
    }
    http_server::serve(
        listener,
        Hosts::new(address.ip(), &options.hosts),
        limits,
        Router::new().fallback(answer).with_state(Arc::new(Served { site, bench })),
    )
}

struct Served {
    site: Site,
    bench: Option<Bench>,
}

fn bench(options: &PlayOptions, engines: &[Vec<String>]) -> Result<Option<Bench>> {
    if engines.is_empty() && options.game.is_none() {
        return Ok(None);
    }
    let games = match &options.game {
        Some(name) => vec![find(name)?],
        None => all().iter().collect(),
    };
    let bounds = Bounds { keep: KEPT, ..options.boxes.bounds()? };
    warn_author(&bounds)?;
    Bench::new(&games, engines, bounds).map(Some)
}

/// Opens the page in a browser, or says that none can be started.
fn open_browser(page: &str) {
    let quiet = || Stdio::null();
    let (opener, words) = OPENER;
    let mut command = Command::new(opener);
    match command.args(words).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        // Waiting for the process avoids a zombie.
        Ok(mut opener) => drop(std::thread::spawn(move || opener.wait())),
        Err(error) => eprintln!("{opener}: {error}: open {page} in a browser"),
    }
}

/// Answers a request for a file, for the list of programs, for a turn of one, or about the rules.
async fn answer(
    State(served): State<Arc<Served>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let json = |value: &Value| ([(CONTENT_TYPE, "application/json")], value.to_string());
    match (&served.bench, uri.path()) {
        (Some(bench), ENGINES) if method == Method::GET => json(&bench.listed).into_response(),
        (Some(Bench { own: Some(game), .. }), RULES) if method == Method::GET => {
            plain(200, game.rules_page.unwrap_or_default())
        }
        (Some(bench), path @ ("/turn" | "/game")) if method == Method::POST => {
            let told =
                if path == "/turn" { bench.ask(&body).await } else { bench.tell(&body).await };
            match told {
                Ok(value) => json(&value).into_response(),
                Err(error) => plain(400, format!("{error:#}")),
            }
        }
        (_, path) if method == Method::GET => file(&served.site, path),
        _ => plain(405, "error: expected a GET request\n"),
    }
}

fn file(site: &Site, path: &str) -> Response {
    let path = path.strip_prefix('/').unwrap_or_default();
    let path = if path.is_empty() { "index.html" } else { path };
    match site.get(path) {
        Some((content_type, bytes)) => ([(CONTENT_TYPE, content_type)], bytes).into_response(),
        None => plain(404, format!("error: no file {}\n", engine::protocol::quote(path))),
    }
}
