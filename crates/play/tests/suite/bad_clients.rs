//! Tests of the puzzle's server with clients that are slow, silent, endless, many, or gone too
//! early. It has to go on, serve others, and use little memory.

use crate::program;
use crate::puzzle::{FIRST_MOVE, HOST, Server, request};
use std::io::{Read, Write};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use testing::server::{self, PATIENCE, one_crowd_at_a_time};
use testing::{assert_has, wait_with};

#[track_caller]
fn answers_soon(server: &Server) {
    wait_with(Duration::from_millis(20), "an answer", || server.serves());
}

const PUZZLE: [&str; 4] = ["--foxes", "random", "--timeout", "1"];

#[test]
fn a_crowd_before_the_puzzle_server_is_turned_away_with_a_word_and_forgotten() {
    let _crowd = one_crowd_at_a_time();
    let mut server = Server::start(&PUZZLE);
    let mut crowd = server.0.crowd(2_000);
    assert!(crowd.len() > 100, "only {} connections", crowd.len());
    answers_soon(&server);
    let last = crowd.len() - 1;
    for one in [0, last / 2, last] {
        crowd[one].set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = String::new();
        crowd[one].read_to_string(&mut text).expect("it is hung up on");
        assert!(
            text.starts_with("HTTP/1.1 503 ") || text.starts_with("HTTP/1.1 408 "),
            "{one}: {text:?}"
        );
        assert_has(&text, ["\r\n\r\nerror: the "]);
    }
    server.0.stays_small();
}

#[test]
#[ignore = "long"]
fn a_puzzle_server_without_free_handles_sends_silent_connections_away() {
    let _crowd = one_crowd_at_a_time();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", &program(), "puzzle"]);
    command.args(["--foxes", "random", "--timeout", "600", "--token", "menagerie"]);
    let server = Server(server::Server::start(&mut command));
    let _crowd = server.0.crowd(100);
    answers_soon(&server);
}

#[test]
fn slow_and_endless_requests_are_given_up_and_the_others_served() {
    let mut server = Server::start(&PUZZLE);
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    let slow = |start: &'static str, block: &'static [u8]| {
        let mut stream = server.0.connect();
        thread::spawn(move || {
            let _ = stream.write_all(start.as_bytes());
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                if stream.write_all(block).is_err() {
                    return true;
                }
                thread::sleep(Duration::from_millis(10));
            }
            false
        })
    };
    static BLOCK: [u8; 1 << 16] = [b'x'; 1 << 16];
    let slow = [
        slow("", b"P"),
        slow("POST / HTTP/1.1\r\n", b"a"),
        slow("POST / HTTP/1.1\r\n", b"a: b\r\n"),
        slow("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n", b"a"),
        slow(
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\na\r\n",
        ),
        slow("POST / HTTP/1.1\r\na: ", &BLOCK),
        slow("POST /", &BLOCK),
        slow("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n", &BLOCK),
    ];
    answers_soon(&server);
    assert_eq!(slow.map(|thread| thread.join().unwrap()), [true; 8]);
    for part in [
        "",
        "POS",
        head,
        &format!("{head}Content-Length: 40\r\n\r\n"),
        &format!("{head}Content-Length: 40\r\n\r\ntoken: m"),
    ] {
        drop(server.0.connect().write_all(part.as_bytes()));
        answers_soon(&server);
    }
    // Nobody stays for the answer.
    for _ in 0..50 {
        let _ = server.0.connect().write_all(request(HOST, FIRST_MOVE).as_bytes());
    }
    answers_soon(&server);
    server.0.stays_small();
}
