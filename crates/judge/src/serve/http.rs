//! A small HTTP server for one service that answers requests with texts: `hyper`, one connection a request, with limits
//! on everything that comes from outside.

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// What answers the requests, one at a time.
pub trait Service: Send + 'static {
    /// The method that it answers; others are refused.
    const METHOD: Method;

    /// The answer to a request.
    fn reply(&mut self, request: &Request) -> Reply;
}

/// What a service sees of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path, as it came: `/`, or whatever somebody thought of.
    pub path: String,
    /// Whether the body says that it is a form, and not plain text.
    pub urlencoded: bool,
    /// The body; empty unless the method is POST.
    pub body: String,
}

/// A status and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// What kind of text.
    pub kind: &'static str,
    /// The text.
    pub text: String,
}

/// The kind of a plain text.
pub const PLAIN: &str = "text/plain; charset=utf-8";

impl Reply {
    /// A plain text.
    pub fn plain(status: u16, text: impl Into<String>) -> Reply {
        Reply { status, kind: PLAIN, text: text.into() }
    }
}

/// Limits on what comes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at a time; more are closed at once.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// For a request to arrive, and for its answer to be taken.
    pub time: Duration,
}

/// Listens on an address; gives the one it got, which has a port where none was asked for.
pub fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves what comes in at [`listen`]'s listener until the process is ended.
pub fn serve(listener: TcpListener, limits: Limits, service: impl Service) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let service = Arc::new(Mutex::new(service));
        let places = Arc::new(Semaphore::new(limits.connections));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of file handles, perhaps: others may be closed soon.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                let service = Arc::clone(&service);
                tokio::spawn(async move {
                    connection(stream, limits, service).await;
                    drop(place);
                });
            }
        }
    })
}

async fn connection<S: Service>(stream: TcpStream, limits: Limits, service: Arc<Mutex<S>>) {
    let handle = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move {
            let reply = answer(request, limits, service).await;
            let mut response = Response::new(Full::new(Bytes::from(reply.text)));
            *response.status_mut() = reply.status.try_into().expect("a status of this server");
            let mut header = |name: HeaderName, value: &'static str| {
                response.headers_mut().insert(name, value.parse().expect("a header"));
            };
            header(CONTENT_TYPE, reply.kind);
            header(X_CONTENT_TYPE_OPTIONS, "nosniff");
            // The next request finds another game.
            header(CACHE_CONTROL, "no-store");
            Ok::<_, Infallible>(response)
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.time).keep_alive(false).max_buf_size(16 << 10);
    // A client that breaks off, stalls or talks nonsense hurts only itself.
    let _ = server.serve_connection(TokioIo::new(stream), handle).await;
}

async fn answer<S: Service>(request: hyper::Request<Incoming>, limits: Limits, service: Arc<Mutex<S>>) -> Reply {
    if request.method() != S::METHOD {
        return Reply::plain(405, format!("error: expected a {} request\n", S::METHOD));
    }
    let too_large = || Reply::plain(413, format!("error: expected a body of at most {} bytes\n", limits.body));
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    if header(CONTENT_LENGTH).and_then(|length| length.parse().ok()).is_some_and(|length: usize| length > limits.body) {
        return too_large();
    }
    let urlencoded = header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    let path = request.uri().path().to_string();
    let mut bytes = Bytes::new();
    if S::METHOD == Method::POST {
        let body = Limited::new(request.into_body(), limits.body).collect();
        bytes = match timeout(limits.time, body).await {
            Err(_) => return Reply::plain(408, "error: the request took too long\n"),
            Ok(Err(_)) => return too_large(),
            Ok(Ok(body)) => body.to_bytes(),
        };
    }
    let Ok(body) = String::from_utf8(bytes.to_vec()) else {
        return Reply::plain(400, "error: expected UTF-8\n");
    };
    let request = Request { path, urlencoded, body };
    let failed = || Reply::plain(500, "error: the server has failed\n");
    let reply = move || match service.lock() {
        Ok(mut service) => service.reply(&request),
        Err(_) => failed(),
    };
    tokio::task::spawn_blocking(reply).await.unwrap_or_else(|_| failed())
}
