//! The layers around a server's routes.

use crate::hosts::Hosts;
use crate::listen::{Phase, Slot};
use axum::body::{HttpBody, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Router, body::Body};
use std::sync::Arc;
use std::time::Duration;

/// The limits on connections and requests.
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// Simultaneous connections. Beyond this number the oldest connection whose request has not
    /// arrived is closed, of the address with the most connections, or else the new one, with the
    /// status 503.
    pub connections: usize,
    /// The HTTP methods that the server answers.
    pub methods: &'static [Method],
    /// The most bytes of a request's body.
    pub body: usize,
    /// The time limit for a request to arrive completely, and again for the client to read the
    /// answer.
    pub time: Duration,
}

#[derive(Clone)]
pub(super) struct Client {
    pub slot: Arc<Slot>,
    pub hosts: Arc<Hosts>,
}

pub(super) const FULL: (u16, &str) = (503, "error: the server is full, try again\n");

/// A reply of plain text.
pub fn plain(status: u16, text: impl Into<String>) -> Response {
    (StatusCode::from_u16(status).expect("a status of this server"), text.into()).into_response()
}

/// These routes for requests within the limits, with a [`Client`] in their extensions.
pub(super) fn limited(routes: Router, limits: HttpLimits) -> Router {
    routes.layer(from_fn_with_state(limits, answer))
}

async fn answer(
    State(limits): State<HttpLimits>,
    Extension(client): Extension<Client>,
    request: Request,
    next: Next,
) -> Response {
    let mut response =
        answer_within(&limits, &client, request, next).await.unwrap_or_else(|refusal| refusal);
    let mut header =
        |name, value| response.headers_mut().insert(name, HeaderValue::from_static(value));
    header(X_CONTENT_TYPE_OPTIONS, "nosniff");
    // The state of a game changes between requests.
    header(CACHE_CONTROL, "no-store");
    client.slot.enter(Phase::Answered);
    response
}

/// The error is the refusal, which is not sent on a connection that has been evicted.
async fn answer_within(
    limits: &HttpLimits,
    client: &Client,
    request: Request,
    next: Next,
) -> Result<Response, Response> {
    if let Some(why) = client.hosts.refusal(&request) {
        return Err(plain(403, format!("error: {why}\n")));
    }
    if !limits.methods.contains(request.method()) {
        let names: Vec<&str> = limits.methods.iter().map(Method::as_str).collect();
        return Err(plain(405, format!("error: expected a {} request\n", names.join(" or "))));
    }
    let too_large =
        || plain(413, format!("error: expected a body of at most {} bytes\n", limits.body));
    let (parts, body) = request.into_parts();
    if body.size_hint().lower() > limits.body as u64 {
        return Err(too_large());
    }
    let body = to_bytes(body, limits.body).await.map_err(|_| too_large())?;
    if !client.slot.enter(Phase::Answering) {
        return Err(plain(FULL.0, FULL.1));
    }
    // The service goes on when the client disconnects, so that it keeps the slot until its end.
    let slot = Arc::clone(&client.slot);
    let answered = tokio::spawn(async move {
        let _slot = slot;
        next.run(Request::from_parts(parts, Body::from(body))).await
    });
    Ok(answered.await.unwrap_or_else(|_| plain(500, "error: the server has failed\n")))
}
