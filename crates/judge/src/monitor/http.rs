//! The page that follows the game in a browser on this machine, and its data.

use super::live::Live;
use crate::serve::http;
use crate::serve::service::{Limits, Reply, Request, Service};
use anyhow::{Context, Result};
use hyper::Method;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

/// The page without its scripts.
const PAGE: &str = include_str!("page.html");
/// What its marks stand for; the board is drawn as on every page.
const SCRIPTS: [(&str, &str); 2] = [("/* BOARD */", web::BOARD), ("/* SCRIPT */", include_str!("page.js"))];
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
            "/" => {
                let text = SCRIPTS.iter().fold(PAGE.to_string(), |page, (mark, script)| page.replacen(mark, script, 1));
                Reply { status: 200, kind: "text/html; charset=utf-8", text: text.into() }
            }
            path => match known_moves(path) {
                Some((game, moves)) => {
                    Reply { status: 200, kind: "application/json", text: self.data(game, moves).into() }
                }
                None => Reply::plain(404, "there are /, /game.json and /game.json/GAME/MOVES\n"),
            },
        }
    }
}

/// The game and the number of its moves that somebody has who asks for `/game.json/GAME/MOVES`; none of any for
/// `/game.json`.
fn known_moves(path: &str) -> Option<(u32, usize)> {
    let rest = path.strip_prefix("/game.json")?;
    if rest.is_empty() {
        return Some((0, 0));
    }
    let (game, moves) = rest.strip_prefix('/')?.split_once('/')?;
    Some((game.parse().ok()?, moves.parse().ok()?))
}
