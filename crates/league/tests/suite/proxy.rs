//! Signing in by the header of a trusted proxy: requests as a proxy sends them, and requests that
//! forge the header.

use super::place::{ATTRIBUTES, Answer, Ask, League, ROSTER, SHORT};
use std::io::Write;
use std::process::{Command, Stdio};
use testing::{Folder, assert_has, assert_lacks, text};

const HEADER: &str = "X-Remote-User";
const ADDRESS: &str = "# address = \"https://league.school.example\"";
const TABLE: (&str, &str) =
    ("# [proxy-sign-in]", "[proxy-sign-in]\nheader = \"X-Remote-User\"\nfrom = [\"127.0.0.1\"]\n#");

fn league() -> League {
    let mut league = League::new(&[SHORT, &[TABLE]].concat(), ROSTER);
    league.serve(&["--workers", "0", "--behind-proxy"]);
    league
}

fn ask(league: &League, names: &[&str]) -> Ask {
    let mut ask = league.ask("GET", "/sign-in");
    ask.headers.extend(names.iter().map(|name| (HEADER.to_string(), (*name).to_string())));
    ask
}

#[track_caller]
fn is_refused(answer: &Answer, status: u16, part: &str) {
    answer.says(status, part);
    assert_lacks(answer.text(), ["<script>"]);
    assert_eq!(answer.header("set-cookie"), None, "nobody is signed in");
}

#[track_caller]
fn signed_in(league: &League, answer: &Answer) -> String {
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{}", answer.text());
    let (session, attributes) = answer.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert_eq!(attributes, format!("{ATTRIBUTES}; Secure"));
    account(league, session.strip_prefix("league=").unwrap())
}

#[track_caller]
fn account(league: &League, session: &str) -> String {
    let page = league.get(session, "/account");
    page.says(200, "");
    page.between("Login <strong>", "<")
}

#[test]
fn whoever_is_on_the_roster_signs_in_through_the_proxy() {
    let league = league();
    let button = "<a href=\"/sign-in\">Sign in with your school account</a>";
    league.ask("GET", "/").send().says(401, button);
    for login in ["cem", "teo"] {
        assert_eq!(signed_in(&league, &ask(&league, &[login]).send()), login);
    }
    let stranger = "Your account is 'eve', which is not on the roster of this league";
    is_refused(&ask(&league, &["eve"]).send(), 403, stranger);
    is_refused(&ask(&league, &["<script>"]).send(), 403, "&lt;script&gt;");
    let ann = league.sign_in("ann");
    assert_eq!(account(&league, &ann), "ann");
}

#[test]
fn a_forged_header_signs_nobody_in() {
    let league = league();
    // Two values, as of a proxy that adds its own to the client's, in any order and case, also if
    // one is empty; and a name that is nearly the header's.
    for names in [&["cem", "teo"][..], &["teo", "teo"], &["", "teo"], &["teo", ""]] {
        is_refused(&ask(&league, names).send(), 403, "names more than one person");
    }
    let mut other_case = ask(&league, &["cem"]);
    other_case.headers.push(("x-remote-USER".to_string(), "teo".to_string()));
    is_refused(&other_case.send(), 403, "names more than one person");
    is_refused(&ask(&league, &["cem, teo"]).send(), 403, "not on the roster");
    is_refused(&ask(&league, &[""]).send(), 403, "did not say who you are");
    let similar = ask(&league, &[]).with("X_Remote_User", "teo");
    is_refused(&similar.send(), 403, "did not say who you are");
    for name in ["Teo", "TEO", "teo@school.example", "te\u{f6}", "teo;", "'teo'", "%74eo"] {
        is_refused(&ask(&league, &[name]).send(), 403, "not on the roster");
    }
    // From another address, whatever it says of itself.
    let from_elsewhere = |forwarded: &str| {
        let ask = ask(&league, &["teo"]).with("X-Forwarded-For", forwarded);
        let ask = ask.with("X-Real-IP", "127.0.0.1");
        from(&ask.with("Forwarded", "for=127.0.0.1"), "127.0.0.2")
    };
    for forwarded in ["127.0.0.1", "127.0.0.2, 127.0.0.1", ""] {
        is_refused(&from_elsewhere(forwarded), 403, "did not say who you are");
    }
    assert_eq!(league.sql("SELECT COUNT(*) FROM credential WHERE kind = 'session'"), "0");
    let forwarded = ask(&league, &["teo"]).with("X-Forwarded-For", "192.0.2.7").send();
    assert_eq!(signed_in(&league, &forwarded), "teo");
}

/// Sends a request from another address of this machine.
fn from(ask: &Ask, source: &str) -> Answer {
    let script = "import socket, sys\nhost, port = sys.argv[1].split(':')\nline = socket.create_connection((host, int(port)), source_address=(sys.argv[2], 0))\n\
                  line.sendall(sys.stdin.buffer.read())\nwhile part := line.recv(65536): sys.stdout.buffer.write(part)";
    let mut child = Command::new("python3")
        .args(["-c", script, &ask.address, source])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&ask.head()).unwrap();
    let output = child.wait_with_output().unwrap();
    Answer::of(&output.stdout).unwrap_or_else(|| panic!("no answer: {}", text(&output.stdout)))
}

#[test]
fn the_header_counts_on_one_page_and_changes_no_session() {
    let league = league();
    // With a session of somebody else: the pages are the session's, whatever the header says.
    let cem = league.sign_in("cem");
    for path in ["/account", "/", "/mine"] {
        let page = league.ask("GET", path).session(&cem).with(HEADER, "teo").send();
        page.says(200, "Cem");
        assert_lacks(page.text(), ["Teo"]);
    }
    let message = league.ask("POST", "/staff/message").sent_from_here().form("text=evil");
    for (ask, status) in [
        (league.ask("GET", "/staff").session(&cem), 403),
        (league.ask("GET", "/staff"), 401),
        (message, 401),
        (league.ask("POST", "/sign-in").sent_from_here(), 405),
    ] {
        assert_eq!(ask.with(HEADER, "teo").send().status, status);
    }
    // Where the header counts, it counts alone.
    let both = league.ask("GET", "/sign-in").session(&cem).with(HEADER, "teo").send();
    assert_eq!(signed_in(&league, &both), "teo");
    assert_eq!(account(&league, &cem), "cem", "the session of before is still its owner's");
    is_refused(&league.get(&cem, "/sign-in"), 403, "did not say who you are");
}

#[test]
fn without_the_table_there_is_no_such_page() {
    let league = League::served(SHORT, ROSTER, "0");
    is_refused(&ask(&league, &["teo"]).send(), 404, "There is no such page");
    assert_lacks(league.ask("GET", "/").send().text(), ["/sign-in"]);
}

#[test]
fn what_is_wrong_in_the_settings_is_named() {
    let league = League::new(SHORT, ROSTER);
    let good = "[proxy-sign-in]\nheader = \"X-Remote-User\"\nfrom = [\"127.0.0.1\"]\nbutton = \"Enter\"\n#";
    let settings = league.read("league.toml");
    league.change(&[("# [proxy-sign-in]", &good.replace("127.0.0.1", "localhost"))]);
    let part = "league.toml:56: expected an address or a network, such as";
    assert_has(league.command(&["check", "course"], 2), [part]);
    league.write("league.toml", settings);
    // People reach the proxy, not the server; and no program that plays here may.
    league.change(&[("# [proxy-sign-in]", good)]);
    assert_eq!(league.command(&["check", "course"], 0), "all is well\n");
    let said = league.command(&["serve", "course", "--port", "0"], 2);
    assert_has(&said, ["[proxy-sign-in]: needs the option --behind-proxy"]);
    league.change(&[("[settings]", "[settings]\nsandbox = \"off\"")]);
    let said =
        league.command(&["serve", "course", "--port", "0", "--behind-proxy", "--workers", "1"], 2);
    assert_has(&said, ["programs could ask this server as if they were the proxy"]);
    league.change(&[(ADDRESS, ADDRESS.trim_start_matches("# "))]);
    let link = league.command(&["link", "course", "ann"], 0);
    assert!(link.starts_with("https://league.school.example/enter/"), "{link}");
}
