//! The HTTP server that the servers on a user's machine share: routes of `axum` with limits on
//! sizes, times and numbers of connections, and on host names.

mod connection;
pub mod hosts;
pub mod listen;
pub mod service;

use crate::listen::Listener;
use anyhow::Result;
use axum::Router;
use connection::closing_text;
use hosts::Hosts;
use service::{FULL, HttpLimits, limited};

/// Serves connections until the process is ended. Requests for another host are refused.
pub fn serve(listener: Listener, hosts: Hosts, limits: HttpLimits, routes: Router) -> Result<()> {
    let (connections, time) = (limits.connections, limits.time);
    let routes = limited(routes, limits);
    listener.serve(connections, closing_text(FULL), move |stream, slot, closing| {
        let hosts = hosts.reached_at(stream.local_addr().ok().map(|address| address.ip()));
        let routes = routes.clone();
        async move { connection::serve(stream, slot, hosts, time, routes, &closing).await }
    })
}
