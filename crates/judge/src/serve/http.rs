//! A small HTTP server for one service that answers requests with texts: `hyper`, one connection a request, with limits
//! on everything that comes from outside.

use super::connection::{self, Farewells};
use super::places::{Entry, Places};
use super::service::{Limits, Service, full};
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout_at;

/// A socket that listens, with the runtime that serves its connections.
pub(crate) struct Listener {
    runtime: Runtime,
    listener: TcpListener,
}

/// Connections that may wait in the system to be accepted.
const BACKLOG: u32 = 1_024;

/// Listens on an address; gives the one it got, which has a port where none was asked for.
pub(crate) fn listen(address: SocketAddr) -> Result<(Listener, SocketAddr)> {
    // One thread for all connections, and one for the service, which answers one request at a time.
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    let listener = runtime.block_on(async {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A server that was ended may be started again at once.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    });
    let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr()?;
    Ok((Listener { runtime, listener }, address))
}

/// Serves what comes in until the process is ended.
pub(crate) fn serve(listener: Listener, limits: Limits, service: impl Service) -> Result<()> {
    let Listener { runtime, listener } = listener;
    runtime.block_on(async {
        let service = Arc::new(Mutex::new(service));
        let places = Places::new(limits.connections);
        let farewells = Arc::new(Farewells::new());
        loop {
            let Ok((stream, peer)) = listener.accept().await else {
                // Out of file handles, perhaps. Others may be closed soon.
                let pause = if places.send_one_away(Instant::now()) { 1 } else { 20 };
                tokio::time::sleep(Duration::from_millis(pause)).await;
                continue;
            };
            // What has arrived is read before anybody is sent away for not having sent it.
            tokio::task::yield_now().await;
            let place = loop {
                match places.enter(peer.ip(), Instant::now()) {
                    Entry::Place(place) => break Some(place),
                    Entry::Full => break None,
                    Entry::Wait(until) => drop(timeout_at(until.into(), places.changed()).await),
                }
            };
            let (service, farewells) = (Arc::clone(&service), Arc::clone(&farewells));
            tokio::spawn(async move {
                match place {
                    Some(place) => connection::serve(stream, place, limits, service, &farewells).await,
                    None => farewells.say(stream, &full()).await,
                }
            });
        }
    })
}
