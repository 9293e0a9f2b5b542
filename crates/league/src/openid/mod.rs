//! Signing in by OpenID Connect: the authorization code flow with PKCE, against one provider, such as a school's account server.
//!
//! [`OpenId::begin`] sends a browser to the provider; [`OpenId::finish`] takes what it comes back with, asks the provider for an ID
//! token, verifies that and returns the login. What has begun is kept in memory until it ends, for ten minutes at most, under a
//! secret that the browser has as a cookie: an answer that another browser brings along is refused.
//!
//! The crate `openidconnect` and what it needs are compiled with the feature `openid` only.

#[cfg(not(feature = "openid"))]
mod absent;
#[cfg(feature = "openid")]
mod begun;
#[cfg(feature = "openid")]
mod provider;
mod settings;

#[cfg(not(feature = "openid"))]
pub(crate) use absent::OpenId;
#[cfg(feature = "openid")]
pub(crate) use provider::OpenId;
pub(crate) use settings::Settings;

use crate::clock::{MINUTE, Millis};

/// How long a sign-in may take.
pub(crate) const SIGN_IN_TIME: Millis = 10 * MINUTE;

/// A sign-in that begins.
pub(crate) struct Start {
    /// The provider's page, to which the browser goes.
    pub address: String,
    /// What the browser keeps until it comes back.
    pub secret: String,
}

/// Why a sign-in fails.
#[derive(Debug)]
#[cfg_attr(not(feature = "openid"), expect(dead_code, reason = "nobody signs in without the feature"))]
pub(crate) enum Failure {
    /// This browser has not begun it, or too long ago, or has ended it already.
    NotBegun,
    /// The provider does not sign the person in; its words.
    Refused(String),
    /// The provider does not answer, or not as it should; the reason is for the operator.
    Provider(anyhow::Error),
    /// The provider does not tell who it is; the reason for people.
    NoLogin(String),
}
