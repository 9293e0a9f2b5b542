//! Secrets: links, sessions and tokens. Each has 256 random bits, so that a plain hash is enough to
//! keep them.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Returns a new secret of 256 random bits, as text for URLs.
pub(crate) fn new_secret() -> String {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system has random bytes");
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the SHA-256 of a secret or file, in hexadecimal digits.
pub(crate) fn hash(secret: impl AsRef<[u8]>) -> String {
    Sha256::digest(secret.as_ref()).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
