//! Figures for Prometheus, on a port of this machine alone.

use super::access::Refusal;
use super::app::Shared;
use crate::connections::{self, ConnectionBounds, Proxy};
use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::fmt::Write;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;

/// Connections of those who ask for figures.
const BOUNDS: ConnectionBounds = ConnectionBounds { total: 16, per_address: 16 };

/// Serves the figures for Prometheus on a port of the loopback address until the process ends, and
/// returns the address.
pub(crate) async fn serve_metrics(app: Shared, port: u16) -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .with_context(|| format!("--metrics {port}"))?;
    let address = listener.local_addr()?;
    let routes = Router::new().route("/metrics", get(metrics)).with_state(app);
    let (proxy, ever) = (Proxy { behind: false }, std::future::pending());
    tokio::spawn(connections::serve(listener, routes, BOUNDS, proxy, ever));
    Ok(address)
}

async fn metrics(State(app): State<Shared>) -> Result<Response, Refusal> {
    let counts = app.store.job_counts().await?;
    let mut text = String::new();
    let mut figure = |name: &str, kind: &str, help: &str, values: &[(String, i64)]| {
        let _ = writeln!(text, "# HELP league_{name} {help}\n# TYPE league_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(text, "league_{name}{labels} {value}");
        }
    };
    let one = |value| vec![(String::new(), value)];
    figure(
        "checks_waiting",
        "gauge",
        "Submissions that wait for their check.",
        &one(counts.checks),
    );
    figure("pairs_waiting", "gauge", "Ordered pairs of games that wait.", &one(counts.pairs));
    figure("jobs_running", "gauge", "Jobs that workers have leased.", &one(counts.running));
    figure(
        "jobs_delayed",
        "gauge",
        "Jobs that wait since a machine failed at them.",
        &one(counts.delayed),
    );
    figure(
        "games_total",
        "counter",
        "Games that were counted.",
        &one(app.store.game_count().await?),
    );
    let states = app.store.submission_counts().await?;
    let states: Vec<_> = states
        .into_iter()
        .map(|(state, count)| (format!("{{state=\"{state}\"}}"), count))
        .collect();
    figure("submissions", "gauge", "Submissions by state.", &states);
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
