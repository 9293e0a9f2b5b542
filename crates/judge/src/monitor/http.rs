//! The page that follows the game in a browser on this machine, and its data.

use super::live::Live;
use crate::serve::http;
use crate::serve::service::{Limits, Reply, Request, Service};
use anyhow::{Context, Result};
use hyper::Method;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

const PAGE: &str = include_str!("page.html");
/// Limits for browsers, whose requests have no bodies.
const LIMITS: Limits = Limits { connections: 16, body: 0, time: Duration::from_secs(2) };

/// Serves until the process ends.
pub(super) fn serve(port: u16, live: Live) -> Result<SocketAddr> {
    let (listener, address) =
        http::listen((Ipv4Addr::LOCALHOST, port).into()).with_context(|| format!("--http {port}"))?;
    // The games go on without their page.
    thread::spawn(move || http::serve(listener, LIMITS, live).map_err(|error| eprintln!("--http {port}: {error:#}")));
    Ok(address)
}

impl Service for Live {
    const METHOD: Method = Method::GET;

    fn reply(&mut self, request: &Request) -> Reply {
        match request.path.as_str() {
            "/" => Reply { status: 200, kind: "text/html; charset=utf-8", text: PAGE.to_string() },
            "/game.json" => Reply { status: 200, kind: "application/json", text: self.data() },
            _ => Reply::plain(404, "there are / and /game.json\n"),
        }
    }
}
