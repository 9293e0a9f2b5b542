//! The table `[openid]` of `league.toml`.

use crate::address;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::PathBuf;

/// How people sign in by OpenID Connect.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Settings {
    /// The provider's address, as its documents and tokens name it.
    pub issuer: String,
    /// The name under which the provider knows the league.
    pub client_id: String,
    #[cfg_attr(not(feature = "openid"), expect(dead_code, reason = "is read where somebody signs in"))]
    /// The file with the secret that the provider has given the league; relative to the league's directory.
    pub client_secret_file: PathBuf,
    /// The claim of the ID token that is a person's login.
    pub claim: String,
    /// The text of the button.
    #[serde(default = "default_button")]
    pub button: String,
}

fn default_button() -> String {
    "Sign in with your account".to_string()
}

impl Settings {
    /// Refuses values that cannot be right; the error names the key.
    pub(crate) fn check(&self) -> Result<()> {
        address::check_safe(&self.issuer).context("openid.issuer")?;
        for (key, value) in [("client-id", &self.client_id), ("claim", &self.claim), ("button", &self.button)] {
            if value.trim().is_empty() {
                bail!("openid.{key}: expected a text");
            }
        }
        Ok(())
    }
}
