//! Without the feature `openid`: nobody signs in by OpenID Connect.

use super::{Failure, Settings, Start};
use anyhow::{Result, bail};
use std::net::IpAddr;
use std::path::Path;

/// What cannot be.
pub(crate) enum OpenId {}

impl OpenId {
    pub(crate) fn new(_: &Settings, _: &Path, _: &str) -> Result<OpenId> {
        bail!(
            "[openid]: this judge was built without OpenID Connect; take the one of a release archive, build with \
             `cargo build --release -p judge --features openid`, or remove the table"
        )
    }

    pub(crate) fn button(&self) -> &str {
        match *self {}
    }

    pub(crate) fn look(&self) -> Result<()> {
        match *self {}
    }

    pub(crate) fn begin(&self, _: IpAddr) -> Result<Start, Failure> {
        match *self {}
    }

    pub(crate) fn finish(&self, _: &str, _: &str, _: Result<String, String>) -> Result<String, Failure> {
        match *self {}
    }
}
