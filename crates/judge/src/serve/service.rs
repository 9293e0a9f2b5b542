//! What a server answers requests with: the service, what it sees, what it says, and the limits on what comes in.

use super::places::{Phase, Place};
use http_body_util::{BodyExt, Limited};
use hyper::Method;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A service that answers requests, one at a time.
pub(crate) trait Service: Send + 'static {
    /// The method that the service answers; others are refused.
    const METHOD: Method;

    /// The answer to a request.
    fn reply(&mut self, request: &Request) -> Reply;
}

/// The part of a request that a service sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The path, as it came: `/`, or whatever somebody thought of.
    pub path: String,
    /// Whether the body says that it is a form, and not plain text.
    pub urlencoded: bool,
    /// The body; empty unless the method is POST.
    pub body: String,
}

/// A status and a text, or the bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The content type of the text.
    pub kind: &'static str,
    /// The text.
    pub text: Bytes,
}

/// The kind of a plain text.
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

impl Reply {
    /// A plain text.
    pub(crate) fn plain(status: u16, text: impl Into<String>) -> Reply {
        Reply { status, kind: PLAIN, text: Bytes::from(text.into()) }
    }
}

/// Limits on what comes from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at a time. With one more the oldest goes whose request has not arrived, of the address that has most;
    /// if there is none, the new one. Both are answered 503.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// The time for a request to arrive as a whole, and again for its answer to be taken.
    pub time: Duration,
}

/// The answer to a connection for which there is no place.
pub(crate) fn full() -> Reply {
    Reply::plain(503, "error: the server is full, try again\n")
}

/// The answer to a request; all that is left of it once it has lost its place is an error that nobody reads.
pub(crate) async fn answer<S: Service>(
    request: hyper::Request<Incoming>,
    limits: Limits,
    service: Arc<Mutex<S>>,
    place: &Arc<Place>,
) -> Reply {
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
        bytes = match Limited::new(request.into_body(), limits.body).collect().await {
            Err(_) => return too_large(),
            Ok(body) => body.to_bytes(),
        };
    }
    let Ok(body) = String::from_utf8(bytes.to_vec()) else {
        return Reply::plain(400, "error: expected UTF-8\n");
    };
    let request = Request { path, urlencoded, body };
    if !place.reach(Phase::Answering) {
        return full();
    }
    let failed = || Reply::plain(500, "error: the server has failed\n");
    // Who hangs up does not stop the service, which therefore keeps the place.
    let place = Arc::clone(place);
    let reply = move || {
        let _place = place;
        match service.lock() {
            Ok(mut service) => service.reply(&request),
            Err(_) => failed(),
        }
    };
    tokio::task::spawn_blocking(reply).await.unwrap_or_else(|_| failed())
}
