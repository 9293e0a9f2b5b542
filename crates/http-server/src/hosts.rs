//! Checks of the headers `Host` and `Origin`. With DNS rebinding, a foreign web site makes its own
//! host name resolve to this machine, and its scripts can then read answers of a server here; such
//! requests still have the foreign name in `Host`. A form that a foreign site sends (CSRF) has it
//! in `Origin`.

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{Method, Request};
use clap::Args;
use engine::protocol::quote;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The host option that all servers have.
#[derive(Args, Clone, Debug, Default)]
pub struct HostOptions {
    /// Answer requests for this host name or address, such as that of a reverse proxy, in addition
    /// to localhost and the address that the server listens on; repeat for more
    #[arg(long = "host", value_name = "NAME")]
    pub names: Vec<Host>,
}

/// The name or the address of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// A name in lower case, without a dot at its end.
    Name(String),
    /// An address. An IPv4-mapped IPv6 address is stored as the IPv4 address.
    Address(IpAddr),
}

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Host, String> {
        if let Ok(address) = text.parse::<Ipv6Addr>() {
            return Ok(Host::at(address));
        }
        match Authority::read(text) {
            Some(Authority { host, port: None }) if !text.ends_with(':') => Ok(host),
            _ => Err(
                "expected the name or the address of a host, without http:// and without a port"
                    .to_string(),
            ),
        }
    }
}

/// The authority of a URL.
struct Authority {
    host: Host,
    port: Option<u16>,
}

impl Authority {
    /// Reads `name`, `name:80`, `192.0.2.1:80` or `[2001:db8::1]:80`.
    fn read(text: &str) -> Option<Authority> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                (Host::at(address.parse::<Ipv6Addr>().ok()?), port)
            }
            None => {
                let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
                (Host::named(name)?, port)
            }
        };
        let port = match port {
            // RFC 3986 allows a colon without digits.
            "" | ":" => None,
            port => Some(
                port.strip_prefix(':').filter(|digits| !digits.starts_with('+'))?.parse().ok()?,
            ),
        };
        Some(Authority { host, port })
    }
}

impl Host {
    fn at(address: impl Into<IpAddr>) -> Host {
        Host::Address(address.into().to_canonical())
    }

    fn named(name: &str) -> Option<Host> {
        if let Ok(address) = name.parse::<Ipv4Addr>() {
            return Some(Host::at(address));
        }
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_.".contains(symbol);
        (!name.is_empty() && name.chars().all(is_plain)).then_some(Host::Name(name))
    }
}

/// Whose page has sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// There is no header `Origin`.
    NotTold,
    /// A page of this server.
    Own,
    /// Another page, or a header that cannot be read.
    Foreign,
}

/// The hosts for which a server answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    own: Vec<Host>,
    configured: Vec<Host>,
}

impl Hosts {
    /// The hosts of a server that listens on an address.
    pub fn new(listens_on: IpAddr, options: &HostOptions) -> Hosts {
        let localhost = Host::Name("localhost".to_string());
        let loopback = [Host::at(Ipv4Addr::LOCALHOST), Host::at(Ipv6Addr::LOCALHOST)];
        let own = loopback.into_iter().chain([localhost, Host::at(listens_on)]).collect();
        Hosts { own, configured: options.names.clone() }
    }

    /// These hosts with the local address of a connection: a server on 0.0.0.0 is reached at several
    /// addresses.
    pub(super) fn reached_at(&self, address: Option<IpAddr>) -> Hosts {
        let mut hosts = self.clone();
        hosts.own.extend(address.map(Host::at));
        hosts
    }

    pub(super) fn refusal<B>(&self, request: &Request<B>) -> Option<String> {
        let reason = self.foreign_host(request);
        let is_harmless = [Method::GET, Method::HEAD].contains(request.method());
        // Browsers send the header; other clients need not.
        if reason.is_some() || is_harmless || self.sender(request) != Sender::Foreign {
            return reason;
        }
        Some(format!(
            "pages of {} may not send requests to this server; to allow them, start the server with --host NAME",
            quote(&headers(request, &ORIGIN).join(", "))
        ))
    }

    /// Why a request for another host is refused, with a remedy; `None` if it is for this server.
    pub fn foreign_host<B>(&self, request: &Request<B>) -> Option<String> {
        let [host] = headers(request, &HOST)[..] else {
            let expected =
                "expected one header Host with the name of this server, such as Host: localhost";
            return Some(expected.to_string());
        };
        // The request line may name the host as well.
        let named = request.uri().authority().map(|authority| authority.as_str());
        let is_known =
            |host: &str| Authority::read(host).is_some_and(|read| self.knows(&read.host));
        let host = [Some(host), named].into_iter().flatten().find(|host| !is_known(host))?;
        Some(format!(
            "this server does not answer for the host {}: use localhost, or start the server with --host NAME",
            quote(host)
        ))
    }

    /// Whose page has sent a request, by its header `Origin`.
    pub fn sender<B>(&self, request: &Request<B>) -> Sender {
        let host = headers(request, &HOST).first().and_then(|host| Authority::read(host));
        match (&headers(request, &ORIGIN)[..], host) {
            ([], _) => Sender::NotTold,
            ([origin], Some(host)) if self.is_own_origin(origin, &host) => Sender::Own,
            _ => Sender::Foreign,
        }
    }

    fn knows(&self, host: &Host) -> bool {
        self.own.contains(host) || self.configured.contains(host)
    }

    /// Whether an origin is this server's: the requested host and port, or a configured host, since
    /// a reverse proxy may request another host than the browser.
    fn is_own_origin(&self, origin: &str, requested: &Authority) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else { return false };
        let port = match scheme.to_ascii_lowercase().as_str() {
            "http" => 80,
            "https" => 443,
            _ => return false,
        };
        let Some(from) = Authority::read(authority) else { return false };
        let is_same = from.host == requested.host
            && from.port.unwrap_or(port) == requested.port.unwrap_or(port);
        is_same || self.configured.contains(&from.host)
    }
}

/// The values of all headers of a name. One that is not ASCII becomes `?`, which is no valid host.
fn headers<'r, B>(request: &'r Request<B>, name: &HeaderName) -> Vec<&'r str> {
    request.headers().get_all(name).iter().map(|value| value.to_str().unwrap_or("?")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(names: &[&str]) -> HostOptions {
        HostOptions { names: names.iter().map(|name| name.parse().unwrap()).collect() }
    }

    fn request(method: &str, target: &str, headers: &[(HeaderName, &str)]) -> Request<()> {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        request.body(()).unwrap()
    }

    /// A server on a loopback address with two configured hosts.
    fn hosts() -> Hosts {
        Hosts::new(Ipv4Addr::LOCALHOST.into(), &options(&["Games.school.example.", "2001:db8::1"]))
    }

    fn is_answered(hosts: &Hosts, host: &str) -> bool {
        hosts.refusal(&request("GET", "/", &[(HOST, host)])).is_none()
    }

    #[test]
    fn a_server_answers_for_its_own_names_in_all_notations_and_for_no_others() {
        for host in [
            "localhost",
            "localhost:8239",
            "LocalHost:8239",
            "localhost.",
            "localhost.:8239",
            "localhost:",
            "127.0.0.1",
            "127.0.0.1:65535",
            "[::1]",
            "[::1]:8239",
            "[0:0:0:0:0:0:0:1]:1",
            "[::ffff:127.0.0.1]:1",
            "games.school.example",
            "GAMES.school.example.:443",
            "[2001:DB8::1]:80",
        ] {
            assert!(is_answered(&hosts(), host), "{host}");
        }
        for host in [
            "",
            ":8239",
            ".",
            "evil.example",
            "evil.example:8239",
            "localhost.evil.example",
            "evil.localhost",
            "localhost..",
            "localhost:http",
            "localhost:+80",
            "localhost:65536",
            "localhost:80:80",
            "localhost evil.example",
            "localhost,evil.example",
            "me@localhost",
            "evil.example@localhost",
            "localhost@evil.example",
            "http://localhost",
            "localhost/",
            "127.1",
            "2130706433",
            "0x7f000001",
            "127.0.0.1.",
            "127.0.0.1.evil.example",
            "127.0.0.2",
            "0.0.0.0:8239",
            "192.0.2.1",
            "::1",
            "[::1",
            "[::1]8239",
            "[::1]:x",
            "[::]:8239",
            "[localhost]",
            "[::1%25lo]",
            "school.example",
            "2001:db8::1",
        ] {
            assert!(!is_answered(&hosts(), host), "{host}");
        }
    }

    #[test]
    fn a_server_answers_for_the_address_that_it_listens_on() {
        let at =
            |listens_on: &str| Hosts::new(listens_on.parse().unwrap(), &HostOptions::default());
        let one = at("192.0.2.1");
        assert!(is_answered(&one, "192.0.2.1:8239") && is_answered(&one, "localhost"));
        assert!(!is_answered(&one, "192.0.2.2:8239"));
        assert!(is_answered(&at("2001:db8::1"), "[2001:db8:0::1]:8239"));
        // A server on all addresses is requested at the address of the connection.
        let all = at("0.0.0.0");
        assert!(is_answered(&all, "0.0.0.0:8239") && !is_answered(&all, "192.0.2.1"));
        assert!(is_answered(&all.reached_at("192.0.2.1".parse().ok()), "192.0.2.1"));
        assert!(is_answered(&at("::").reached_at("::ffff:192.0.2.1".parse().ok()), "192.0.2.1:80"));
    }

    #[test]
    fn a_request_names_one_host_and_a_refusal_names_the_remedy() {
        let refusal = |headers: &[(HeaderName, &str)]| {
            hosts().refusal(&request("GET", "/", headers)).unwrap()
        };
        for second in ["localhost", "evil.example"] {
            for headers in [&[][..], &[(HOST, "localhost"), (HOST, second)]] {
                assert!(refusal(headers).contains("expected one header Host"));
            }
        }
        let word = refusal(&[(HOST, "evil.example")]);
        assert!(word.contains("'evil.example'") && word.contains("--host NAME"), "{word}");
        let unreadable = axum::http::header::HeaderValue::from_bytes(b"localh\xf6st").unwrap();
        let mut request = request("GET", "/", &[]);
        request.headers_mut().insert(HOST, unreadable);
        assert!(hosts().refusal(&request).is_some());
        // The request line may name the host as well.
        let named =
            |target: &str, host| hosts().refusal(&self::request("GET", target, &[(HOST, host)]));
        assert_eq!(named("http://localhost:8239/", "localhost:8239"), None);
        assert!(named("http://evil.example/", "localhost").is_some());
        assert!(named("http://localhost/", "evil.example").is_some());
    }

    #[test]
    fn requests_from_foreign_pages_are_refused() {
        let refusal = |method: &str, host, origins: &[&str]| {
            let mut headers = vec![(HOST, host)];
            headers.extend(origins.iter().map(|origin| (ORIGIN, *origin)));
            hosts().refusal(&request(method, "/", &headers))
        };
        for (host, origin) in [
            ("localhost:8239", "http://localhost:8239"),
            ("LOCALHOST:8239", "HTTP://localhost.:8239"),
            ("[::1]:8239", "http://[0::1]:8239"),
            ("localhost", "http://localhost"),
            ("localhost:80", "http://localhost"),
            ("games.school.example", "https://games.school.example"),
            ("games.school.example:443", "https://games.school.example"),
            // A proxy that requests the server by its address.
            ("127.0.0.1:8239", "https://games.school.example"),
        ] {
            assert_eq!(refusal("POST", host, &[origin]), None, "{host} {origin}");
        }
        assert_eq!(refusal("POST", "localhost", &[]), None);
        for origin in [
            "http://evil.example",
            "http://localhost",
            "http://localhost:8240",
            "https://localhost",
            "http://127.0.0.1:8239",
            "http://localhost:8239.evil.example",
            "http://localhost:8239/",
            "localhost:8239",
            "file://localhost:8239",
            "null",
            "",
        ] {
            let word =
                refusal("POST", "localhost:8239", &[origin]).unwrap_or_else(|| panic!("{origin}"));
            assert!(word.contains("--host NAME"), "{word}");
            for harmless in ["GET", "HEAD"] {
                assert_eq!(refusal(harmless, "localhost:8239", &[origin]), None, "{origin}");
            }
        }
        let own = "http://localhost:8239";
        assert!(refusal("POST", "localhost:8239", &[own, own]).is_some());
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
            assert!(refusal(method, "localhost:8239", &["http://evil.example"]).is_some());
        }
    }

    #[test]
    fn the_option_accepts_hosts_only() {
        for name in ["", "http://a", "a:80", "a:", "a b", "*", "[::1]:80", "a/b", "a@b"] {
            assert!(name.parse::<Host>().is_err(), "{name:?}");
        }
        assert_eq!("[::1]".parse(), "::1".parse::<Host>());
        assert_eq!("A.b.".parse(), Ok(Host::Name("a.b".to_string())));
    }
}
