//! Addresses of servers in `league.toml`.

use anyhow::{Context, Result, bail};
use std::net::IpAddr;
use ureq::http::Uri;

/// Reads an address such as `https://league.school.example`, and returns it without a slash at its end, and its host.
///
/// # Errors
/// The text has another form.
pub(crate) fn read(text: &str) -> Result<(String, String)> {
    let expected = || format!("expected an address such as https://league.school.example, found '{text}'");
    let uri: Uri = text.parse().with_context(expected)?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.host().unwrap_or_default();
    let has_user = uri.authority().is_some_and(|authority| authority.as_str().contains('@'));
    if !is_http || host.is_empty() || has_user || uri.query().is_some() || text.contains('#') {
        bail!(expected());
    }
    Ok((text.trim_end_matches('/').to_string(), host.to_string()))
}

/// Refuses an address that others of the network could read along or answer in place of the server: it begins with `https`, or is
/// one of this machine.
pub(crate) fn check_safe(text: &str) -> Result<()> {
    let (address, host) = read(text)?;
    if !address.starts_with("https:") && !is_loopback(&host) {
        bail!("expected https://..., found '{text}'; http:// is for servers on this machine");
    }
    Ok(())
}

/// Returns whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || plain.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_for_this_machine() {
        for text in
            ["https://id.school.example/realms/one/", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:9"]
        {
            check_safe(text).unwrap();
        }
        for text in [
            "http://id.school.example",
            "http://127.0.0.1.school.example",
            "http://localhost@school.example",
            "https://user:word@school.example",
            "https://school.example/?x=1",
            "https://school.example/#x",
            "ftp://localhost",
            "https://",
            "id.school.example",
            "/",
            "",
        ] {
            assert!(check_safe(text).is_err(), "{text}");
        }
        assert_eq!(read("https://a.example/").unwrap(), ("https://a.example".to_string(), "a.example".to_string()));
    }
}
