//! What the league asks of the provider, and what it takes from its answers. All of it waits for the provider: callers are on
//! threads that may wait.

use super::begun::{Begun, Expected};
use super::{Failure, Settings, Start};
use crate::clock::now;
use crate::secret::{hash, new_secret};
use anyhow::{Context, Error, Result, anyhow, bail};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdToken, CoreJwsSigningAlgorithm,
    CoreProviderMetadata,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RequestTokenError, Scope, TokenResponse,
};
use serde_json::Value;
use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::Agent;

/// The time for a request to the provider.
const TIME: Duration = Duration::from_secs(10);
/// The largest answer of the provider, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// How long the provider's addresses and keys are used.
const METADATA_TIME: Duration = Duration::from_secs(3600);
/// The pause before the provider is asked for them again after a failure, or for the sake of a key that is not among them.
const METADATA_PAUSE: Duration = Duration::from_secs(10);
/// The signatures that an ID token may have: none by a shared secret, and none at all is none of them.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// A client of the provider.
type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// Signing in at one provider.
pub(crate) struct OpenId {
    settings: Settings,
    issuer: IssuerUrl,
    secret: ClientSecret,
    redirect: RedirectUrl,
    agent: Agent,
    begun: Begun,
    known: Mutex<Known>,
}

/// The provider's addresses and keys, and when it was asked for them.
#[derive(Default)]
struct Known {
    metadata: Option<(CoreProviderMetadata, Instant)>,
    asked: Option<Instant>,
}

impl OpenId {
    /// Reads the client's secret. `redirect` is the address to which the provider sends browsers back.
    ///
    /// # Errors
    /// The secret cannot be read.
    pub(crate) fn new(settings: &Settings, directory: &Path, redirect: &str) -> Result<OpenId> {
        let file = directory.join(&settings.client_secret_file);
        let secret = fs::read_to_string(&file)
            .with_context(|| format!("openid.client-secret-file: {}: cannot be read", file.display()))?;
        if secret.trim().is_empty() {
            bail!("openid.client-secret-file: {}: is empty", file.display());
        }
        // The provider's other addresses come from itself: they are as safe as the first one.
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIME))
            .https_only(settings.issuer.starts_with("https:"));
        Ok(OpenId {
            issuer: IssuerUrl::new(settings.issuer.clone()).context("openid.issuer")?,
            secret: ClientSecret::new(secret.trim().to_string()),
            redirect: RedirectUrl::new(redirect.to_string()).context("address")?,
            agent: config.build().into(),
            begun: Begun::default(),
            known: Mutex::default(),
            settings: settings.clone(),
        })
    }

    /// Returns the text of the button.
    pub(crate) fn button(&self) -> &str {
        &self.settings.button
    }

    /// Asks the provider for its addresses and keys.
    ///
    /// # Errors
    /// It does not answer, or is another one.
    pub(crate) fn look(&self) -> Result<()> {
        self.metadata(METADATA_TIME).map(drop)
    }

    /// Begins a sign-in of a client at an address.
    pub(crate) fn begin(&self, client_address: IpAddr) -> Result<Start, Failure> {
        let client = self.client(METADATA_TIME).map_err(Failure::Provider)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let request = client.authorize_url(flow, || CsrfToken::new(new_secret()), || Nonce::new(new_secret()));
        let mut request = request.set_pkce_challenge(challenge);
        for scope in self.scopes() {
            request = request.add_scope(Scope::new((*scope).to_string()));
        }
        let (address, state, nonce) = request.url();
        let expected = Expected { state: hash(state.secret()), nonce, verifier };
        Ok(Start { address: address.into(), secret: self.begun.keep(expected, client_address, now()) })
    }

    /// What the provider is asked to tell, besides `openid`.
    fn scopes(&self) -> &'static [&'static str] {
        match self.settings.claim.as_str() {
            "sub" => &[],
            "email" => &["email"],
            _ => &["profile", "email"],
        }
    }

    /// Ends the sign-in that a browser has begun, and returns the login. `secret` is what the browser kept, `state` and `code` are what
    /// it brings from the provider; in place of a code perhaps the provider's words.
    pub(crate) fn finish(&self, secret: &str, state: &str, code: Result<String, String>) -> Result<String, Failure> {
        let expected = self.begun.take(secret, state, now()).ok_or(Failure::NotBegun)?;
        let code = code.map_err(Failure::Refused)?;
        let token = self.exchange(code, expected.verifier).map_err(Failure::Provider)?;
        self.verify(&token, &expected.nonce).map_err(Failure::Provider)?;
        let claims = claims(&token).map_err(Failure::Provider)?;
        login(&self.settings.claim, &claims).map_err(Failure::NoLogin)
    }

    /// Exchanges a code for an ID token.
    fn exchange(&self, code: String, verifier: PkceCodeVerifier) -> Result<CoreIdToken> {
        let client = self.client(METADATA_TIME)?;
        let request = client.exchange_code(AuthorizationCode::new(code))?.set_pkce_verifier(verifier);
        let answer = request.request(&|request| self.send(request)).map_err(|error| match error {
            RequestTokenError::ServerResponse(answer) => anyhow!("the provider takes no code: {answer}"),
            RequestTokenError::Parse(error, _) => anyhow!("the provider's answer to a code: {error}"),
            other => Error::new(other).context("the provider's answer to a code"),
        })?;
        answer.id_token().cloned().context("the provider's answer to a code has no ID token")
    }

    /// Verifies signature, issuer, audience, time and nonce of an ID token.
    fn verify(&self, token: &CoreIdToken, nonce: &Nonce) -> Result<()> {
        let verify = |oldest| -> Result<_> {
            let client = self.client(oldest)?;
            let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
            Ok(token.claims(&verifier, nonce).map(drop))
        };
        let verified = match verify(METADATA_TIME)? {
            // Providers change their keys from time to time.
            Err(ClaimsVerificationError::SignatureVerification(_)) => verify(METADATA_PAUSE)?,
            other => other,
        };
        verified.context("the provider's ID token")
    }

    /// Returns a client with addresses and keys of the provider that are not older.
    fn client(&self, oldest: Duration) -> Result<Client> {
        let metadata = self.metadata(oldest)?;
        let methods = metadata.token_endpoint_auth_methods_supported().cloned();
        if metadata.token_endpoint().is_none() {
            bail!("{}: the provider has no token endpoint", self.settings.issuer);
        }
        let id = ClientId::new(self.settings.client_id.clone());
        let client = CoreClient::from_provider_metadata(metadata, id, Some(self.secret.clone()))
            .set_redirect_uri(self.redirect.clone());
        // Where it says nothing, it is the first one.
        let takes = |method| methods.as_ref().is_none_or(|methods| methods.contains(&method));
        let form_alone =
            !takes(CoreClientAuthMethod::ClientSecretBasic) && takes(CoreClientAuthMethod::ClientSecretPost);
        Ok(client.set_auth_type(if form_alone { AuthType::RequestBody } else { AuthType::BasicAuth }))
    }

    /// Returns addresses and keys of the provider that are not older; where it does not answer, those that are known.
    fn metadata(&self, oldest: Duration) -> Result<CoreProviderMetadata> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((metadata, at)) = &known.metadata
            && at.elapsed() < oldest
        {
            return Ok(metadata.clone());
        }
        let older = known.metadata.as_ref().map(|(metadata, _)| metadata.clone());
        if known.asked.is_some_and(|at| at.elapsed() < METADATA_PAUSE) {
            return older.with_context(|| format!("{}: the provider did not answer just now", self.settings.issuer));
        }
        known.asked = Some(Instant::now());
        match CoreProviderMetadata::discover(&self.issuer, &|request| self.send(request)) {
            Ok(metadata) => {
                known.metadata = Some((metadata.clone(), Instant::now()));
                Ok(metadata)
            }
            Err(error) => older.map_or_else(
                || Err(error).with_context(|| format!("{}: the provider's description", self.settings.issuer)),
                Ok,
            ),
        }
    }

    /// Sends a request to the provider: without following it elsewhere, and with limits of time and size.
    fn send(&self, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
        let (parts, body) = request.into_parts();
        let response = if body.is_empty() {
            self.agent.run(ureq::http::Request::from_parts(parts, ()))?
        } else {
            self.agent.run(ureq::http::Request::from_parts(parts, body))?
        };
        let (parts, mut body) = response.into_parts();
        let bytes = body.with_config().limit(MOST_BYTES).read_to_vec()?;
        Ok(HttpResponse::from_parts(parts, bytes))
    }
}

/// Returns all claims of a token that was verified.
fn claims(token: &CoreIdToken) -> Result<Value> {
    let text = token.to_string();
    let payload = text.split('.').nth(1).context("an ID token without claims")?;
    Ok(serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload)?)?)
}

/// Returns the login that the claims tell.
fn login(claim: &str, claims: &Value) -> Result<String, String> {
    let login = match &claims[claim] {
        Value::String(text) if !text.is_empty() => text.clone(),
        Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
        _ => return Err(format!("Your account was found, but the account server did not tell its '{claim}'.")),
    };
    let verified = &claims["email_verified"];
    if claim == "email" && (*verified == Value::Bool(false) || *verified == "false") {
        return Err(format!(
            "Your account's address {login} has not been verified yet. Verify it at your account server."
        ));
    }
    Ok(login)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_address_that_is_not_verified_is_no_login() {
        let email = |claims: Value| login("email", &claims);
        assert_eq!(email(json!({"email": "a@x.example", "email_verified": true})).unwrap(), "a@x.example");
        assert_eq!(email(json!({"email": "a@x.example"})).unwrap(), "a@x.example");
        for claims in [
            json!({"email": "a@x.example", "email_verified": false}),
            json!({"email": "a@x.example", "email_verified": "false"}),
            json!({"email": ""}),
            json!({"email": ["a@x.example"]}),
            json!({"email": null}),
            json!({}),
            json!([]),
        ] {
            assert!(email(claims.clone()).is_err(), "{claims}");
        }
        assert_eq!(login("number", &json!({"number": 9001, "email_verified": false})).unwrap(), "9001");
    }
}
