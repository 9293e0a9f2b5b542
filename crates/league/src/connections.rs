//! The connections of a server: fewer than the process has descriptors, and a share for each address. Where there is no place for a
//! new one, the connection on which nothing has happened for the longest time is closed.

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use clock::lock;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tower::Service;

/// The time for the headers of a request.
const HEADER_TIME: Duration = Duration::from_secs(15);
/// The pause after a connection that could not be accepted: usually the process or the system has too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Descriptors that a process needs besides connections: database, log, uploads that are being written.
const OWN_FILES: usize = 64;
/// Descriptors of a worker: two players with their boxes, records, programs that are unpacked.
const WORKER_FILES: usize = 32;
/// The most connections, however many descriptors there are.
const MOST: usize = 2_048;
/// The fewest, however few there are.
const FEWEST: usize = 16;

/// The time for which a connection looks for a place, and the number of looks: many requests of one moment are no attack.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOKS: u32 = 50;

/// The answer to a connection for which there is no place.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n";

/// Whether a proxy stands before the server.
#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    /// Whether a reverse proxy with TLS stands before the server: then cookies are sent by TLS alone, and the address of a client
    /// is the last one of `X-Forwarded-For`.
    pub behind: bool,
}

/// The most connections of a server at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Connections of all clients.
    pub total: usize,
    /// Connections of one address.
    pub per_address: usize,
}

impl Bounds {
    /// Returns the bounds for a process that may have so many open files and has so many workers: half of what is left.
    pub(crate) fn of(open_files: u64, workers: usize) -> Bounds {
        let files = usize::try_from(open_files).unwrap_or(usize::MAX);
        let free = files.saturating_sub(OWN_FILES + workers * WORKER_FILES);
        let total = (free / 2).clamp(FEWEST, MOST);
        Bounds { total, per_address: total.div_ceil(4) }
    }
}

/// One connection, as those that look for an idle one see it.
struct Seat {
    /// When a byte was last read or written, in milliseconds since the start of the server.
    active: AtomicU64,
    /// Requests that are being answered, of which there is one at a time.
    answering: AtomicUsize,
    /// Wakes the task of the connection, which then closes it.
    close: Notify,
}

/// The connections of a server.
struct Connections {
    bounds: Bounds,
    start: Instant,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// By number, in the order of their arrival, with the address that each counts for. A connection of a proxy counts for nobody
    /// until a request names the client.
    seats: BTreeMap<u64, (Option<IpAddr>, Arc<Seat>)>,
    next: u64,
}

impl Open {
    fn count(&self, client: IpAddr) -> usize {
        self.seats.values().filter(|(of, _)| *of == Some(client)).count()
    }

    /// Closes the connection that has been idle for the longest time, of a client or of all. Returns whether there was one.
    fn close_one(&mut self, of: Option<IpAddr>) -> bool {
        let idle = self.seats.iter().filter(|(_, (client, seat))| {
            (of.is_none() || *client == of) && seat.answering.load(Ordering::Relaxed) == 0
        });
        let longest = idle.min_by_key(|(_, (_, seat))| seat.active.load(Ordering::Relaxed)).map(|(&number, _)| number);
        let Some((_, seat)) = longest.and_then(|number| self.seats.remove(&number)) else { return false };
        seat.close.notify_one();
        true
    }
}

/// A place among the connections, until it is dropped.
struct Place {
    connections: Arc<Connections>,
    number: u64,
    seat: Arc<Seat>,
}

impl Connections {
    fn new(bounds: Bounds) -> Arc<Connections> {
        Arc::new(Connections { bounds, start: Instant::now(), open: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        lock(&self.open)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns a place for a connection of a client; `None` if all of them, or all of the client's, are answering.
    fn admit(self: &Arc<Connections>, client: Option<IpAddr>) -> Option<Place> {
        let mut open = self.lock();
        if let Some(client) = client
            && open.count(client) >= self.bounds.per_address
            && !open.close_one(Some(client))
        {
            return None;
        }
        if open.seats.len() >= self.bounds.total && !open.close_one(None) {
            return None;
        }
        let seat = Seat { active: AtomicU64::new(self.now()), answering: AtomicUsize::new(0), close: Notify::new() };
        let (seat, number) = (Arc::new(seat), open.next);
        open.next += 1;
        open.seats.insert(number, (client, Arc::clone(&seat)));
        Some(Place { connections: Arc::clone(self), number, seat })
    }
}

impl Place {
    /// Begins an answer to a client, for whom the connection counts from now on. Returns whether the client has a place.
    fn begin(&self, client: IpAddr) -> bool {
        let mut open = self.connections.lock();
        // A connection that was closed just now has no seat.
        let Some((of, _)) = open.seats.get(&self.number) else { return false };
        let has_place = *of == Some(client)
            || open.count(client) < self.connections.bounds.per_address
            || open.close_one(Some(client));
        if has_place && let Some((of, _)) = open.seats.get_mut(&self.number) {
            *of = Some(client);
            self.seat.answering.fetch_add(1, Ordering::Relaxed);
        }
        has_place
    }

    fn end(&self) {
        self.seat.active.store(self.connections.now(), Ordering::Relaxed);
        self.seat.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().seats.remove(&self.number);
    }
}

/// Returns the address for which what a client does counts, given the other end of the connection. One of IPv6 stands for its
/// network of 64 bits, all of which is usually one machine's.
pub(crate) fn client_address(proxy: &Proxy, headers: &HeaderMap, peer: SocketAddr) -> IpAddr {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let address = if proxy.behind { forwarded().unwrap_or(peer.ip()) } else { peer.ip() };
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

/// Answers requests until a future ends.
pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    bounds: Bounds,
    proxy: Proxy,
    ending: impl Future<Output = ()>,
) {
    let (connections, proxy) = (Connections::new(bounds), Arc::new(proxy));
    let waiting = Arc::new(Semaphore::new(bounds.per_address));
    let mut ending = std::pin::pin!(ending);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ending => return,
        };
        let Ok((stream, peer)) = accepted else {
            connections.lock().close_one(None);
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let direct = (!proxy.behind).then(|| client_address(&proxy, &Default::default(), peer));
        let (proxy, routes) = (Arc::clone(&proxy), routes.clone());
        if let Some(place) = connections.admit(direct) {
            tokio::spawn(answer(stream, peer, Arc::new(place), proxy, routes));
            continue;
        }
        let waits = Arc::clone(&waiting).try_acquire_owned();
        let connections = Arc::clone(&connections);
        tokio::spawn(async move {
            let place = if waits.is_ok() { patiently(|| connections.admit(direct)).await } else { None };
            drop(waits);
            match place {
                Some(place) => answer(stream, peer, Arc::new(place), proxy, routes).await,
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
async fn answer(stream: TcpStream, peer: SocketAddr, place: Arc<Place>, proxy: Arc<Proxy>, routes: Router) {
    let watched = Watched { stream, place: Arc::clone(&place) };
    let answering = Arc::clone(&place);
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let (place, mut routes) = (Arc::clone(&answering), routes.clone());
        let client = client_address(&proxy, request.headers(), peer);
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        async move {
            if patiently(|| place.begin(client).then_some(())).await.is_none() {
                let full = (StatusCode::SERVICE_UNAVAILABLE, "too many connections\n");
                return Ok::<_, Infallible>(full.into_response());
            }
            let response = routes.call(request).await;
            place.end();
            response
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    tokio::select! {
        // An error is the client's: it went away, or spoke no HTTP.
        _ = server.serve_connection(TokioIo::new(watched), service) => {}
        () = place.seat.close.notified() => {}
    }
}

/// A stream that notes the time of its last byte.
struct Watched {
    stream: TcpStream,
    place: Arc<Place>,
}

impl Watched {
    fn touch(&self, bytes: usize) {
        if bytes > 0 {
            self.place.seat.active.store(self.place.connections.now(), Ordering::Relaxed);
        }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let result = ready!(self.as_mut().stream().poll_read(context, into));
        self.touch(into.filled().len() - before);
        Poll::Ready(result)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(self.as_mut().stream().poll_write(context, bytes));
        self.touch(*written.as_ref().unwrap_or(&0));
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(self.as_mut().stream().poll_write_vectored(context, parts));
        self.touch(*written.as_ref().unwrap_or(&0));
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)));
    const OTHER: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2)));

    fn is_open(place: &Place) -> bool {
        place.connections.lock().seats.contains_key(&place.number)
    }

    fn active(place: &Place, at: u64) {
        place.seat.active.store(at, Ordering::Relaxed);
    }

    #[test]
    fn the_connection_that_has_been_idle_longest_makes_place() {
        let connections = Connections::new(Bounds { total: 3, per_address: 3 });
        let places: Vec<Place> = (0..3).map(|_| connections.admit(ONE).unwrap()).collect();
        active(&places[0], 3);
        active(&places[1], 1);
        active(&places[2], 2);
        // The one idle longest is answering, and stays.
        assert!(places[1].begin(ONE.unwrap()));
        let new = connections.admit(OTHER).unwrap();
        assert_eq!(places.iter().map(is_open).collect::<Vec<_>>(), [true, true, false]);
        assert!(new.begin(OTHER.unwrap()) && places[0].begin(ONE.unwrap()));
        assert!(connections.admit(OTHER).is_none(), "all are answering");
        places[1].end();
        assert!(connections.admit(OTHER).is_some());
        drop(new);
        assert_eq!(connections.lock().seats.len(), 1);
    }

    #[test]
    fn an_address_has_its_share_of_them() {
        let connections = Connections::new(Bounds { total: 8, per_address: 2 });
        let places: Vec<Place> = (0..4).map(|_| connections.admit(ONE).unwrap()).collect();
        assert_eq!(places.iter().filter(|place| is_open(place)).count(), 2);
        let others: Vec<Place> = (0..2).map(|_| connections.admit(OTHER).unwrap()).collect();
        assert!(others.iter().all(is_open));
        // Behind a proxy the request says whose it is.
        let proxied: Vec<Place> = (0..4).map(|_| connections.admit(None).unwrap()).collect();
        assert!(others.iter().all(|place| place.begin(OTHER.unwrap())));
        assert!(!proxied[0].begin(OTHER.unwrap()), "both are answering");
        assert!(proxied[1].begin(IpAddr::from([10, 0, 0, 3])));
        others[1].end();
        assert!(proxied[2].begin(OTHER.unwrap()) && !is_open(&others[1]));
    }

    #[test]
    fn the_bounds_leave_most_descriptors_to_what_plays() {
        assert_eq!(Bounds::of(65_536, 8), Bounds { total: 2_048, per_address: 512 });
        assert_eq!(Bounds::of(1_024, 2), Bounds { total: 448, per_address: 112 });
        assert_eq!(Bounds::of(256, 8), Bounds { total: 16, per_address: 4 });
    }
    #[test]
    fn a_client_counts_by_its_network() {
        let of = |behind: bool, forwarded: &'static str, peer: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
            client_address(&Proxy { behind }, &headers, peer.parse().unwrap()).to_string()
        };
        assert_eq!(of(true, "8.8.8.8, 10.1.1.1", "127.0.0.1:9"), "10.1.1.1");
        assert_eq!(of(false, "10.1.1.1", "10.2.2.2:9"), "10.2.2.2");
        assert_eq!(of(true, "2001:db8:1:2:3:4:5:6", "127.0.0.1:9"), "2001:db8:1:2::");
        assert_eq!(of(true, "nobody", "[::ffff:10.3.3.3]:9"), "10.3.3.3");
        assert_eq!(of(false, "", "[::1]:9"), "::1");
    }
}
