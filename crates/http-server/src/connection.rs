//! The life of one HTTP connection.

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
use tokio::time::timeout;

const NO_LIMIT: Duration = Duration::from_secs(1 << 30);

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
    let reply = loop {
        // After an answer was computed, the client has the same time to read it.
        let limit = if phase == Phase::Answering { NO_LIMIT } else { time };
        match timeout(limit, next_phase(&mut http, &mut phases)).await {
            Err(_) if phase == Phase::Arriving => {
                break (408, "error: the request took too long\n");
            }
            Err(_) | Ok(None) => return,
            Ok(Some(Phase::Evicted)) => break FULL,
            Ok(Some(entered)) => phase = entered,
        }
    };
    // Dropping the rest of the request frees the slot.
    let stream = http.into_parts().io.into_inner();
    closing.send(stream, &closing_text(reply)).await;
}

/// Drives the connection until it enters the next phase, or has ended.
async fn next_phase<C: Future + Unpin>(
    http: &mut C,
    phases: &mut watch::Receiver<Phase>,
) -> Option<Phase> {
    let mut entered = pin!(async {
        match phases.changed().await {
            Ok(()) => *phases.borrow_and_update(),
            Err(_) => pending().await,
        }
    });
    poll_fn(|context| match entered.as_mut().poll(context) {
        Poll::Ready(phase) => Poll::Ready(Some(phase)),
        Poll::Pending => Pin::new(&mut *http).poll(context).map(|_| None),
    })
    .await
}

/// The reply on a connection that is closed without being served.
pub(super) fn closing_text((status, text): (u16, &str)) -> String {
    let (status, length) =
        (StatusCode::from_u16(status).expect("a status of this server"), text.len());
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nretry-after: 1\r\nconnection: close\r\n\r\n{text}"
    )
}
