//! A client of the server under test: a browser with a session, or a worker with a token.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Response;

/// The longest time for a request.
const TIME: Duration = Duration::from_secs(60);

/// A client with its own connections.
pub(super) struct Client {
    agent: Agent,
    address: String,
}

/// An answer: its status and its body.
pub(super) type Answer = (u16, Vec<u8>);

impl Client {
    /// Returns a client of the server at this address.
    pub(super) fn new(address: &str) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIME))
            .build();
        Client { agent: config.into(), address: address.to_string() }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn read(mut response: Response<ureq::Body>) -> Result<Answer> {
        let status = response.status().as_u16();
        Ok((status, response.body_mut().with_config().limit(1 << 30).read_to_vec()?))
    }

    /// Uses a one-time link. Returns the cookie of the session.
    pub(super) fn sign_in(&self, path: &str) -> Result<String> {
        let response =
            self.agent.post(self.url(path)).header("sec-fetch-site", "same-origin").send_empty()?;
        let cookie = response.headers().get("set-cookie").context("no session")?.to_str()?;
        Ok(cookie.split(';').next().unwrap_or_default().to_string())
    }

    /// Loads a page as a browser does.
    pub(super) fn page(&self, cookie: &str, path: &str) -> Result<Answer> {
        Client::read(
            self.agent
                .get(self.url(path))
                .header("cookie", cookie)
                .header("accept-encoding", "gzip")
                .call()?,
        )
    }

    /// Loads a file as it is, without compression.
    pub(super) fn file(&self, cookie: &str, path: &str) -> Result<Answer> {
        Client::read(
            self.agent
                .get(self.url(path))
                .header("cookie", cookie)
                .header("accept-encoding", "identity")
                .call()?,
        )
    }

    /// Sends a form.
    pub(super) fn form(&self, cookie: &str, path: &str, fields: &[(&str, &str)]) -> Result<u16> {
        let request = self
            .agent
            .post(self.url(path))
            .header("cookie", cookie)
            .header("sec-fetch-site", "same-origin");
        Ok(request.send_form(fields.iter().copied())?.status().as_u16())
    }

    /// Hands in a file.
    pub(super) fn upload(&self, cookie: &str, file: &str, bytes: &[u8]) -> Result<Answer> {
        let boundary = "------lab-term-5f0c1b";
        let mut body =
            format!("--{boundary}\r\ncontent-disposition: form-data; name=\"program\"; filename=\"{file}\"\r\n\r\n")
                .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let request = self.agent.post(self.url("/submissions")).header("cookie", cookie);
        let request =
            request.header("sec-fetch-site", "same-origin").header("accept", "application/json");
        let kind = format!("multipart/form-data; boundary={boundary}");
        Client::read(request.header("content-type", kind).send(&body[..])?)
    }

    /// Says something as a worker. Returns the answer, `None` if there is nothing to say.
    pub(super) fn say(
        &self,
        token: &str,
        path: &str,
        lease: &str,
        message: &Value,
    ) -> Result<Option<Value>> {
        let request =
            self.agent.post(self.url(path)).header("authorization", format!("Bearer {token}"));
        let request = request.header("x-lease", lease).header("content-type", "application/json");
        match Client::read(request.send(&serde_json::to_vec(message)?)?)? {
            (204, _) => Ok(None),
            (200, body) => Ok(Some(serde_json::from_slice(&body)?)),
            (status, _) => bail!("{path}: status {status}"),
        }
    }

    /// Leaves a file as a worker. Returns the status.
    pub(super) fn put(&self, token: &str, path: &str, lease: &str, bytes: &[u8]) -> Result<u16> {
        let request =
            self.agent.put(self.url(path)).header("authorization", format!("Bearer {token}"));
        Ok(request.header("x-lease", lease).send(bytes)?.status().as_u16())
    }

    /// Loads the figures.
    pub(super) fn figures(&self, address: &str) -> Result<String> {
        let (_, body) = Client::read(self.agent.get(format!("http://{address}/metrics")).call()?)?;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }
}
