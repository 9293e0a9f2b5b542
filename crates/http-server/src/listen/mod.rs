//! The listener that all servers share.

mod slots;

pub use slots::{Admission, Phase, Slot, Slots};

use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{timeout, timeout_at};

/// A listening socket with the runtime that serves its connections.
pub struct Listener {
    runtime: Runtime,
    listener: TcpListener,
}

/// Younger connections are not evicted: a request that is sent in one piece arrives sooner.
const EVICTION_AGE: Duration = Duration::from_millis(100);
const BACKLOG: u32 = 1_024;

/// Listens on an address; port 0 asks for any free port. Returns the actual address as well.
pub fn listen(address: SocketAddr) -> Result<(Listener, SocketAddr)> {
    // One thread for all connections, and one for the service, which answers one request at a time.
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    let listener = runtime.block_on(async {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A server can be restarted at once on the same port.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    });
    let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr()?;
    Ok((Listener { runtime, listener }, address))
}

impl Listener {
    /// Accepts connections until the process is ended. Each that gets one of the `limit` slots is
    /// passed to `handle`, with the replies for those that it refuses later; the others get `full`.
    pub fn serve<F: Future<Output = ()> + Send + 'static>(
        self,
        limit: usize,
        full: impl Into<Arc<str>>,
        handle: impl Fn(TcpStream, Slot, Arc<ClosingReplies>) -> F,
    ) -> Result<()> {
        self.runtime.block_on(async {
            let (slots, full) = (Slots::new(limit, limit, EVICTION_AGE), full.into());
            let closing = Arc::new(ClosingReplies(Semaphore::new(MAX_CLOSING)));
            loop {
                let Ok((stream, peer)) = self.listener.accept().await else {
                    // The limit of open files, as a rule. An evicted connection frees one.
                    let pause = if slots.evict_one(Instant::now()) { 1 } else { 20 };
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                    continue;
                };
                // Data that has arrived is read before an eviction.
                tokio::task::yield_now().await;
                let slot = loop {
                    match slots.acquire(Some(peer.ip().to_canonical()), Instant::now()) {
                        Admission::Slot(slot) => break Some(slot),
                        Admission::Full => break None,
                        Admission::Wait(until) => {
                            drop(timeout_at(until.into(), slots.changed()).await)
                        }
                    }
                };
                let closing = Arc::clone(&closing);
                match slot {
                    Some(slot) => drop(tokio::spawn(handle(stream, slot, closing))),
                    None => {
                        let full: Arc<str> = Arc::clone(&full);
                        tokio::spawn(async move { closing.send(stream, &full).await });
                    }
                }
            }
        })
    }
}

/// A refused connection is read for so long: closing a socket with unread data may discard the
/// reply.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
const MAX_CLOSE_BYTES: u64 = 64 << 10;
/// Beyond this number refused connections are closed at once, and replies may get lost.
const MAX_CLOSING: usize = 64;

/// The replies to connections that are closed without being served, limited in number.
pub struct ClosingReplies(Semaphore);

impl ClosingReplies {
    /// Sends a text that says why the connection is not served, and closes the connection.
    pub async fn send(&self, mut stream: TcpStream, text: &str) {
        let Ok(_permit) = self.0.try_acquire() else {
            let _ = stream.try_write(text.as_bytes());
            return;
        };
        let close = async {
            stream.write_all(text.as_bytes()).await?;
            stream.shutdown().await?;
            copy(&mut stream.take(MAX_CLOSE_BYTES), &mut sink()).await
        };
        let _ = timeout(CLOSE_TIMEOUT, close).await;
    }
}
