//! The table `[proxy-sign-in]` of `league.toml`: a reverse proxy names a person in a header. It is
//! believed where the other end of the connection has a configured address; `X-Forwarded-For` plays
//! no part.

use anyhow::{Context, Result, bail};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use std::net::IpAddr;
use std::str::FromStr;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct ProxySignIn {
    /// The name of the header, whose value is a login of the roster.
    header: String,
    from: Vec<Network>,
    #[serde(default = "default_button")]
    pub button: String,
}

fn default_button() -> String {
    "Sign in with your school account".to_string()
}

impl ProxySignIn {
    /// Refuses values that cannot be right; the error names the key.
    pub(crate) fn check(&self) -> Result<()> {
        let name = &self.header;
        HeaderName::from_str(name).with_context(|| {
            format!("proxy-sign-in.header: expected a name such as X-Remote-User, found '{name}'")
        })?;
        if self.from.is_empty() {
            bail!("proxy-sign-in.from: expected the address of the proxy, such as [\"127.0.0.1\"]");
        }
        if self.button.trim().is_empty() {
            bail!("proxy-sign-in.button: expected a text");
        }
        Ok(())
    }

    /// Returns the values of the header, if the proxy sent them. Proxies send an empty one for
    /// people who have not signed in: it names nobody.
    pub(crate) fn names<'a>(&self, headers: &'a HeaderMap, peer: IpAddr) -> Vec<&'a HeaderValue> {
        if !self.from.iter().any(|network| network.contains(peer)) {
            return Vec::new();
        }
        let values: Vec<_> = headers.get_all(&self.header).iter().collect();
        // Of two values one may be the client's own, also if the other one is empty.
        if values.len() == 1 && values[0].is_empty() { Vec::new() } else { values }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    fn contains(self, peer: IpAddr) -> bool {
        // A socket that listens for both families shows addresses of IPv4 as those of IPv6.
        let peer = peer.to_canonical();
        self.address.is_ipv4() == peer.is_ipv4()
            && (left(self.address) ^ left(peer)) >> (128 - self.bits) == 0
    }
}

/// Returns the bits of an address, from the highest of 128.
fn left(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => u128::from(address),
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Network, String> {
        let expected = || {
            format!(
                "expected an address or a network, such as 127.0.0.1 or 10.1.0.0/16, found '{text}'"
            )
        };
        let (address, bits) =
            text.split_once('/').map_or((&*text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| expected())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).map_err(|_| expected())?;
        // A network of no bits is everybody.
        if bits == 0 || bits > most { Err(expected()) } else { Ok(Network { address, bits }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(from: &[&str]) -> ProxySignIn {
        let from =
            from.iter().map(|text| Network::try_from((*text).to_string()).unwrap()).collect();
        ProxySignIn { header: "X-Remote-User".to_string(), from, button: default_button() }
    }

    #[test]
    fn the_header_is_believed_from_the_addresses_of_the_proxy_alone() {
        let mut headers = HeaderMap::new();
        headers.insert("x-remote-user", HeaderValue::from_static("ann"));
        headers.insert("x-forwarded-for", HeaderValue::from_static("127.0.0.1"));
        let is_believed = |from: &[&str], peer: &str| {
            proxy(from).names(&headers, peer.parse().unwrap()).len() == 1
        };
        for (from, peer) in [
            (&["127.0.0.1"][..], "127.0.0.1"),
            (&["127.0.0.1"], "::ffff:127.0.0.1"),
            (&["10.1.0.0/16"], "10.1.255.255"),
            (&["10.1.2.3/16"], "10.1.0.0"),
            (&["192.0.2.1", "fd00:1::/32"], "fd00:1:2::3"),
            (&["::1"], "::1"),
        ] {
            assert!(is_believed(from, peer), "{from:?} {peer}");
        }
        for (from, peer) in [
            (&["127.0.0.1"][..], "127.0.0.2"),
            (&["127.0.0.1"], "::1"),
            (&["10.1.0.0/16"], "10.2.0.0"),
            (&["10.1.0.0/31"], "10.1.0.2"),
            (&["::1"], "127.0.0.1"),
            (&["7f00::/8"], "127.0.0.1"),
            (&["fd00:1::/32"], "fd00:2::"),
        ] {
            assert!(!is_believed(from, peer), "{from:?} {peer}");
        }
    }

    #[test]
    fn values_that_cannot_be_right_are_refused() {
        for text in [
            "",
            "localhost",
            "127.0.0.1/33",
            "::1/129",
            "0.0.0.0/0",
            "127.0.0.1/",
            "10.0.0.0/x",
            "127.0.0.1:80",
        ] {
            let error = Network::try_from(text.to_string()).unwrap_err();
            assert!(error.contains("expected an address"), "{text}: {error}");
        }
        let good = proxy(&["::1"]);
        good.check().unwrap();
        for (wrong, key) in [
            (ProxySignIn { header: "X Remote".to_string(), ..good.clone() }, "header"),
            (ProxySignIn { button: " ".to_string(), ..good }, "button"),
            (proxy(&[]), "from"),
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.starts_with(&format!("proxy-sign-in.{key}: ")), "{error}");
        }
    }
}
