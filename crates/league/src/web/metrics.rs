//! Figures for Prometheus, on a port of this machine alone.

use super::access::Refusal;
use super::app::Shared;
use crate::connections::{self, ConnectionBounds};
use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;

const BOUNDS: ConnectionBounds = ConnectionBounds { total: 16, per_address: 16 };

pub(crate) async fn serve_metrics(app: Shared, port: u16) -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .with_context(|| format!("--metrics {port}"))?;
    let address = listener.local_addr()?;
    let routes = Router::new().route("/metrics", get(metrics)).with_state(app);
    tokio::spawn(connections::serve(listener, routes, BOUNDS, false, std::future::pending()));
    Ok(address)
}

async fn metrics(State(app): State<Shared>) -> Result<Response, Refusal> {
    let counts = app.store.job_counts().await?;
    let figures = [
        ("checks_waiting", "gauge", "Submissions that wait for their check.", counts.checks),
        ("pairs_waiting", "gauge", "Ordered pairs of games that wait.", counts.pairs),
        ("jobs_running", "gauge", "Jobs that workers have leased.", counts.running),
        ("jobs_delayed", "gauge", "Jobs that wait since a machine failed at them.", counts.delayed),
        ("games_total", "counter", "Games that were counted.", app.store.game_count().await?),
    ];
    let mut text = String::new();
    for (name, kind, help, value) in figures {
        text += &format!(
            "# HELP league_{name} {help}\n# TYPE league_{name} {kind}\nleague_{name} {value}\n"
        );
    }
    text += "# HELP league_submissions Submissions by state.\n# TYPE league_submissions gauge\n";
    for (state, count) in app.store.submission_counts().await? {
        text += &format!("league_submissions{{state=\"{state}\"}} {count}\n");
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
