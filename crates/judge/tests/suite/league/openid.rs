//! Signing in at an account server, by OpenID Connect: a real one on a real socket, which also answers wrongly.

use super::place::{Answer, Ask, League, ROSTER, SHORT, wait};
use super::provider::{ADDRESS, Fault, Key, Provider, REDIRECT, parameters};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

/// A league behind a proxy, and its account server.
struct Place {
    league: League,
    provider: Provider,
}

/// A browser that signs in: the league's cookie for it.
struct Begun {
    address: String,
    cookie: String,
}

fn place(claim: &str, roster: &str) -> Place {
    let provider = Provider::start();
    let table = provider.table(claim);
    let mut league = League::new(&[SHORT, &[("# [openid]", table.as_str()), ADDRESS]].concat(), roster);
    league.serve(&["--workers", "0", "--behind-proxy"]);
    Place { league, provider }
}

impl Place {
    /// A request as the proxy passes it on, each from an address of its own.
    fn ask(&self, path: &str) -> Ask {
        static CLIENTS: AtomicU32 = AtomicU32::new(0);
        let number = CLIENTS.fetch_add(1, Ordering::Relaxed);
        let client = format!("10.1.{}.{}", number / 250, number % 250);
        self.league.ask("GET", path).with("Host", "league.school.example").with("X-Forwarded-For", &client)
    }

    #[track_caller]
    fn begin(&self) -> Begun {
        let answer = self.ask("/openid/start").send();
        assert_eq!(answer.status, 303, "{}", answer.text());
        let cookie = answer.header("set-cookie").unwrap();
        let (value, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(attributes, "HttpOnly; SameSite=Lax; Path=/openid; Max-Age=600; Secure");
        assert!(value.strip_prefix("league-openid=").unwrap().len() == 43, "{cookie}");
        Begun { address: answer.header("location").unwrap().to_string(), cookie: value.to_string() }
    }

    /// Goes to the account server, and returns the path with which it sends the browser back.
    #[track_caller]
    fn visit(&self, begun: &Begun) -> String {
        let back = self.provider.visit(&begun.address);
        assert!(back.starts_with(REDIRECT), "{back}");
        back.strip_prefix("https://league.school.example").unwrap().to_string()
    }

    fn come_back(&self, path: &str, cookie: &str) -> Answer {
        self.ask(path).with("Cookie", cookie).with("Sec-Fetch-Site", "cross-site").send()
    }

    /// The whole way of a browser.
    #[track_caller]
    fn sign_in(&self) -> Answer {
        let begun = self.begin();
        let path = self.visit(&begun);
        self.come_back(&path, &begun.cookie)
    }

    #[track_caller]
    fn is_refused(&self, answer: &Answer, status: u16, part: &str) {
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.text().contains(part) && !answer.text().contains("<script>"), "{}", answer.text());
        assert!(answer.header("set-cookie").is_none(), "nobody is signed in");
    }

    /// The account page of the person whom this answer signs in.
    #[track_caller]
    fn account(&self, answer: &Answer) -> String {
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{}", answer.text());
        let cookie = answer.header("set-cookie").unwrap();
        assert!(
            cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=10368000; Secure"),
            "as by a link: {cookie}"
        );
        let page = self.ask("/account").with("Cookie", cookie.split(';').next().unwrap()).send();
        assert_eq!(page.status, 200);
        page.text()
    }

    fn sessions(&self) -> String {
        self.league.sql("SELECT COUNT(*) FROM credential WHERE kind = 'session'")
    }
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn whoever_is_on_the_roster_signs_in() {
    let place = place("preferred_username", ROSTER);
    let asked = place.ask("/").send();
    assert_eq!(asked.status, 401);
    assert!(asked.text().contains("<a href=\"/openid/start\">School &lt;account&gt;</a>"), "{}", asked.text());
    let begun = place.begin();
    let asked = parameters(begun.address.split_once('?').unwrap().1);
    assert_eq!((asked["redirect_uri"].as_str(), asked["scope"].as_str()), (REDIRECT, "openid profile email"));
    for (claims, login) in [
        (json!({"sub": "77", "preferred_username": "cem"}), "cem"),
        (json!({"sub": "78", "preferred_username": "teo", "email": "x@y.example", "email_verified": false}), "teo"),
    ] {
        place.provider.person(claims);
        let page = place.account(&place.sign_in());
        assert!(page.contains(&format!("Login <strong>{login}</strong>")), "{page}");
    }
    // The first browser has taken its time.
    let page = place.account(&place.come_back(&place.visit(&begun), &begun.cookie));
    assert!(page.contains("Login <strong>teo</strong>"), "{page}");
    // The league asked for the provider's description and keys once.
    let asked = place.provider.state.lock().unwrap().asked.clone();
    assert_eq!(asked.iter().filter(|asked| asked.ends_with("/keys")).count(), 1, "{asked:?}");
    // Links work as before.
    place.league.sign_in("dov");
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn without_a_proxy_the_address_is_the_servers_own() {
    let provider = Provider::start();
    let mut league = League::new(&[SHORT, &[("# [openid]", provider.table("sub").as_str())]].concat(), ROSTER);
    league.serve(&["--workers", "0"]);
    let start = league.ask("GET", "/openid/start").send();
    let cookie = start.header("set-cookie").unwrap().split(';').next().unwrap().to_string();
    let back = provider.visit(start.header("location").unwrap());
    let path = back.strip_prefix(&format!("http://{}", league.address())).unwrap_or_else(|| panic!("{back}"));
    let answer = league.ask("GET", path).with("Cookie", &cookie).send();
    assert!(answer.status == 303 && answer.header("set-cookie").unwrap().starts_with("league="), "{}", answer.text());
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn a_new_key_of_another_kind_is_asked_for() {
    let place = place("sub", ROSTER);
    place.account(&place.sign_in());
    place.provider.state.lock().unwrap().key = Key::p256();
    wait("the new key", || place.sign_in().status == 303);
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn an_answer_that_is_not_right_signs_nobody_in() {
    let place = place("sub", ROSTER);
    place.account(&place.sign_in());
    let sessions = place.sessions();
    for fault in [
        Fault::Nonce,
        Fault::NoNonce,
        Fault::Audience,
        Fault::TwoAudiences,
        Fault::Expired,
        Fault::ForeignKey,
        Fault::AlgorithmNone,
        Fault::SignedWithSecret,
        Fault::SignedWithPublicKey,
        Fault::Issuer,
        Fault::NoIdToken,
        Fault::NoToken,
        Fault::TakesNoCode,
        Fault::Elsewhere,
        Fault::Endless,
        Fault::Hangs,
        Fault::NoJson,
    ] {
        place.provider.fault(fault);
        let answer = place.sign_in();
        assert_eq!(answer.status, 502, "{fault:?}: {}", answer.text());
        place.is_refused(&answer, 502, "The account server does not answer as it should");
    }
    assert_eq!(place.sessions(), sessions);
    assert!(
        !place.provider.state.lock().unwrap().asked.contains(&"POST /other-token".to_string()),
        "nothing is followed"
    );
    place.provider.fault(Fault::None);
    place.account(&place.sign_in());
    assert!(place.league.peak_memory() < 200_000, "an endless answer is cut off: {} kB", place.league.peak_memory());
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn whoever_is_not_on_the_roster_stays_out() {
    let place = place("email", "id,name\nann@school.example,Ann\n9001,Nine\n");
    let refused = |claims: Value, part: &str| {
        place.provider.person(claims);
        place.is_refused(&place.sign_in(), 403, part);
    };
    refused(
        json!({"email": "eve@school.example", "email_verified": true}),
        "eve@school.example', which is not on the roster",
    );
    for other in [
        "Ann@school.example",
        "ann@school.example ",
        " ann@school.example",
        "ann@school.example.evil",
        "ann@school.example\u{0}",
    ] {
        refused(json!({"email": other}), "not on the roster");
    }
    refused(json!({"email": "<script>"}), "&lt;script&gt;");
    refused(json!({"email": "ann@school.example", "email_verified": false}), "has not been verified");
    refused(json!({"email": "ann@school.example", "email_verified": "false"}), "has not been verified");
    refused(json!({"sub": "ann@school.example"}), "did not tell its 'email'");
    refused(json!({"email": ""}), "did not tell its 'email'");
    assert_eq!(place.sessions(), "0");
    for claims in
        [json!({"email": "ann@school.example"}), json!({"email": "ann@school.example", "email_verified": true})]
    {
        place.provider.person(claims);
        place.account(&place.sign_in());
    }
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn a_sign_in_ends_where_it_was_begun_and_once() {
    let place = place("sub", ROSTER);
    let stale = "was not begun in this browser";
    // Eve has her victim's program open an address that would sign it in as Eve: with no sign-in there, and with another one.
    let (eve, victim) = (place.begin(), place.begin());
    let path = place.visit(&eve);
    place.is_refused(&place.ask(&path).send(), 422, stale);
    place.is_refused(&place.come_back(&path, &victim.cookie), 422, stale);
    place.is_refused(&place.come_back(&path, "league-openid=x; league-openid="), 422, stale);
    // The victim's own sign-in goes on, and ends once, also with a code that was not used.
    let own = place.visit(&victim);
    place.account(&place.come_back(&own, &victim.cookie));
    place.is_refused(&place.come_back(&own, &victim.cookie), 422, stale);
    let (unused, state) = (place.visit(&place.begin()), parameters(own.split_once('?').unwrap().1)["state"].clone());
    let code = parameters(unused.split_once('?').unwrap().1)["code"].clone();
    place.is_refused(
        &place.come_back(&format!("/openid/answer?state={state}&code={code}"), &victim.cookie),
        422,
        stale,
    );
    // A code of another sign-in: the provider finds that the verifier is not its own.
    let (one, other) = (place.begin(), place.begin());
    let state = parameters(one.address.split_once('?').unwrap().1)["state"].clone();
    let code = parameters(place.visit(&other).split_once('?').unwrap().1)["code"].clone();
    let mixed = place.come_back(&format!("/openid/answer?state={state}&code={code}"), &one.cookie);
    place.is_refused(&mixed, 502, "");
    for path in ["/openid/answer", "/openid/answer?code=x", "/openid/answer?state=&code=", "/openid/answer?error=x"] {
        place.is_refused(&place.come_back(path, &eve.cookie), 422, stale);
    }
    // A provider's refusal is told, as text.
    let begun = place.begin();
    let state = parameters(begun.address.split_once('?').unwrap().1)["state"].clone();
    let words = format!("/openid/answer?state={state}&error=access_denied&error_description=%3Cscript%3E%00no&code=x");
    place.is_refused(
        &place.come_back(&words, &begun.cookie),
        422,
        "did not sign you in: access_denied: &lt;script&gt;",
    );
    assert_eq!(place.sessions(), "1");
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn an_address_that_fails_often_waits_and_others_do_not() {
    let place = place("sub", ROSTER);
    place.provider.person(json!({"sub": "eve"}));
    let from = |client: &str, path: &str, cookie: &str| {
        place.ask(path).with("X-Forwarded-For", client).with("Cookie", cookie).send().status
    };
    let mut statuses = Vec::new();
    for _ in 0..21 {
        let begun = place.begin();
        statuses.push(from("10.9.9.9", &place.visit(&begun), &begun.cookie));
    }
    assert_eq!(statuses[..20], [403; 20]);
    assert_eq!((statuses[20], from("10.9.9.9", "/openid/start", "")), (429, 429));
    assert_eq!(from("10.9.9.8", "/openid/start", ""), 303);
}

#[test]
#[ignore = "needs the feature openid; make test-league runs it"]
fn a_provider_that_starts_after_the_league_is_found() {
    let provider = Provider::start();
    // A port on which nobody listens.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let table = provider.table("sub").replace(&provider.address, &format!("http://{gone}"));
    let mut league = League::new(&[SHORT, &[("# [openid]", table.as_str())]].concat(), ROSTER);
    league.serve(&["--workers", "0"]);
    let answer = league.ask("GET", "/openid/start").send();
    assert!(answer.status == 502 && answer.header("set-cookie").is_none(), "{}", answer.text());
    league.sign_in("ann");
    // Another server at that address, which says that it is somebody else.
    let impostor = std::net::TcpListener::bind(gone).unwrap();
    let other = provider.address.clone();
    std::thread::spawn(move || {
        for mut stream in impostor.incoming().map_while(Result::ok) {
            let body = json!({"issuer": other, "authorization_endpoint": format!("{other}/sign-in"), "token_endpoint": format!("{other}/token"),
                "jwks_uri": format!("{other}/keys"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"]}).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
            let _ = std::io::Write::write_all(&mut stream, (head + &body).as_bytes());
        }
    });
    league.serve(&["--workers", "0"]);
    let answer = league.ask("GET", "/openid/start").send();
    assert_eq!(answer.status, 502, "{}", answer.text());
    // The right one, after the pause.
    league.change(&[(&format!("http://{gone}"), &provider.address)]);
    league.serve(&["--workers", "0"]);
    assert_eq!(league.ask("GET", "/openid/start").send().status, 303);
}

#[test]
fn what_is_wrong_in_the_settings_is_named() {
    let league = League::new(SHORT, ROSTER);
    let good = "[openid]\nissuer = \"https://login.school.example\"\nclient-id = \"league\"\nclient-secret-file = \"none\"\nclaim = \"sub\"\n";
    for (change, part) in [
        (
            ("https://login.school.example", "http://login.school.example"),
            "league.toml: openid.issuer: expected https://",
        ),
        (("https://login.school.example", "login.school.example"), "league.toml: openid.issuer: expected an address"),
        (("\"league\"", "\" \""), "league.toml: openid.client-id: expected a text"),
        (("claim = \"sub\"", ""), "missing field `claim`"),
        (("\"sub\"", "\"\""), "league.toml: openid.claim: expected a text"),
        (("claim", "claims"), "unknown field `claims`"),
    ] {
        let settings = std::fs::read_to_string(league.path().join("league.toml")).unwrap();
        std::fs::write(
            league.path().join("league.toml"),
            settings.clone() + "\n" + &good.replacen(change.0, change.1, 1),
        )
        .unwrap();
        let said = league.command(&["check", "course"], 2);
        assert!(said.contains(part), "{part}: {said}");
        std::fs::write(league.path().join("league.toml"), settings).unwrap();
    }
    for (address, part) in [
        ("https://x.example/league", "address: expected an address without a path"),
        ("x.example", "address: expected an address such as"),
    ] {
        league.change(&[("# address = \"https://league.school.example\"", &format!("address = \"{address}\""))]);
        let said = league.command(&["check", "course"], 2);
        assert!(said.contains(part), "{said}");
        league.change(&[(&format!("address = \"{address}\""), "# address = \"https://league.school.example\"")]);
    }
    // The secret's file is read by the server alone.
    league.change(&[("# [openid]", good)]);
    assert_eq!(league.command(&["check", "course"], 0), "all is well\n");
    let said = league.command(&["serve", "course", "--port", "0"], 2);
    let part = if cfg!(feature = "openid") {
        "openid.client-secret-file: course/none: cannot be read"
    } else {
        "--features openid"
    };
    assert!(said.contains(part), "{said}");
    std::fs::write(league.path().join("none"), "secret").unwrap();
    let said = league.command(&["serve", "course", "--port", "0", "--behind-proxy"], 2);
    assert!(said.contains("[openid] needs the key `address`"), "{said}");
    // The address is the beginning of links.
    league.change(&[ADDRESS]);
    assert!(league.command(&["link", "course", "ann"], 0).starts_with("https://league.school.example/enter/"));
}
