//! The connections of a server: fewer than the process has descriptors, and a share for each
//! address ([`Slots`]). A new one without a place takes that of the one that was idle longest, of
//! the address with the most.

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use http_server::listen::{Admission, Phase, Slot, Slots};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::io::{InspectReader, InspectWriter};
use tower::Service;

const HEADER_TIME: Duration = Duration::from_secs(15);
/// The pause after a connection that could not be accepted: there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Descriptors that a process needs besides connections: database, log, uploads that are being
/// written.
const OWN_FILES: usize = 64;
/// Descriptors of a worker: two players with their boxes, records, programs that are unpacked.
const WORKER_FILES: usize = 32;
const MOST: usize = 2_048;
const FEWEST: usize = 16;

/// Many requests of one moment are no attack: a connection looks for a place so often, for so long.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOKS: u32 = 50;

const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionBounds {
    pub total: usize,
    pub per_address: usize,
}

impl ConnectionBounds {
    /// Half of the open files that the workers leave.
    pub(crate) fn of(open_files: u64, workers: usize) -> ConnectionBounds {
        let files = usize::try_from(open_files).unwrap_or(usize::MAX);
        let free = files.saturating_sub(OWN_FILES + workers * WORKER_FILES);
        let total = (free / 2).clamp(FEWEST, MOST);
        ConnectionBounds { total, per_address: total.div_ceil(4) }
    }
}

/// Returns the address for which a client counts: the other end of the connection, or behind a
/// proxy the last one of `X-Forwarded-For`. An IPv6 network of 64 bits, usually one machine's,
/// counts as one.
pub(crate) fn client_address(behind_proxy: bool, headers: &HeaderMap, peer: SocketAddr) -> IpAddr {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let address = if behind_proxy { forwarded().unwrap_or(peer.ip()) } else { peer.ip() };
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    bounds: ConnectionBounds,
    behind_proxy: bool,
    ending: impl Future<Output = ()>,
) {
    let slots = Slots::new(bounds.total, bounds.per_address, Duration::ZERO);
    let waiting = Arc::new(Semaphore::new(bounds.per_address));
    let mut ending = std::pin::pin!(ending);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ending => return,
        };
        let Ok((stream, peer)) = accepted else {
            slots.evict_one(Instant::now());
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let direct = (!behind_proxy).then(|| client_address(false, &HeaderMap::new(), peer));
        let (routes, slots) = (routes.clone(), Arc::clone(&slots));
        let admit = move || match slots.acquire(direct, Instant::now()) {
            Admission::Slot(slot) => Some(Arc::new(slot)),
            Admission::Wait(_) | Admission::Full => None,
        };
        if let Some(slot) = admit() {
            tokio::spawn(answer(stream, peer, slot, behind_proxy, routes));
            continue;
        }
        let waits = Arc::clone(&waiting).try_acquire_owned();
        tokio::spawn(async move {
            let slot = if waits.is_ok() { patiently(admit).await } else { None };
            drop(waits);
            match slot {
                Some(slot) => answer(stream, peer, slot, behind_proxy, routes).await,
                // A connection of a moment: what does not fit into the socket's buffer is lost.
                None => drop(stream.try_write(FULL)),
            }
        });
    }
}

/// Looks for something until it is there, or `PATIENCE` is over.
async fn patiently<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..LOOKS {
        if let Some(found) = look() {
            return Some(found);
        }
        tokio::time::sleep(PATIENCE / LOOKS).await;
    }
    None
}

/// Answers the requests of a connection until it ends or is closed for another one.
async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    slot: Arc<Slot>,
    behind_proxy: bool,
    routes: Router,
) {
    let mut phases = slot.phases();
    // The stream notes the time of its last byte.
    let (read, written) = (Arc::clone(&slot), Arc::clone(&slot));
    let stream = InspectWriter::new(stream, move |_| written.touch(Instant::now()));
    let stream = InspectReader::new(stream, move |bytes: &[u8]| {
        if !bytes.is_empty() {
            read.touch(Instant::now());
        }
    });
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let (slot, mut routes) = (Arc::clone(&slot), routes.clone());
        let client = client_address(behind_proxy, request.headers(), peer);
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        async move {
            if patiently(|| slot.begin(client, Instant::now()).then_some(())).await.is_none() {
                let full = (StatusCode::SERVICE_UNAVAILABLE, "too many connections\n");
                return Ok::<_, Infallible>(full.into_response());
            }
            let response = routes.call(request).await;
            slot.touch(Instant::now());
            slot.enter(Phase::Arriving);
            response
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    tokio::select! {
        // An error is the client's: it went away, or spoke no HTTP.
        _ = server.serve_connection(TokioIo::new(stream), service) => {}
        _ = phases.wait_for(|phase| *phase == Phase::Evicted) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_leave_most_descriptors_to_what_plays() {
        assert_eq!(
            ConnectionBounds::of(65_536, 8),
            ConnectionBounds { total: 2_048, per_address: 512 }
        );
        assert_eq!(
            ConnectionBounds::of(1_024, 2),
            ConnectionBounds { total: 448, per_address: 112 }
        );
        assert_eq!(ConnectionBounds::of(256, 8), ConnectionBounds { total: 16, per_address: 4 });
    }
    #[test]
    fn a_client_counts_by_its_network() {
        let of = |behind: bool, forwarded: &'static str, peer: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
            client_address(behind, &headers, peer.parse().unwrap()).to_string()
        };
        assert_eq!(of(true, "8.8.8.8, 10.1.1.1", "127.0.0.1:9"), "10.1.1.1");
        assert_eq!(of(false, "10.1.1.1", "10.2.2.2:9"), "10.2.2.2");
        assert_eq!(of(true, "2001:db8:1:2:3:4:5:6", "127.0.0.1:9"), "2001:db8:1:2::");
        assert_eq!(of(true, "nobody", "[::ffff:10.3.3.3]:9"), "10.3.3.3");
        assert_eq!(of(false, "", "[::1]:9"), "::1");
    }
}
