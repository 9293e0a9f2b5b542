//! A client of a league's server, with a token: for workers on other machines and for `judge
//! submit`.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use ureq::http::{Method, Request, StatusCode};
use ureq::{Agent, AsSendBody};

const TIME: Duration = Duration::from_secs(120);
const MOST_BYTES: u64 = 1 << 30;

pub(crate) struct Client {
    agent: Agent,
    server: String,
    token: String,
}

impl Client {
    pub(crate) fn new(server: &str, token: &str) -> Result<Client> {
        if !server.starts_with("http://") && !server.starts_with("https://") {
            bail!(
                "--server: expected an address such as https://league.school.example, found '{server}'"
            );
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIME))
            .build();
        let server = server.trim_end_matches('/').to_string();
        Ok(Client { agent: config.into(), server, token: token.trim().to_string() })
    }

    /// Sends a request with the token, and returns status and body of the answer.
    ///
    /// # Errors
    /// The server refuses; the message has its reason.
    fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsSendBody,
    ) -> Result<(StatusCode, Vec<u8>)> {
        let address = format!("{}{path}", self.server);
        let mut request = Request::builder()
            .method(method)
            .uri(&address)
            .header("authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = self.agent.run(request.body(body)?);
        let mut response = sent.with_context(|| address.clone())?;
        let status = response.status();
        let bytes = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec();
        let bytes = bytes.with_context(|| format!("{address}: the answer cannot be read"))?;
        if !status.is_success() {
            bail!("{address}: {}: {}", status.as_u16(), said(&String::from_utf8_lossy(&bytes)));
        }
        Ok((status, bytes))
    }

    pub(crate) fn get(&self, path: &str) -> Result<Vec<u8>> {
        Ok(self.send(Method::GET, path, &[], ())?.1)
    }

    /// Sends a value as JSON, and returns the answer; `None` if it is empty.
    pub(crate) fn send_json<T: DeserializeOwned>(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        value: &impl Serialize,
    ) -> Result<Option<T>> {
        let headers = [&[("content-type", "application/json")], headers].concat();
        let (status, bytes) =
            self.send(Method::POST, path, &headers, serde_json::to_vec(value)?)?;
        let has_answer = status != StatusCode::NO_CONTENT;
        Ok(has_answer.then(|| serde_json::from_slice(&bytes)).transpose()?)
    }

    pub(crate) fn put(&self, path: &str, headers: &[(&str, &str)], bytes: &[u8]) -> Result<()> {
        self.send(Method::PUT, path, headers, bytes).map(drop)
    }

    pub(crate) fn upload(&self, path: &str, file_name: &str, bytes: &[u8]) -> Result<String> {
        // The boundary is random, so that no file contains it.
        let boundary = format!("league-{}", crate::secret::new_secret());
        let name = file_name.replace(|c: char| c == '"' || c.is_control(), "_");
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"program\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let end = format!("\r\n--{boundary}--\r\n");
        let body = [head.as_bytes(), bytes, end.as_bytes()].concat();
        let kind = format!("multipart/form-data; boundary={boundary}");
        // A server that refuses the size answers before the body is sent.
        let headers = [("content-type", kind.as_str()), ("expect", "100-continue")];
        let (_, bytes) = self.send(Method::POST, path, &headers, &body[..])?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Returns what a page of an error says.
fn said(page: &str) -> String {
    let text = page
        .split_once("role=\"alert\">")
        .and_then(|(_, rest)| rest.split_once("</p>"))
        .map_or(page, |(text, _)| text);
    arena::plain::shown(text.trim()).chars().take(500).collect()
}
