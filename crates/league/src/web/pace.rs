//! Bodies of requests come at a minimum rate: slow ones keep connections and places from others.

use super::access::Refusal;
use super::app::Shared;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::try_unfold;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The time in which a body may stand still altogether.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes of a second after that.
const RATE: u64 = 4 << 10;
/// Bytes of a second of an upload that has a place for which others wait.
const CROWDED_RATE: u64 = 128 << 10;
const LOOK: Duration = Duration::from_secs(1);

/// The pace at which a body comes. Only the time counts in which the server waits for the client.
#[derive(Clone, Default)]
pub(super) struct Pace(Arc<Flags>);

#[derive(Default)]
struct Flags {
    has_place: AtomicBool,
    was_slow: AtomicBool,
}

impl Pace {
    pub(super) fn takes_place(&self) {
        self.0.has_place.store(true, Ordering::Relaxed);
    }
}

/// The bytes of a body so far, and the time that the server has waited for them.
#[derive(Default)]
struct Sent {
    bytes: u64,
    waited: Duration,
}

impl Sent {
    fn is_too_slow(&self, rate: u64) -> bool {
        self.waited > GRACE && self.bytes < rate * (self.waited - GRACE).as_secs()
    }
}

/// Ends requests whose bodies come too slowly.
pub(super) async fn keep_pace(
    State(app): State<Shared>,
    mut request: Request,
    next: Next,
) -> Response {
    let pace = Pace::default();
    request.extensions_mut().insert(pace.clone());
    let watched = pace.clone();
    let request = request.map(|body| {
        let state = (body.into_data_stream(), Sent::default());
        Body::from_stream(try_unfold(state, move |(mut stream, mut sent)| {
            let (app, pace) = (Arc::clone(&app), watched.clone());
            async move {
                loop {
                    let begun = Instant::now();
                    let next = timeout(LOOK, stream.next()).await;
                    sent.waited += begun.elapsed();
                    let chunk = match next {
                        Ok(None) => return Ok(None),
                        Ok(Some(chunk)) => Some(chunk.map_err(io::Error::other)?),
                        Err(_) => None,
                    };
                    sent.bytes += chunk.as_ref().map_or(0, |bytes| bytes.len() as u64);
                    let is_crowded =
                        pace.0.has_place.load(Ordering::Relaxed) && app.places.is_waited_for();
                    if sent.is_too_slow(if is_crowded { CROWDED_RATE } else { RATE }) {
                        pace.0.was_slow.store(true, Ordering::Relaxed);
                        return Err(io::Error::from(io::ErrorKind::TimedOut));
                    }
                    if let Some(chunk) = chunk {
                        return Ok(Some((chunk, (stream, sent))));
                    }
                }
            }
        }))
    });
    let response = next.run(request).await;
    if pace.0.was_slow.load(Ordering::Relaxed) { Refusal::Slow.into_response() } else { response }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_may_pause_and_must_not_drip() {
        let is_too_slow = |bytes: u64, seconds: u64| {
            Sent { bytes, waited: Duration::from_secs(seconds) }.is_too_slow(RATE)
        };
        assert!(!is_too_slow(0, 10) && is_too_slow(0, 11));
        assert!(!is_too_slow(50 * RATE, 60) && is_too_slow(50 * RATE, 62));
    }
}
