//! HTTP for stores such as S3, by the client that the league has for everything else. `object_store` would bring another one.

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use std::time::Duration;
use ureq::Agent;
use ureq::http::{Request, Response};

/// The time for a request with its answer.
const TIME: Duration = Duration::from_secs(100);
/// The time for a connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// The largest answer, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Makes clients.
#[derive(Debug)]
pub(super) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp).as_deref() == Some("true");
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_TIME))
            .timeout_global(Some(TIME))
            .https_only(!allows_http)
            .build();
        Ok(HttpClient::new(Client(config.into())))
    }
}

/// A client. Its requests are made on threads that may wait.
#[derive(Debug)]
struct Client(Agent);

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let bytes = to_bytes(Body::new(body), usize::MAX).await;
        let bytes = bytes.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let agent = self.0.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let response = if bytes.is_empty() && !matches!(parts.method.as_str(), "PUT" | "POST") {
                agent.run(Request::from_parts(parts, ()))?
            } else {
                agent.run(Request::from_parts(parts, &bytes[..]))?
            };
            let (parts, mut body) = response.into_parts();
            Ok((parts, body.with_config().limit(MOST_BYTES).read_to_vec()?))
        });
        let answer = answer.await.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let (parts, bytes) = answer.map_err(|error| HttpError::new(kind(&error), error))?;
        Ok(Response::from_parts(parts, bytes.into()))
    }
}

/// Says what went wrong, on which it depends whether a request is tried again.
fn kind(error: &ureq::Error) -> HttpErrorKind {
    match error {
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => HttpErrorKind::Connect,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => HttpErrorKind::Connect,
        ureq::Error::Io(_) | ureq::Error::Protocol(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    }
}
