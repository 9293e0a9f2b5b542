//! What somebody tries who sits at a browser or writes requests by hand.

use super::place::{ATTRIBUTES, Answer, Ask, League, ROSTER, SHORT};
use std::io::Write;
use testing::{Folder, assert_has, assert_lacks};

fn league(words: &[&str]) -> League {
    let mut league = League::new(SHORT, ROSTER);
    league.serve(&[&["--workers", "0"], words].concat());
    league
}

/// Changes a request so that it comes from elsewhere.
type Change = fn(Ask) -> Ask;

#[test]
fn forms_of_other_sites_change_nothing() {
    let league = league(&[]);
    let teacher = league.sign_in("teo");
    let message = || league.sql("SELECT value FROM setting WHERE key = 'message'");
    let form = |text: &str| {
        league.ask("POST", "/staff/message").session(&teacher).form(&format!("text={text}"))
    };
    // Those of other notations are tested with the crate `http-server`.
    let foreign: [(&str, Change); 6] = [
        ("no origin", |ask| ask.without("Origin")),
        ("a foreign origin", |ask| ask.with("Origin", "https://evil.example")),
        ("no origin of a page", |ask| ask.with("Origin", "null")),
        ("another host of the site", |ask| ask.with("Sec-Fetch-Site", "same-site")),
        ("typed by hand", |ask| ask.with("Sec-Fetch-Site", "none")),
        ("a token that is none beside the cookie", |ask| ask.without("Origin").token("x")),
    ];
    for (what, change) in foreign {
        let answer = change(form("evil")).send();
        assert_eq!(answer.status, 403, "{what}: {}", answer.text());
    }
    assert_eq!(message(), "");
    // Nobody is signed in as somebody else.
    let upload = league.upload(&teacher, "a.py", b"x");
    let enter = league.ask("POST", &format!("/enter/{}", league.links["dov"]));
    let leave = league.ask("POST", "/leave").session(&teacher);
    for ask in [upload, enter, leave] {
        assert_eq!(ask.with("Origin", "https://evil.example").send().status, 403);
    }
    assert_eq!(form("ours").send().status, 303);
    assert_eq!(message(), "ours");
    let again = form("again").with("Origin", "null").with("Sec-Fetch-Site", "same-origin");
    assert_eq!(again.send().status, 303);
    for path in [
        "/staff/message?text=evil",
        "/staff/freeze?frozen=yes",
        "/leave",
        "/staff/final?players=2&pairs=1",
    ] {
        assert_eq!(league.get(&teacher, path).status, 405, "{path}");
    }
    assert_eq!(message(), "again");
}

#[test]
fn the_server_answers_to_its_names_alone() {
    let league = league(&["--host", "league.school.example"]);
    let student = league.sign_in("ann");
    let port = league.address().rsplit_once(':').unwrap().1.to_string();
    let asked = |host: &str| league.ask("GET", "/healthz").with("Host", host).send().status;
    for host in ["localhost", "League.School.Example:443"] {
        assert_eq!(asked(host), 200, "{host}");
    }
    // The name of an attacker's server that leads here: its pages are of the same origin, and get
    // nothing.
    let rebound = league.ask("POST", "/account/tokens").session(&student).form("label=x");
    let rebound = rebound.with("Host", &format!("evil.example:{port}"));
    let rebound = rebound.with("Origin", &format!("http://evil.example:{port}"));
    assert_eq!(rebound.send().status, 422);
    let forwarded = league.ask("GET", "/healthz").with("Host", "evil.example");
    let forwarded = forwarded.with("X-Forwarded-Host", "localhost");
    assert_eq!(forwarded.send().status, 422);
}

#[test]
fn paths_lead_to_pages_alone() {
    let league = league(&[]);
    let (student, teacher) = (league.sign_in("ann"), league.sign_in("teo"));
    let worker = league.worker_token();
    std::fs::write(league.directory.join("secret"), "word-that-is-nobodys").unwrap();
    for path in [
        "/static/../league.toml",
        "/static/..%2fleague.toml",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "//etc/passwd",
        "/../../../../etc/passwd",
        "/submissions/..%2f..%2fsecret",
        "/submissions/1%00/report.json",
        "/submissions/-1",
        "/submissions/9223372036854775808",
        "/players/1;2",
        "/games/0x1/replay",
        "/submissions/..%2f1/upload",
        "/enter/..%2f..%2fsecret",
        "/worker/files/uploads/..%2f..%2fleague.toml",
        "/worker/files/uploads/../../league.toml",
        "/worker/files/programs/..%2f..%2fleague.toml",
        "/worker/files/..%2f..%2f/league.toml",
        "/worker/files/records/%2fetc%2fpasswd",
    ] {
        for ask in [
            league.ask("GET", path).session(&student),
            league.ask("GET", path).session(&teacher),
            league.ask("GET", path).token(&worker),
        ] {
            let answer = ask.send();
            assert_lacks(answer.text(), ["word-that-is", "root:", "time-zone ="]);
            let is_refused = matches!(answer.status, 400 | 401 | 403 | 404 | 405);
            assert!(is_refused || path.starts_with("/enter/"), "{path}: {}", answer.status);
        }
    }
    for name in ["programs/..%2f..%2fleague.toml", "uploads/..%2fa", "records/1", "x/y"] {
        let put = league.ask("PUT", &format!("/worker/jobs/1/{name}")).token(&worker);
        assert!(put.with("x-lease", "x").send().status >= 400, "{name}");
    }
    assert_has(league.read("league.toml"), ["time-zone"]);
    assert!(league.get(&student, "/players/1?before=x").status == 400);
}

#[test]
fn cookies_have_their_attributes_and_links_work_once() {
    for (words, secure) in [(&[][..], false), (&["--behind-proxy"][..], true)] {
        let league = league(words);
        let path = format!("/enter/{}", league.links["ann"]);
        // Programs that look at links in messages do not use them up.
        for _ in 0..3 {
            let page = league.ask("GET", &path).send();
            assert_eq!((page.status, page.header("set-cookie")), (200, None));
            assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
            assert_eq!(page.header("cache-control"), Some("no-store"));
        }
        let answer = league.ask("POST", &path).sent_from_here().send();
        let cookie = answer.header("set-cookie").unwrap();
        let (session, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(attributes, format!("{ATTRIBUTES}{}", if secure { "; Secure" } else { "" }));
        assert_eq!(answer.status, 303);
        let again = league.ask("POST", &path).sent_from_here().send();
        assert_eq!((again.status, again.header("set-cookie")), (422, None), "{}", again.text());
        let session = session.strip_prefix("league=").unwrap();
        let ask = || league.get(session, "/account").status;
        assert_eq!(ask(), 200);
        let left = league.post(session, "/leave", "");
        assert_has(left.header("set-cookie").unwrap(), ["league=; ", "Max-Age=0"]);
        assert_eq!(ask(), 401, "the session has ended, not the cookie alone");
        let kept = league.sql("SELECT hash FROM credential");
        assert!(league.links.values().all(|secret| !kept.contains(secret)));
        assert_lacks(kept, [session]);
    }
}

#[test]
fn guessing_is_slowed_down_and_hinders_nobody_else() {
    let league = league(&["--behind-proxy"]);
    let ann = league.sign_in("ann");
    let from = |address: &str, ask: Ask| ask.with("X-Forwarded-For", address).send().status;
    let guess = |address: &str, number: u32| {
        from(address, league.ask("POST", &format!("/enter/guess{number}")).sent_from_here())
    };
    for number in 0..30 {
        assert_eq!(guess("10.1.1.1", number), if number < 20 { 422 } else { 429 });
    }
    // A client writes what it likes before the proxy's own word.
    assert_eq!(guess("8.8.8.8, 10.1.1.1", 99), 429);
    assert_eq!(guess("10.1.1.2", 1), 422);
    for number in 0..25 {
        let token = league.ask("GET", "/account").token(&format!("guess{number}"));
        assert_eq!(from("10.1.1.3", token), if number < 20 { 401 } else { 429 });
    }
    let cookie =
        |address: &str, secret: &str| from(address, league.ask("GET", "/account").session(secret));
    assert_eq!(cookie("10.1.1.3", "guess"), 429);
    // A classmate in the same lab goes on, signs in by a link, and so does a worker.
    assert_eq!([cookie("10.1.1.1", &ann), cookie("10.1.1.3", &ann)], [200, 200]);
    let link = league.ask("POST", &format!("/enter/{}", league.links["dov"])).sent_from_here();
    assert_eq!(from("10.1.1.1", link), 303);
    let settings = league.ask("GET", "/worker/settings").token(&league.worker_token());
    assert_eq!(from("10.1.1.3", settings), 200);
}

#[test]
fn slow_and_broken_requests_end_and_hinder_nobody() {
    let league = league(&[]);
    let ann = league.sign_in("ann");
    let slow: Vec<_> = (0..50)
        .map(|_| {
            let mut stream = league.ask("GET", "/").connect();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").unwrap();
            stream
        })
        .collect();
    for rubbish in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ] {
        let mut stream = league.ask("GET", "/").connect();
        stream.write_all(rubbish).unwrap();
        assert!(Answer::read(&mut stream).is_none_or(|answer| answer.status == 400));
    }
    let huge = league.ask("GET", "/").with("X-Huge", &"x".repeat(2 << 20));
    assert!(huge.try_send().is_none_or(|answer| matches!(answer.status, 400 | 431)));
    let form = || league.ask("POST", "/account/tokens").session(&ann);
    let long = form().form(&format!("label={}", "x".repeat(1 << 20)));
    assert!(long.try_send().is_none_or(|answer| answer.status == 413));
    // Both ways to say how long a body is at once: the way to smuggle a request past a proxy.
    let body = b"0\r\n\r\nGET /staff HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    let smuggled = form().with("Content-Length", "4").with("Transfer-Encoding", "chunked");
    assert_lacks(Ask { body, ..smuggled }.send().text(), ["HTTP/1.1"]);
    assert_eq!(league.get(&ann, "/account").status, 200);
    for mut stream in slow {
        assert!(Answer::read(&mut stream).is_none_or(|answer| answer.status == 408));
    }
}

#[test]
fn tokens_are_shown_once_counted_and_ended() {
    let league = league(&[]);
    let ann = league.sign_in("ann");
    let make = |label: &str| league.post(&ann, "/account/tokens", &format!("label={label}"));
    let page = make("a%3Cb%3E");
    let token = page.between("<pre>", "</pre>");
    assert_has(page.text(), ["a&lt;b&gt;"]);
    let account = || league.get(&ann, "/account").text();
    assert_lacks(account(), [&token]);
    let uses = || league.ask("GET", "/mine").token(&token).send().status;
    assert_eq!([uses(), make("").status], [200, 422]);
    for number in 0..25 {
        let expected = if number < 19 { 200 } else { 429 };
        assert_eq!(make(&format!("t{number}")).status, expected);
    }
    let end = |login: &str, label: &str| {
        league.post(login, "/account/tokens/end", &format!("label={label}")).status
    };
    let dov = league.sign_in("dov");
    assert_eq!(end(&dov, "a%3Cb%3E"), 303);
    assert_eq!(uses(), 200, "somebody else's button ends nothing");
    assert_eq!(end(&ann, "a%3Cb%3E"), 303);
    assert_eq!(uses(), 401);
}
