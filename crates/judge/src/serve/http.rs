//! A small HTTP server for one service that answers POST bodies with texts: `hyper`, one connection a request, with
//! limits on everything that comes from outside.

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// What answers the requests, one at a time.
pub trait Service: Send + 'static {
    /// The answer to the body of a POST request, which is a form or plain text.
    fn reply(&mut self, urlencoded: bool, body: &str) -> Reply;
}

/// A status and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Plain text.
    pub text: String,
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

/// Says on standard output where it listens, and serves until the process is ended.
pub fn serve(address: SocketAddr, limits: Limits, service: impl Service) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
        crate::print(&format!("listening on http://{}/\n", listener.local_addr()?));
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
            response.headers_mut().insert(CONTENT_TYPE, "text/plain; charset=utf-8".parse().expect("a header"));
            Ok::<_, Infallible>(response)
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.time).keep_alive(false).max_buf_size(16 << 10);
    // A client that breaks off, stalls or talks nonsense hurts only itself.
    let _ = server.serve_connection(TokioIo::new(stream), handle).await;
}

async fn answer<S: Service>(request: Request<Incoming>, limits: Limits, service: Arc<Mutex<S>>) -> Reply {
    let refuse = |status, text: String| Reply { status, text };
    if request.method() != Method::POST {
        return refuse(405, "error: expected a POST request\n".to_string());
    }
    let too_large = || refuse(413, format!("error: expected a body of at most {} bytes\n", limits.body));
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    if header(CONTENT_LENGTH).and_then(|length| length.parse().ok()).is_some_and(|length: usize| length > limits.body) {
        return too_large();
    }
    let urlencoded = header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    let body = Limited::new(request.into_body(), limits.body).collect();
    let bytes = match timeout(limits.time, body).await {
        Err(_) => return refuse(408, "error: the request took too long\n".to_string()),
        Ok(Err(_)) => return too_large(),
        Ok(Ok(body)) => body.to_bytes(),
    };
    let Ok(text) = String::from_utf8(bytes.to_vec()) else {
        return refuse(400, "error: expected UTF-8\n".to_string());
    };
    let reply = move || match service.lock() {
        Ok(mut service) => service.reply(urlencoded, &text),
        Err(_) => Reply { status: 500, text: "error: the server has failed\n".to_string() },
    };
    let reply = tokio::task::spawn_blocking(reply).await;
    reply.unwrap_or_else(|_| refuse(500, "error: the server has failed\n".to_string()))
}
