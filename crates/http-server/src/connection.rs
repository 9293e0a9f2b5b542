//! The life of one HTTP connection: its request is read within the time limit, answered, or refused
//! with a closing reply.

use crate::hosts::Hosts;
use crate::listen::{ClosingReplies, Phase, Slot};
use crate::service::{Client, FULL};
use axum::http::StatusCode;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// An event on a connection.
enum ConnectionEvent {
    /// The connection has ended.
    Closed,
    /// The deadline has passed.
    TimedOut,
    /// The connection has entered a phase.
    Entered(Phase),
}

/// Serves a connection until it is closed.
pub(super) async fn serve(
    stream: TcpStream,
    slot: Slot,
    hosts: Hosts,
    time: Duration,
    routes: Router,
    closing: &ClosingReplies,
) {
    let mut phases = slot.phases();
    let client = Client { slot: Arc::new(slot), hosts: Arc::new(hosts) };
    let handle = TowerToHyperService::new(routes.layer(Extension(client)));
    let mut http = http1::Builder::new();
    http.header_read_timeout(None).keep_alive(false).max_buf_size(16 << 10);
    // An error of the client ends its own connection only.
    let mut http = http.serve_connection(TokioIo::new(stream), handle);
    let mut phase = Phase::Arriving;
    let mut deadline = Some(Instant::now() + time);
    let reply = loop {
        match next_event(&mut http, &mut phases, deadline).await {
            ConnectionEvent::TimedOut if phase == Phase::Arriving => {
                break (408, "error: the request took too long\n");
            }
            ConnectionEvent::Closed | ConnectionEvent::TimedOut => return,
            ConnectionEvent::Entered(Phase::Evicted) => break FULL,
            ConnectionEvent::Entered(entered) => {
                phase = entered;
                // No deadline while an answer is computed; the client then has the same time to
                // read the answer.
                deadline = (entered != Phase::Answering).then(|| Instant::now() + time);
            }
        }
    };
    // Dropping the rest of the request frees the slot.
    let stream = http.into_parts().io.into_inner();
    closing.send(stream, &closing_text(reply)).await;
}

/// Drives the connection until the next event.
async fn next_event<C: Future + Unpin>(
    http: &mut C,
    phases: &mut watch::Receiver<Phase>,
    deadline: Option<Instant>,
) -> ConnectionEvent {
    let mut entered = pin!(async {
        match phases.changed().await {
            Ok(()) => *phases.borrow_and_update(),
            // The sender is dropped with the slot, when the connection ends.
            Err(_) => pending().await,
        }
    });
    let mut timed_out = pin!(async {
        match deadline {
            Some(deadline) => sleep_until(deadline).await,
            None => pending().await,
        }
    });
    poll_fn(|context| {
        if let Poll::Ready(phase) = entered.as_mut().poll(context) {
            return Poll::Ready(ConnectionEvent::Entered(phase));
        }
        if Pin::new(&mut *http).poll(context).is_ready() {
            return Poll::Ready(ConnectionEvent::Closed);
        }
        timed_out.as_mut().poll(context).map(|()| ConnectionEvent::TimedOut)
    })
    .await
}

/// Returns the bytes of a reply on a connection that is closed without being served.
pub(super) fn closing_text((status, text): (u16, &str)) -> String {
    let (status, length) =
        (StatusCode::from_u16(status).expect("a status of this server"), text.len());
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nretry-after: 1\r\nconnection: close\r\n\r\n{text}"
    )
}
