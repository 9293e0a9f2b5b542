//! The page that shows the running game in a browser on this machine, and its data.

use super::view::LiveView;
use anyhow::{Context, Result};
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::any;
use http_server::hosts::{HostOptions, Hosts};
use http_server::listen::listen;
use http_server::service::{HttpLimits, plain};
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

/// The page with marks in place of its style and scripts.
const PAGE: &str = include_str!("page.html");
/// The marks in the page, each with the text that replaces it.
const SCRIPTS: [(&str, &str); 3] = [
    ("/* STYLE */", web::BOARD_STYLE),
    ("/* BOARD */", web::BOARD),
    ("/* SCRIPT */", include_str!("page.js")),
];
/// The limits for browsers, whose requests have no bodies.
const LIMITS: HttpLimits =
    HttpLimits { connections: 16, methods: &[Method::GET], body: 0, time: Duration::from_secs(2) };

/// Serves the page on a thread until the process ends, and returns its address.
pub(super) fn serve(port: u16, hosts: &HostOptions, view: LiveView) -> Result<SocketAddr> {
    let (listener, address) =
        listen((Ipv4Addr::LOCALHOST, port).into()).with_context(|| format!("--http {port}"))?;
    let hosts = Hosts::new(address.ip(), hosts);
    // An error of the page does not end the games.
    thread::spawn(move || {
        http_server::serve(listener, hosts, LIMITS, routes(view))
            .map_err(|error| eprintln!("--http {port}: {error:#}"))
    });
    Ok(address)
}

fn routes(view: LiveView) -> Router {
    let page = SCRIPTS
        .iter()
        .fold(PAGE.to_string(), |page, (mark, script)| page.replacen(mark, script, 1));
    let new = |State(view): State<LiveView>| async move { data(&view, 0, 0) };
    let next = |State(view): State<LiveView>, known: Result<Path<(u32, usize)>, PathRejection>| async move {
        known.map_or_else(|_| nothing(), |Path((game, moves))| data(&view, game, moves))
    };
    Router::new()
        .route("/", any(async || Html(page)))
        .route("/game.json", any(new))
        .route("/game.json/{game}/{moves}", any(next))
        .fallback(async || nothing())
        .with_state(view)
}

/// The data of the page, without the moves that the page has already.
fn data(view: &LiveView, game: u32, moves: usize) -> Response {
    ([(CONTENT_TYPE, "application/json")], view.data(game, moves)).into_response()
}

fn nothing() -> Response {
    plain(404, "there are /, /game.json and /game.json/GAME/MOVES\n")
}
