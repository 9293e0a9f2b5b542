//! A client of a league's server, with a token: for workers on other machines and for `judge
//! submit`.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::time::Duration;
use ureq::http::{Method, Request, Response, StatusCode};
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

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    /// Returns the body of an answer, or the reason why the server refuses.
    fn body(
        &self,
        path: &str,
        mut response: Response<ureq::Body>,
    ) -> Result<(StatusCode, Vec<u8>)> {
        let status = response.status();
        let bytes = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec();
        let bytes =
            bytes.with_context(|| format!("{}: the answer cannot be read", self.address(path)))?;
        if status.is_success() {
            return Ok((status, bytes));
        }
        let text = String::from_utf8_lossy(&bytes);
        bail!("{}: {}: {}", self.address(path), status.as_u16(), said(&text));
    }

    /// Sends a request with the token, and returns the status and the body of the answer.
    fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsSendBody,
    ) -> Result<(StatusCode, Vec<u8>)> {
        let mut request = Request::builder()
            .method(method)
            .uri(self.address(path))
            .header("authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = self.agent.run(request.body(body)?);
        self.body(path, sent.with_context(|| self.address(path))?)
    }

    pub(crate) fn get(&self, path: &str) -> Result<Vec<u8>> {
        Ok(self.send(Method::GET, path, &[], ())?.1)
    }

    /// Sends a value as JSON, and returns the answer; `None` if it is empty.
    pub(crate) fn send_json(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        value: &impl Serialize,
    ) -> Result<Option<String>> {
        let headers = [&[("content-type", "application/json")], headers].concat();
        let (status, bytes) =
            self.send(Method::POST, path, &headers, serde_json::to_vec(value)?)?;
        Ok((status != StatusCode::NO_CONTENT).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub(crate) fn put(&self, path: &str, headers: &[(&str, &str)], bytes: &[u8]) -> Result<()> {
        self.send(Method::PUT, path, headers, bytes).map(drop)
    }

    /// Sends a form with one file in the field `program`, and returns the answer.
    pub(crate) fn upload(&self, path: &str, file_name: &str, bytes: &[u8]) -> Result<String> {
        // The boundary is random, so that no file contains it.
        let boundary = format!("league-{}", crate::secret::new_secret());
        let name: String =
            file_name.chars().map(|c| if c == '"' || c.is_control() { '_' } else { c }).collect();
        let mut body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"program\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
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
