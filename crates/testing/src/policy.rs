//! The hashes of a page's Content-Security-Policy.

use base64::Engine;
use std::io::Write;
use std::process::{Command, Stdio};

/// The hash of a text as a page's policy writes it.
pub fn policy_hash(text: &str) -> String {
    let mut summer = Command::new("sha256sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sha256sum of coreutils");
    summer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = summer.wait_with_output().unwrap();
    let digits = std::str::from_utf8(&output.stdout[..64]).unwrap();
    let bytes: Vec<u8> =
        (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
    format!("'sha256-{}'", base64::prelude::BASE64_STANDARD.encode(bytes))
}
