//! `judge play`: serves the page that plays the games on this machine, and opens a browser.

mod site;

use crate::output::print;
use crate::serve::http;
use crate::serve::service::{Limits, Reply, Request, Service};
use anyhow::{Context, Result};
use clap::Args;
use hyper::Method;
use site::Site;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
The page is part of the judge if that was built by `make play`; else it is a folder that `make site` has made: the one of --site,
or site beside the judge, two folders above it, or in the current directory. Only this machine can reach it.

Examples:
  judge play
  judge play --port 8000 --no-browser
  judge play --site /srv/games
The first line of standard output says where the page is. ^C ends it.
Exit code: 2 there is no page here, or the port is taken.";

/// The program that opens an address with what the desktop has for it.
const OPENER: &str = "xdg-open";
/// The port unless another is asked for.
const PORT: u16 = 8240;
/// Limits for browsers, whose requests have no bodies.
const LIMITS: Limits = Limits { connections: 64, body: 0, time: Duration::from_secs(10) };

/// Options of `judge play`.
#[derive(Args)]
pub(crate) struct PlayOptions {
    /// The port; 0 for any that is free. With the same port the browser remembers the last game
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,

    /// Open no browser
    #[arg(long)]
    no_browser: bool,

    /// The folder of the page, as scripts/site makes it
    #[arg(long, value_name = "DIRECTORY")]
    site: Option<PathBuf>,
}

/// Serves until the process is ended.
pub(crate) fn play(options: &PlayOptions) -> Result<()> {
    let site = site::find(options.site.as_deref())?;
    let (listener, address) = http::listen((Ipv4Addr::LOCALHOST, options.port).into())
        .with_context(|| format!("--port {}: another one, or 0 for any that is free", options.port))?;
    let page = format!("http://{address}/");
    print(&format!("listening on {page}\n"));
    if !options.no_browser {
        open(&page);
    }
    http::serve(listener, LIMITS, site)
}

/// Opens the page; whoever has no desktop is told the address alone.
fn open(page: &str) {
    let quiet = || Stdio::null();
    let opened = Command::new(OPENER).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    match opened {
        // Somebody has to wait for it, or it stays as a zombie.
        Ok(mut opener) => drop(std::thread::spawn(move || opener.wait())),
        Err(error) => eprintln!("{OPENER}: {error}: open {page} in a browser"),
    }
}

impl Service for Site {
    const METHOD: Method = Method::GET;

    fn reply(&mut self, request: &Request) -> Reply {
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let path = if path.is_empty() { "index.html" } else { path };
        match self.get(path) {
            Some((kind, bytes)) => Reply { status: 200, kind, text: bytes },
            None => Reply::plain(404, format!("error: there is no {} here\n", engine::protocol::quote(path))),
        }
    }
}
