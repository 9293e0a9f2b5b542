//! `judge play`: serves the page on which people play the games, to this machine only, and opens it
//! in a browser.

pub mod puzzle;
mod site;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use clap::Args;
use http_server::hosts::{HostOptions, Hosts};
use http_server::listen::listen;
use http_server::service::{HttpLimits, plain};
use sandbox::system::OPENER;
use site::Site;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use terminal::output::print;

/// Examples for the help text.
pub const EXAMPLE: &str = "\
A judge built by `make play` has the page embedded. Otherwise the judge serves a folder made by `make site`: the one of --site,
or a folder named site beside the judge, two folders above it, or in the current directory. Only this machine can reach the page,
by the names localhost and 127.0.0.1 or one of --host.

Examples:
  judge play
  judge play --port 8000 --no-browser
  judge play --site /srv/games
The first line of standard output has the address of the page. ^C ends the server.
Exit code: 2 no page was found, or the port is taken.";

/// The default port.
const PORT: u16 = 8240;
/// The limits for browsers, whose requests have no bodies.
const LIMITS: HttpLimits =
    HttpLimits { connections: 64, method: Method::GET, body: 0, time: Duration::from_secs(10) };

/// Options of `judge play`.
#[derive(Args)]
pub struct PlayOptions {
    /// The port; 0 for any free port. A browser keeps the last game for each port
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,

    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,

    /// The folder of the page, made by scripts/site
    #[arg(long, value_name = "DIRECTORY")]
    site: Option<PathBuf>,

    #[command(flatten)]
    hosts: HostOptions,
}

/// Serves the page until the process is ended.
pub fn play(options: &PlayOptions) -> Result<()> {
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
        LIMITS,
        Router::new().fallback(file).with_state(Arc::new(site)),
    )
}

/// Opens the page in a browser, or prints its address to standard error if no browser can be
/// started.
fn open_browser(page: &str) {
    let quiet = || Stdio::null();
    let (opener, words) = OPENER;
    let mut command = Command::new(opener);
    let opened =
        command.args(words).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    match opened {
        // Waiting for the process avoids a zombie.
        Ok(mut opener) => drop(std::thread::spawn(move || opener.wait())),
        Err(error) => eprintln!("{opener}: {error}: open {page} in a browser"),
    }
}

/// Answers a request for a file.
async fn file(State(site): State<Arc<Site>>, uri: Uri) -> Response {
    let path = uri.path().strip_prefix('/').unwrap_or_default();
    let path = if path.is_empty() { "index.html" } else { path };
    match site.get(path) {
        Some((content_type, bytes)) => ([(CONTENT_TYPE, content_type)], bytes).into_response(),
        None => plain(404, format!("error: no file {}\n", engine::protocol::quote(path))),
    }
}
