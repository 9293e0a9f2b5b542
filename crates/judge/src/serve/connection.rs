//! One connection: its request has to arrive in time, and one that loses its place or comes too late hears so.

use super::places::{Phase, Place};
use super::service::{Limits, Reply, Service, answer, full};
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout};

/// The time, and the bytes, for which a connection that is being closed is still read: a stream that is closed with
/// something unread in it would take the last word with it.
const FAREWELL: (Duration, u64) = (Duration::from_millis(500), 64 << 10);
/// Connections that may be closing at a time; with more of them, the answer that says why may get lost.
const FAREWELLS: usize = 64;

/// Answers to connections that are closed without being served, a limited number at a time.
pub(super) struct Farewells(Semaphore);

/// The next event on a connection.
enum Next {
    Over,
    Late,
    Reached(Phase),
}

/// Serves a connection until it is closed.
pub(super) async fn serve<S: Service>(
    stream: TcpStream,
    place: Place,
    limits: Limits,
    service: Arc<Mutex<S>>,
    farewells: &Farewells,
) {
    let mut phases = place.phases();
    let place = Arc::new(place);
    let handle = service_fn(move |request| {
        let (service, place) = (Arc::clone(&service), Arc::clone(&place));
        async move {
            let reply = answer(request, limits, service, &place).await;
            place.reach(Phase::Answered);
            let mut response = Response::new(Full::new(reply.text));
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
    let mut http = http1::Builder::new();
    http.header_read_timeout(None).keep_alive(false).max_buf_size(16 << 10);
    // A client that breaks off, stalls or talks nonsense hurts only itself.
    let mut http = http.serve_connection(TokioIo::new(stream), handle);
    let mut phase = Phase::Arriving;
    let mut deadline = Some(Instant::now() + limits.time);
    let word = loop {
        match next(&mut http, &mut phases, deadline).await {
            Next::Late if phase == Phase::Arriving => break Reply::plain(408, "error: the request took too long\n"),
            Next::Over | Next::Late => return,
            Next::Reached(Phase::Dismissed) => break full(),
            Next::Reached(reached) => {
                phase = reached;
                // What is thought about takes the time it takes; who asked has to take the answer.
                deadline = (reached != Phase::Answering).then(|| Instant::now() + limits.time);
            }
        }
    };
    // The place goes with what is left of the request.
    let stream = http.into_parts().io.into_inner();
    farewells.say(stream, &word).await;
}

/// Drives the connection until something happens to it.
async fn next<C: Future + Unpin>(http: &mut C, phases: &mut watch::Receiver<Phase>, until: Option<Instant>) -> Next {
    let mut reached = pin!(async {
        match phases.changed().await {
            Ok(()) => *phases.borrow_and_update(),
            // Only with the place itself, at the connection's end.
            Err(_) => pending().await,
        }
    });
    let mut late = pin!(async {
        match until {
            Some(until) => sleep_until(until).await,
            None => pending().await,
        }
    });
    poll_fn(|context| {
        if let Poll::Ready(phase) = reached.as_mut().poll(context) {
            return Poll::Ready(Next::Reached(phase));
        }
        if Pin::new(&mut *http).poll(context).is_ready() {
            return Poll::Ready(Next::Over);
        }
        late.as_mut().poll(context).map(|()| Next::Late)
    })
    .await
}

impl Farewells {
    /// A state in which no connection is closing.
    pub(super) fn new() -> Farewells {
        Farewells(Semaphore::new(FAREWELLS))
    }

    /// Sends an answer that says why, and closes the connection.
    pub(super) async fn say(&self, mut stream: TcpStream, word: &Reply) {
        let status = StatusCode::from_u16(word.status).expect("a status of this server");
        let message = format!(
            "HTTP/1.1 {status}\r\n{CONTENT_TYPE}: {}\r\ncontent-length: {}\r\n{CACHE_CONTROL}: no-store\r\n\
             retry-after: 1\r\nconnection: close\r\n\r\n{}",
            word.kind,
            word.text.len(),
            String::from_utf8_lossy(&word.text)
        );
        let Ok(_listening) = self.0.try_acquire() else {
            let _ = stream.try_write(message.as_bytes());
            return;
        };
        let (time, most) = FAREWELL;
        let farewell = async {
            stream.write_all(message.as_bytes()).await?;
            stream.shutdown().await?;
            copy(&mut stream.take(most), &mut sink()).await
        };
        let _ = timeout(time, farewell).await;
    }
}
