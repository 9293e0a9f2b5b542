//! Tests of the puzzle server over real sockets: the protocol, its errors and limits, and whole
//! games of the client.

use crate::program;
use base64::prelude::{BASE64_STANDARD, Engine};
use foxgeese::puzzle::client::{GameEnd, ServerGame};
use foxgeese::puzzle::{Answer, Request, ServerOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;
use testing::assert_has;
use testing::server;

pub(crate) const HOST: &str = "Host: localhost\r\n";
pub(crate) const FIRST_MOVE: &str = "token: menagerie\nstart: 1\ngeese: du\n";

/// A request with these headers and a body.
pub(crate) fn request(headers: &str, body: &str) -> String {
    format!("POST / HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}

pub(crate) struct Server(pub server::Server);

impl Server {
    /// A server with a token of its own, or of the words.
    pub(crate) fn start(words: &[&str]) -> Server {
        let token: &[&str] =
            if words.contains(&"--token") { &[] } else { &["--token", "menagerie"] };
        Server(server::Server::start(
            Command::new(program()).args([&["puzzle"], token, words].concat()),
        ))
    }

    fn connect(&self) -> TcpStream {
        self.0.connect()
    }

    /// Sends these bytes and reads to the end: the status and the body.
    fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // A server that hangs up early gives no status.
        let _ = stream.write_all(bytes);
        response(&mut stream)
    }

    fn post(&self, body: &str) -> (u16, String) {
        self.send(request(HOST, body).as_bytes())
    }

    fn post_form(&self, body: &str) -> (u16, String) {
        let headers = format!("{HOST}Content-Type: application/x-www-form-urlencoded\r\n");
        self.send(request(&headers, body).as_bytes())
    }

    /// A first move, with these headers.
    fn ask_with(&self, headers: &str) -> (u16, String) {
        self.send(request(headers, FIRST_MOVE).as_bytes())
    }

    pub(crate) fn ask(&self, token: &str, start: bool, geese: &str) -> (u16, String) {
        self.post(&Request { token: token.into(), start, geese: geese.into() }.plain())
    }

    pub(crate) fn serves(&self) -> bool {
        self.ask("menagerie", true, "du").0 == 200
    }

    fn play(&self, options: ServerOptions) -> Result<GameEnd, String> {
        let server = Some(format!("http://{}/", self.0.address));
        let options = ServerOptions { server, timeout: 60, think: 1, ..options };
        ServerGame::new(&options, false, None).play()
    }
}

/// The status, 0 where there is none, and the body.
fn response(stream: &mut TcpStream) -> (u16, String) {
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    let status = text.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, body.to_string())
}

#[test]
fn the_first_exchange_has_moves_foxes_and_the_picture() {
    let server = Server::start(&["--foxes", "greedy", "--crlf"]);
    let (status, text) = server.ask("menagerie", true, "du");
    assert_eq!(status, 200, "{text}");
    assert!(text.ends_with("\r\n") && text.lines().count() == 3, "{text}");
    let answer = Answer::read(&text).unwrap();
    assert_eq!((answer.moves, answer.end), (Some(1), None));
    let picture =
        String::from_utf8(BASE64_STANDARD.decode(answer.field.unwrap()).unwrap()).unwrap();
    assert_eq!(picture.lines().count(), 7);
    assert_eq!(picture.lines().nth(3), Some("a b c - e f g"));
    assert!(["X", "Y"].iter().any(|fox| answer.foxes.as_ref().unwrap().starts_with(fox)));
    // A form does as well, and the game goes on.
    let (status, text) = server.post_form("token=menagerie&geese=au");
    assert_eq!((status, Answer::read(&text).unwrap().moves), (200, Some(2)), "{text}");
}

#[test]
fn errors_are_texts_and_change_nothing() {
    let server = Server::start(&["--foxes", "random", "--token", "a+b/c"]);
    let cases = [
        (server.ask("a b/c", true, "du"), "unknown token"),
        (server.ask("a+b/c", false, "du"), "no game is running"),
        (server.ask("a+b/c", true, "ad"), "geese never step down"),
        (server.ask("a+b/c", true, ""), "line 1: expected a goose's letter"),
        (server.post("rubbish"), "expected 'name: value'"),
        (server.post("goose: du"), "unknown name 'goose'"),
        (server.post_form("token=a+b/c&start=1&geese=du"), "unknown token"),
    ];
    for ((status, text), part) in cases {
        assert_eq!(status, 400, "{text}");
        assert!(
            text.starts_with("error: ") && text.contains(part) && Answer::read(&text).is_none(),
            "{text}"
        );
    }
    assert_eq!(server.post_form("token=a%2Bb%2Fc&start=1&geese=du").0, 200);
}

#[test]
fn a_server_without_tokens_makes_one_that_nobody_knows_and_prints_the_command_that_plays() {
    let commands = [(); 2].map(|()| {
        let mut server = Server(server::Server::start(
            Command::new(program()).args(["puzzle", "--foxes", "random"]),
        ));
        let line = server.0.line();
        let (word, command) = line.split_once(": ").unwrap();
        assert_eq!(word, "to play, with a token that is new at each start");
        let address = &server.0.address;
        let token =
            command.strip_prefix(&format!("foxgeese --server http://{address}/ --token ")).unwrap();
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        for guess in ["menagerie", "", &token[1..]] {
            assert_eq!(server.ask(guess, true, "du").0, 400, "{guess}");
        }
        let options = ServerOptions { token: Some(token.to_string()), ..ServerOptions::default() };
        assert_eq!(server.play(options), Ok(GameEnd::Won("goosestep".into())));
        token.to_string()
    });
    assert_ne!(commands[0], commands[1]);
}

#[test]
fn what_is_too_large_too_slow_or_not_http_is_refused_and_the_server_lives() {
    let server = Server::start(&["--foxes", "random", "--timeout", "1", "--connections", "2"]);
    assert_eq!(server.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").0, 405);
    assert_eq!(server.ask_with("Host: evil.example\r\n").0, 403);
    assert_eq!(server.post(&"x".repeat(20_000)).0, 413);
    let chunked = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    let flood =
        format!("{chunked}{}0\r\n\r\n", format!("1000\r\n{}\r\n", "x".repeat(4096)).repeat(5));
    assert_eq!(server.send(flood.as_bytes()).0, 413);
    let mut no_text = request(HOST, "text").into_bytes();
    no_text.splice(no_text.len() - 4.., *b"\xff\xfe\xfd\xfc");
    assert_eq!(server.send(&no_text).0, 400);
    assert!([0, 400].contains(&server.send(b"\0\x01\x02 nonsense\r\n\r\n").0));
    let half = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\nhalf";
    assert_eq!(server.send(half).0, 408);
    assert!([0, 408].contains(&server.send(b"POST / HT").0));
    // Two that stall take all places, and lose them.
    let stalled = [server.connect(), server.connect()];
    std::thread::sleep(Duration::from_millis(200));
    assert!(server.serves());
    drop(stalled);
    assert!(server.serves());
}

const FULL: (u16, &str) = (503, "error: the server is full, try again\n");

#[test]
fn whoever_finds_all_places_taken_by_requests_that_are_being_answered_is_told_so() {
    // A search that nobody waits for the end of.
    let server = Server::start(&["--foxes", "search:20", "--connections", "1"]);
    let mut thinking = server.connect();
    thinking.write_all(request(HOST, FIRST_MOVE).as_bytes()).unwrap();
    for _ in 0..20 {
        assert_eq!(server.ask("menagerie", true, "du"), (FULL.0, FULL.1.to_string()));
    }
    // The search goes on after its client has left, and keeps its place.
    drop(thinking);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.ask("menagerie", true, "du").0, 503);
}

#[test]
fn the_client_wins_against_every_kind_of_foxes() {
    for foxes in ["random", "greedy", "search:5", "stiffest"] {
        let server = Server::start(&["--foxes", foxes, "--token", "a+b/c"]);
        for urlencoded in [false, true] {
            let options = ServerOptions {
                token: Some("a+b/c".into()),
                urlencoded,
                ..ServerOptions::default()
            };
            assert_eq!(server.play(options), Ok(GameEnd::Won("goosestep".into())), "{foxes}");
        }
        let options = ServerOptions { token: Some("another".into()), ..ServerOptions::default() };
        let error = server.play(options).unwrap_err();
        assert_has(&error, ["HTTP status 400", "unknown token"]);
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let server = Server::start(&[]);
    let port = server.0.address.rsplit(':').next().unwrap();
    let output = Command::new(program()).args(["puzzle", "--port", port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("cannot listen on 127.0.0.1:"));
}
